import type { Account } from '../../accounts/accounts.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import type { MaybePromise } from '../../api/maybe-promise.ts'
import type { Zone } from '../../api/serializer.ts'
import type { MarketSource } from '../../api/source.ts'
import type { ChainHeader } from '../../market/chain.ts'
import { easternDate } from '../../market/eastern.ts'
import type { IsoDate } from '../../market/units.ts'
import type { Access } from './access.ts'
import type { HeaderList } from './headers.ts'

/** The query of a request as the framework reads it. */
export type Query = Readonly<Record<string, string | readonly string[] | undefined>>

/** What tells one host from another. All the rest, from the key to the last byte, is the same code. */
export interface Host {
  /** Whether public endpoints answer without a key here. */
  readonly open: boolean
  /** The one market every request is answered from, where there is one: answers at hand then take the fast lane. */
  readonly defaultMarket: MarketSource | undefined
  /** Refuses an account that may not use an endpoint here, before its quota is touched. */
  admit(account: Account, endpoint: Pick<Endpoint, 'plan'>): void
  /** Where and when a request is answered, from its query: refused before the endpoint's own parameters are read. */
  context(endpoint: Endpoint, query: Query): RequestContext
}

export interface RequestContext {
  /** What the word today means: the market's New York date. */
  readonly today: IsoDate
  /** The clock that the times of the body are printed on. */
  readonly zone: Zone
  /** The market for what was asked, or the refusal of a moment that holds nothing of it. */
  market(endpoint: Endpoint, params: Readonly<Record<string, unknown>>): MaybePromise<MarketView>
}

export interface MarketView {
  readonly source: MarketSource
  /** What is said of the moment beside the usual headers, once the chains behind the answer are known. */
  readonly headers: (chains: readonly ChainHeader[]) => HeaderList
}

/** The host of the present: plans as declared, one market for everybody. */
export function liveHost(live: MarketSource, access: Access): Host {
  const view: MarketView = { source: live, headers: () => [] }
  const market = () => view
  return {
    open: true,
    defaultMarket: live,
    admit(account, { plan }) {
      if (plan !== 'public' && !access.admits(account, plan)) throw access.refusalBelow(account, plan)
    },
    context: () => ({ today: easternDate(live.now()), zone: 'utc', market })
  }
}
