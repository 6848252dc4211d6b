import type { Account } from '../../accounts/accounts.ts'
import type { AnswerShape } from '../../api/compatible-shape.ts'
import type { Deadline } from '../../api/deadline.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import type { ApiError } from '../../api/error.ts'
import type { MarketSource } from '../../api/market-source.ts'
import type { MaybePromise } from '../../api/maybe-promise.ts'
import type { Parameters } from '../../api/params.ts'
import type { Zone } from '../../api/serializer.ts'
import type { ChainHeader } from '../../market/chain.ts'
import { easternDate } from '../../market/eastern.ts'
import type { Instant, IsoDate } from '../../market/units.ts'
import type { Access } from './access.ts'
import type { HeaderLines } from './headers.ts'
import type { PageUse } from './page-use.ts'

export type Query = Readonly<Record<string, string | readonly string[] | undefined>>

/** Differences between the live host and the replay host. All other code, from key to body, is shared. */
export interface Host {
  /** Whether public endpoints of this host may be used without a key. */
  readonly open: boolean
  /** Whether tokens of embedded panels open this host. */
  readonly panels: boolean
  /**
   * The market that all requests read; undefined if it depends on the request. The fast path for cached responses works
   * only with one market.
   */
  readonly defaultMarket: MarketSource | undefined
  /** Parameters that any request may have besides the parameters of its endpoint. */
  readonly parameters: Parameters
  /**
   * Error if an account may not use an endpoint on this host; otherwise undefined. Checked before the request is
   * counted.
   */
  planRefusal(account: Account, endpoint: Pick<Endpoint, 'plan'> & Partial<Pick<Endpoint, 'id'>>): ApiError | undefined
  /** Whether this host judges requests of pages by their allowance. */
  readonly judgesPages: boolean
  /** Error if the allowance of a page does not reach what a request asks for. Absent where requests are of no moment. */
  readonly pageRefusal?: (
    account: Account,
    endpoint: Endpoint,
    params: Readonly<Record<string, unknown>>,
    context: RequestContext
  ) => ApiError | undefined
  /**
   * Finds the moment that a request is about. Throws if the request must name one and does not. Called before the
   * parameters of the endpoint are parsed.
   */
  context(endpoint: Endpoint, query: Query): RequestContext
}

export interface RequestContext {
  /** The past moment that the request names; absent on the live host. */
  readonly at?: Instant
  readonly today: IsoDate
  readonly zone: Zone
  readonly shape: AnswerShape
  /** The market at the requested moment. Throws if the data that the request needs was not recorded. */
  market(endpoint: Endpoint, params: Readonly<Record<string, unknown>>, deadline: Deadline): MaybePromise<MarketView>
}

export interface MarketView {
  readonly source: MarketSource
  readonly headers: (chains: readonly ChainHeader[]) => HeaderLines
  /** Called when the request has been completed or refused. Absent if nothing needs to be released. */
  readonly end?: () => void
}

/** The live host. Plans apply as endpoints declare them, and all requests read the same market. */
export function liveHost(live: MarketSource, access: Access, pageUse?: PageUse): Host {
  const view: MarketView = { source: live, headers: () => '' }
  const market = () => view
  return {
    open: true,
    panels: true,
    defaultMarket: live,
    parameters: {},
    planRefusal: (account, endpoint) => {
      const { page } = account
      const isShown = page === undefined || endpoint.plan === 'public' || pageUse!.covers(page, endpoint.id!, false)
      return isShown ? access.planRefusal(account, endpoint.plan) : pageUse!.refusal(account, endpoint)
    },
    judgesPages: pageUse !== undefined,
    context: () => ({ today: easternDate(live.now()), zone: 'utc', shape: 'plain', market })
  }
}
