import type { Endpoint } from '../api/endpoint.ts'
import type { Entitlement } from '../api/plan.ts'
import type { Asking, Soon } from '../api/source.ts'
import type { PricedChain } from '../pricing/price-chain.ts'

/** An answer as the channel needs it: its bytes, and what tells it from the answer before. */
export interface Snapshot {
  /** The same stamp means the same inputs, and so the same bytes. */
  readonly answer: { readonly stamp: string; readonly body: Uint8Array }
  readonly chains: readonly Pick<PricedChain, 'asOf' | 'delay' | 'spot'>[]
}

/** Where answers come from: those of REST, computed once however many ask. */
export interface Snapshots {
  find(
    endpoint: Endpoint,
    params: Readonly<Record<string, unknown>>,
    asking: Asking,
    caller: readonly Entitlement[]
  ): Soon<Snapshot>
}
