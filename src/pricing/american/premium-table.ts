import { contractBlock } from './contract-block.ts'
import { cachedDividendTables } from './dividends/cached-dividend-tables.ts'
import { type DividendTable, readDividendTable } from './dividends/dividend-table.ts'
import { type ProportionalDividend, yieldOfDividends } from './dividends/dividend-terms.ts'
import { cachedYieldTables } from './yield/cached-yield-tables.ts'
import type { ExerciseTerms } from './yield/exercise.ts'
import { patchShapes } from './yield/patch-shape.ts'
import { readYieldTable, readYieldValues, type YieldTable } from './yield/yield-table.ts'

/**
 * Table of the early-exercise premiums of one right of an expiration, with derivatives, as a function of x and σ. x is
 * the log-moneyness of the put that represents a contract (see `exerciseTerms`). A table contains neither the spot nor
 * the strikes nor the volatilities of a chain, so it stays valid when quotes change. There are two kinds. Under a
 * continuous yield, it consists of polynomial patches along the exercise boundary. Under discrete dividends, where the
 * boundary jumps at ex-dates, it is a spline through results of finite differences.
 */
export type PremiumTable = YieldTable | DividendTable

/** Tables of the early-exercise premiums of one expiration: one for calls and one for puts. */
export interface PremiumTables<Table extends PremiumTable = PremiumTable> {
  readonly call: Table
  readonly put: Table
}

/**
 * Terms of an expiration for its premium tables. `dividends` are those that influence early exercise; without them a
 * continuous yield represents all dividends.
 */
export interface TableTerms extends ExerciseTerms {
  readonly dividends?: readonly ProportionalDividend[] | undefined
}

/** Volatilities from `low` to `high`, annual fractions. */
export interface VolatilityRange {
  readonly low: number
  readonly high: number
}

/** Share by which the range of a table exceeds the given volatilities at both ends. */
const MARGIN = 0.2
/**
 * Yields are limited to this size. A larger one comes from a stale spot in the last hours before expiry, and tells
 * nothing about early exercise.
 */
const MAX_YIELD = 0.25

/**
 * Range of volatilities that premium tables must cover: from the smallest to the largest of `sigmas`, with a margin.
 * Undefined if there is no volatility.
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
 * Premium tables of an expiration, from the cache or newly computed. `dividendYield` is the whole yield implied by the
 * forward, dividends included. Coarse tables are computed quickly, and are accurate enough to imply a forward.
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

/**
 * Reads premiums and all their derivatives for the first `count` contracts of the contract block, which have one right.
 */
export function readPremiums(table: PremiumTable, count: number): void {
  if (table.kind === 'yield') readYieldTable(table, count)
  else readDividendTable(table, contractBlock(), count)
}

/**
 * Reads only the premium and its slope in volatility for the first `count` contracts of the contract block. The block's
 * other derivatives are meaningless afterwards.
 */
export function readPremiumValues(table: PremiumTable, count: number): void {
  if (table.kind === 'yield') readYieldValues(table, count)
  else readDividendTable(table, contractBlock(), count)
}

/**
 * For each certain plan of exercise (see `deepPlans`), a pair of factors: the share of the amount that the holder
 * receives, and the share of the amount that the holder gives away. Under a continuous yield, only exercise at once
 * counts.
 */
export function certainShares(table: PremiumTable): Float64Array {
  return table.kind === 'yield' ? AT_ONCE : table.deep
}

const AT_ONCE = Float64Array.of(1, 1)

/**
 * Least value of an option at any volatility, USD, from the amounts that its holder receives and gives away at
 * exercise. `shares` come from `certainShares`.
 */
export function certainValue(shares: Float64Array, received: number, given: number): number {
  let best = 0
  for (let k = 0; k < shares.length; k += 2) best = Math.max(best, received * shares[k] - given * shares[k + 1])
  return best
}
