import { easternDate } from '../market/eastern.ts'
import { memoize } from '../market/memoize.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import { type Book, signConvention } from './book.ts'
import { byStrike, netChex, netDex, netGex, netVex, sumOf } from './by-strike.ts'
import { expiringScope, hasExpired, liveScope, type Scope, sameDayScope, withBook } from './scope.ts'

/** The four net exposures of a scope in USD, units as in `contract-exposure.ts`; all 0 for an empty scope. */
export interface NetExposures {
  readonly gex: number
  readonly dex: number
  readonly vex: number
  readonly chex: number
}

/** Net exposures as sums over the strike rows, so that the rows in a response add up to them. */
export const netExposures = memoize((scope: Scope): NetExposures => {
  const rows = byStrike(scope)
  return { gex: sumOf(rows, netGex), dex: sumOf(rows, netDex), vex: sumOf(rows, netVex), chex: sumOf(rows, netChex) }
})

export interface SameDayShare {
  readonly netGex: number
  /**
   * |same-day net gamma| / |full-chain net gamma| in percent; above 100 if later expirations offset it. Undefined if
   * the chain nets to 0.
   */
  readonly percentOfTotal: number | undefined
  readonly expires: boolean
  /** Whether contracts expired today and none of them is live any more. */
  readonly expired: boolean
}

/**
 * Gamma of today's expiration. Net and share are 0 if no live contract expires today, which includes the time after the
 * close.
 */
export function sameDayShare(chain: PricedChain, book: Book = signConvention(chain)): SameDayShare {
  const today = withBook(sameDayScope(chain), book)
  if (today.slots.length === 0) {
    const expired = hasExpired(expiringScope(chain, easternDate(chain.asOf)))
    return { netGex: 0, percentOfTotal: 0, expires: false, expired }
  }
  const { gex } = netExposures(today)
  return { netGex: gex, percentOfTotal: shareOfTotal(gex, chain, book), expires: true, expired: false }
}

/**
 * |net gamma of a scope| in percent of |net gamma of the full chain| by the same book. Undefined if the chain nets to
 * 0.
 */
export function shareOfTotal(gex: number, chain: PricedChain, book: Book = signConvention(chain)): number | undefined {
  const total = netExposures(withBook(liveScope(chain), book)).gex
  return total === 0 ? undefined : (100 * Math.abs(gex)) / Math.abs(total)
}

/**
 * Absolute value of each figure in percent of the sum of all absolute values, in the given order; all 0 if that sum is
 * 0.
 */
export function grossShares(figures: readonly number[]): readonly number[] {
  const gross = sumOf(figures, Math.abs)
  return figures.map((figure) => (gross === 0 ? 0 : (100 * Math.abs(figure)) / gross))
}

/**
 * Change of net gamma since the previous session in percent of |previous net gamma|. Undefined if the previous figure
 * is missing or 0.
 */
export function gammaChange(netGex: number, prior: number | undefined): number | undefined {
  return prior ? (100 * (netGex - prior)) / Math.abs(prior) : undefined
}
