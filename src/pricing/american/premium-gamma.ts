import { CALL } from '../../market/chain.ts'
import { decay } from '../../math/decay.ts'
import type { SpotTerms } from '../greeks.ts'
import { addScaledRow, boundaryAt, type DividendTable } from './dividends/dividend-table.ts'
import type { PremiumTables } from './premium-table.ts'
import { PATCH_TERMS, SIGMA_TERMS, SPOT_TERMS } from './yield/patch-shape.ts'
import type { YieldTable } from './yield/yield-table.ts'

/**
 * Gammas of the early-exercise premiums of one expiration as functions of spot, with every volatility fixed (sticky
 * strike). For each contract, its volatility is inserted into the premium table once. What remains is a curve over x
 * alone, which serves any number of spots: polynomial patches (continuous yield) or a row of spline weights (discrete
 * dividends).
 */
export type PremiumGammas = PatchGammas | SplineGammas

interface GammaContracts {
  readonly size: number
  /** `sign` is 1 for a put and -1 for a call; `logStrike` is ln K. They define x = sign (ln S - ln K). */
  readonly sign: Float64Array
  readonly logStrike: Float64Array
  /** The contract is exercised at once if x is at or below this value. */
  readonly boundary: Float64Array
  /**
   * The weighted S γ of the European option is `european` times exp(-d²/2), where d = (ln S - center) times
   * `steepness`.
   */
  readonly european: Float64Array
  readonly center: Float64Array
  readonly steepness: Float64Array
}

/**
 * Gammas of the premiums under a continuous yield. Each contract has a row of polynomials over the distance from its
 * exercise boundary. A polynomial is computed when a spot lies on its patch for the first time.
 */
interface PatchGammas extends GammaContracts {
  readonly kind: 'yield'
  readonly patches: number
  readonly tables: PremiumTables<YieldTable>
  /** 1 / L, where L is the width of the premium's region above the exercise boundary (see `YieldTable`). */
  readonly perWidth: Float64Array
  /**
   * Number of the volatility patch that contains the contract's volatility, and the position of that volatility on the
   * patch.
   */
  readonly row: Uint8Array
  readonly v: Float64Array
  /**
   * Factor that turns the curvature of the tabulated premium into weighted gamma: the weight for a call, the weight
   * times K for a put.
   */
  readonly scale: Float64Array
  /**
   * Polynomial coefficients of the premium's gamma: weight times S γ for a call, weight times S² γ for a put. Each
   * contract has six coefficients for each patch in turn.
   */
  readonly gamma: Float64Array
  readonly isMade: Uint8Array
}

interface SplineGammas extends GammaContracts {
  readonly kind: 'dividends'
  readonly nodes: number
  readonly start: Float64Array
  readonly perX: Float64Array
  /** Spline weights of the premium over x, multiplied by the contract's weight (call) or by its weight and K (put). */
  readonly premium: Float64Array
}

const GAMMA_TERMS = SPOT_TERMS - 1
const INV_SQRT_2PI = 0.3989422804014327
/**
 * Beyond this distance from the strike, in standard deviations, premiums of a dividend table and their curvature are
 * negligible.
 */
const SPLINE_END = 5

interface Weighted {
  readonly strike: Float64Array
  readonly right: Uint8Array
  readonly sigma: Float64Array
  readonly weight: Float64Array
  readonly start: number
  readonly end: number
}

/**
 * Prepares the weighted premium gammas of contracts `start` to `end`, all of one expiration, for spots from `low` to
 * `high`. Leaves out contracts that have no weight or no volatility, and those without a premium between these spots.
 * If a yield table does not cover a contract's volatility, the contract keeps its European gamma. If a dividend table
 * does not cover it, the contract gets the premium at the nearest volatility in the table.
 */
export function premiumGammas(
  terms: SpotTerms,
  tables: PremiumTables,
  strike: Float64Array,
  right: Uint8Array,
  sigma: Float64Array,
  weight: Float64Array,
  start: number,
  end: number,
  low: number,
  high: number
): PremiumGammas {
  const contracts = { strike, right, sigma, weight, start, end }
  return tables.put.kind === 'yield'
    ? patchGammas(terms, tables as PremiumTables<YieldTable>, contracts, low, high)
    : splineGammas(terms, tables as PremiumTables<DividendTable>, contracts, low, high)
}

/**
 * Sum of weight times S γ of the premiums over all contracts, at a spot of e^logSpot. The caller adds it to the sum of
 * the European gammas.
 */
export function premiumGammaAt(gammas: PremiumGammas, logSpot: number): number {
  return gammas.kind === 'yield' ? patchGammaAt(gammas, logSpot) : splineGammaAt(gammas, logSpot)
}

/** Weight times S γ of contract `k` as a European option. An option that is exercised loses this gamma. */
function europeanAt({ european, center, steepness }: GammaContracts, k: number, logSpot: number): number {
  const d = (logSpot - center[k]) * steepness[k]
  return european[k] * decay(0.5 * d * d)
}

function nearestX(isCall: boolean, strike: number, low: number, high: number): number {
  return isCall ? Math.log(strike / high) : Math.log(low / strike)
}

function patchGammas(
  { t, rate, dividendYield }: SpotTerms,
  tables: PremiumTables<YieldTable>,
  contracts: Weighted,
  low: number,
  high: number
): PatchGammas {
  const { strike, right, sigma, weight, start, end } = contracts
  const patches = tables.put.spotPatches
  const room = end - start
  const column = () => new Float64Array(room)
  // Fields are listed one by one: columns that are spread from another object take half as long again to fill.
  const out = {
    sign: column(),
    logStrike: column(),
    boundary: column(),
    european: column(),
    center: column(),
    steepness: column(),
    perWidth: column(),
    row: new Uint8Array(room),
    v: column(),
    scale: column()
  }
  const carried = Math.exp(-dividendYield * t)
  let size = 0
  for (let i = start; i < end; i++) {
    const isCall = right[i] === CALL
    const table = isCall ? tables.call : tables.put
    const vol = sigma[i]
    if (table.exercise !== 'below' || !(vol >= table.low && vol <= table.high) || weight[i] === 0) continue
    const { row, v } = sigmaPatch(table, vol)
    const boundary = polynomial(table.boundary, SIGMA_TERMS * row, v)
    const perWidth = 1 / polynomial(table.width, SIGMA_TERMS * row, v)
    if ((nearestX(isCall, strike[i], low, high) - boundary) * perWidth >= 1) continue
    const total = vol * Math.sqrt(t)
    out.sign[size] = isCall ? -1 : 1
    out.logStrike[size] = Math.log(strike[i])
    out.boundary[size] = boundary
    out.european[size] = (weight[i] * carried * INV_SQRT_2PI) / total
    out.center[size] = out.logStrike[size] - (rate - dividendYield + 0.5 * vol * vol) * t
    out.steepness[size] = 1 / total
    out.perWidth[size] = perWidth
    out.row[size] = row
    out.v[size] = v
    out.scale[size] = isCall ? weight[i] : weight[i] * strike[i]
    size++
  }
  const gamma = new Float64Array(size * patches * GAMMA_TERMS)
  return { kind: 'yield', size, patches, tables, ...out, gamma, isMade: new Uint8Array(size * patches) }
}

function patchGammaAt(gammas: PatchGammas, logSpot: number): number {
  const { size, patches, sign, logStrike, boundary, perWidth, isMade, gamma } = gammas
  const { european, center, steepness } = gammas
  const perSpot = Math.exp(-logSpot)
  let calls = 0
  let puts = 0
  for (let k = 0; k < size; k++) {
    const along = (sign[k] * (logSpot - logStrike[k]) - boundary[k]) * perWidth[k]
    if (along >= 1) continue
    if (along <= 0) {
      // `europeanAt` written out: calling it would take a tenth longer per gamma flip.
      const d = (logSpot - center[k]) * steepness[k]
      calls -= european[k] * decay(0.5 * d * d)
      continue
    }
    const wide = along * patches
    const patch = wide | 0
    const z = wide - patch - 0.5
    const at = patch * size + k
    if (isMade[at] === 0) makePatch(gammas, k, patch)
    const c = GAMMA_TERMS * at
    const high = gamma[c + 3] + z * (gamma[c + 4] + z * gamma[c + 5])
    const here = gamma[c] + z * (gamma[c + 1] + z * (gamma[c + 2] + z * high))
    if (sign[k] > 0) puts += here
    else calls += here
  }
  return calls + perSpot * puts
}

function sigmaPatch({ low, high, sigmaPatches }: YieldTable, sigma: number): { row: number; v: number } {
  const middle = Math.sqrt(low * high)
  const range = (high - middle) / (high + middle)
  const across = 0.5 * sigmaPatches * ((sigma - middle) / (sigma + middle) / range + 1)
  const row = Math.min(Math.trunc(across), sigmaPatches - 1)
  return { row, v: across - row - 0.5 }
}

function polynomial(coefficients: Float64Array | Float32Array, at: number, v: number): number {
  const high = coefficients[at + 3] + v * (coefficients[at + 4] + v * coefficients[at + 5])
  return coefficients[at] + v * (coefficients[at + 1] + v * (coefficients[at + 2] + v * high))
}

function makePatch(gammas: PatchGammas, k: number, patch: number): void {
  const { size, patches, tables, sign, perWidth, isMade, gamma } = gammas
  const { premium } = sign[k] > 0 ? tables.put : tables.call
  const [v, scale] = [gammas.v[k], gammas.scale[k]]
  const unit = patches * perWidth[k]
  const from = PATCH_TERMS * (gammas.row[k] * patches + patch)
  const to = GAMMA_TERMS * (patch * size + k)
  let above = polynomial(premium, from + SIGMA_TERMS * (SPOT_TERMS - 1), v)
  gamma[to + GAMMA_TERMS - 1] = -scale * unit * (SPOT_TERMS - 1) * above
  for (let power = SPOT_TERMS - 2; power >= 1; power--) {
    const here = polynomial(premium, from + SIGMA_TERMS * power, v)
    gamma[to + power - 1] = scale * unit * power * ((power + 1) * unit * above - here)
    above = here
  }
  isMade[patch * size + k] = 1
}

function splineGammas(
  { t, rate, dividendYield }: SpotTerms,
  tables: PremiumTables<DividendTable>,
  contracts: Weighted,
  low: number,
  high: number
): SplineGammas {
  const { strike, right, sigma, weight, start, end } = contracts
  const { nodes } = tables.put
  const room = end - start
  const column = () => new Float64Array(room)
  const out = {
    sign: column(),
    logStrike: column(),
    boundary: column(),
    european: column(),
    center: column(),
    steepness: column(),
    start: column(),
    perX: column()
  }
  const premium = new Float64Array(room * (nodes + 2))
  const carried = Math.exp(-dividendYield * t)
  let size = 0
  for (let i = start; i < end; i++) {
    const isCall = right[i] === CALL
    const table = isCall ? tables.call : tables.put
    const vol = Math.min(Math.max(sigma[i], table.low), table.high)
    if (!(vol > 0) || weight[i] === 0) continue
    const deviation = vol * Math.sqrt(t)
    if (nearestX(isCall, strike[i], low, high) >= SPLINE_END * deviation) continue
    const total = sigma[i] * Math.sqrt(t)
    out.sign[size] = isCall ? -1 : 1
    out.logStrike[size] = Math.log(strike[i])
    out.boundary[size] = boundaryAt(table, vol)
    out.european[size] = (weight[i] * carried * INV_SQRT_2PI) / total
    out.center[size] = out.logStrike[size] - (rate - dividendYield + 0.5 * sigma[i] * sigma[i]) * t
    out.steepness[size] = 1 / total
    out.start[size] = -table.width * deviation
    out.perX[size] = (nodes - 1) / (2 * table.width * deviation)
    addScaledRow(table, vol, isCall ? weight[i] : weight[i] * strike[i], premium, size * (nodes + 2))
    size++
  }
  return { kind: 'dividends', size, nodes, premium, ...out }
}

function splineGammaAt(gammas: SplineGammas, logSpot: number): number {
  const { size, nodes, sign, logStrike, start, boundary, perX, premium, european } = gammas
  const perSpot = Math.exp(-logSpot)
  let sum = 0
  for (let k = 0; k < size; k++) {
    const x = sign[k] * (logSpot - logStrike[k])
    if (x <= boundary[k]) {
      sum -= europeanAt(gammas, k, logSpot)
      continue
    }
    const place = (x - start[k]) * perX[k]
    if (!(place >= 0 && place < nodes - 1)) continue
    const node = place | 0
    const u = place - node
    const rest = 1 - u
    const at = k * (nodes + 2) + node
    const [w0, w1, w2, w3] = [premium[at], premium[at + 1], premium[at + 2], premium[at + 3]]
    // Like `splineBasis`, for the two derivative orders that are needed.
    const slope = 0.5 * (u * u * w3 + rest * (4 - 3 * rest) * w2 + u * (3 * u - 4) * w1 - rest * rest * w0)
    const curve = rest * w0 + (3 * u - 2) * w1 + (3 * rest - 2) * w2 + u * w3
    const added = perX[k] * (perX[k] * curve - slope) * (sign[k] > 0 ? perSpot : 1)
    // The curvature of a spline swings around a kink, but no gamma may be below zero, as in the columns of a chain.
    const least = added * european[k] < 0 ? -europeanAt(gammas, k, logSpot) : added
    sum += european[k] > 0 ? Math.max(added, least) : Math.min(added, least)
  }
  return sum
}
