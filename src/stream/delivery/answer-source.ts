import type { Endpoint } from '../../api/endpoint.ts'
import type { DataRequest } from '../../api/market-source.ts'
import type { MaybePromise } from '../../api/maybe-promise.ts'
import type { Entitlement } from '../../api/plan.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'

/** An answer as the stream needs it: its bytes, and the chains it was made from. */
export interface StreamAnswer {
  /** The same version means the same inputs, and so the same bytes. */
  readonly answer: { readonly version: string; readonly body: Uint8Array }
  readonly chains: readonly Pick<PricedChain, 'asOf' | 'delay' | 'spot'>[]
}

/** The answers of REST, computed once for all who ask for them. */
export interface AnswerSource {
  find(
    endpoint: Endpoint,
    params: Readonly<Record<string, unknown>>,
    request: DataRequest,
    caller: readonly Entitlement[]
  ): MaybePromise<StreamAnswer>
}
