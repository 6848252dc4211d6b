import { type Chain, chainOf, contractColumns, UNKNOWN } from '../market/chain.ts'
import type { Absence, ChainSnapshot } from './history-store.ts'

const columns = ['strike', 'right', 'bid', 'ask', 'last', 'bidSize', 'askSize', 'volume', 'openInterest'] as const

/**
 * The snapshot of a chain that the service loaded itself: the observed columns, copied. Computed columns are left out,
 * so that a waiting snapshot holds no more memory than is written.
 */
export function snapshotOf(chain: Chain): ChainSnapshot {
  const { symbol, asOf, delay, spot, quote, size, expirations } = chain
  const observed = contractColumns(size)
  for (const name of columns) observed[name].set(chain[name])
  return {
    chain: chainOf({ symbol, asOf, delay, spot, quote }, observed, expirations),
    fidelity: 'recorded',
    missing: absencesOf(chain)
  }
}

/** The columns that the source states for no contract at all. */
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

/** Bytes the columns of a snapshot take in memory, near enough. */
export function memoryOf({ chain }: ChainSnapshot): number {
  return 1000 + 49 * chain.size
}
