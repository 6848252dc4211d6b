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
 * Paths under which older clients requested past data from the live host, and their replacements on the replay host.
 */
export const moved = [
  { path: '/historical/stockquote/{ticker}', to: '/stockquote/{ticker}' },
  { path: '/historical/optionquote/{ticker}', to: '/optionquote/{ticker}' }
] as const

/** The moved paths, which older clients may also request from the replay host. */
export const movedPaths: readonly LiveOnly[] = moved.map(({ path, to }) => ({
  method: 'GET',
  path,
  instead: `here it is ${to} with at`
}))
