import { CALL, type Chain } from './chain.ts'
import { isLive } from './clock.ts'

/** Strikes whose call and put are read, at most, and at least for an expiration to count. */
const MAX_PAIRS = 5
const MIN_PAIRS = 3

/**
 * The price of the underlying as the options have it, USD: the median of K + C - P over the (at most) five strikes of the
 * nearest live expiration whose call and put quote closest to each other. Carry is left out, which is below a few percent
 * for what expires soon. Undefined where no expiration quotes three such strikes.
 */
export function paritySpot(chain: Chain): number | undefined {
  for (const { date, settlement, start, end } of chain.expirations) {
    if (!isLive(chain.asOf, date, settlement)) continue
    const pairs = pairsOf(chain, start, end)
    if (pairs.length >= MIN_PAIRS) return medianOf(pairs.slice(0, MAX_PAIRS).map(({ spot }) => spot))
  }
  return undefined
}

interface Pair {
  /** How far call and put are from each other: least near the money. */
  readonly gap: number
  readonly spot: number
}

function pairsOf(chain: Chain, start: number, end: number): readonly Pair[] {
  const { strike, right } = chain
  const pairs: Pair[] = []
  for (let i = start; i + 1 < end; i++) {
    if (right[i] !== CALL || strike[i + 1] !== strike[i]) continue
    const difference = midOf(chain, i) - midOf(chain, i + 1)
    if (!Number.isNaN(difference)) pairs.push({ gap: Math.abs(difference), spot: strike[i] + difference })
  }
  return pairs.sort((a, b) => a.gap - b.gap)
}

function midOf({ bid, ask }: Chain, i: number): number {
  return bid[i] > 0 && ask[i] >= bid[i] ? (bid[i] + ask[i]) / 2 : Number.NaN
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
