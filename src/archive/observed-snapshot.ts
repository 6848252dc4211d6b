import { BYTES_PER_CONTRACT, type Chain, chainOf, contractColumns, copyContracts, UNKNOWN } from '../market/chain.ts'
import { refuseGone } from '../market/gone-chain.ts'
import type { Absence, ChainSnapshot } from './history-store.ts'

/**
 * Copies the observed columns of a chain, without computed ones, so that queued snapshots take no more memory than
 * needed.
 */
export function snapshotOf(chain: Chain): ChainSnapshot {
  const { symbol, asOf, delay, spot, quote, size, expirations } = chain
  refuseGone(chain)
  const observed = contractColumns(size)
  copyContracts(chain, observed)
  return {
    chain: chainOf({ symbol, asOf, delay, spot, quote }, observed, expirations),
    fidelity: 'recorded',
    missing: absencesOf(chain)
  }
}

/**
 * Kinds of data that the chain has for none of its contracts. The tape of prints is always among them, because a chain
 * never contains one.
 */
export function absencesOf({ size, bidSize, askSize, volume, openInterest }: Chain): readonly Absence[] {
  const lacks = (...names: readonly Int32Array[]) =>
    size > 0 && names.every((column) => column.every((count) => count === UNKNOWN))
  return [
    ...(lacks(bidSize, askSize) ? (['quote_sizes'] as const) : []),
    ...(lacks(volume) ? (['option_volume'] as const) : []),
    'trade_tape',
    ...(lacks(openInterest) ? (['open_interest'] as const) : [])
  ]
}

/** Approximate memory of a snapshot, bytes. */
export function memoryOf({ chain }: ChainSnapshot): number {
  return 1000 + BYTES_PER_CONTRACT * chain.size
}
