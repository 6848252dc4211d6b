import { arePlainKernels } from '../kernel-choice.ts'
import { BLOCK } from '../stages.ts'
import { PATCH_TERMS, SIGMA_TERMS, SPOT_TERMS } from './grid-shape.ts'
import {
  crossSlope,
  EXERCISED,
  GONE,
  HELD,
  logSpot,
  OFF_GRID,
  place,
  sigmaSlope,
  spotCurve,
  spotSlope,
  spotThird,
  value,
  volatility
} from './premium-block.ts'
import { LOG_SPOT_CAP, type PremiumGrid } from './premium-grid.ts'
import { MIN_BLOCK } from './simd/grid-kernels.ts'
import { isRoomToRead, readQuickPremiums, readQuickValues } from './simd/quick-reading.ts'

// Between the two loops: first coefficient of the patch, the variables on it, and the factors of the chain rule.
const coefficient = new Int32Array(BLOCK)
const zeta = new Float64Array(BLOCK)
const w = new Float64Array(BLOCK)
const perWidth = new Float64Array(BLOCK)
const zetaBySigma = new Float64Array(BLOCK)
const widthBySigma = new Float64Array(BLOCK)
const wBySigma = new Float64Array(BLOCK)

/** Reads the premiums of the first `count` entries of the premium block, all of one right, from its grid (`below`). */
export function readPremiums(grid: PremiumGrid, count: number): void {
  if (isQuick(grid, count)) readQuickPremiums(grid, count)
  else readPlainPremiums(grid, count)
}

/** The same for `place`, `value` and `sigmaSlope` alone; the other derivatives are left as they are. */
export function readValues(grid: PremiumGrid, count: number): void {
  if (isQuick(grid, count)) readQuickValues(grid, count)
  else readPlainValues(grid, count)
}

function isQuick(grid: PremiumGrid, count: number): boolean {
  return count >= MIN_BLOCK && !arePlainKernels() && isRoomToRead(grid)
}

/** `readPremiums` without WebAssembly. */
export function readPlainPremiums(grid: PremiumGrid, count: number): void {
  locate(grid, count)
  evaluate(grid, count)
}

/** `readValues` without WebAssembly. */
export function readPlainValues(grid: PremiumGrid, count: number): void {
  locate(grid, count)
  evaluateValues(grid, count)
}

function locate(grid: PremiumGrid, count: number): void {
  const { low, high, spotPatches, sigmaPatches, boundary, width } = grid
  const middle = Math.sqrt(low * high)
  const perRange = (0.5 * sigmaPatches * (high + middle)) / (high - middle)
  for (let q = 0; q < count; q++) {
    const sigma = volatility[q]
    // NaN must not become an index: once is enough for this loop to be compiled slower ever after.
    if (!(sigma >= low && sigma <= high)) {
      place[q] = OFF_GRID
      continue
    }
    const sum = 1 / (sigma + middle)
    const across = (sigma - middle) * sum * perRange + 0.5 * sigmaPatches
    const row = Math.min(across | 0, sigmaPatches - 1)
    const v = across - row - 0.5
    const k = SIGMA_TERMS * row
    const b =
      boundary[k] +
      v *
        (boundary[k + 1] + v * (boundary[k + 2] + v * (boundary[k + 3] + v * (boundary[k + 4] + v * boundary[k + 5]))))
    const l =
      width[k] + v * (width[k + 1] + v * (width[k + 2] + v * (width[k + 3] + v * (width[k + 4] + v * width[k + 5]))))
    const bSlope =
      boundary[k + 1] +
      v * (2 * boundary[k + 2] + v * (3 * boundary[k + 3] + v * (4 * boundary[k + 4] + v * (5 * boundary[k + 5]))))
    const lSlope =
      width[k + 1] + v * (2 * width[k + 2] + v * (3 * width[k + 3] + v * (4 * width[k + 4] + v * (5 * width[k + 5]))))
    const x = logSpot[q]
    const inverse = 1 / l
    const along = (x - b) * inverse
    if (!(along > 0 && along < 1)) {
      place[q] = along <= 0 ? EXERCISED : x < LOG_SPOT_CAP ? GONE : OFF_GRID
      continue
    }
    const wide = along * spotPatches
    const patch = wide | 0
    const bySigma = 2 * middle * sum * sum * perRange
    place[q] = HELD
    coefficient[q] = PATCH_TERMS * (row * spotPatches + patch)
    zeta[q] = wide - patch - 0.5
    w[q] = v
    perWidth[q] = inverse
    zetaBySigma[q] = -(bSlope + along * lSlope) * inverse * bySigma
    widthBySigma[q] = lSlope * inverse * bySigma
    wBySigma[q] = bySigma
  }
}

function evaluate({ spotPatches, premium }: PremiumGrid, count: number): void {
  for (let q = 0; q < count; q++) {
    if (place[q] !== HELD) {
      value[q] = 0
      spotSlope[q] = 0
      spotCurve[q] = 0
      spotThird[q] = 0
      sigmaSlope[q] = 0
      crossSlope[q] = 0
      continue
    }
    const t = zeta[q]
    const v = w[q]
    let p0 = 0
    let p1 = 0
    let p2 = 0
    let p3 = 0
    let g0 = 0
    let g1 = 0
    let k = coefficient[q] + PATCH_TERMS
    for (let power = 0; power < SPOT_TERMS; power++) {
      k -= SIGMA_TERMS
      const c2 = premium[k + 2]
      const c3 = premium[k + 3]
      const c4 = premium[k + 4]
      const c5 = premium[k + 5]
      const here = premium[k] + v * (premium[k + 1] + v * (c2 + v * (c3 + v * (c4 + v * c5))))
      const slope = premium[k + 1] + v * (2 * c2 + v * (3 * c3 + v * (4 * c4 + v * (5 * c5))))
      p3 = p3 * t + p2
      p2 = p2 * t + p1
      p1 = p1 * t + p0
      p0 = p0 * t + here
      g1 = g1 * t + g0
      g0 = g0 * t + slope
    }
    const scale = perWidth[q]
    const unit = spotPatches * scale
    const first = p1 * spotPatches
    const second = 2 * p2 * spotPatches * spotPatches
    value[q] = p0
    spotSlope[q] = p1 * unit
    spotCurve[q] = 2 * p2 * unit * unit
    spotThird[q] = 6 * p3 * unit * unit * unit
    sigmaSlope[q] = g0 * wBySigma[q] + first * zetaBySigma[q]
    crossSlope[q] = (g1 * spotPatches * wBySigma[q] + second * zetaBySigma[q]) * scale - first * scale * widthBySigma[q]
  }
}

function evaluateValues({ spotPatches, premium }: PremiumGrid, count: number): void {
  for (let q = 0; q < count; q++) {
    if (place[q] !== HELD) {
      value[q] = 0
      sigmaSlope[q] = 0
      continue
    }
    const t = zeta[q]
    const v = w[q]
    let p0 = 0
    let p1 = 0
    let g0 = 0
    let k = coefficient[q] + PATCH_TERMS
    for (let power = 0; power < SPOT_TERMS; power++) {
      k -= SIGMA_TERMS
      const c2 = premium[k + 2]
      const c3 = premium[k + 3]
      const c4 = premium[k + 4]
      const c5 = premium[k + 5]
      p1 = p1 * t + p0
      p0 = p0 * t + premium[k] + v * (premium[k + 1] + v * (c2 + v * (c3 + v * (c4 + v * c5))))
      g0 = g0 * t + premium[k + 1] + v * (2 * c2 + v * (3 * c3 + v * (4 * c4 + v * (5 * c5))))
    }
    value[q] = p0
    sigmaSlope[q] = g0 * wBySigma[q] + p1 * spotPatches * zetaBySigma[q]
  }
}
