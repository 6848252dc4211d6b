import type { Endpoint } from '../../api/endpoint.ts'

export interface LiveOnly {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly instead?: string
}

export function liveOnlyOf(endpoints: readonly Endpoint[]): readonly LiveOnly[] {
  return endpoints
    .filter(({ replay }) => !replay)
    .flatMap(({ path, aliases, body }) =>
      [path, ...aliases].map((each) => ({ method: body === undefined ? 'GET' : 'POST', path: each }) as const)
    )
}

/**
 * Older clients requested past data under these paths of the live host. `to` is the path on the replay host that
 * replaces each.
 */
export const moved = [
  { path: '/historical/stockquote/{ticker}', to: '/stockquote/{ticker}' },
  { path: '/historical/optionquote/{ticker}', to: '/optionquote/{ticker}' }
] as const

/** Old paths on the replay host; the answer to a request names the new path. */
export const movedPaths: readonly LiveOnly[] = moved.map(({ path, to }) => ({
  method: 'GET',
  path,
  instead: `here it is ${to} with at`
}))
