import { easternDate } from '../market/eastern.ts'
import { memoize } from '../market/memoize.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import { type Book, signConvention } from './book.ts'
import { byStrike, netChex, netDex, netGex, netVex, sumOf } from './by-strike.ts'
import { expiringScope, hasExpired, liveScope, type Scope, sameDayScope, withBook } from './scope.ts'

/** The four exposures of a scope, USD, units as in `contract-exposure.ts`. An empty scope has none: 0. */
export interface NetExposures {
  readonly gex: number
  readonly dex: number
  readonly vex: number
  readonly chex: number
}

/** Sums over the strike rows of a scope, so that what is printed per strike adds up to it. */
export const netExposures = memoize((scope: Scope): NetExposures => {
  const rows = byStrike(scope)
  return { gex: sumOf(rows, netGex), dex: sumOf(rows, netDex), vex: sumOf(rows, netVex), chex: sumOf(rows, netChex) }
})

/** The part of a chain's gamma that expires today. */
export interface SameDayShare {
  readonly netGex: number
  /** |same-day net| over |full-chain net| in percent: above 100 when they offset. Undefined when the chain nets to 0. */
  readonly percentOfTotal: number | undefined
  readonly expires: boolean
  /** Whether something did expire today, and nothing of it is live any more. */
  readonly expired: boolean
}

/** Both 0 when nothing live expires today, and so after the close too. */
export function sameDayShare(chain: PricedChain, book: Book = signConvention(chain)): SameDayShare {
  const today = withBook(sameDayScope(chain), book)
  if (today.slots.length === 0) {
    const expired = hasExpired(expiringScope(chain, easternDate(chain.asOf)))
    return { netGex: 0, percentOfTotal: 0, expires: false, expired }
  }
  const { gex } = netExposures(today)
  return { netGex: gex, percentOfTotal: shareOfTotal(gex, chain, book), expires: true, expired: false }
}

/** A scope's net gamma as a percentage of the full chain's by the same book, by size. Undefined when the chain nets to 0. */
export function shareOfTotal(gex: number, chain: PricedChain, book: Book = signConvention(chain)): number | undefined {
  const total = netExposures(withBook(liveScope(chain), book)).gex
  return total === 0 ? undefined : (100 * Math.abs(gex)) / Math.abs(total)
}

/** Each figure's size in percent of the sum of all sizes, in their order; 0 for each where that sum is 0. */
export function grossShares(figures: readonly number[]): readonly number[] {
  const gross = sumOf(figures, Math.abs)
  return figures.map((figure) => (gross === 0 ? 0 : (100 * Math.abs(figure)) / gross))
}

/**
 * How net gamma changed against the session before, percent of its size then. Undefined without a figure for then, or
 * where that is 0.
 */
export function gammaChange(netGex: number, prior: number | undefined): number | undefined {
  return prior ? (100 * (netGex - prior)) / Math.abs(prior) : undefined
}
