import { spreadPercent } from '../exposure/liquidity.ts'
import type { Scope } from '../exposure/scope.ts'
import { expirationOfSlots } from '../exposure/scope.ts'
import { CALL } from '../market/chain.ts'
import { percentOf } from '../math/optional.ts'
import { median } from '../math/statistics.ts'
import { mid } from '../pricing/parity.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import { type Check, graded } from './check.ts'

/** Strikes so near to spot, as a fraction of it, are what quotes are judged by: further out nobody need quote. */
const NEAR = 0.1

/** The contracts of a scope whose strike lies near spot, ascending by slot. */
function nearSlots({ chain, slots }: Scope): Int32Array {
  return slots.filter((i) => Math.abs(chain.strike[i] / chain.spot - 1) <= NEAR)
}

/** Whether contract i is quoted on two sides: a bid above 0 and an ask not below it. */
export function isTwoSided(chain: PricedChain, i: number): boolean {
  return !Number.isNaN(mid(chain, i))
}

/** What the quotes near spot say of themselves: two sides, no crossing, narrow spreads, no riskless vertical. */
export function quoteChecks(scope: Scope): readonly [twoSided: Check, crossed: Check, spread: Check, arbitrage: Check] {
  const { chain } = scope
  const near = nearSlots(scope)
  const twoSided = near.filter((i) => isTwoSided(chain, i))
  const bid = near.filter((i) => chain.bid[i] > 0)
  const crossed = bid.filter((i) => chain.ask[i] <= chain.bid[i])
  const held = twoSided.filter((i) => chain.openInterest[i] > 0)
  const spreads = Array.from(held, (i) => spreadPercent(chain, i)!)
  const verticals = verticalsOf(chain, twoSided)
  const riskless = verticals.filter(([low, high]) => isRiskless(chain, low, high))
  return [
    graded('two_sided', percentOf(twoSided.length, near.length), { most: 20, good: 95, bad: 50 }),
    graded('crossed', percentOf(crossed.length, bid.length), { most: 10, good: 0, bad: 5 }),
    graded('spread', median(spreads), { most: 10, good: 5, bad: 25 }),
    graded('arbitrage', percentOf(riskless.length, verticals.length), { most: 10, good: 0, bad: 2 })
  ]
}

/** Neighbours by strike of one right and listing, the lower first. */
function verticalsOf(chain: PricedChain, slots: Int32Array): readonly (readonly [low: number, high: number])[] {
  const expirationOf = expirationOfSlots(chain)
  const before = [-1, -1]
  const pairs: (readonly [number, number])[] = []
  for (const i of slots) {
    const { [chain.right[i]]: low } = before
    if (low >= 0 && expirationOf[low] === expirationOf[i]) pairs.push([low, i])
    before[chain.right[i]] = i
  }
  return pairs
}

/** Whether the option that is worth more whatever happens can be bought for less than the other one is sold for. */
function isRiskless({ right, bid, ask }: PricedChain, low: number, high: number): boolean {
  const [more, less] = right[low] === CALL ? [low, high] : [high, low]
  return ask[more] < bid[less]
}
