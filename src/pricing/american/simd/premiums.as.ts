// AssemblyScript, compiled by scripts/assemble.mjs to premiums.wasm.ts, which is what runs; see premium-kernels.ts.
// Kernels of early exercise under a continuous yield, two numbers at a time: the equations of an exercise boundary
// (boundary.ts has them), the samples and patches of a yield table (yield-table.ts), the reading of a table, and
// European values. Results do not depend on the machine: there are no relaxed instructions, and no multiplication is
// fused with an addition. A column of odd length is followed by one more number, whose results are ignored. This is one
// file because it is one module, whose kernels share tables and columns.
import { add, div, fillExponentials, firsts, fractions, mul, seconds, splat, sub } from '../../simd/options.as'

export { fractions }

/** Greatest number of points, spots, volatilities and rows for which this module has memory. */
export const MOST_POINTS: i32 = 16
export const MOST_INNER: i32 = 32
export const MOST_OUTER: i32 = 32
export const MOST_SPOTS: i32 = 29
export const MOST_SIGMAS: i32 = 21
export const MOST_SPOT_ROWS: i32 = 70
export const MOST_SIGMA_ROWS: i32 = 36

/** Copy of the table in `math/normal-table.ts`: 64 bytes for each interval. */
export const series: usize = memory.data(273 * 64, 64)
const LAST_INTERVAL: i32 = 272
const END: f64 = 8.5

// Columns of a boundary: over its collocation points, then over the points of all integrals, see `BoundarySystem`. The
// latter have 512 numbers and a gap of 64, without which all of them would share the same lines of the first-level
// cache.
export const rootTau: usize = memory.data(16 * 8, 16)
export const carryTau: usize = memory.data(16 * 8, 16)
export const discountTau: usize = memory.data(16 * 8, 16)
export const carriedTau: usize = memory.data(16 * 8, 16)
export const depth: usize = memory.data(16 * 8, 16)
export const rootU: usize = memory.data(576 * 8, 16)
export const perRootU: usize = memory.data(576 * 8, 16)
export const carryU: usize = memory.data(576 * 8, 16)
export const interestU: usize = memory.data(576 * 8, 16)
export const dividendU: usize = memory.data(576 * 8, 16)
/** `innerRows` of `BoundaryTables`, each row padded to an even length. `turnedRows` is the transpose. */
export const rows: usize = memory.data(512 * 16 * 8, 16)
export const turnedRows: usize = memory.data(512 * 16 * 8, 16)
/**
 * `quotient` is N/D at each collocation point. `jacobian` holds the derivatives of ln(N/D) - ln B with respect to all
 * depths.
 */
export const quotient: usize = memory.data(16 * 8, 16)
export const jacobian: usize = memory.data(257 * 8, 16)

const h: usize = memory.data(16 * 8, 16)
const owns: usize = memory.data(576 * 8, 16)
const floors: usize = memory.data(576 * 8, 16)
const argument: usize = memory.data(576 * 8, 16)
const share: usize = memory.data(576 * 8, 16)
const slopes: usize = memory.data(32 * 8, 16)
const pulls: usize = memory.data(32 * 8, 16)
const strikePart: usize = memory.data(576 * 8, 16)
const spotPart: usize = memory.data(576 * 8, 16)
const strikePull: usize = memory.data(576 * 8, 16)
const spotPull: usize = memory.data(576 * 8, 16)
const ownRatio: usize = memory.data(16 * 8, 16)
const first: usize = memory.data(576 * 8, 16)
const density1: usize = memory.data(576 * 8, 16)
const density2: usize = memory.data(576 * 8, 16)
const probability: usize = memory.data(576 * 8, 16)

// Columns of a premium integral, see `PremiumIntegral`, and the spots at which it is evaluated, as logarithms and as
// prices.
export const total: usize = memory.data(32 * 8, 16)
export const perTotal: usize = memory.data(32 * 8, 16)
export const offset: usize = memory.data(32 * 8, 16)
export const interest: usize = memory.data(32 * 8, 16)
export const dividend: usize = memory.data(32 * 8, 16)
export const logSpots: usize = memory.data(30 * 8, 16)
export const spots: usize = memory.data(30 * 8, 16)
const bounds: usize = memory.data(64 * 16, 16)

// Memory for computing a table: the transposed matrices of `patchMatrices`, premiums by volatility and spot, their
// coefficients over spot followed by the rows of ln B and L, and the patches of all of these.
export const spotMatrix: usize = memory.data(29 * 70 * 8, 64)
export const sigmaMatrix: usize = memory.data(21 * 36 * 8, 64)
export const samples: usize = memory.data((21 * 29 + 1) * 8, 64)
export const overSpot: usize = memory.data(72 * 21 * 8, 64)
export const patches: usize = memory.data(36 * 72 * 8, 64)

// The table being read, see `YieldTable`.
export const boundary: usize = memory.data(36 * 8, 64)
export const width: usize = memory.data(36 * 8, 64)
export const premium: usize = memory.data(60 * 42 * 8, 64)

export const logSpot: usize = memory.data(2112, 64)
export const volatility: usize = memory.data(2112, 64)
export const place: usize = memory.data(256, 64)
export const value: usize = memory.data(2112, 64)
export const spotSlope: usize = memory.data(2112, 64)
export const spotCurve: usize = memory.data(2112, 64)
export const spotThird: usize = memory.data(2112, 64)
export const sigmaSlope: usize = memory.data(2112, 64)
export const crossSlope: usize = memory.data(2112, 64)
export const moneyness: usize = memory.data(2112, 64)
export const strike: usize = memory.data(2112, 64)
export const price: usize = memory.data(2112, 64)
export const upper: usize = memory.data(2112, 64)
export const excess: usize = memory.data(2112, 64)
export const vega: usize = memory.data(2112, 64)
const coefficient: usize = memory.data(1024, 64)
const held: usize = memory.data(4096, 64)
const zeta: usize = memory.data(2112, 64)
const across: usize = memory.data(2112, 64)
const perWidth: usize = memory.data(2112, 64)
const zetaBySigma: usize = memory.data(2112, 64)
const widthBySigma: usize = memory.data(2112, 64)
const wBySigma: usize = memory.data(2112, 64)
const bothSides: usize = memory.data(4224, 64)

const EXERCISED: i32 = 0
const TABULATED: i32 = 1
const VANISHED: i32 = 2
const OFF_TABLE: i32 = 3
const LOG_SPOT_CAP: f64 = 3
const INV_SQRT_2PI: f64 = 0.3989422804014327
const STARTED: f64 = 1 + 1e-9

const PATCH_BYTES: usize = 48
/**
 * Bytes for the coefficients of two patches over spot: seven pairs of doubles. Two patches are computed together
 * because the sums of a single pair would have to wait for each other.
 */
const SPOT_BYTES: usize = 112

function within(x: v128, most: i32): v128 {
  return i32x4.max_s(i32x4.min_s(i32x4.trunc_sat_f64x2_s_zero(x), i32x4.splat(most)), i32x4.splat(0))
}

function areInside(x: v128): bool {
  return i64x2.bitmask(f64x2.lt(f64x2.abs(x), splat(END))) === 3
}

/** Fills N(x), the normal distribution, for each x of a column. The results are those of `cumulativeNormal`. */
function fillProbabilities(from: usize, into: usize, end: usize): void {
  for (let i: usize = 0; i < end; i += 16) {
    const x = v128.load(from + i)
    const wide = mul(splat(16), add(x, splat(END)))
    const at = within(wide, LAST_INTERVAL)
    const t = sub(sub(wide, f64x2.convert_low_i32x4_s(at)), splat(0.5))
    const a = series + ((<usize>i32x4.extract_lane(at, 0)) << 6)
    const b = series + ((<usize>i32x4.extract_lane(at, 1)) << 6)
    const a67 = v128.load(a, 48)
    const b67 = v128.load(b, 48)
    const a45 = v128.load(a, 32)
    const b45 = v128.load(b, 32)
    const a23 = v128.load(a, 16)
    const b23 = v128.load(b, 16)
    const a01 = v128.load(a)
    const b01 = v128.load(b)
    let sum = add(firsts(a67, b67), mul(t, seconds(a67, b67)))
    sum = add(seconds(a45, b45), mul(t, sum))
    sum = add(firsts(a45, b45), mul(t, sum))
    sum = add(seconds(a23, b23), mul(t, sum))
    sum = add(firsts(a23, b23), mul(t, sum))
    sum = add(seconds(a01, b01), mul(t, sum))
    sum = add(firsts(a01, b01), mul(t, sum))
    v128.store(into + i, sum)
    if (areInside(x)) continue
    const below = v128.bitselect(splat(0), x, f64x2.le(x, splat(-END)))
    const outside = v128.bitselect(splat(1), below, f64x2.ge(x, splat(END)))
    v128.store(into + i, v128.bitselect(sum, outside, f64x2.lt(f64x2.abs(x), splat(END))))
  }
}

/** Fills φ(x), the normal density, for each x of a column. The results are those of `normalDensity`. */
function fillDensities(from: usize, into: usize, end: usize): void {
  for (let i: usize = 0; i < end; i += 16) {
    const x = v128.load(from + i)
    const wide = mul(splat(16), add(x, splat(END)))
    const at = within(wide, LAST_INTERVAL)
    const t = sub(sub(wide, f64x2.convert_low_i32x4_s(at)), splat(0.5))
    const a = series + ((<usize>i32x4.extract_lane(at, 0)) << 6)
    const b = series + ((<usize>i32x4.extract_lane(at, 1)) << 6)
    const a67 = v128.load(a, 48)
    const b67 = v128.load(b, 48)
    const a45 = v128.load(a, 32)
    const b45 = v128.load(b, 32)
    const a23 = v128.load(a, 16)
    const b23 = v128.load(b, 16)
    let sum = add(mul(splat(6), firsts(a67, b67)), mul(t, mul(splat(7), seconds(a67, b67))))
    sum = add(mul(splat(5), seconds(a45, b45)), mul(t, sum))
    sum = add(mul(splat(4), firsts(a45, b45)), mul(t, sum))
    sum = add(mul(splat(3), seconds(a23, b23)), mul(t, sum))
    sum = add(mul(splat(2), firsts(a23, b23)), mul(t, sum))
    sum = mul(splat(16), add(seconds(v128.load(a), v128.load(b)), mul(t, sum)))
    v128.store(into + i, sum)
    if (areInside(x)) continue
    const outside = v128.bitselect(x, splat(0), f64x2.ne(x, x))
    v128.store(into + i, v128.bitselect(sum, outside, f64x2.lt(f64x2.abs(x), splat(END))))
  }
}

/**
 * Fills `quotient` and `jacobian` from `depth`. This is a round of Newton's method without its logarithms and its
 * linear system.
 * With h = depth², the boundary B at each point of an integral follows from an interpolated h. An interpolated h below
 * 1e-4 of the h at the collocation point cannot belong to a boundary. It is raised to that limit and treated as
 * constant.
 */
export function fillEquations(points: i32, inner: i32, sigma: f64, logAtExpiry: f64): void {
  const end = (<usize>points) << 3
  const step = (<usize>inner) << 3
  const all = (((<usize>(points * inner)) << 3) + 15) & ~15
  fillArguments(end, step, all, sigma)
  fillIntegrands(all, sigma)
  fillOwnParts(end, sigma, logAtExpiry)
  const row = (end + 15) & ~15
  for (let i: usize = 0; i < end; i += 8) fillRow(i, end, step, row)
}

function fillArguments(end: usize, step: usize, all: usize, sigma: f64): void {
  for (let i: usize = 0; i < end; i += 8) {
    const own = load<f64>(depth + i)
    const square = own * own
    store<f64>(h + i, square)
    const floor = 1e-4 * square
    const from = (i >> 3) * step
    for (let at = from; at < from + step; at += 8) {
      store<f64>(owns + at, own)
      store<f64>(floors + at, floor)
    }
  }
  const perSigma = splat(1 / sigma)
  const half = splat(0.5 * sigma)
  for (let at: usize = 0; at < all; at += 16) {
    let then = splat(0)
    let from = turnedRows + at
    for (let k: usize = 0; k < end; k += 8) {
      then = add(then, mul(v128.load(from), v128.load64_splat(h + k)))
      from += all
    }
    const floor = v128.load(floors + at)
    const isFree = f64x2.gt(then, floor)
    const there = f64x2.sqrt(v128.bitselect(then, floor, isFree))
    const distance = add(sub(there, v128.load(owns + at)), v128.load(carryU + at))
    const steep = mul(mul(distance, v128.load(perRootU + at)), perSigma)
    v128.store(argument + at, sub(steep, mul(half, v128.load(rootU + at))))
    v128.store(share + at, v128.and(div(splat(1), there), isFree))
  }
}

function fillIntegrands(all: usize, sigma: f64): void {
  const vol = splat(sigma)
  const perSigma = splat(1 / sigma)
  for (let at: usize = 0; at < all; at += 16) {
    v128.store(first + at, add(v128.load(argument + at), mul(vol, v128.load(rootU + at))))
  }
  fillDensities(argument, density2, all)
  fillDensities(first, density1, all)
  fillProbabilities(first, probability, all)
  for (let at: usize = 0; at < all; at += 16) {
    const slope = mul(mul(f64x2.neg(v128.load(argument + at)), v128.load(perRootU + at)), perSigma)
    const paid = v128.load(dividendU + at)
    const strikeSide = mul(mul(v128.load(interestU + at), perSigma), v128.load(density2 + at))
    const spotSide = mul(mul(paid, perSigma), v128.load(density1 + at))
    v128.store(strikePart + at, strikeSide)
    v128.store(spotPart + at, add(spotSide, mul(mul(paid, v128.load(rootU + at)), v128.load(probability + at))))
    v128.store(strikePull + at, mul(slope, strikeSide))
    v128.store(spotPull + at, mul(slope, spotSide))
  }
}

function fillOwnParts(end: usize, sigma: f64, logAtExpiry: f64): void {
  for (let i: usize = 0; i < end; i += 16) {
    const total = mul(splat(sigma), v128.load(rootTau + i))
    const logB = sub(splat(logAtExpiry), v128.load(depth + i))
    const d2 = sub(div(add(logB, v128.load(carryTau + i)), total), mul(splat(0.5), total))
    v128.store(argument + i, d2)
    v128.store(first + i, add(d2, total))
    v128.store(ownRatio + i, div(d2, total))
    v128.store(owns + i, total)
  }
  fillDensities(argument, density2, end)
  fillDensities(first, density1, end)
  fillProbabilities(first, probability, end)
  for (let i: usize = 0; i < end; i += 16) {
    const total = v128.load(owns + i)
    const carried = v128.load(carriedTau + i)
    v128.store(density2 + i, div(mul(v128.load(discountTau + i), v128.load(density2 + i)), total))
    v128.store(density1 + i, div(mul(carried, v128.load(density1 + i)), total))
    v128.store(probability + i, mul(carried, v128.load(probability + i)))
  }
}

function fillRow(i: usize, end: usize, step: usize, row: usize): void {
  const strikeDensity = load<f64>(density2 + i)
  const spotDensity = load<f64>(density1 + i)
  let strikeSide = strikeDensity
  let spotSide = spotDensity + load<f64>(probability + i)
  const from = (i >> 3) * step
  for (let at = from; at < from + step; at += 8) {
    strikeSide += load<f64>(strikePart + at)
    spotSide += load<f64>(spotPart + at)
  }
  const perStrike = 1 / strikeSide
  const perSpot = 1 / spotSide
  for (let at: usize = 0; at < step; at += 8) {
    const slope = load<f64>(strikePull + from + at) * perStrike - load<f64>(spotPull + from + at) * perSpot
    store<f64>(slopes + at, slope)
    store<f64>(pulls + at, slope * load<f64>(share + from + at))
  }
  let ownSlope = 1 + load<f64>(ownRatio + i) * (strikeDensity * perStrike - spotDensity * perSpot)
  for (let at: usize = 0; at < step; at += 8) ownSlope -= load<f64>(slopes + at)
  const into = jacobian + (i >> 3) * end
  for (let k: usize = 0; k < end; k += 16) {
    let sum = splat(0)
    let weights = rows + (from >> 3) * row + k
    for (let at: usize = 0; at < step; at += 8) {
      sum = add(sum, mul(v128.load64_splat(pulls + at), v128.load(weights)))
      weights += row
    }
    v128.store(into + k, mul(sum, v128.load(depth + k)))
  }
  store<f64>(into + i, load<f64>(into + i) + ownSlope)
  store<f64>(quotient + i, strikeSide / spotSide)
}

/**
 * Fills row `row` of `samples` with `count` premiums, one for each of `logSpots`. The formula is the one of
 * `premiumAt`.
 */
export function fillPremiums(row: i32, count: i32, outer: i32): void {
  const end = (<usize>outer) << 3
  const into = samples + ((<usize>(row * count)) << 3)
  for (let i: usize = 0; i < (<usize>count) << 3; i += 16) {
    const x = v128.load(logSpots + i)
    for (let j: usize = 0; j < end; j += 8) {
      const d2 = add(mul(x, v128.load64_splat(perTotal + j)), v128.load64_splat(offset + j))
      v128.store(bounds + (j << 2), f64x2.neg(d2))
      v128.store(bounds + (j << 2), sub(f64x2.neg(d2), v128.load64_splat(total + j)), 16)
    }
    fillProbabilities(bounds, bounds, end << 2)
    let strikeSide = splat(0)
    let spotSide = splat(0)
    for (let j: usize = 0; j < end; j += 8) {
      strikeSide = add(strikeSide, mul(v128.load64_splat(interest + j), v128.load(bounds + (j << 2))))
      spotSide = add(spotSide, mul(v128.load64_splat(dividend + j), v128.load(bounds + (j << 2), 16)))
    }
    v128.store(into + i, sub(strikeSide, mul(v128.load(spots + i), spotSide)))
  }
}

/**
 * Fills `overSpot`, except its last two rows, with the products of each row of the spot matrix and each row of
 * `samples`.
 */
export function fillOverSpot(spotRows: i32, spotCount: i32, sigmaCount: i32): void {
  const height = (<usize>spotRows) << 3
  const length = (<usize>spotCount) << 3
  const width = (<usize>sigmaCount) << 3
  for (let row: usize = 0; row < height; row += SPOT_BYTES) {
    for (let column: usize = 0; column < width; column += 8) {
      let s0 = splat(0)
      let s1 = splat(0)
      let s2 = splat(0)
      let s3 = splat(0)
      let s4 = splat(0)
      let s5 = splat(0)
      let s6 = splat(0)
      let from = spotMatrix + row
      const sample = samples + (column >> 3) * length
      for (let k: usize = 0; k < length; k += 8) {
        const factor = v128.load64_splat(sample + k)
        s0 = add(s0, mul(v128.load(from), factor))
        s1 = add(s1, mul(v128.load(from, 16), factor))
        s2 = add(s2, mul(v128.load(from, 32), factor))
        s3 = add(s3, mul(v128.load(from, 48), factor))
        s4 = add(s4, mul(v128.load(from, 64), factor))
        s5 = add(s5, mul(v128.load(from, 80), factor))
        s6 = add(s6, mul(v128.load(from, 96), factor))
        from += height
      }
      const into = overSpot + (row >> 3) * width + column
      storePair(into, width, s0)
      storePair(into + 2 * width, width, s1)
      storePair(into + 4 * width, width, s2)
      storePair(into + 6 * width, width, s3)
      storePair(into + 8 * width, width, s4)
      storePair(into + 10 * width, width, s5)
      storePair(into + 12 * width, width, s6)
    }
  }
}

function storePair(into: usize, apart: usize, two: v128): void {
  v128.store64_lane(into, two, 0)
  v128.store64_lane(into + apart, two, 1)
}

/**
 * Fills `patches` with the products of `count` rows of `overSpot`, from row `row` on, and each row of the volatility
 * matrix. `row` and `count` must be even. All results of one volatility patch come before those of the next.
 */
export function fillPatches(row: i32, count: i32, sigmaCount: i32, sigmaRows: i32): void {
  const width = (<usize>sigmaCount) << 3
  const height = (<usize>sigmaRows) << 3
  const start = overSpot + <usize>row * width
  let into = patches
  for (let patch: usize = 0; patch < height; patch += PATCH_BYTES) {
    for (let at = start; at < start + <usize>count * width; at += 2 * width) {
      let a0 = splat(0)
      let a1 = splat(0)
      let a2 = splat(0)
      let b0 = splat(0)
      let b1 = splat(0)
      let b2 = splat(0)
      let from = sigmaMatrix + patch
      for (let k: usize = 0; k < width; k += 8) {
        const a = v128.load64_splat(at + k)
        const b = v128.load64_splat(at + width + k)
        const w0 = v128.load(from)
        const w1 = v128.load(from, 16)
        const w2 = v128.load(from, 32)
        a0 = add(a0, mul(a, w0))
        a1 = add(a1, mul(a, w1))
        a2 = add(a2, mul(a, w2))
        b0 = add(b0, mul(b, w0))
        b1 = add(b1, mul(b, w1))
        b2 = add(b2, mul(b, w2))
        from += height
      }
      v128.store(into, a0)
      v128.store(into, a1, 16)
      v128.store(into, a2, 32)
      v128.store(into, b0, 48)
      v128.store(into, b1, 64)
      v128.store(into, b2, 80)
      into += 2 * PATCH_BYTES
    }
  }
}

/**
 * Fills `place`, `value` and `sigmaSlope` of a block. A patch is a polynomial over ζ whose coefficients are polynomials
 * over σ. Horner's rule evaluates it and its derivatives.
 */
export function readPremiumValues(count: i32, low: f64, high: f64, spotPatches: i32, sigmaPatches: i32): void {
  const end = (<usize>count) << 3
  locate(end, low, high, spotPatches, sigmaPatches)
  const patches = splat(<f64>spotPatches)
  for (let i: usize = 0; i < end; i += 16) {
    const isHeld = v128.load(held + i)
    if (!v128.any_true(isHeld)) {
      v128.store(value + i, splat(0))
      v128.store(sigmaSlope + i, splat(0))
      continue
    }
    const t = v128.load(zeta + i)
    const v = v128.load(across + i)
    let p0 = splat(0)
    let p1 = splat(0)
    let g0 = splat(0)
    let a = premium + <usize>load<i32>(coefficient + (i >> 1)) + 288
    let b = premium + <usize>load<i32>(coefficient + (i >> 1), 4) + 288
    for (let power = 0; power < 7; power++) {
      const a01 = v128.load(a)
      const b01 = v128.load(b)
      const a23 = v128.load(a, 16)
      const b23 = v128.load(b, 16)
      const a45 = v128.load(a, 32)
      const b45 = v128.load(b, 32)
      p1 = add(mul(p1, t), p0)
      p0 = add(add(mul(p0, t), firsts(a01, b01)), mul(v, beyondConstant(v, a01, b01, a23, b23, a45, b45)))
      g0 = add(add(mul(g0, t), seconds(a01, b01)), mul(v, beyondSlope(v, a23, b23, a45, b45)))
      a -= 48
      b -= 48
    }
    const slope = add(mul(g0, v128.load(wBySigma + i)), mul(mul(p1, patches), v128.load(zetaBySigma + i)))
    v128.store(value + i, v128.and(p0, isHeld))
    v128.store(sigmaSlope + i, v128.and(slope, isHeld))
  }
}

/**
 * Fills `place`, the premium and all derivatives of a block. The cross derivative and the third derivative follow from
 * the chain rule for ζ(x, σ).
 */
export function readPremiums(count: i32, low: f64, high: f64, spotPatches: i32, sigmaPatches: i32): void {
  const end = (<usize>count) << 3
  locate(end, low, high, spotPatches, sigmaPatches)
  const patches = splat(<f64>spotPatches)
  for (let i: usize = 0; i < end; i += 16) {
    const isHeld = v128.load(held + i)
    if (!v128.any_true(isHeld)) {
      v128.store(value + i, splat(0))
      v128.store(spotSlope + i, splat(0))
      v128.store(spotCurve + i, splat(0))
      v128.store(spotThird + i, splat(0))
      v128.store(sigmaSlope + i, splat(0))
      v128.store(crossSlope + i, splat(0))
      continue
    }
    const t = v128.load(zeta + i)
    const v = v128.load(across + i)
    let p0 = splat(0)
    let p1 = splat(0)
    let p2 = splat(0)
    let p3 = splat(0)
    let g0 = splat(0)
    let g1 = splat(0)
    let a = premium + <usize>load<i32>(coefficient + (i >> 1)) + 288
    let b = premium + <usize>load<i32>(coefficient + (i >> 1), 4) + 288
    for (let power = 0; power < 7; power++) {
      const a01 = v128.load(a)
      const b01 = v128.load(b)
      const a23 = v128.load(a, 16)
      const b23 = v128.load(b, 16)
      const a45 = v128.load(a, 32)
      const b45 = v128.load(b, 32)
      p3 = add(mul(p3, t), p2)
      p2 = add(mul(p2, t), p1)
      p1 = add(mul(p1, t), p0)
      p0 = add(mul(p0, t), polynomial(v, a01, b01, a23, b23, a45, b45))
      g1 = add(mul(g1, t), g0)
      g0 = add(mul(g0, t), derivative(v, a01, b01, a23, b23, a45, b45))
      a -= 48
      b -= 48
    }
    const scale = v128.load(perWidth + i)
    const unit = mul(patches, scale)
    const bySigma = v128.load(wBySigma + i)
    const shift = v128.load(zetaBySigma + i)
    const one = mul(p1, patches)
    const two = mul(mul(mul(splat(2), p2), patches), patches)
    const curve = mul(mul(mul(splat(2), p2), unit), unit)
    const third = mul(mul(mul(mul(splat(6), p3), unit), unit), unit)
    const sloped = mul(add(mul(mul(g1, patches), bySigma), mul(two, shift)), scale)
    const cross = sub(sloped, mul(mul(one, scale), v128.load(widthBySigma + i)))
    v128.store(value + i, v128.and(p0, isHeld))
    v128.store(spotSlope + i, v128.and(mul(p1, unit), isHeld))
    v128.store(spotCurve + i, v128.and(curve, isHeld))
    v128.store(spotThird + i, v128.and(third, isHeld))
    v128.store(sigmaSlope + i, v128.and(add(mul(g0, bySigma), mul(one, shift)), isHeld))
    v128.store(crossSlope + i, v128.and(cross, isHeld))
  }
}

function polynomial(v: v128, a01: v128, b01: v128, a23: v128, b23: v128, a45: v128, b45: v128): v128 {
  return add(firsts(a01, b01), mul(v, beyondConstant(v, a01, b01, a23, b23, a45, b45)))
}

function derivative(v: v128, a01: v128, b01: v128, a23: v128, b23: v128, a45: v128, b45: v128): v128 {
  return add(seconds(a01, b01), mul(v, beyondSlope(v, a23, b23, a45, b45)))
}

function beyondConstant(v: v128, a01: v128, b01: v128, a23: v128, b23: v128, a45: v128, b45: v128): v128 {
  const c4 = add(firsts(a45, b45), mul(v, seconds(a45, b45)))
  const c2 = add(firsts(a23, b23), mul(v, add(seconds(a23, b23), mul(v, c4))))
  return add(seconds(a01, b01), mul(v, c2))
}

function beyondSlope(v: v128, a23: v128, b23: v128, a45: v128, b45: v128): v128 {
  const c4 = add(mul(splat(4), firsts(a45, b45)), mul(v, mul(splat(5), seconds(a45, b45))))
  return add(mul(splat(2), firsts(a23, b23)), mul(v, add(mul(splat(3), seconds(a23, b23)), mul(v, c4))))
}

/**
 * Finds each contract in the table: its `place`, its patch, and the position on the patch at which the polynomial is
 * evaluated.
 */
function locate(end: usize, low: f64, high: f64, spotPatches: i32, sigmaPatches: i32): void {
  const middle = Math.sqrt(low * high)
  const perRange = (0.5 * <f64>sigmaPatches * (high + middle)) / (high - middle)
  const half = splat(0.5 * <f64>sigmaPatches)
  for (let i: usize = 0; i < end; i += 16) {
    const sigma = v128.load(volatility + i)
    const isCovered = v128.and(f64x2.ge(sigma, splat(low)), f64x2.le(sigma, splat(high)))
    const sum = div(splat(1), add(sigma, splat(middle)))
    const w = add(mul(mul(sub(sigma, splat(middle)), sum), splat(perRange)), half)
    const row = within(w, sigmaPatches - 1)
    const v = sub(sub(w, f64x2.convert_low_i32x4_s(row)), splat(0.5))
    const first = <usize>(48 * i32x4.extract_lane(row, 0))
    const second = <usize>(48 * i32x4.extract_lane(row, 1))
    const a01 = v128.load(boundary + first)
    const b01 = v128.load(boundary + second)
    const a23 = v128.load(boundary + first, 16)
    const b23 = v128.load(boundary + second, 16)
    const a45 = v128.load(boundary + first, 32)
    const b45 = v128.load(boundary + second, 32)
    const c01 = v128.load(width + first)
    const d01 = v128.load(width + second)
    const c23 = v128.load(width + first, 16)
    const d23 = v128.load(width + second, 16)
    const c45 = v128.load(width + first, 32)
    const d45 = v128.load(width + second, 32)
    const x = v128.load(logSpot + i)
    const inverse = div(splat(1), polynomial(v, c01, d01, c23, d23, c45, d45))
    const along = mul(sub(x, polynomial(v, a01, b01, a23, b23, a45, b45)), inverse)
    const isBetween = v128.and(f64x2.gt(along, splat(0)), f64x2.lt(along, splat(1)))
    const isHeld = v128.and(isBetween, isCovered)
    v128.store(held + i, isHeld)
    storePlaces(i, isHeld, isCovered, f64x2.le(along, splat(0)), f64x2.lt(x, splat(LOG_SPOT_CAP)))
    if (!v128.any_true(isHeld)) continue
    const wide = mul(along, splat(<f64>spotPatches))
    const patch = within(wide, spotPatches - 1)
    const bySigma = mul(mul(mul(splat(2 * middle), sum), sum), splat(perRange))
    const widthSlope = derivative(v, c01, d01, c23, d23, c45, d45)
    const moved = add(derivative(v, a01, b01, a23, b23, a45, b45), mul(along, widthSlope))
    const at = i32x4.mul(i32x4.add(i32x4.mul(row, i32x4.splat(spotPatches)), patch), i32x4.splat(336))
    v128.store64_lane(coefficient + (i >> 1), at, 0)
    v128.store(zeta + i, sub(sub(wide, f64x2.convert_low_i32x4_s(patch)), splat(0.5)))
    v128.store(across + i, v)
    v128.store(perWidth + i, inverse)
    v128.store(zetaBySigma + i, mul(mul(f64x2.neg(moved), inverse), bySigma))
    v128.store(widthBySigma + i, mul(mul(widthSlope, inverse), bySigma))
    v128.store(wBySigma + i, bySigma)
  }
}

function storePlaces(i: usize, isHeld: v128, isCovered: v128, isExercised: v128, isNear: v128): void {
  const beyond = v128.bitselect(i64x2.splat(VANISHED), i64x2.splat(OFF_TABLE), isNear)
  const outside = v128.bitselect(i64x2.splat(EXERCISED), beyond, isExercised)
  const covered = v128.bitselect(i64x2.splat(TABULATED), outside, isHeld)
  const places = v128.bitselect(covered, i64x2.splat(OFF_TABLE), isCovered)
  store<u8>(place + (i >> 3), <u8>i64x2.extract_lane(places, 0))
  store<u8>(place + (i >> 3), <u8>i64x2.extract_lane(places, 1), 1)
}

/**
 * Fills `excess` (European value minus price) and `vega` (European) of a block. The excess is 0 for a contract in the
 * first round whose volatility is the European volatility of its price.
 */
export function fillEuropeans(count: i32, sign: f64, spotPart: f64, discount: f64, rootT: f64, isFirst: bool): void {
  const end = (<usize>count) << 3
  let sides = bothSides
  for (let i: usize = 0; i < end; i += 16) {
    const s = mul(v128.load(volatility + i), splat(rootT))
    const d1 = add(div(v128.load(moneyness + i), s), mul(splat(0.5), s))
    v128.store(vega + i, mul(mul(splat(-0.5), d1), d1))
    if (isFirst && areStarts(i) === 3) continue
    v128.store(sides, mul(splat(sign), d1))
    v128.store(sides, mul(splat(sign), sub(d1, s)), 16)
    sides += 32
  }
  fillExponentials(vega, end)
  fillProbabilities(bothSides, bothSides, sides - bothSides)
  const unit = splat(spotPart * rootT * INV_SQRT_2PI)
  sides = bothSides
  for (let i: usize = 0; i < end; i += 16) {
    v128.store(vega + i, mul(unit, v128.load(vega + i)))
    const starts = isFirst ? areStarts(i) : 0
    if (starts === 3) {
      v128.store(excess + i, splat(0))
      continue
    }
    const spotSide = mul(splat(spotPart), v128.load(sides))
    const strikeSide = mul(mul(splat(discount), v128.load(strike + i)), v128.load(sides, 16))
    v128.store(excess + i, sub(mul(splat(sign), sub(spotSide, strikeSide)), v128.load(price + i)))
    if ((starts & 1) !== 0) store<f64>(excess + i, 0)
    if ((starts & 2) !== 0) store<f64>(excess + i, 0, 8)
    sides += 32
  }
}

function areStarts(i: usize): i32 {
  const sigma = v128.load(volatility + i)
  const most = v128.load(upper + i)
  return i64x2.bitmask(v128.and(f64x2.ge(most, sigma), f64x2.le(most, mul(sigma, splat(STARTED)))))
}
