import { spreadPercent } from '../exposure/liquidity/liquidity.ts'
import { expirationOfSlots, type Scope } from '../exposure/scope.ts'
import { session } from '../market/calendar.ts'
import { CALL } from '../market/chain.ts'
import { isMarketOpen } from '../market/clock.ts'
import { easternDate } from '../market/eastern.ts'
import type { Instant } from '../market/units.ts'
import { percentOf } from '../math/optional.ts'
import { median } from '../math/statistics.ts'
import { mid } from '../pricing/parity.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import { graded, type QualityCheck } from './quality-check.ts'

/**
 * Only quotes up to this distance from spot, as a fraction of spot, are checked. Further away, a contract need not be
 * quoted.
 */
export const NEAR = 0.1
/** Points that one-sided quotes cost at most: in a session, and outside it, where dealers need not quote both sides. */
const MOST_TWO_SIDED = 20
const MOST_TWO_SIDED_CLOSED = 10

/**
 * Whether quotes of both sides are due at a moment: in a session, its close included. At other hours dealers need not
 * quote, and a missing bid says nothing about the data.
 */
export function areQuotesDue(asOf: Instant): boolean {
  return isMarketOpen(asOf) || asOf === session(easternDate(asOf))?.close
}

/** Whether contract `i` is quoted on both sides: its bid is above 0 and its ask is not below its bid. */
export function isTwoSided(chain: PricedChain, i: number): boolean {
  return !Number.isNaN(mid(chain, i))
}

/**
 * Four checks of the quotes near spot. Contracts should be quoted on both sides, bids should be below asks, spreads
 * should be narrow where there is open interest, and no vertical spread between two neighboring strikes should give a
 * riskless profit.
 */
export function quoteChecks(
  scope: Scope
): readonly [twoSided: QualityCheck, crossed: QualityCheck, spread: QualityCheck, arbitrage: QualityCheck] {
  const { chain, slots } = scope
  const { spot, strike, right, bid, ask, openInterest } = chain
  const expirationOf = expirationOfSlots(chain)
  const count = { near: 0, twoSided: 0, bid: 0, crossed: 0, verticals: 0, riskless: 0 }
  const spreads: number[] = []
  /** Slot of the last contract that is quoted on both sides, for calls and for puts. */
  const lower = [-1, -1]
  for (const i of slots) {
    if (Math.abs(strike[i] / spot - 1) > NEAR) continue
    count.near++
    if (bid[i] > 0) {
      count.bid++
      if (ask[i] <= bid[i]) count.crossed++
    }
    if (!isTwoSided(chain, i)) continue
    count.twoSided++
    if (openInterest[i] > 0) spreads.push(spreadPercent(chain, i)!)
    const { [right[i]]: low } = lower
    if (low >= 0 && expirationOf[low] === expirationOf[i]) {
      count.verticals++
      if (isRiskless(chain, low, i)) count.riskless++
    }
    lower[right[i]] = i
  }
  const most = areQuotesDue(chain.asOf) ? MOST_TWO_SIDED : MOST_TWO_SIDED_CLOSED
  return [
    graded('two_sided', percentOf(count.twoSided, count.near), { most, good: 95, bad: 50, unknown: most }),
    graded('crossed', percentOf(count.crossed, count.bid), { most: 10, good: 0, bad: 5 }),
    graded('spread', median(spreads), { most: 10, good: 5, bad: 25 }),
    graded('arbitrage', percentOf(count.riskless, count.verticals), { most: 10, good: 0, bad: 2 })
  ]
}

/**
 * Whether a vertical spread gives a riskless profit: its more valuable option can be bought for less than its other
 * option is sold for.
 */
function isRiskless({ right, bid, ask }: PricedChain, low: number, high: number): boolean {
  const [more, less] = right[low] === CALL ? [low, high] : [high, low]
  return ask[more] < bid[less]
}
