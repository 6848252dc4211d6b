import type { DailyBar } from '../../market/bar.ts'
import type { Weighted } from '../../math/weights.ts'
import { correlation } from './correlation.ts'
import { closingBars, logReturns } from './daily-returns.ts'

/**
 * Minimum number of returns that member and index must have in common for a correlation. It is also the shortest
 * horizon.
 */
const MIN_RETURNS = 5

/** Weighted mean of the members' volatilities. The basket would have this volatility if all members moved in step. */
export function basketVolatility(members: readonly (Weighted & { readonly sigma: number })[]): number {
  return members.reduce((sum, { weight, sigma }) => sum + weight * sigma, 0)
}

/** Contribution of one member to the volatility of its basket: weight × volatility, an annual fraction. */
export interface VolatilityContribution extends Weighted {
  readonly symbol: string
  readonly sigma: number
  readonly contribution: number
}

/** Contributions of all members, largest first. Equal contributions are ordered by symbol. */
export function volatilityContributions(
  members: readonly (Weighted & { readonly symbol: string; readonly sigma: number })[]
): readonly VolatilityContribution[] {
  return members
    .map(({ symbol, weight, sigma }) => ({ symbol, weight, sigma, contribution: weight * sigma }))
    .sort((a, b) => b.contribution - a.contribution || (a.symbol < b.symbol ? -1 : 1))
}

/**
 * Implied correlation: the correlation that explains the index volatility if it is the same between any two members,
 *
 *     (s_I² - Σ w² s²) / ((Σ w s)² - Σ w² s²)
 *
 * It may lie outside -1 to 1, because quotes of index and members need not agree. Undefined unless at least two members
 * have a weight and a volatility.
 * Source: the published API contract; Cboe S&P 500 Implied Correlation Index, white paper (2009), from Markowitz's
 * variance of a portfolio.
 */
export function impliedCorrelation(
  indexSigma: number,
  members: readonly (Weighted & { readonly sigma: number })[]
): number | undefined {
  const alone = members.reduce((sum, { weight, sigma }) => sum + (weight * sigma) ** 2, 0)
  const crossed = basketVolatility(members) ** 2 - alone
  const held = members.filter(({ weight, sigma }) => weight * sigma > 0).length
  return held > 1 && crossed > 0 ? (indexSigma ** 2 - alone) / crossed : undefined
}

/**
 * Weighted mean of the members' correlations with the index. Each is computed from the last `horizon` log returns,
 * between days on which both member and index have a close. A shorter history is used if it has at least 5 returns. A
 * member without a correlation counts as 0 with its full weight. Undefined if no member has one. Source: the published
 * API contract.
 */
export function realizedCorrelation(
  index: readonly DailyBar[],
  members: readonly (Weighted & { readonly bars: readonly DailyBar[] })[],
  horizon: number
): number | undefined {
  const closes = new Map(closingBars(index).map((bar) => [bar.date, bar]))
  let sum: number | undefined
  for (const { weight, bars } of members) {
    const common = closingBars(bars)
      .filter(({ date }) => closes.has(date))
      .slice(-horizon - 1)
    if (common.length <= MIN_RETURNS) continue
    const ofIndex = logReturns(common.map(({ date }) => closes.get(date)!))
    const value = correlation(logReturns(common), ofIndex)
    if (value !== undefined) sum = (sum ?? 0) + weight * value
  }
  return sum
}
