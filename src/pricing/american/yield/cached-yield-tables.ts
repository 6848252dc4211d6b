import type { PremiumTables } from '../premium-table.ts'
import { TableCache } from '../table-cache.ts'
import { type ExerciseTerms, exerciseTerms } from './exercise.ts'
import { type PatchShape, patchShape } from './patch-shape.ts'
import { type YieldTable, yieldTable } from './yield-table.ts'

// A table contains neither the spot nor the strikes nor the volatilities of a chain, so a change of quotes needs no new
// table. Each thread caches tables for terms rounded to steps too small to matter. The price of a chain therefore
// depends on that chain alone, not on what was priced before it, whether live or replayed.

/**
 * Cache size in bytes. It is enough for the tables of about three hundred symbols, or of a large chain throughout a
 * trading session.
 */
const MAX_BYTES = 64 * 2 ** 20
const BYTES_BESIDE_COEFFICIENTS = 500
/**
 * Largest error that rounding the time may cause in a premium, relative to the strike. A premium grows per year by at
 * most the larger of r and q.
 */
const TIME_STEP = 5e-6
const MIN_RATE = 0.01
const RANGE_STEP = 1.25

const cache = new TableCache<YieldTable>(
  MAX_BYTES,
  ({ premium, boundary, width }) =>
    premium.byteLength + boundary.byteLength + width.byteLength + BYTES_BESIDE_COEFFICIENTS
)

/**
 * Premium tables of an expiration that cover the volatilities from `low` to `high`, from the cache or newly computed.
 * Time is rounded so that tables can be reused. Rate and yield are not, so a caller should use few different ones.
 */
export function cachedYieldTables(
  terms: ExerciseTerms,
  low: number,
  high: number,
  shape?: PatchShape
): PremiumTables<YieldTable> {
  const { rate, dividendYield } = terms
  const step = TIME_STEP / Math.max(Math.abs(rate), Math.abs(dividendYield), MIN_RATE)
  const rounded = { rate, dividendYield, t: Math.max(Math.round(terms.t / step), 0.5) * step }
  const from = RANGE_STEP ** Math.floor(Math.log(low) / Math.log(RANGE_STEP))
  const to = RANGE_STEP ** Math.ceil(Math.log(high) / Math.log(RANGE_STEP))
  const chosen = shape ?? patchShape(rounded.t, from, to)
  return {
    put: cachedTable(exerciseTerms(false, rounded), from, to, chosen),
    call: cachedTable(exerciseTerms(true, rounded), from, to, chosen)
  }
}

function cachedTable(terms: ExerciseTerms, low: number, high: number, shape: PatchShape): YieldTable {
  const key = [terms.t, terms.rate, terms.dividendYield, low, high, shape.spotDegree, shape.sigmaDegree].join()
  return cache.get(key, () => yieldTable(terms, low, high, shape))
}
