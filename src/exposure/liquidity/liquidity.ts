import { known } from '../../market/chain.ts'
import { mean } from '../../math/statistics.ts'
import { mid } from '../../pricing/parity.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { byStrike, totalOi } from '../by-strike.ts'
import { nearer } from '../levels/key-levels.ts'
import { hasExpired, type Scope } from '../scope.ts'

/** Bid-ask spread of contract `i` in percent of its mid. Undefined without both bid and ask. */
export function spreadPercent(chain: PricedChain, i: number): number | undefined {
  const middle = mid(chain, i)
  return Number.isNaN(middle) ? undefined : (100 * (chain.ask[i] - chain.bid[i])) / middle
}

export interface Liquidity {
  /** Mean bid-ask spread of call and put at the quoted strike nearest to spot, percent of mid. */
  readonly atmSpread: number | undefined
  /** Mean bid-ask spread of the contracts near spot, weighted by open interest, percent of mid. */
  readonly weightedSpread: number | undefined
  readonly executionScore: number | undefined
}

/**
 * Spreads and open interest of a scope. The weighted spread covers strikes within `window` of spot, a fraction of spot.
 * All figures are undefined once all contracts of the scope have expired, because nobody can trade at their last
 * quotes.
 */
export function liquidity(scope: Scope, window: number): Liquidity {
  const { chain, slots, book } = scope
  if (hasExpired(scope)) return { atmSpread: undefined, weightedSpread: undefined, executionScore: undefined }
  let atm: number | undefined
  let weighted = 0
  let weight = 0
  for (const i of slots) {
    const spread = spreadPercent(chain, i)
    if (spread === undefined) continue
    if (atm === undefined || nearer(chain.strike[i], atm, chain.spot)) atm = chain.strike[i]
    if (Math.abs(chain.strike[i] - chain.spot) > window * chain.spot) continue
    weighted += spread * known(book.openInterest[i])
    weight += known(book.openInterest[i])
  }
  const atmSpread = atm === undefined ? undefined : meanSpreadAt(scope, atm)
  const weightedSpread = weight === 0 ? undefined : weighted / weight
  const spread = atmSpread ?? weightedSpread
  const row = byStrike(scope).find(({ strike }) => strike === atm)
  const depth = row === undefined ? 0 : totalOi(row)
  return {
    atmSpread,
    weightedSpread,
    executionScore: spread === undefined ? undefined : executionScore(spread, depth)
  }
}

/**
 * Execution score: how cheaply a scope can be traded, 0 to 100, not rounded. It is 70 exp(-spread/2) + 30 min(1,
 * `atmOpenInterest` / 5000), with the spread in percent of mid. If the spread is unknown, only open interest counts.
 * Source: the published API contract.
 */
export function executionScore(spread: number | undefined, atmOpenInterest: number): number {
  const tight = spread === undefined ? 0 : Math.exp(-spread / 2)
  return 70 * tight + 30 * Math.min(1, atmOpenInterest / 5000)
}

function meanSpreadAt({ chain, slots }: Scope, strike: number): number {
  const spreads = Array.from(slots)
    .filter((i) => chain.strike[i] === strike)
    .map((i) => spreadPercent(chain, i))
    .filter((spread) => spread !== undefined)
  return mean(spreads)!
}

/**
 * Mean change of volatility from one quoted strike to the next, in vol points, for strikes within `window` of spot.
 * `window` is a fraction of spot. The volatility of a strike is the mean of its call and put. Undefined with fewer than
 * three strikes.
 */
export function volatilityStep({ chain, slots }: Scope, window: number): number | undefined {
  const byStrike = new Map<number, number[]>()
  for (const i of slots) {
    const near = Math.abs(chain.strike[i] - chain.spot) <= window * chain.spot
    if (!near || Number.isNaN(chain.sigma[i])) continue
    const sigmas = byStrike.get(chain.strike[i])
    if (sigmas === undefined) byStrike.set(chain.strike[i], [chain.sigma[i]])
    else sigmas.push(chain.sigma[i])
  }
  const smile = [...byStrike.entries()].sort(([a], [b]) => a - b).map(([, sigmas]) => mean(sigmas)!)
  if (smile.length < 3) return undefined
  return mean(smile.slice(1).map((sigma, k) => 100 * Math.abs(sigma - smile[k])))
}
