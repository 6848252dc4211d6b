import type { Endpoint } from '../../api/endpoint.ts'
import type { DataRequest } from '../../api/market-source.ts'
import type { MaybePromise } from '../../api/maybe-promise.ts'
import type { Entitlement } from '../../api/plan.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'

/** An answer for the stream: its bytes, and the chains that it was made from. */
export interface StreamAnswer {
  /** Equal versions mean equal inputs, and so equal bytes. */
  readonly answer: { readonly version: string; readonly body: Uint8Array }
  readonly chains: readonly Pick<PricedChain, 'asOf' | 'delay' | 'spot'>[]
}

/** The answers of REST; each is computed once for everybody. */
export interface AnswerSource {
  find(
    endpoint: Endpoint,
    params: Readonly<Record<string, unknown>>,
    request: DataRequest,
    caller: readonly Entitlement[]
  ): MaybePromise<StreamAnswer>
}
