import { contractBlock } from './contract-block.ts'
import { cachedDividendTables } from './dividends/cached-dividend-tables.ts'
import { type DividendTable, readDividendTable } from './dividends/dividend-table.ts'
import { type ProportionalDividend, yieldOfDividends } from './dividends/dividend-terms.ts'
import { cachedYieldTables } from './yield/cached-yield-tables.ts'
import type { ExerciseTerms } from './yield/exercise.ts'
import { patchShapes } from './yield/patch-shape.ts'
import { readYieldTable, readYieldValues, type YieldTable } from './yield/yield-table.ts'

/**
 * The premium of early exercise of one right of an expiration, with its derivatives, as a function of x, the log-moneyness of
 * the put that stands for a contract (see `exerciseTerms`), and of σ. It knows neither spot nor strikes nor volatilities of
 * a chain, so it outlives ticks. Two makers: patches of polynomials under a continuous yield, which follow the boundary of
 * exercise, and a spline through finite differences under discrete dividends, where the boundary jumps at ex-dates.
 */
export type PremiumTable = YieldTable | DividendTable

/** The tables of both rights of an expiration. */
export interface PremiumTables<Table extends PremiumTable = PremiumTable> {
  readonly call: Table
  readonly put: Table
}

/** An expiration, with the dividends before it that early exercise waits for; none where a continuous yield stands for them. */
export interface TableTerms extends ExerciseTerms {
  readonly dividends?: readonly ProportionalDividend[] | undefined
}

/** Volatilities from `low` to `high`, annual fractions. */
export interface VolatilityRange {
  readonly low: number
  readonly high: number
}

/** Volatilities of a table reach this part beyond those it is made for. */
const MARGIN = 0.2
/** A yield beyond this, from a stale spot hours before expiry, says nothing about early exercise. */
const MAX_YIELD = 0.25

/** The volatilities that tables have to cover for these, with a margin; undefined where there are none. */
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
 * The tables of an expiration, made or cached; `dividendYield` is the whole yield that its forward implies. Coarse ones are
 * quick to make and good enough to imply a forward with.
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

/** Reads `place`, `value` and `sigmaSlope` alone; the other derivatives then mean nothing. */
export function readPremiumValues(table: PremiumTable, count: number): void {
  if (table.kind === 'yield') readYieldValues(table, count)
  else readDividendTable(table, contractBlock(), count)
}

/**
 * Shares of strike and spot, in pairs, that each certain plan of exercise brings (see `deepPlans`). Under a yield the one
 * that counts is exercise at once.
 */
export function certainShares(table: PremiumTable): Float64Array {
  return table.kind === 'yield' ? AT_ONCE : table.deep
}

const AT_ONCE = Float64Array.of(1, 1)

/** The least that an option is worth whatever its volatility, USD, from what its holder receives and gives at exercise. */
export function certainValue(shares: Float64Array, received: number, given: number): number {
  let best = 0
  for (let k = 0; k < shares.length; k += 2) best = Math.max(best, received * shares[k] - given * shares[k + 1])
  return best
}
