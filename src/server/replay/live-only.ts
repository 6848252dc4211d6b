import type { Endpoint } from '../../api/endpoint.ts'

/** A path of the live host that cannot be replayed. */
export interface LiveOnly {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  /** Path of the replay host that serves the same purpose. */
  readonly instead?: string
}

/** Paths of the live host's endpoints that are not replayed. */
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
