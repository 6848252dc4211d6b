import type { Endpoint } from '../../api/endpoint.ts'

/** A path of the live host that has no past. */
export interface LiveOnly {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  /** Where this host answers what it was for. */
  readonly instead?: string
}

/** The endpoints of the live host that are not replayed, as paths. */
export function liveOnlyOf(endpoints: readonly Endpoint[]): readonly LiveOnly[] {
  return endpoints
    .filter(({ replay }) => !replay)
    .flatMap(({ path, aliases, body }) =>
      [path, ...aliases].map((each) => ({ method: body === undefined ? 'GET' : 'POST', path: each }) as const)
    )
}

/** Where older clients asked the live host about the past, and the path of this host that answers now. */
export const moved = [
  { path: '/historical/stockquote/{ticker}', to: '/stockquote/{ticker}' },
  { path: '/historical/optionquote/{ticker}', to: '/optionquote/{ticker}' }
] as const

/** The same on this host: they were paths of the live one. */
export const movedPaths: readonly LiveOnly[] = moved.map(({ path, to }) => ({
  method: 'GET',
  path,
  instead: `here it is ${to} with at`
}))
