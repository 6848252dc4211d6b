import type { Endpoint } from '../../api/endpoint.ts'

export interface LiveOnly {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly instead?: string
  /** Where a key may come in: in the header or the query by default, as on the live host. */
  readonly keyPlace?: Endpoint['keyPlace']
}

/** Declares of routes that they take a key in a header alone. */
export function withKeyInHeader(routes: readonly LiveOnly[]): readonly LiveOnly[] {
  return routes.map(({ method, path }) => ({ method, path, keyPlace: 'header' }))
}

export function liveOnlyOf(endpoints: readonly Endpoint[]): readonly LiveOnly[] {
  return endpoints
    .filter(({ replay }) => !replay)
    .flatMap(({ path, aliases, body, keyPlace }) => {
      const method = body === undefined ? 'GET' : 'POST'
      return [path, ...aliases].map((each) => ({ method, path: each, keyPlace }) as const)
    })
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
