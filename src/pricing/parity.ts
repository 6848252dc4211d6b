import { CALL, type Chain, type Expiration } from '../market/chain.ts'
import { median, weightedMedian } from '../math/statistics.ts'

/**
 * Midpoint of the quote of contract `i`, USD per share. NaN unless the bid is above zero and the ask is not below the
 * bid.
 */
export function mid(chain: Chain, i: number): number {
  const bid = chain.bid[i]
  const ask = chain.ask[i]
  return bid > 0 && ask >= bid ? (bid + ask) / 2 : Number.NaN
}

interface Pair {
  readonly strike: number
  readonly gap: number
  readonly spread: number
}

/** Maximum number of strikes from which a European forward is computed. */
const PAIRS_READ = 9
/**
 * If at least this many call-put pairs are quoted, a forward is judged by how well the pairs agree. With fewer, it is
 * judged by its distance from the expected forward.
 */
export const ENOUGH_TO_AGREE = 3
/** The forwards of pairs may always differ by this share of spot, however narrow their spreads are. */
const ALWAYS_ALLOWED = 0.001
/** Minimum spread of a pair, USD. A quote whose bid equals its ask is treated as one smallest tick wide. */
const MIN_TICK = 0.01

/**
 * Forward implied by the European options of one expiration. It is the weighted median of F(K) = K + (C - P) / D over
 * the strikes whose call and put prices are closest, at most nine. The weight of a strike is one over the sum of its
 * two spreads.
 * With three or more pairs, their median distance from the forward may be at most half their median spread, or 0.1 % of
 * spot if that is more. With one or two pairs, the forward may differ from `expected` by at most `reach`, a fraction.
 * Undefined if these conditions are not met, or if no strike has quotes for both call and put.
 * Source: Stoll (1969), The Relationship Between Put and Call Option Prices, Journal of Finance 24(5).
 */
export function parityForward(
  chain: Chain,
  expiration: Expiration,
  discount: number,
  { expected, reach }: { readonly expected: number; readonly reach: number }
): number | undefined {
  const pairs = closestPairs(chain, expiration)
  const forwards: number[] = []
  const weights: number[] = []
  for (const { strike, gap, spread } of pairs) {
    forwards.push(strike + gap / discount)
    weights.push(1 / Math.max(spread, MIN_TICK))
  }
  const forward = weightedMedian(forwards, weights)
  if (forward === undefined) return undefined
  if (pairs.length < ENOUGH_TO_AGREE) return Math.abs(forward / expected - 1) <= reach ? forward : undefined
  const distances: number[] = []
  const spreads: number[] = []
  for (let k = 0; k < pairs.length; k++) {
    distances.push(Math.abs(forwards[k] - forward))
    spreads.push(pairs[k].spread)
  }
  const apart = median(distances)!
  const allowed = Math.max(median(spreads)! / 2, ALWAYS_ALLOWED * chain.spot)
  return apart <= allowed ? forward : undefined
}

function closestPairs(chain: Chain, { start, end }: Expiration): readonly Pair[] {
  const { strike, right, bid, ask } = chain
  const pairs: Pair[] = []
  for (let i = start; i + 1 < end; i++) {
    if (right[i] !== CALL || strike[i + 1] !== strike[i]) continue
    const gap = mid(chain, i) - mid(chain, i + 1)
    if (Number.isNaN(gap)) continue
    const size = Math.abs(gap)
    if (pairs.length === PAIRS_READ && size >= Math.abs(pairs[PAIRS_READ - 1].gap)) continue
    let at = Math.min(pairs.length, PAIRS_READ - 1)
    for (; at > 0 && Math.abs(pairs[at - 1].gap) > size; at--) pairs[at] = pairs[at - 1]
    pairs[at] = { strike: strike[i], gap, spread: ask[i] - bid[i] + (ask[i + 1] - bid[i + 1]) }
  }
  return pairs
}
