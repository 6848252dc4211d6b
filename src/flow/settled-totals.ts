import { type Chain, UNKNOWN } from '../market/chain.ts'
import type { SeriesExpiration } from '../market/series.ts'
import type { TapeHeader, Totals } from './tape-views.ts'

/** Contracts that traded in a session, by expiration, as its close states them. */
export interface SettledVolumes {
  readonly expirations: readonly SeriesExpiration[]
  readonly volume: Float64Array
  /** Number of series that traded. */
  readonly traded: Int32Array
}

/** Sums of a chain's volumes by expiration; undefined if no volume is known. */
export function volumesByExpiration({ expirations, volume }: Chain): SettledVolumes | undefined {
  if (volume.every((count) => count === UNKNOWN)) return undefined
  const sums = { volume: new Float64Array(expirations.length), traded: new Int32Array(expirations.length) }
  expirations.forEach(({ start, end }, k) => {
    for (let i = start; i < end; i++) {
      if (volume[i] <= 0) continue
      sums.volume[k] += volume[i]
      sums.traded[k]++
    }
  })
  return { expirations: expirations.map(({ date, root, settlement }) => ({ date, root, settlement })), ...sums }
}

/**
 * Sums of a session of which only the close is known: its volume, all of it without a side. Prints are not known, so that
 * their number, sizes and times say nothing; `trades` has the number of series in their place.
 */
export function settledTotals(header: Omit<TapeHeader, 'source'>, volumes: SettledVolumes): Totals {
  const { expirations, volume, traded } = volumes
  const none = new Float64Array(expirations.length)
  return {
    ...header,
    source: 'settled',
    expirations,
    bought: none,
    sold: none,
    other: volume,
    trades: traded,
    contracts: traded,
    biggest: new Int32Array(expirations.length),
    newest: none
  }
}
