import { splineBasis, splineWeights } from '../../../math/cubic-spline.ts'
import { type ContractBlock, EXERCISED, OFF_TABLE, TABULATED } from '../contract-block.ts'
import { asPut, type DividendTerms, deepPlans } from './dividend-terms.ts'
import { defaultResolution, earlyExercisePremium, type GridResolution, gridWidth } from './finite-differences.ts'

export interface VolatilityRows {
  readonly low: number
  readonly high: number
  /** Number of volatilities, at least 4. */
  readonly count: number
}

/**
 * Table of the early-exercise premiums of one right of an expiration with discrete dividends, over x (log-moneyness)
 * and σ. `PremiumCurve` defines x and the units.
 */
export interface DividendTable extends VolatilityRows {
  readonly kind: 'dividends'
  /** Years to expiry. */
  readonly t: number
  /** Half the width of the table, in standard deviations σ√t of x. */
  readonly width: number
  readonly nodes: number
  /** Always `below`: an option is exercised below one boundary in x, see `exerciseOf`. */
  readonly exercise: 'below'
  /**
   * Exercise boundary at each volatility, in standard deviations of x. It is the low end of the table where nothing is
   * exercised.
   */
  readonly boundary: Float64Array
  /**
   * Weights of a bicubic spline over x in standard deviations and ln σ. There are count + 2 rows, each with nodes + 2
   * weights. Storing them in 32 bits changes a premium or a derivative by at most a hundredth of the table's own error.
   */
  readonly weights: Float32Array
  /**
   * Certain plans of exercise (see `deepPlans`), for contracts below the low end of the table. Each is a pair of
   * factors, for the strike and for the spot; exercise at expiry is the last.
   */
  readonly deep: Float64Array
}

/**
 * Computes the table of one right of an expiration, with one run of finite differences for each volatility. `width` has
 * the meaning that it has in `earlyExercisePremium`. Tables can be blended if they have equal sizes and widths.
 */
export function dividendTable(
  terms: DividendTerms,
  { low, high, count }: VolatilityRows,
  resolution: GridResolution = defaultResolution,
  width = gridWidth(terms, low)
): DividendTable {
  const ratio = (high / low) ** (1 / (count - 1))
  const curves = Array.from({ length: count }, (_, k) =>
    earlyExercisePremium(terms, low * ratio ** k, resolution, width)
  )
  const nodes = curves[0].premium.length
  const stride = nodes + 2
  const rows = curves.map(({ premium }) => splineWeights(premium))
  const weights = new Float32Array(stride * (count + 2))
  for (let column = 0; column < stride; column++) {
    const across = splineWeights(rows.map((row) => row[column]))
    for (let row = 0; row < count + 2; row++) weights[row * stride + column] = across[row]
  }
  const deep = Float64Array.from(deepPlans(asPut(terms), terms.t).flatMap(({ strike, spot }) => [strike, spot]))
  const boundary = Float64Array.from(curves, (curve) => (curve.boundary * width) / -curve.start)
  return { kind: 'dividends', exercise: 'below', t: terms.t, width, nodes, low, high, count, boundary, weights, deep }
}

const across = new Float64Array(16)
const along = new Float64Array(16)

/**
 * Fills `out` with the premium at x and σ, followed by its derivatives P_x, P_xx, P_xxx, P_σ and P_xσ. They come from a
 * spline: its second derivatives are continuous, P_xxx jumps at the nodes. Above the high end of x all of them are 0.
 * Below the low end exercise is certain, so P_σ is 0. NaN for a volatility outside the table.
 */
export function dividendPremiumAt(table: DividendTable, x: number, sigma: number, out: Float64Array): void {
  const { t, width, nodes, low, high, count, weights } = table
  if (!(sigma >= low && sigma <= high) || Number.isNaN(x)) {
    out.fill(Number.NaN)
    return
  }
  const deviation = sigma * Math.sqrt(t)
  const y = x / deviation
  if (y >= width) {
    out.fill(0)
    return
  }
  if (y < -width) {
    fillDeep(table.deep, x, out)
    return
  }
  const perNode = (2 * width) / (nodes - 1)
  const perRow = Math.log(high / low) / (count - 1)
  const place = (y + width) / perNode
  const height = Math.log(sigma / low) / perRow
  const column = Math.min(place | 0, nodes - 2)
  const row = Math.min(height | 0, count - 2)
  splineBasis(place - column, along)
  splineBasis(height - row, across)
  const stride = nodes + 2
  let q = 0
  let qy = 0
  let qyy = 0
  let qyyy = 0
  let qv = 0
  let qyv = 0
  for (let j = 0, at = row * stride + column; j < 4; j++, at += stride) {
    const w0 = weights[at]
    const w1 = weights[at + 1]
    const w2 = weights[at + 2]
    const w3 = weights[at + 3]
    const value = along[0] * w0 + along[1] * w1 + along[2] * w2 + along[3] * w3
    const slope = along[4] * w0 + along[5] * w1 + along[6] * w2 + along[7] * w3
    q += across[j] * value
    qy += across[j] * slope
    qyy += across[j] * (along[8] * w0 + along[9] * w1 + along[10] * w2 + along[11] * w3)
    qyyy += across[j] * (along[12] * w0 + along[13] * w1 + along[14] * w2 + along[15] * w3)
    qv += across[4 + j] * value
    qyv += across[4 + j] * slope
  }
  const perX = 1 / (deviation * perNode)
  const x1 = qy * perX
  const x2 = qyy * perX * perX
  out[0] = q
  out[1] = x1
  out[2] = x2
  out[3] = qyyy * perX * perX * perX
  out[4] = (qv / perRow - x * x1) / sigma
  out[5] = ((qyv * perX) / perRow - x * x2 - x1) / sigma
}

const out = new Float64Array(6)

/**
 * Reads the premiums of the first `count` contracts of a block. A volatility outside the table gets the premium at the
 * nearest volatility in it.
 */
export function readDividendTable(table: DividendTable, block: ContractBlock, count: number): void {
  const { low, high } = table
  const { volatility, logSpot, place, value, spotSlope, spotCurve, spotThird, sigmaSlope, crossSlope } = block
  for (let q = 0; q < count; q++) {
    const sigma = Math.min(Math.max(volatility[q], low), high)
    const isKnown = sigma >= low
    if (isKnown && logSpot[q] > boundaryAt(table, sigma)) {
      place[q] = TABULATED
      dividendPremiumAt(table, logSpot[q], sigma, out)
    } else {
      place[q] = isKnown ? EXERCISED : OFF_TABLE
      out.fill(0)
    }
    const isCovered = sigma === volatility[q]
    value[q] = out[0]
    spotSlope[q] = out[1]
    spotCurve[q] = out[2]
    spotThird[q] = out[3]
    sigmaSlope[q] = isCovered ? out[4] : 0
    crossSlope[q] = isCovered ? out[5] : 0
  }
}

/** Exercise boundary, as a value of x, at a volatility of the table. It is interpolated linearly between rows. */
export function boundaryAt(table: DividendTable, sigma: number): number {
  const { boundary } = table
  const height = heightOf(table, sigma)
  const row = Math.min(height | 0, table.count - 2)
  return sigma * Math.sqrt(table.t) * (boundary[row] + (height - row) * (boundary[row + 1] - boundary[row]))
}

/**
 * Interpolates the spline weights over x at a volatility of the table. Adds them, multiplied by `scale`, to `out` from
 * index `at` on.
 */
export function addScaledRow(table: DividendTable, sigma: number, scale: number, out: Float64Array, at: number): void {
  const stride = table.nodes + 2
  const { row, parts } = volatilityWeights(table, sigma)
  for (let j = 0; j < 4; j++) {
    const [part, from] = [scale * parts[j], (row + j) * stride]
    for (let column = 0; column < stride; column++) out[at + column] += part * table.weights[from + column]
  }
}

function volatilityWeights(
  table: DividendTable,
  sigma: number
): { readonly row: number; readonly parts: Float64Array } {
  const height = heightOf(table, sigma)
  const row = Math.min(height | 0, table.count - 2)
  splineBasis(height - row, across)
  return { row, parts: across.slice(0, 4) }
}

function heightOf({ low, high, count }: DividendTable, sigma: number): number {
  return ((count - 1) * Math.log(sigma / low)) / Math.log(high / low)
}

/**
 * Weighted sum of tables that have equal sizes and widths but were computed for different terms. The weights add up to
 * 1. The result is read like a table for `t` years to expiry.
 */
export function blended(tables: readonly DividendTable[], parts: readonly number[], t: number): DividendTable {
  const mixed = (column: 'weights' | 'boundary' | 'deep') => {
    const out = new Float64Array(tables[0][column].length)
    tables.forEach((table, k) => {
      const [from, part] = [table[column], parts[k]]
      if (part > 0) for (let i = 0; i < out.length; i++) out[i] += part * from[i]
    })
    return out
  }
  const weights = new Float32Array(mixed('weights'))
  return { ...tables[0], t, weights, boundary: mixed('boundary'), deep: mixed('deep') }
}

function fillDeep(deep: Float64Array, x: number, out: Float64Array): void {
  const spot = Math.exp(x)
  let best = 0
  for (let k = 2; k < deep.length; k += 2) {
    if (deep[k] - spot * deep[k + 1] > deep[best] - spot * deep[best + 1]) best = k
  }
  const last = deep.length - 2
  const slope = (deep[last + 1] - deep[best + 1]) * spot
  out[0] = deep[best] - deep[last] + slope
  out[1] = slope
  out[2] = slope
  out[3] = slope
  out[4] = 0
  out[5] = 0
}
