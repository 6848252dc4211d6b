import type { Endpoint } from '../../api/endpoint.ts'
import type { MaybePromise } from '../../api/maybe-promise.ts'
import type { Entitlement } from '../../api/plan.ts'
import type { DataRequest } from '../../api/source.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'

/** An answer as the channel needs it: its bytes, and what tells it from the answer before. */
export interface StreamAnswer {
  /** The same version means the same inputs, and so the same bytes. */
  readonly answer: { readonly version: string; readonly body: Uint8Array }
  readonly chains: readonly Pick<PricedChain, 'asOf' | 'delay' | 'spot'>[]
}

/** Where answers come from: those of REST, computed once however many ask. */
export interface AnswerSource {
  find(
    endpoint: Endpoint,
    params: Readonly<Record<string, unknown>>,
    asking: DataRequest,
    caller: readonly Entitlement[]
  ): MaybePromise<StreamAnswer>
}
