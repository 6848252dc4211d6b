import { easternDate } from '../market/eastern.ts'
import { memoize } from '../market/memoize.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import { type Book, signConvention } from './book.ts'
import { byStrike, netChex, netDex, netGex, netVex, sumOf } from './by-strike.ts'
import { gammaExposure } from './contract-exposure.ts'
import { expiringScope, hasExpired, liveScope, type Scope, sameDayScope, withBook } from './scope.ts'

/**
 * The four net exposures of a scope in USD: gamma, delta, vanna and charm, with the units of `contract-exposure.ts`.
 * All are 0 for an empty scope.
 */
export interface NetExposures {
  readonly gex: number
  readonly dex: number
  readonly vex: number
  readonly chex: number
}

/** Computes the net exposures as sums over the rows by strike. So the rows of a response add up to its totals. */
export const netExposures = memoize((scope: Scope): NetExposures => {
  const rows = byStrike(scope)
  return { gex: sumOf(rows, netGex), dex: sumOf(rows, netDex), vex: sumOf(rows, netVex), chex: sumOf(rows, netChex) }
})

/** Net vanna per volatility point: USD of delta gained if volatility rises by 0.01. */
export const vannaPerPoint = ({ vex }: NetExposures): number => vex / 100

export interface SameDayShare {
  readonly netGex: number
  /**
   * |net gamma of today's expiration| / |net gamma of the whole chain| in percent. Above 100 if later expirations
   * offset part of it. Undefined if the chain's net gamma is 0.
   */
  readonly percentOfTotal: number | undefined
  /** Gross gamma of today's expiration in percent of that of the whole chain, 0 to 100. Undefined if there is none. */
  readonly percentOfGross: number | undefined
  readonly expires: boolean
  /** Whether today's expiration is over: contracts expired today, and none that expires today is left. */
  readonly expired: boolean
}

/**
 * Net gamma of today's expiration and its share of the chain. Both are 0 if no unexpired contract expires today, as
 * always after the close.
 */
export function sameDayShare(chain: PricedChain, book: Book = signConvention(chain)): SameDayShare {
  const today = withBook(sameDayScope(chain), book)
  if (today.slots.length === 0) {
    const expired = hasExpired(expiringScope(chain, easternDate(chain.asOf)))
    return { netGex: 0, percentOfTotal: 0, percentOfGross: 0, expires: false, expired }
  }
  const { gex } = netExposures(today)
  return {
    netGex: gex,
    percentOfTotal: shareOfTotal(gex, chain, book),
    percentOfGross: shareOfGross(today),
    expires: true,
    expired: false
  }
}

/**
 * |net gamma| of a scope (`gex`) in percent of |net gamma| of the whole chain with the same book. Undefined if the
 * chain's net gamma is 0.
 */
export function shareOfTotal(gex: number, chain: PricedChain, book: Book = signConvention(chain)): number | undefined {
  const total = netExposures(withBook(liveScope(chain), book)).gex
  return total === 0 ? undefined : (100 * Math.abs(gex)) / Math.abs(total)
}

/** Gross gamma of a scope: the sum of |gamma exposure| over its contracts, USD per 1 % move of spot. */
const grossGamma = memoize((scope: Scope): number => {
  let sum = 0
  for (const i of scope.slots) sum += Math.abs(gammaExposure(scope, i))
  return sum
})

/**
 * Gross gamma of a scope in percent of that of all unexpired contracts with the same book, 0 to 100. Unlike a share of
 * net gamma, it cannot exceed 100 where calls and puts offset. Undefined if the chain has no gamma.
 */
export function shareOfGross(scope: Scope): number | undefined {
  const whole = grossGamma(withBook(liveScope(scope.chain), scope.book))
  return whole === 0 ? undefined : Math.min(100, (100 * grossGamma(scope)) / whole)
}

/**
 * The absolute value of each figure in percent of the sum of all absolute values, in the order of the figures. All are
 * 0 if that sum is 0.
 */
export function grossShares(figures: readonly number[]): readonly number[] {
  const gross = sumOf(figures, Math.abs)
  return figures.map((figure) => (gross === 0 ? 0 : (100 * Math.abs(figure)) / gross))
}

/**
 * Change of net gamma since the previous trading session, in percent of the previous |net gamma|. Undefined if the
 * previous figure is missing or 0.
 */
export function gammaChange(netGex: number, prior: number | undefined): number | undefined {
  return prior ? (100 * (netGex - prior)) / Math.abs(prior) : undefined
}
