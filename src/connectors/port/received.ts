import type { Chain } from '../../market/chain.ts'
import type { PayloadRows } from '../../market/payload-rows.ts'

/** What a chain was made of. */
export interface Received {
  /** The payload as it came, unpacked. */
  readonly payload: Uint8Array
  readonly reading: PayloadRows
}

/**
 * Judges a chain before its connector remembers anything of it: throws a `SourceError` where it is refused, after which
 * the connector is to be as if it had never come.
 */
export type ChainCheck = (chain: Chain, received: Received) => void
