import { addRow, type BandEquations, rowTimes } from './band-equations.ts'
import type { FitProblem, FittedQuotes } from './fit-problem.ts'
import { knots, pieces, STEP, stretch } from './knot-grid.ts'

// The objective of a market smile as rows of least squares. All terms are dimensionless, in deviations. Their sources
// are in docs/methods/market-smile.md.

const ROUGHNESS = 0.1
const STRAIGHT_WINGS = 0.1
const LIKE_EARLIER = 0.01
/**
 * A wing without quotes is pulled up to at least this ω. A wing near zero would later pull down the wings of all longer
 * expirations.
 */
const MIN_SHAPE = 0.25
const NOT_FALLING = 0.1
const PULL_TO_MID = 0.05
/**
 * From this multiple of half the bid-ask width on, a quote's error counts less and less, so that stale quotes lose
 * weight.
 */
const STALE = 3
/** Width assumed for a quote without a bid, as a fraction of its ω. */
const NO_BID_WIDTH = 0.1
const MIN_OMEGA = 0.02
const POSITIVE = 1e4
/** Largest slope of a wing, dw/dk, slightly below Lee's bound of 2. */
const STEEPEST = 1.9

const row = new Float64Array(4)
/** ω, its slope and its curvature at the knot that is being processed. */
const place = { value: 0, slope: 0, curvature: 0 }

/**
 * Adds the terms that are quadratic in the unknowns and so stay the same during a fit: roughness, straight wings, and
 * wings like those of the earlier expiration. Returns the constant part of the objective.
 */
export function addQuadraticTerms(problem: FitProblem, equations: BandEquations): number {
  const { first, intervals, quotedFrom, quotedTo, earlierShape } = problem
  let constant = 0
  for (let n = 0; n < intervals; n++) {
    const i = first + n
    const width = knots[i + 1] - knots[i]
    const middle = knots[i] + width / 2
    const spread = stretch(middle)
    for (let r = 0; r < 4; r++) row[r] = 6 * pieces[16 * i + 4 * r + 3]
    addRow(equations, n, row, 0, ROUGHNESS * spread ** 5 * width, 0)
    if (knots[i] < quotedTo && knots[i + 1] > quotedFrom) continue
    for (let r = 0; r < 4; r++) row[r] = 2 * pieces[16 * i + 4 * r + 2] + 3 * width * pieces[16 * i + 4 * r + 3]
    addRow(equations, n, row, 0, STRAIGHT_WINGS * spread ** 3 * width, 0)
    if (Number.isNaN(earlierShape[n])) continue
    const shape = Math.max(earlierShape[n], MIN_SHAPE)
    for (let r = 0; r < 4; r++) row[r] = valueAt(16 * i + 4 * r, width / 2)
    addRow(equations, n, row, 0, (LIKE_EARLIER * STEP) / (shape * shape), shape)
    constant += LIKE_EARLIER * STEP
  }
  return constant
}

function valueAt(p: number, x: number): number {
  return pieces[p] + x * (pieces[p + 1] + x * (pieces[p + 2] + x * pieces[p + 3]))
}

/** Adds a row for the mid of each quote, for the least squares from which a fit starts. */
export function addMids({ quotes: { size, low, mid, high, at, splines } }: FitProblem, equations: BandEquations): void {
  for (let q = 0; q < size; q++) {
    const half = (high[q] - low[q]) / 2
    if (half > 0) addRow(equations, at[q], splines, 4 * q, 1 / (half * half), mid[q])
  }
}

/** Adds the rows of all quotes, linearized at the unknowns c. Returns their contribution to the objective. */
export function addQuotes(quotes: FittedQuotes, c: Float64Array, equations: BandEquations): number {
  const { size, low, mid, high, at, splines } = quotes
  let merit = 0
  for (let q = 0; q < size; q++) {
    const omega = rowTimes(splines, 4 * q, c, at[q])
    if (!(mid[q] > 0)) {
      const perWidth = 1 / (NO_BID_WIDTH * high[q])
      const e = (omega - high[q]) * perWidth
      if (e <= 0) continue
      merit += e <= 1 ? e * e : 2 * e - 1
      addRow(equations, at[q], splines, 4 * q, (perWidth * perWidth) / Math.max(1, e), high[q])
      continue
    }
    const perHalf = 2 / (high[q] - low[q])
    const weight = perHalf * perHalf
    const fromMid = (omega - mid[q]) * perHalf
    merit += PULL_TO_MID * fromMid * fromMid
    let pulled = PULL_TO_MID * weight
    let target = pulled * mid[q]
    const edge = omega > high[q] ? high[q] : omega < low[q] ? low[q] : omega
    if (edge !== omega) {
      const e = Math.abs(omega - edge) * perHalf
      const near = e <= STALE
      merit += near ? e * e : STALE * STALE * (1 + 2 * Math.log(e / STALE))
      const out = near ? weight : (weight * STALE * STALE) / (e * e)
      pulled += out
      target += out * edge
    }
    addRow(equations, at[q], splines, 4 * q, pulled, target / pulled)
  }
  return merit
}

/**
 * Adds the rows of all no-arbitrage conditions, for butterflies and calendars, at knots and ends. Returns their
 * contribution to the objective.
 * Each condition x <= 0 is a smooth hinge: its weight times the square of (x + √(x² + ε²)) / 2. With max(0, x)²
 * instead, steps would cycle and not converge.
 */
export function addConditions(
  problem: FitProblem,
  c: Float64Array,
  firmness: number,
  equations: BandEquations
): number {
  const { scale, first, intervals, quotedFrom, quotedTo, below, above, earlierSlopes } = problem
  let merit = 0
  for (let n = 0; n <= intervals; n++) {
    const z = knots[first + n]
    fillPlace(first + n, c, n)
    merit += addShape(z, scale, firmness, equations, first + n, c, n)
    if (below[n] > 0) {
      fillRow(first + n, -1 / below[n], 0, 0)
      merit += addHinge(1.001 - place.value / below[n], 0.002, 100 * firmness, equations, c, n)
    }
    if (above[n] < Number.POSITIVE_INFINITY) {
      fillRow(first + n, 1 / above[n], 0, 0)
      merit += addHinge(place.value / above[n] - 0.999, 0.002, 100 * firmness, equations, c, n)
    }
    if (place.value < MIN_OMEGA) {
      fillRow(first + n, 1, 0, 0)
      addRow(equations, n, row, 0, POSITIVE, MIN_OMEGA)
      merit += POSITIVE * (MIN_OMEGA - place.value) ** 2
    }
    if ((z < quotedFrom || z > quotedTo) && Math.sign(z) * place.slope < 0) {
      fillRow(first + n, 0, 1, 0)
      addRow(equations, n, row, 0, NOT_FALLING, 0)
      merit += NOT_FALLING * place.slope * place.slope
    }
    if (n > 0 && n < intervals) continue
    // The linear wing has no curvature, so the conditions must hold without curvature too.
    place.curvature = 0
    merit += addShape(z, scale, firmness, equations, first + n, c, n, 0)
    const outward = Math.sign(z)
    const slope = outward * place.slope
    fillRow(first + n, 0, -outward, 0)
    const least = 1.001 * earlierSlopes[n === 0 ? 0 : 1] + 0.002
    merit += addHinge(least - slope, 0.002, 100 * firmness, equations, c, n)
    fillRow(first + n, 0, outward, 0)
    merit += addHinge(slope - STEEPEST / scale, 0.002, 100 * firmness, equations, c, n)
  }
  return merit
}

/**
 * Adds the conditions of Durrleman and Fukasawa at the knot that is being processed. `bend` is 0 for the linear wing,
 * which has no curvature.
 */
function addShape(
  z: number,
  scale: number,
  firmness: number,
  equations: BandEquations,
  knot: number,
  c: Float64Array,
  n: number,
  bend = 0.5
): number {
  const { slope, curvature } = place
  const omega = Math.max(place.value, MIN_OMEGA)
  const free = place.value > MIN_OMEGA ? 1 : 0
  const per = 1 / omega
  const tilt = 1 - 0.5 * z * slope * per
  const spread = per + 0.25 * scale * scale
  const g = tilt * tilt - 0.25 * slope * slope * spread + 0.5 * curvature
  const byValue = free * (tilt * z * slope + 0.25 * slope * slope) * per * per
  const bySlope = -tilt * z * per - 0.5 * slope * spread
  fillRow(knot, -byValue, -bySlope, -bend)
  const butterfly = addHinge(0.03 - g, 0.01, firmness, equations, c, n)
  fillRow(knot, -0.5 * free * z * slope * per * per, 0.5 * z * per + 0.25 * scale * Math.sign(slope), 0)
  const x = 0.05 - tilt + 0.25 * scale * Math.abs(slope)
  return butterfly + addHinge(x, 0.01, 10 * firmness, equations, c, n)
}

/**
 * Fills `place` with ω, slope and curvature at a knot. The three splines that are not zero there have the unknowns from
 * index `n` on.
 */
function fillPlace(knot: number, c: Float64Array, n: number): void {
  const p = 16 * knot
  place.value = c[n] * pieces[p] + c[n + 1] * pieces[p + 4] + c[n + 2] * pieces[p + 8]
  place.slope = c[n] * pieces[p + 1] + c[n + 1] * pieces[p + 5] + c[n + 2] * pieces[p + 9]
  place.curvature = 2 * (c[n] * pieces[p + 2] + c[n + 1] * pieces[p + 6] + c[n + 2] * pieces[p + 10])
}

/**
 * Fills `row` for a condition at a knot, from the condition's derivatives with respect to ω, slope and curvature. The
 * fourth spline is zero there.
 */
function fillRow(knot: number, byValue: number, bySlope: number, byCurvature: number): void {
  for (let r = 0; r < 3; r++) {
    const p = 16 * knot + 4 * r
    row[r] = byValue * pieces[p] + bySlope * pieces[p + 1] + 2 * byCurvature * pieces[p + 2]
  }
  row[3] = 0
}

/** Adds a smooth hinge whose derivatives are in `row`. Returns its contribution to the objective. */
function addHinge(
  x: number,
  smoothing: number,
  weight: number,
  equations: BandEquations,
  c: Float64Array,
  n: number
): number {
  if (x < -8 * smoothing) return 0
  const root = Math.sqrt(x * x + smoothing * smoothing)
  const hinge = 0.5 * (x + root)
  const slope = hinge / root
  let target = -root
  for (let r = 0; r < 3; r++) target += row[r] * c[n + r]
  addRow(equations, n, row, 0, weight * slope * slope, target)
  return weight * hinge * hinge
}
