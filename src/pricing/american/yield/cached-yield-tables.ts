import type { PremiumTables } from '../premium-table.ts'
import { TableCache } from '../table-cache.ts'
import { type ExerciseTerms, exerciseTerms } from './exercise.ts'
import { type PatchShape, patchShape } from './patch-shape.ts'
import { type YieldTable, yieldTable } from './yield-table.ts'

// A grid knows neither spot nor strikes nor volatilities, so ticks cost nothing: a thread keeps those it has made, by
// terms that are rounded to steps a premium does not notice. What a chain is priced with then depends on that chain
// alone and not on what was priced before it, live or replayed.

/** Bytes of grids that a thread keeps: those of some three hundred symbols, or of a large chain at any time of a session. */
const MAX_BYTES = 64 * 2 ** 20
const BYTES_BESIDE_COEFFICIENTS = 500
/** Time may be off by what moves a premium by 2.5e-6 of the strike: it earns at most the larger of r and q. */
const TIME_STEP = 5e-6
const MIN_RATE = 0.01
/** Volatilities covered are rounded outward to powers of this. */
const RANGE_STEP = 1.25

const made = new TableCache<YieldTable>(
  MAX_BYTES,
  ({ premium, boundary, width }) =>
    premium.byteLength + boundary.byteLength + width.byteLength + BYTES_BESIDE_COEFFICIENTS
)

/**
 * The grids of an expiration for volatilities that include those from `low` to `high`, made or at hand. Time is rounded,
 * see above; rate and yield are taken as they are, so a frequent caller asks for few of them.
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
  return made.get(key, () => yieldTable(terms, low, high, shape))
}
