import type { Account } from '../../accounts/accounts.ts'
import type { Deadline } from '../../api/deadline.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import type { ApiError } from '../../api/error.ts'
import type { MarketSource } from '../../api/market-source.ts'
import type { MaybePromise } from '../../api/maybe-promise.ts'
import type { Parameters } from '../../api/params.ts'
import type { Zone } from '../../api/serializer.ts'
import type { ChainHeader } from '../../market/chain.ts'
import { easternDate } from '../../market/eastern.ts'
import type { IsoDate } from '../../market/units.ts'
import type { Access } from './access.ts'
import type { HeaderLines } from './headers.ts'

export type Query = Readonly<Record<string, string | readonly string[] | undefined>>

/** The differences between the live host and the replay host. Everything else, from key to body, is shared code. */
export interface Host {
  /** Whether public endpoints respond without a key on this host. */
  readonly open: boolean
  /** The market behind every request, if it is always the same one; the fast path for cached responses needs that. */
  readonly defaultMarket: MarketSource | undefined
  /** Parameters that every query accepts in addition to those of its endpoint. */
  readonly parameters: Parameters
  /** Error if an account may not use an endpoint on this host, checked before its quota is touched. */
  planRefusal(account: Account, endpoint: Pick<Endpoint, 'plan'>): ApiError | undefined
  /**
   * The moment that a query is about. Throws if a required moment is missing, before the endpoint's own parameters are
   * read.
   */
  context(endpoint: Endpoint, query: Query): RequestContext
}

export interface RequestContext {
  readonly today: IsoDate
  readonly zone: Zone
  /** The market at the requested moment. Throws if nothing is recorded of what the request needs. */
  market(endpoint: Endpoint, params: Readonly<Record<string, unknown>>, deadline: Deadline): MaybePromise<MarketView>
}

export interface MarketView {
  readonly source: MarketSource
  readonly headers: (chains: readonly ChainHeader[]) => HeaderLines
  /** Called when the request has been completed or refused; absent if nothing has to be released. */
  readonly end?: () => void
}

/** The live host: plans as declared, one market for all requests. */
export function liveHost(live: MarketSource, access: Access): Host {
  const view: MarketView = { source: live, headers: () => '' }
  const market = () => view
  return {
    open: true,
    defaultMarket: live,
    parameters: {},
    planRefusal: (account, { plan }) => access.planRefusal(account, plan),
    context: () => ({ today: easternDate(live.now()), zone: 'utc', market })
  }
}
