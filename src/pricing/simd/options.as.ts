// AssemblyScript, compiled by scripts/assemble.mjs to options.wasm.ts, which is what runs; see option-kernels.ts.
// Implied volatility and greeks of a block of options, two at a time. Loops are short, and logarithms, exponentials and
// error functions are loops over a column of their own: a constant is then loaded once, and not for every option.
// Results do not depend on the machine: there are no relaxed instructions, and no multiplication is fused with an
// addition. This is one file because it is one module, whose kernels share tables and scratch.

export const BLOCK: i32 = 256

// Tables that the owner of the instance fills, from `math/normal.ts`, `math/exponential.ts` and `volatility-guess.ts`.
export const erfcxBody: usize = memory.data(256 * 64, 64)
export const erfcxSlopeBody: usize = memory.data(256 * 64, 64)
export const erfcxTail: usize = memory.data(11 * 8, 16)
export const erfcxSlopeTail: usize = memory.data(11 * 8, 16)
export const fractions: usize = memory.data(64 * 8, 16)
export const guesses: usize = memory.data(64 * 40 * 8, 64)
let leastY: f64 = 0
let nodesPerY: f64 = 0
let nodesPerV: f64 = 0

export function setGuessGrid(ofLeastY: f64, ofNodesPerY: f64, ofNodesPerV: f64): void {
  leastY = ofLeastY
  nodesPerY = ofNodesPerY
  nodesPerV = ofNodesPerV
}

/**
 * Bytes per column: 256 doubles and a gap. Without the gap, all columns would compete for the same lines of the
 * first-level cache.
 */
export const COLUMN_BYTES: i32 = 2112
// Inputs of each option. The right is one byte, 0 for a call. `given` holds prices or volatilities.
export const strike: usize = memory.data(2112, 64)
export const given: usize = memory.data(2112, 64)
export const right: usize = memory.data(256, 64)
/** Columns for results: volatilities in the first column, or the greeks in the order of `fillGreeks`. */
export const answers: usize = memory.data(15 * 2112, 64)

// Scratch columns: ln(F/K), the value in units of D √(F K), s = σ√t, value over vega, 1/s, d1, d2, the normal density
// at d1, the Mills ratios of |d1| and |d2|, and sign · N(sign · d) at both.
const moneyness: usize = memory.data(2112, 64)
const value: usize = memory.data(2112, 64)
const total: usize = memory.data(2112, 64)
const ratio: usize = memory.data(2112, 64)
const perTotal: usize = memory.data(2112, 64)
const d1: usize = memory.data(2112, 64)
const d2: usize = memory.data(2112, 64)
const density: usize = memory.data(2112, 64)
const mills1: usize = memory.data(2112, 64)
const mills2: usize = memory.data(2112, 64)
const signedN1: usize = memory.data(2112, 64)
const signedN2: usize = memory.data(2112, 64)
const h: usize = memory.data(2112, 64)
const exponent: usize = memory.data(2112, 64)
const rows: usize = memory.data(1024, 64)
const places: usize = memory.data(2112, 64)
const pair: usize = memory.data(16, 16)

/** Result for an option whose volatility another method must find. */
export const REFUSED: f64 = -1

const SQRT_2PI: f64 = 2.5066282746310002
const INV_SQRT_2PI: f64 = 0.3989422804014327
const INV_SQRT_PI: f64 = 0.5641895835477563
const SQRT_HALF_PI: f64 = 1.2533141373155003
const INV_SQRT_2: f64 = Math.SQRT1_2
const SERIES_END: f64 = 0.22
const NO_VOLATILITY: f64 = 1e-70
const BODY_END: f64 = 7

export function splat(x: f64): v128 {
  return f64x2.splat(x)
}

export function add(a: v128, b: v128): v128 {
  return f64x2.add(a, b)
}

export function sub(a: v128, b: v128): v128 {
  return f64x2.sub(a, b)
}

export function mul(a: v128, b: v128): v128 {
  return f64x2.mul(a, b)
}

export function div(a: v128, b: v128): v128 {
  return f64x2.div(a, b)
}

function any(mask: v128): bool {
  return i64x2.bitmask(mask) !== 0
}

function isCall(option: usize): v128 {
  const first = i64x2.splat(<i64>load<u8>(right + option))
  return i64x2.eq(i64x2.replace_lane(first, 1, <i64>load<u8>(right + option, 1)), i64x2.splat(0))
}

/**
 * Fills the volatilities at which Black's formula gives the prices in `given`. NaN if there is none; `REFUSED` if the
 * guess is not good enough. Returns the number of refused options. `impliedVolatilities` explains the method.
 */
export function fillVolatilities(count: i32, forward: f64, discount: f64, perRootT: f64): i32 {
  const end = (<usize>count) << 3
  fillMoneyness(end, forward)
  fillValues(end, forward, discount)
  fillGuesses(end)
  fillRatios(end)
  return refine(end, perRootT)
}

function fillMoneyness(end: usize, forward: f64): void {
  const f = splat(forward)
  for (let i: usize = 0; i < end; i += 16) {
    const k = v128.load(strike + i)
    const y = div(sub(f, k), add(f, k))
    const y2 = mul(y, y)
    const y4 = mul(y2, y2)
    const last = add(add(splat(1.0 / 11), mul(y2, splat(1.0 / 13))), mul(y4, splat(1.0 / 15)))
    const high = add(add(splat(1.0 / 7), mul(y2, splat(1.0 / 9))), mul(y4, last))
    const low = add(add(splat(1.0 / 3), mul(y2, splat(1.0 / 5))), mul(y4, high))
    let x = mul(mul(splat(2), y), add(splat(1), mul(y2, low)))
    const isFar = f64x2.gt(y2, splat(0.01))
    if (any(isFar)) x = v128.bitselect(logarithmOf(div(f, k)), x, isFar)
    v128.store(moneyness + i, x)
  }
}

function fillValues(end: usize, forward: f64, discount: f64): void {
  const f = splat(forward)
  const d = splat(discount)
  for (let i: usize = 0; i < end; i += 16) {
    const k = v128.load(strike + i)
    const price = v128.load(given + i)
    const call = isCall(i >> 3)
    const intrinsic = f64x2.pmax(v128.bitselect(sub(f, k), sub(k, f), call), splat(0))
    const timeValue = sub(price, mul(d, intrinsic))
    const bound = mul(d, v128.bitselect(f, k, call))
    const inside = v128.and(f64x2.gt(timeValue, splat(0)), f64x2.lt(price, bound))
    const unit = mul(d, f64x2.sqrt(mul(f, k)))
    v128.store(value + i, v128.bitselect(div(timeValue, unit), splat(NaN), inside))
    v128.store(moneyness + i, f64x2.abs(v128.load(moneyness + i)))
  }
}

function fillGuesses(end: usize): void {
  for (let i: usize = 0; i < end; i += 16) {
    const share = div(mul(splat(0.35), v128.load(moneyness + i)), v128.load(value + i))
    v128.store(exponent + i, add(splat(1), share))
  }
  fillLogarithms(exponent, end)
  for (let i: usize = 0; i < end; i += 16) {
    const v = add(v128.load(moneyness + i), mul(splat(SQRT_2PI), v128.load(value + i)))
    const y = f64x2.sqrt(add(v128.load(exponent + i), splat(0.3)))
    const across = mul(sub(y, splat(leastY)), splat(nodesPerY))
    const down = mul(v, splat(nodesPerV))
    const column = within(across, 60)
    const row = within(down, 36)
    v128.store(total + i, v)
    v128.store(h + i, sub(across, f64x2.convert_low_i32x4_s(column)))
    v128.store(ratio + i, sub(down, f64x2.convert_low_i32x4_s(row)))
    v128.store64_lane(rows + (i >> 1), i32x4.shl(i32x4.add(i32x4.shl(row, 6), column), 3), 0)
  }
  for (let i: usize = 0; i < end; i += 16) {
    const a = guesses + <usize>load<i32>(rows + (i >> 1))
    const z = guesses + <usize>load<i32>(rows + (i >> 1), 4)
    const p = v128.load(h + i)
    const q = v128.load(ratio + i)
    const pOut = add(p, splat(1))
    const pIn = sub(p, splat(1))
    const pFar = sub(p, splat(2))
    const w0 = mul(mul(mul(p, pIn), pFar), splat(-1.0 / 6))
    const w1 = mul(mul(mul(pOut, pIn), pFar), splat(0.5))
    const w2 = mul(mul(mul(pOut, p), pFar), splat(-0.5))
    const w3 = mul(mul(mul(pOut, p), pIn), splat(1.0 / 6))
    const qOut = add(q, splat(1))
    const qIn = sub(q, splat(1))
    const qFar = sub(q, splat(2))
    const u0 = mul(mul(mul(q, qIn), qFar), splat(-1.0 / 6))
    const u1 = mul(mul(mul(qOut, qIn), qFar), splat(0.5))
    const u2 = mul(mul(mul(qOut, q), qFar), splat(-0.5))
    const u3 = mul(mul(mul(qOut, q), qIn), splat(1.0 / 6))
    const outer = add(mul(u0, nodes(a, z, w0, w1, w2, w3)), mul(u3, nodes(a + 1536, z + 1536, w0, w1, w2, w3)))
    const upper = add(outer, mul(u1, nodes(a + 512, z + 512, w0, w1, w2, w3)))
    v128.store(total + i, mul(v128.load(total + i), add(upper, mul(u2, nodes(a + 1024, z + 1024, w0, w1, w2, w3)))))
  }
}

function within(x: v128, most: i32): v128 {
  return i32x4.max_s(i32x4.min_s(i32x4.trunc_sat_f64x2_s_zero(x), i32x4.splat(most)), i32x4.splat(0))
}

function nodes(a: usize, z: usize, w0: v128, w1: v128, w2: v128, w3: v128): v128 {
  const aLow = v128.load(a)
  const aHigh = v128.load(a, 16)
  const zLow = v128.load(z)
  const zHigh = v128.load(z, 16)
  const low = add(mul(w0, firsts(aLow, zLow)), mul(w1, seconds(aLow, zLow)))
  return add(add(low, mul(w2, firsts(aHigh, zHigh))), mul(w3, seconds(aHigh, zHigh)))
}

export function firsts(a: v128, b: v128): v128 {
  return v128.shuffle<f64>(a, b, 0, 2)
}

export function seconds(a: v128, b: v128): v128 {
  return v128.shuffle<f64>(a, b, 1, 3)
}

function fillRatios(end: usize): void {
  let some = 0
  let all = 3
  for (let i: usize = 0; i < end; i += 16) {
    const s = v128.load(total + i)
    const x = div(v128.load(moneyness + i), s)
    const isSmall = i64x2.bitmask(f64x2.lt(s, splat(SERIES_END)))
    some |= isSmall
    all &= isSmall
    v128.store(h + i, x)
    v128.store(exponent + i, mul(splat(0.5), add(mul(x, x), mul(mul(splat(0.25), s), s))))
  }
  if (all !== 3) fillDifferences(end)
  if (some !== 0) fillSeries(end)
}

/** Fills the differences of two Mills ratios for each option. NaN if the table does not reach to the nearer ratio. */
function fillDifferences(end: usize): void {
  for (let i: usize = 0; i < end; i += 16) {
    const a = mul(v128.load(h + i), splat(INV_SQRT_2))
    const tau = mul(v128.load(total + i), splat(INV_SQRT_2 / 2))
    const near = sub(a, tau)
    v128.store(d1 + i, near)
    v128.store(d2 + i, add(a, tau))
    v128.store(ratio + i, v128.bitselect(splat(SQRT_HALF_PI), splat(NaN), f64x2.ge(near, splat(-1))))
  }
  fillErfcx(d1, mills1, end, findPlaces(d1, end))
  fillErfcx(d2, mills2, end, findPlaces(d2, end))
  for (let i: usize = 0; i < end; i += 16) {
    const difference = sub(v128.load(mills1 + i), v128.load(mills2 + i))
    v128.store(ratio + i, mul(v128.load(ratio + i), difference))
  }
}

function fillSeries(end: usize): void {
  for (let i: usize = 0; i < end; i += 16) v128.store(d1 + i, mul(v128.load(h + i), splat(INV_SQRT_2)))
  const isFarFound = findPlaces(d1, end)
  fillErfcx(d1, mills1, end, isFarFound)
  fillErfcxSlope(d1, mills2, end, isFarFound)
  for (let i: usize = 0; i < end; i += 16) {
    const s = v128.load(total + i)
    const a = v128.load(d1 + i)
    const tau = mul(s, splat(INV_SQRT_2 / 2))
    const twice = add(a, a)
    const s1 = f64x2.neg(v128.load(mills2 + i))
    const s2 = add(mul(splat(2), v128.load(mills1 + i)), mul(twice, s1))
    const s3 = add(mul(splat(4), s1), mul(twice, s2))
    const s4 = add(mul(splat(6), s2), mul(twice, s3))
    const s5 = add(mul(splat(8), s3), mul(twice, s4))
    const s6 = add(mul(splat(10), s4), mul(twice, s5))
    const s7 = add(mul(splat(12), s5), mul(twice, s6))
    const s8 = add(mul(splat(14), s6), mul(twice, s7))
    const s9 = add(mul(splat(16), s7), mul(twice, s8))
    const s10 = add(mul(splat(18), s8), mul(twice, s9))
    const s11 = add(mul(splat(20), s9), mul(twice, s10))
    const u = mul(tau, tau)
    const highest = add(mul(s9, splat(1.0 / 362880)), mul(mul(u, s11), splat(1.0 / 39916800)))
    const high = add(mul(s7, splat(1.0 / 5040)), mul(u, highest))
    const low = add(mul(s3, splat(1.0 / 6)), mul(u, add(mul(s5, splat(1.0 / 120)), mul(u, high))))
    const sum = mul(mul(splat(-2 * SQRT_HALF_PI), tau), add(s1, mul(u, low)))
    const isSmall = f64x2.lt(s, splat(SERIES_END))
    v128.store(ratio + i, v128.bitselect(sum, v128.load(ratio + i), isSmall))
  }
}

/**
 * Improves every guess of total volatility by one Householder step, see `householderStep`. A step too long to be
 * trusted is refused. Returns the number of refused options.
 */
function refine(end: usize, perRootT: f64): i32 {
  fillExponentials(exponent, end)
  for (let i: usize = 0; i < end; i += 16) {
    const x = v128.load(ratio + i)
    const target = mul(mul(v128.load(value + i), splat(SQRT_2PI)), v128.load(exponent + i))
    const slope = div(splat(1), x)
    const d = mul(sub(target, x), slope)
    const l5 = sub(splat(1.0 / 5), mul(d, splat(1.0 / 6)))
    const l3 = sub(splat(1.0 / 3), mul(d, sub(splat(1.0 / 4), mul(d, l5))))
    const logarithm = mul(d, sub(splat(1), mul(d, sub(splat(0.5), mul(d, l3)))))
    const newton = mul(logarithm, x)
    v128.store(mills1 + i, v128.bitselect(newton, splat(NaN), f64x2.lt(f64x2.abs(d), splat(0.01))))
    v128.store(mills2 + i, slope)
  }
  let refused = 0
  for (let i: usize = 0; i < end; i += 16) {
    const s = v128.load(total + i)
    const h1 = v128.load(h + i)
    const newton = v128.load(mills1 + i)
    const slope = v128.load(mills2 + i)
    const h2 = mul(h1, h1)
    const inverse = div(splat(1), s)
    const vegaSlope = sub(mul(h2, inverse), mul(splat(0.25), s))
    const second = sub(vegaSlope, slope)
    const fall = mul(mul(mul(splat(3), h2), inverse), inverse)
    const mixed = mul(slope, sub(mul(splat(2), slope), mul(splat(3), vegaSlope)))
    const third = add(sub(sub(mul(vegaSlope, vegaSlope), fall), splat(0.25)), mixed)
    const above = mul(newton, add(splat(1), mul(mul(splat(0.5), second), newton)))
    const below = add(splat(1), mul(newton, add(second, mul(mul(third, newton), splat(1.0 / 6)))))
    const step = div(above, below)
    const isShort = f64x2.lt(f64x2.abs(step), mul(splat(5e-5), s))
    const found = v128.bitselect(add(s, step), splat(NaN), isShort)
    const isRefused = v128.andnot(f64x2.ge(v128.load(value + i), splat(0)), f64x2.gt(found, splat(0)))
    refused += popcnt(i64x2.bitmask(isRefused))
    v128.store(answers + i, v128.bitselect(splat(REFUSED), mul(found, splat(perRootT)), isRefused))
  }
  return refused
}

/**
 * Fills the greeks of a block of options in this order: delta, gamma, theta, vega, rho, vanna, charm. If `all`, these
 * columns follow: price, vomma, dualDelta, speed, zomma, color, ultima, veta.
 * Source: Haug (2007), ch. 2; test/pricing/textbook.ts has the formulas as printed.
 */
export function fillGreeks(
  count: i32,
  spot: f64,
  t: f64,
  rate: f64,
  dividendYield: f64,
  rootT: f64,
  carried: f64,
  discount: f64,
  forward: f64,
  timeUnit: f64,
  pointUnit: f64,
  all: bool
): void {
  const end = (<usize>count) << 3
  fillMoneyness(end, forward)
  fillArguments(end, rootT)
  fillTails(end, forward)
  fillTrendGreeks(end, spot, t, rate, dividendYield, rootT, carried, discount, timeUnit, pointUnit)
  fillVolatilityGreeks(end, spot, rootT, carried, pointUnit)
  if (!all) return
  fillPrices(end, spot, carried, discount)
  fillThirdOrderInSpot(end, spot, t, rate, dividendYield, carried, discount)
  fillThirdOrderInVolatility(end, spot, t, rate, dividendYield, rootT, carried)
}

function fillArguments(end: usize, rootT: f64): void {
  for (let i: usize = 0; i < end; i += 16) {
    const product = mul(v128.load(given + i), splat(rootT))
    const s = v128.bitselect(product, splat(NaN), f64x2.gt(product, splat(NO_VOLATILITY)))
    const inverse = div(splat(1), s)
    const first = add(mul(v128.load(moneyness + i), inverse), mul(splat(0.5), s))
    v128.store(perTotal + i, inverse)
    v128.store(d1 + i, first)
    v128.store(d2 + i, sub(first, s))
    v128.store(density + i, mul(mul(splat(-0.5), first), first))
    v128.store(h + i, mul(f64x2.abs(first), splat(INV_SQRT_2)))
    v128.store(exponent + i, mul(f64x2.abs(sub(first, s)), splat(INV_SQRT_2)))
  }
  fillExponentials(density, end)
  fillErfcx(h, mills1, end, findPlaces(h, end))
  fillErfcx(exponent, mills2, end, findPlaces(exponent, end))
}

function fillTails(end: usize, forward: f64): void {
  for (let i: usize = 0; i < end; i += 16) {
    const one = v128.load(d1 + i)
    const two = v128.load(d2 + i)
    const phi = mul(splat(INV_SQRT_2PI), v128.load(density + i))
    const first = mul(splat(SQRT_HALF_PI), v128.load(mills1 + i))
    const second = mul(splat(SQRT_HALF_PI), v128.load(mills2 + i))
    v128.store(density + i, phi)
    v128.store(mills1 + i, first)
    v128.store(mills2 + i, second)
    const beyondFirst = mul(phi, first)
    const beyondSecond = mul(mul(phi, div(splat(forward), v128.load(strike + i))), second)
    const sign = v128.andnot(splat(-0.0), isCall(i >> 3))
    v128.store(signedN1 + i, signed(sign, one, beyondFirst))
    v128.store(signedN2 + i, signed(sign, two, beyondSecond))
  }
}

/**
 * N(d) for a call and -N(-d) for a put. The probability beyond d is the normal density times the Mills ratio. The
 * density at d2 is the density at d1 times F/K, so one exponential serves for both.
 */
function signed(sign: v128, d: v128, beyond: v128): v128 {
  const isInside = f64x2.gt(v128.xor(sign, d), splat(0))
  return v128.xor(sign, v128.bitselect(sub(splat(1), beyond), beyond, isInside))
}

function put(column: i32, i: usize, x: v128): void {
  v128.store(answers + <usize>(column * COLUMN_BYTES) + i, x)
}

function fillTrendGreeks(
  end: usize,
  spot: f64,
  t: f64,
  rate: f64,
  dividendYield: f64,
  rootT: f64,
  carried: f64,
  discount: f64,
  timeUnit: f64,
  pointUnit: f64
): void {
  const drift = 2 * (rate - dividendYield) * t
  const halfInverseT = 0.5 / t
  const halfInverseRootT = 0.5 / rootT
  for (let i: usize = 0; i < end; i += 16) {
    const carriedDensity = mul(splat(carried), v128.load(density + i))
    const spotDelta = mul(splat(carried), v128.load(signedN1 + i))
    const strikePart = mul(mul(splat(discount), v128.load(strike + i)), v128.load(signedN2 + i))
    const decay = mul(mul(mul(splat(spot), carriedDensity), v128.load(given + i)), splat(halfInverseRootT))
    const pace = sub(mul(splat(drift), v128.load(perTotal + i)), v128.load(d2 + i))
    const clock = mul(splat(halfInverseT), pace)
    const carry = sub(mul(splat(dividendYield * spot), spotDelta), mul(splat(rate), strikePart))
    put(0, i, spotDelta)
    put(2, i, mul(splat(timeUnit), sub(carry, decay)))
    put(4, i, mul(splat(pointUnit * t), strikePart))
    put(6, i, mul(splat(timeUnit), sub(mul(splat(dividendYield), spotDelta), mul(carriedDensity, clock))))
  }
}

function fillVolatilityGreeks(end: usize, spot: f64, rootT: f64, carried: f64, pointUnit: f64): void {
  const perSpot = 1 / spot
  const vegaUnit = pointUnit * spot * rootT
  for (let i: usize = 0; i < end; i += 16) {
    const carriedDensity = mul(splat(carried), v128.load(density + i))
    const spread = mul(carriedDensity, v128.load(perTotal + i))
    put(1, i, mul(spread, splat(perSpot)))
    put(3, i, mul(splat(vegaUnit), carriedDensity))
    put(5, i, mul(mul(f64x2.neg(spread), splat(rootT)), v128.load(d2 + i)))
  }
}

function fillPrices(end: usize, spot: f64, carried: f64, discount: f64): void {
  const spotPart = splat(spot * carried)
  for (let i: usize = 0; i < end; i += 16) {
    const strikePart = mul(splat(discount), v128.load(strike + i))
    const held = v128.bitselect(sub(spotPart, strikePart), sub(strikePart, spotPart), isCall(i >> 3))
    const intrinsic = f64x2.max(held, splat(0))
    const vega = mul(spotPart, v128.load(density + i))
    const first = v128.load(mills1 + i)
    const second = v128.load(mills2 + i)
    const differ = v128.xor(f64x2.gt(v128.load(d1 + i), splat(0)), f64x2.gt(v128.load(d2 + i), splat(0)))
    const bound = f64x2.min(spotPart, strikePart)
    const spread = mul(vega, f64x2.abs(sub(first, second)))
    const rest = f64x2.max(sub(bound, mul(vega, add(first, second))), splat(0))
    put(7, i, add(intrinsic, v128.bitselect(rest, spread, differ)))
  }
}

function fillThirdOrderInSpot(
  end: usize,
  spot: f64,
  t: f64,
  rate: f64,
  dividendYield: f64,
  carried: f64,
  discount: f64
): void {
  const drift = 2 * (rate - dividendYield) * t
  const halfInverseT = 0.5 / t
  const perSpot = 1 / spot
  const carriedPerSpot = carried * perSpot
  for (let i: usize = 0; i < end; i += 16) {
    const first = v128.load(d1 + i)
    const inverse = v128.load(perTotal + i)
    const fall = f64x2.neg(mul(mul(splat(carriedPerSpot), v128.load(density + i)), inverse))
    const clock = mul(splat(halfInverseT), sub(mul(splat(drift), inverse), v128.load(d2 + i)))
    put(9, i, mul(splat(-discount), v128.load(signedN2 + i)))
    put(10, i, mul(mul(fall, splat(perSpot)), add(mul(first, inverse), splat(1))))
    put(12, i, mul(fall, add(splat(dividendYield + halfInverseT), mul(first, clock))))
  }
}

function fillThirdOrderInVolatility(
  end: usize,
  spot: f64,
  t: f64,
  rate: f64,
  dividendYield: f64,
  rootT: f64,
  carried: f64
): void {
  const carry = rate - dividendYield
  const halfInverseT = 0.5 / t
  const perSpot = 1 / spot
  for (let i: usize = 0; i < end; i += 16) {
    const first = v128.load(d1 + i)
    const second = v128.load(d2 + i)
    const inverse = v128.load(perTotal + i)
    const perSigma = mul(inverse, splat(rootT))
    const product = mul(first, second)
    const carriedDensity = mul(splat(carried), v128.load(density + i))
    const vega = mul(splat(spot * rootT), carriedDensity)
    const fall = f64x2.neg(vega)
    const gamma = mul(mul(carriedDensity, inverse), splat(perSpot))
    const squares = add(add(mul(product, sub(splat(1), product)), mul(first, first)), mul(second, second))
    const drift = add(splat(dividendYield), mul(mul(splat(carry), first), inverse))
    put(8, i, mul(mul(vega, product), perSigma))
    put(11, i, mul(mul(gamma, sub(product, splat(1))), perSigma))
    put(13, i, mul(mul(mul(fall, perSigma), perSigma), squares))
    put(14, i, mul(fall, sub(drift, mul(add(splat(1), product), splat(halfInverseT)))))
  }
}

/**
 * Fills exp(z²) erfc(z) for each z in the column `from`. `findPlaces` must have found the intervals of the table. The
 * result is meaningless for z below -1.
 */
function fillErfcx(from: usize, into: usize, end: usize, isFarFound: bool): void {
  fillPolynomials(erfcxBody, into, end)
  if (!isFarFound) return
  for (let i: usize = 0; i < end; i += 16) {
    const z = v128.load(from + i)
    const isFar = f64x2.ge(z, splat(BODY_END))
    if (!any(isFar)) continue
    const far = mul(div(splat(INV_SQRT_PI), z), tail(erfcxTail, div(splat(1), mul(z, z))))
    v128.store(into + i, v128.bitselect(far, v128.load(into + i), isFar))
  }
}

function fillErfcxSlope(from: usize, into: usize, end: usize, isFarFound: bool): void {
  fillPolynomials(erfcxSlopeBody, into, end)
  if (!isFarFound) return
  for (let i: usize = 0; i < end; i += 16) {
    const z = v128.load(from + i)
    const isFar = f64x2.ge(z, splat(BODY_END))
    if (!any(isFar)) continue
    const inverseSquare = div(splat(1), mul(z, z))
    const far = mul(mul(splat(INV_SQRT_PI), inverseSquare), tail(erfcxSlopeTail, inverseSquare))
    v128.store(into + i, v128.bitselect(far, v128.load(into + i), isFar))
  }
}

function findPlaces(column: usize, end: usize): bool {
  let beyond = 0
  for (let i: usize = 0; i < end; i += 16) {
    const z = v128.load(column + i)
    const wide = mul(splat(32), z)
    const interval = within(add(wide, splat(32)), 255)
    v128.store(places + i, sub(wide, sub(f64x2.convert_low_i32x4_s(interval), splat(31.5))))
    v128.store64_lane(rows + (i >> 1), i32x4.shl(interval, 6), 0)
    beyond |= i64x2.bitmask(f64x2.ge(z, splat(BODY_END)))
  }
  return beyond !== 0
}

function fillPolynomials(table: usize, into: usize, end: usize): void {
  for (let i: usize = 0; i < end; i += 16) {
    const a = table + <usize>load<i32>(rows + (i >> 1))
    const b = table + <usize>load<i32>(rows + (i >> 1), 4)
    const t = v128.load(places + i)
    const t2 = mul(t, t)
    const a01 = v128.load(a)
    const b01 = v128.load(b)
    const a23 = v128.load(a, 16)
    const b23 = v128.load(b, 16)
    const a45 = v128.load(a, 32)
    const b45 = v128.load(b, 32)
    const a67 = v128.load(a, 48)
    const b67 = v128.load(b, 48)
    const c45 = add(firsts(a45, b45), mul(t, seconds(a45, b45)))
    const high = add(c45, mul(t2, add(firsts(a67, b67), mul(t, seconds(a67, b67)))))
    const low = add(add(firsts(a23, b23), mul(t, seconds(a23, b23))), mul(t2, high))
    v128.store(into + i, add(firsts(a01, b01), add(mul(t, seconds(a01, b01)), mul(t2, low))))
  }
}

function tail(table: usize, inverseSquare: v128): v128 {
  let sum = v128.load64_splat(table, 80)
  for (let n = table + 72; n >= table; n -= 8) sum = add(v128.load64_splat(n), mul(inverseSquare, sum))
  return sum
}

/** Replaces each x of a column by e^x. The results are those of `exponential` in `math/exponential.ts`. */
export function fillExponentials(column: usize, end: usize): void {
  for (let i = column; i < column + end; i += 16) v128.store(i, exponential(v128.load(i)))
}

function exponential(x: v128): v128 {
  const half = v128.or(splat(0.5), v128.and(x, splat(-0.0)))
  const n = i32x4.trunc_sat_f64x2_s_zero(add(mul(x, splat(64 / Math.LN2)), half))
  const whole = f64x2.convert_low_i32x4_s(n)
  const r = sub(sub(x, mul(whole, splat(0.010830417275428772))), mul(whole, splat(7.420820373486988e-9)))
  const r2 = mul(r, r)
  const high = mul(r2, add(splat(1.0 / 24), mul(r, splat(1.0 / 120))))
  const rest = add(r, mul(r2, add(add(splat(0.5), mul(r, splat(1.0 / 6))), high)))
  const at = i32x4.shl(v128.and(n, i32x4.splat(63)), 3)
  const fraction = v128.load64_lane(
    fractions + <usize>i32x4.extract_lane(at, 1),
    v128.load64_zero(fractions + <usize>i32x4.extract_lane(at, 0)),
    1
  )
  const powers = i64x2.extend_low_i32x4_s(i32x4.add(i32x4.shr_s(n, 6), i32x4.splat(1023)))
  const inside = mul(add(fraction, mul(fraction, rest)), i64x2.shl(powers, 52))
  const isInside = v128.and(f64x2.ge(x, splat(-708)), f64x2.le(x, splat(709)))
  if (i64x2.bitmask(isInside) === 3) return inside
  const above = v128.bitselect(splat(Infinity), x, f64x2.gt(x, splat(709)))
  return v128.bitselect(inside, v128.andnot(above, f64x2.lt(x, splat(-708))), isInside)
}

/**
 * Replaces each x of a column by ln x, to the last bit as `Math.log` of V8 does. With x = 2^k (1 + f) and 1 + f from √½
 * to √2, ln (1 + f) is an odd series in f / (2 + f), summed in one of three ways.
 * Source: FDLIBM, e_log.c (Sun Microsystems, 1993).
 */
function fillLogarithms(column: usize, end: usize): void {
  for (let i = column; i < column + end; i += 16) v128.store(i, logarithm(v128.load(i)))
}

function logarithmOf(x: v128): v128 {
  v128.store(pair, x)
  fillLogarithms(pair, 16)
  return v128.load(pair)
}

function logarithm(argument: v128): v128 {
  let x = argument
  let bias = splat(4503599627370496 + 1023)
  const isNormal = v128.and(f64x2.ge(x, splat(2.2250738585072014e-308)), f64x2.lt(x, splat(Infinity)))
  const areNormal = i64x2.bitmask(isNormal) === 3
  if (!areNormal) {
    const isSmall = f64x2.lt(x, splat(2.2250738585072014e-308))
    x = v128.bitselect(mul(x, splat(18014398509481984)), x, isSmall)
    bias = v128.bitselect(splat(4503599627370496 + 1023 + 54), bias, isSmall)
  }
  const high = i64x2.shr_u(x, 32)
  const mantissa = v128.and(high, i64x2.splat(0xfffff))
  const upper = v128.and(i64x2.add(mantissa, i64x2.splat(0x95f64)), i64x2.splat(0x100000))
  const exponent = i64x2.add(i64x2.shr_u(high, 20), i64x2.shr_u(upper, 20))
  const k = sub(v128.or(exponent, i64x2.splat(0x4330000000000000)), bias)
  const scale = i64x2.shl(v128.xor(upper, i64x2.splat(0x3ff00000)), 32)
  const f = sub(v128.or(v128.and(x, i64x2.splat(0x000fffffffffffff)), scale), splat(1))
  const kHigh = mul(k, splat(6.9314718036912381649e-1))
  const kLow = mul(k, splat(1.90821492927058770002e-10))
  const s = div(f, add(splat(2), f))
  const z = mul(s, s)
  const w = mul(z, z)
  const even = mul(
    w,
    add(
      splat(3.999999999940941908e-1),
      mul(w, add(splat(2.222219843214978396e-1), mul(w, splat(1.531383769920937332e-1))))
    )
  )
  const odd7 = add(splat(1.818357216161805012e-1), mul(w, splat(1.479819860511658591e-1)))
  const odd = mul(z, add(splat(6.66666666666673513e-1), mul(w, add(splat(2.857142874366239149e-1), mul(w, odd7)))))
  const rest = add(odd, even)
  let part = sub(mul(s, sub(f, rest)), kLow)
  const isMiddle = v128.and(i64x2.gt_s(mantissa, i64x2.splat(0x61479)), i64x2.gt_s(i64x2.splat(0x6b852), mantissa))
  if (any(isMiddle)) {
    const half = mul(mul(splat(0.5), f), f)
    part = v128.bitselect(sub(half, add(mul(s, add(half, rest)), kLow)), part, isMiddle)
  }
  const isTiny = i64x2.gt_s(i64x2.splat(3), v128.and(i64x2.add(mantissa, i64x2.splat(2)), i64x2.splat(0xfffff)))
  if (any(isTiny)) {
    const short = mul(mul(f, f), sub(splat(0.5), mul(splat(0.33333333333333333), f)))
    part = v128.bitselect(sub(short, kLow), part, isTiny)
  }
  const ln = sub(kHigh, sub(part, f))
  if (areNormal) return ln
  const isPositive = f64x2.gt(argument, splat(0))
  const special = v128.bitselect(splat(-Infinity), splat(NaN), f64x2.eq(argument, splat(0)))
  const known = v128.bitselect(ln, special, isPositive)
  return v128.bitselect(argument, known, f64x2.eq(argument, splat(Infinity)))
}
