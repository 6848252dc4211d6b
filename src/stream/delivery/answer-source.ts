import type { Endpoint } from '../../api/endpoint.ts'
import type { DataRequest } from '../../api/market-source.ts'
import type { Entitlement } from '../../api/plan.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'

/** A REST response for the stream: its bytes, and the chains that it was computed from. */
export interface StreamAnswer {
  /** Responses with equal versions have equal bytes. */
  readonly answer: { readonly version: string; readonly body: Uint8Array }
  readonly chains: readonly Pick<PricedChain, 'asOf' | 'delay' | 'spot'>[]
}

type Find<Found> = (
  endpoint: Endpoint,
  params: Readonly<Record<string, unknown>>,
  request: DataRequest,
  caller: readonly Entitlement[]
) => Found

/** Finds the response of a REST endpoint. Each response is computed once, for REST and stream clients together. */
export interface AnswerSource {
  /** Returns the response if it is cached; undefined otherwise. */
  readonly ready: Find<StreamAnswer | undefined>
  /** Returns the response, and computes it first if it is not cached. */
  readonly load: Find<Promise<StreamAnswer>>
}
