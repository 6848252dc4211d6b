import { contractBlock } from './contract-block.ts'
import { cachedDividendTables } from './dividends/cached-dividend-tables.ts'
import { type DividendTable, readDividendTable } from './dividends/dividend-table.ts'
import { type ProportionalDividend, yieldOfDividends } from './dividends/dividend-terms.ts'
import { cachedYieldTables } from './yield/cached-yield-tables.ts'
import type { ExerciseTerms } from './yield/exercise.ts'
import { patchShapes } from './yield/patch-shape.ts'
import { readYieldTable, readYieldValues, type YieldTable } from './yield/yield-table.ts'

/**
 * Early-exercise premium of one right of an expiration and its derivatives, as a function of x, the log-moneyness of
 * the put that represents a contract (see `exerciseTerms`), and of σ. A table contains neither spot nor strikes nor
 * volatilities of a chain, so it outlives ticks. There are two kinds: polynomial patches along the exercise boundary
 * under a continuous yield, and a spline through finite differences under discrete dividends, where the boundary jumps
 * at ex-dates.
 */
export type PremiumTable = YieldTable | DividendTable

/** Early-exercise premium tables of one expiration, calls and puts. */
export interface PremiumTables<Table extends PremiumTable = PremiumTable> {
  readonly call: Table
  readonly put: Table
}

/**
 * Terms of an expiration, with the dividends that influence early exercise; none if a continuous yield represents them.
 */
export interface TableTerms extends ExerciseTerms {
  readonly dividends?: readonly ProportionalDividend[] | undefined
}

/** Volatilities from `low` to `high`, annual fractions. */
export interface VolatilityRange {
  readonly low: number
  readonly high: number
}

/** Share by which tables reach beyond the volatilities for which they are computed. */
const MARGIN = 0.2
/** A larger yield comes from a stale spot hours before expiry and is useless for early exercise. */
const MAX_YIELD = 0.25

/**
 * Range of volatilities that premium tables must cover for `sigmas`, with a margin; undefined without any volatility.
 */
export function volatilityRange(sigmas: Float64Array): VolatilityRange | undefined {
  let low = Number.POSITIVE_INFINITY
  let high = 0
  for (const sigma of sigmas) {
    if (sigma < low) low = sigma
    if (sigma > high) high = sigma
  }
  return high > 0 ? { low: (1 - MARGIN) * low, high: (1 + MARGIN) * high } : undefined
}

/**
 * Tables of an expiration, from the cache or newly computed. `dividendYield` is the whole yield implied by the forward,
 * dividends included. Coarse tables are quick to compute and good enough to imply a forward.
 */
export function premiumTables(terms: TableTerms, { low, high }: VolatilityRange, isCoarse = false): PremiumTables {
  const { t, rate, dividends = [] } = terms
  if (dividends.length === 0) {
    const dividendYield = plausibleYield(terms.dividendYield)
    return cachedYieldTables({ t, rate, dividendYield }, low, high, isCoarse ? patchShapes.FOR_FORWARDS : undefined)
  }
  const dividendYield = plausibleYield(terms.dividendYield - yieldOfDividends(dividends, t))
  return cachedDividendTables({ t, rate, dividendYield, dividends }, low, high, isCoarse)
}

function plausibleYield(dividendYield: number): number {
  return Math.min(Math.max(dividendYield, -MAX_YIELD), MAX_YIELD)
}

/** Reads premiums and all derivatives of the first `count` entries of the contract block, all of one right. */
export function readPremiums(table: PremiumTable, count: number): void {
  if (table.kind === 'yield') readYieldTable(table, count)
  else readDividendTable(table, contractBlock(), count)
}

/**
 * Reads only the premium and its slope in volatility for the first `count` entries of the contract block. The block's
 * other derivatives are meaningless afterwards.
 */
export function readPremiumValues(table: PremiumTable, count: number): void {
  if (table.kind === 'yield') readYieldValues(table, count)
  else readDividendTable(table, contractBlock(), count)
}

/**
 * Shares of strike and spot, in pairs, that the holder exchanges under each certain plan of exercise (see `deepPlans`).
 * Under a yield only exercise at once counts.
 */
export function certainShares(table: PremiumTable): Float64Array {
  return table.kind === 'yield' ? AT_ONCE : table.deep
}

const AT_ONCE = Float64Array.of(1, 1)

/** Least value of an option at any volatility, USD, from what its holder receives and gives at exercise. */
export function certainValue(shares: Float64Array, received: number, given: number): number {
  let best = 0
  for (let k = 0; k < shares.length; k += 2) best = Math.max(best, received * shares[k] - given * shares[k + 1])
  return best
}
