import type { Endpoint } from '../../api/endpoint.ts'

/** A path of the live host that cannot be replayed. */
export interface LiveOnly {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  /** The path of this host that serves the same purpose. */
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

/** Paths under which older clients asked the live host about the past, and their replacements on this host. */
export const moved = [
  { path: '/historical/stockquote/{ticker}', to: '/stockquote/{ticker}' },
  { path: '/historical/optionquote/{ticker}', to: '/optionquote/{ticker}' }
] as const

/** The same paths, which older clients may also ask of this host. */
export const movedPaths: readonly LiveOnly[] = moved.map(({ path, to }) => ({
  method: 'GET',
  path,
  instead: `here it is ${to} with at`
}))
