import { CALL } from '../../market/chain.ts'
import { decay } from '../../math/decay.ts'
import type { SpotTerms } from '../greeks.ts'
import { PATCH_TERMS, SIGMA_TERMS, SPOT_TERMS } from './grid-shape.ts'
import type { PremiumGrid, PremiumGrids } from './premium-grid.ts'

/**
 * What early exercise adds to the gammas of one expiration as functions of spot, every volatility staying as it is
 * (sticky strike). A contract is a row of polynomials in its distance from the boundary, on patches that are made when a
 * spot first lies on them: its volatility is put into a patch once, however many spots follow, and most searches stay on
 * one or two of ten.
 */
export interface PremiumGammas {
  readonly size: number
  /** Polynomials for each contract. */
  readonly patches: number
  readonly grids: PremiumGrids
  /** 1 for a put, -1 for a call, and ln K: the distance is sign (ln S - ln K) - ln B in units of L. */
  readonly sign: Float64Array
  readonly logStrike: Float64Array
  readonly logBoundary: Float64Array
  readonly perWidth: Float64Array
  /** The patches over volatility that hold the contract, and the variable on them. */
  readonly row: Uint8Array
  readonly v: Float64Array
  /** What the curvature of the premium is counted with: weight (call), weight times K (put). */
  readonly scale: Float64Array
  /** Six coefficients of weight times S γ of the premium (call), S² γ (put), for each contract, patch after patch. */
  readonly gamma: Float64Array
  /** Contracts there is room for on each patch. */
  readonly room: number
  /** 1 where the coefficients of a contract on a patch are made. */
  readonly isMade: Uint8Array
  /** weight times S γ of the European option is `european` exp(-d²/2), d = (ln S - center) steepness. */
  readonly european: Float64Array
  readonly center: Float64Array
  readonly steepness: Float64Array
}

const GAMMA_TERMS = SPOT_TERMS - 1
const INV_SQRT_2PI = 0.3989422804014327

/**
 * The gammas of the contracts from `start` to `end`, one expiration, each counted `weight` times, for spots from `low`
 * to `high`: contracts without weight or volatility, or without a premium between these spots, are left out, and so are
 * volatilities off the grid, which keep their European gamma.
 */
export function premiumGammas(
  terms: SpotTerms,
  grids: PremiumGrids,
  strike: Float64Array,
  right: Uint8Array,
  sigma: Float64Array,
  weight: Float64Array,
  start: number,
  end: number,
  low: number,
  high: number
): PremiumGammas {
  const { t, rate, dividendYield } = terms
  const patches = grids.put.spotPatches
  const room = end - start
  const columns = () => new Float64Array(room)
  const out = {
    sign: columns(),
    logStrike: columns(),
    logBoundary: columns(),
    perWidth: columns(),
    row: new Uint8Array(room),
    v: columns(),
    scale: columns(),
    european: columns(),
    center: columns(),
    steepness: columns(),
    gamma: new Float64Array(room * patches * GAMMA_TERMS),
    isMade: new Uint8Array(room * patches)
  }
  const carried = Math.exp(-dividendYield * t)
  let size = 0
  for (let i = start; i < end; i++) {
    const isCall = right[i] === CALL
    const grid = isCall ? grids.call : grids.put
    const vol = sigma[i]
    if (grid.exercise !== 'below' || !(vol >= grid.low && vol <= grid.high) || weight[i] === 0) continue
    const { row, v } = sigmaPatch(grid, vol)
    const logBoundary = polynomial(grid.boundary, SIGMA_TERMS * row, v)
    const perWidth = 1 / polynomial(grid.width, SIGMA_TERMS * row, v)
    const nearest = isCall ? Math.log(strike[i] / high) : Math.log(low / strike[i])
    if ((nearest - logBoundary) * perWidth >= 1) continue
    const total = vol * Math.sqrt(t)
    out.sign[size] = isCall ? -1 : 1
    out.logStrike[size] = Math.log(strike[i])
    out.logBoundary[size] = logBoundary
    out.perWidth[size] = perWidth
    out.row[size] = row
    out.v[size] = v
    out.scale[size] = isCall ? weight[i] : weight[i] * strike[i]
    out.european[size] = (weight[i] * carried * INV_SQRT_2PI) / total
    out.center[size] = out.logStrike[size] - (rate - dividendYield + 0.5 * vol * vol) * t
    out.steepness[size] = 1 / total
    size++
  }
  return { size, patches, room, grids, ...out }
}

/** Sum over the contracts of weight times S γ at spot e^logSpot, to be added to the sum of the European gammas. */
export function premiumGammaAt(gammas: PremiumGammas, logSpot: number): number {
  const { size, patches, room, sign, logStrike, logBoundary, perWidth, isMade, gamma } = gammas
  const { european, center, steepness } = gammas
  const perSpot = Math.exp(-logSpot)
  let calls = 0
  let puts = 0
  for (let k = 0; k < size; k++) {
    const along = (sign[k] * (logSpot - logStrike[k]) - logBoundary[k]) * perWidth[k]
    if (along >= 1) continue
    if (along <= 0) {
      // Exercised: the European gamma falls away too.
      const d = (logSpot - center[k]) * steepness[k]
      calls -= european[k] * decay(0.5 * d * d)
      continue
    }
    const wide = along * patches
    const patch = wide | 0
    const z = wide - patch - 0.5
    const at = patch * room + k
    if (isMade[at] === 0) makePatch(gammas, k, patch)
    const c = GAMMA_TERMS * at
    const high = gamma[c + 3] + z * (gamma[c + 4] + z * gamma[c + 5])
    const here = gamma[c] + z * (gamma[c + 1] + z * (gamma[c + 2] + z * high))
    if (sign[k] > 0) puts += here
    else calls += here
  }
  return calls + perSpot * puts
}

/** The patch that holds a volatility, and the variable on it. */
function sigmaPatch({ low, high, sigmaPatches }: PremiumGrid, sigma: number): { row: number; v: number } {
  const middle = Math.sqrt(low * high)
  const range = (high - middle) / (high + middle)
  const across = 0.5 * sigmaPatches * ((sigma - middle) / (sigma + middle) / range + 1)
  const row = Math.min(Math.trunc(across), sigmaPatches - 1)
  return { row, v: across - row - 0.5 }
}

/** The SIGMA_TERMS coefficients from `at` on, at v. */
function polynomial(coefficients: Float64Array | Float32Array, at: number, v: number): number {
  const high = coefficients[at + 3] + v * (coefficients[at + 4] + v * coefficients[at + 5])
  return coefficients[at] + v * (coefficients[at + 1] + v * (coefficients[at + 2] + v * high))
}

/** Makes scale (P_xx - P_x) of a contract as a polynomial in the variable of a patch. */
function makePatch(gammas: PremiumGammas, k: number, patch: number): void {
  const { patches, room, grids, sign, perWidth, isMade, gamma } = gammas
  const { premium } = sign[k] > 0 ? grids.put : grids.call
  const [v, scale] = [gammas.v[k], gammas.scale[k]]
  const unit = patches * perWidth[k]
  const from = PATCH_TERMS * (gammas.row[k] * patches + patch)
  const to = GAMMA_TERMS * (patch * room + k)
  let above = polynomial(premium, from + SIGMA_TERMS * (SPOT_TERMS - 1), v)
  gamma[to + GAMMA_TERMS - 1] = -scale * unit * (SPOT_TERMS - 1) * above
  for (let power = SPOT_TERMS - 2; power >= 1; power--) {
    const here = polynomial(premium, from + SIGMA_TERMS * power, v)
    // The coefficient of z^(power - 1) in P'' / L² - P' / L.
    gamma[to + power - 1] = scale * unit * power * ((power + 1) * unit * above - here)
    above = here
  }
  isMade[patch * room + k] = 1
}
