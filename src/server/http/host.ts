import type { Account } from '../../accounts/accounts.ts'
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
import type { HeaderList } from './headers.ts'

/** The query of a request as the framework reads it. */
export type Query = Readonly<Record<string, string | readonly string[] | undefined>>

/** How the live host and the replay host differ. All the rest, from the key to the last byte, is the same code. */
export interface Host {
  /** Whether public endpoints answer without a key here. */
  readonly open: boolean
  /** The market that every request is answered from, where that is always the same: the short way needs one. */
  readonly defaultMarket: MarketSource | undefined
  /** What every query may say beside the parameters of its endpoint. */
  readonly parameters: Parameters
  /** Why an account may not use an endpoint here; undefined where it may. Asked before its quota is touched. */
  planRefusal(account: Account, endpoint: Pick<Endpoint, 'plan'>): ApiError | undefined
  /** The moment that a query asks for. Throws where it asks for none, before the endpoint's own parameters are read. */
  context(endpoint: Endpoint, query: Query): RequestContext
}

/** The moment a request is answered for. */
export interface RequestContext {
  /** What the word today means: the market's New York date. */
  readonly today: IsoDate
  /** The clock that the times of the body are printed on. */
  readonly zone: Zone
  /** The market at that moment. Throws where nothing is held of what is asked. */
  market(endpoint: Endpoint, params: Readonly<Record<string, unknown>>): MaybePromise<MarketView>
}

/** A market, and how an answer from it is labelled. */
export interface MarketView {
  readonly source: MarketSource
  /** The headers that name the moment, given the chains behind the answer. */
  readonly headers: (chains: readonly ChainHeader[]) => HeaderList
  /** To be called when the request has been answered, or refused; absent where nothing ends with it. */
  readonly end?: () => void
}

/** The live host: plans as declared, one market for all requests. */
export function liveHost(live: MarketSource, access: Access): Host {
  const view: MarketView = { source: live, headers: () => [] }
  const market = () => view
  return {
    open: true,
    defaultMarket: live,
    parameters: {},
    planRefusal: (account, { plan }) => access.planRefusal(account, plan),
    context: () => ({ today: easternDate(live.now()), zone: 'utc', market })
  }
}
