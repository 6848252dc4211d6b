import type { PremiumTables } from '../premium-table.ts'
import { TableCache } from '../table-cache.ts'
import { type ExerciseTerms, exerciseTerms } from './exercise.ts'
import { type PatchShape, patchShape } from './patch-shape.ts'
import { type YieldTable, yieldTable } from './yield-table.ts'

// A table contains neither spot nor strikes nor volatilities, so ticks need no new ones: a thread caches tables by
// terms that are rounded to steps too small to matter. The price of a chain depends on that chain alone, not on what
// was priced before it, live or replayed.

/** Cache size in bytes: tables of some three hundred symbols, or of a large chain at any time of a session. */
const MAX_BYTES = 64 * 2 ** 20
const BYTES_BESIDE_COEFFICIENTS = 500
/**
 * Largest error of a premium from rounding time, relative to the strike. The premium grows per year by at most the
 * larger of r and q.
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
 * Tables of an expiration for volatilities that include `low` to `high`, from the cache or newly computed. Time is
 * rounded; rate and yield are not, so a frequent caller should use few of them.
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
