import { findRoot } from '../../math/root.ts'
import { type Greeks, greeks, impliedVolatility, type Option, price } from '../bsm.ts'
import { EXACT, exactPremium, type SpotPremium } from './exact-premium.ts'
import type { BoundaryShape } from './yield/boundary-tables.ts'
import { exerciseOf, exerciseTerms } from './yield/exercise.ts'

/**
 * Price per share of an American option on an underlying with a continuous yield: European price plus early-exercise
 * premium. The error is below 2e-8 of the strike. Without time or volatility, the price is the value of exercise at the
 * best fixed moment. Undefined if the right has two exercise boundaries (`exerciseOf` returns `between`). For a put
 * this means that rate and yield are negative and the yield is below the rate; for a call, that they are negative and
 * the rate is below the yield.
 */
export function americanPrice(option: Option, shape: BoundaryShape = EXACT): number | undefined {
  if (!(option.sigma * Math.sqrt(option.t) > 0)) return certainPrice(option)
  const premium = exactPremium(option, shape)
  if (premium === undefined) return undefined
  return premium === 'exercised' ? exerciseValue(option) : price(option) + premium.value
}

/**
 * Price and greeks of an American option, in the units of `greeks`. Undefined where `americanPrice` is undefined. An
 * option that is worth exercising at once has a delta of 1 or -1 and the opposite dual delta; all its other greeks are
 * 0. Throws if time or volatility is not positive.
 * Theta, charm and veta of the early-exercise premium follow from the Black-Scholes equation, which the premium
 * satisfies. Its derivatives in volatility, rate and time are finite differences. Each premium in such a difference is
 * computed with its own exercise boundary.
 */
export function americanGreeks(option: Option): Greeks | undefined {
  const european = greeks(option)
  const base = exactPremium(option)
  if (base === undefined) return undefined
  if (base === 'exercised') return exercisedGreeks(option)
  const { spot, strike, sigma, rate, dividendYield } = option
  const carry = rate - dividendYield
  const { value, delta, gamma, speed } = base
  const { vega, vanna, zomma, vomma, ultima } = volatilitySlopes(option, base)
  const variance = sigma * sigma
  const premium: Greeks = {
    price: value,
    delta,
    gamma,
    theta: rate * value - carry * spot * delta - 0.5 * variance * spot * spot * gamma,
    vega,
    rho: rateSlope(option, base),
    vanna,
    charm:
      rate * delta - carry * (delta + spot * gamma) - variance * spot * gamma - 0.5 * variance * spot * spot * speed,
    vomma,
    dualDelta: (value - spot * delta) / strike,
    speed,
    zomma,
    color: timeSlopeOfGamma(option),
    ultima,
    veta: carry * spot * vanna + sigma * spot * spot * (gamma + 0.5 * sigma * zomma) - rate * vega
  }
  return sumOf(european, premium)
}

/**
 * Volatility, an annual fraction, at which an American option costs `price`. Undefined if the price is not above the
 * value of exercise at once, if it is not below the most that the option can be worth, or if the right has two exercise
 * boundaries.
 */
export function americanImpliedVolatility(
  option: Omit<Option, 'sigma'>,
  price: number,
  shape: BoundaryShape = EXACT
): number | undefined {
  const { right, spot, strike, t } = option
  const above = price > exerciseValue(option) * (1 + ROUNDING)
  if (!(t > 0) || !above || !(price < (right === 'call' ? spot : strike))) return undefined
  const exercise = exerciseOf(exerciseTerms(right === 'call', option))
  if (exercise === 'between') return undefined
  const european = impliedVolatility(option, price)
  if (exercise === 'never') return european
  const excess = (sigma: number) => americanPrice({ ...option, sigma }, shape)! - price
  // The European volatility of an American price is never below the true one. A price above the present value of the
  // strike has none.
  let hi = european ?? 1
  while (european === undefined && excess(hi) < 0 && hi < MAX_SIGMA) hi *= 2
  return findRoot(excess, Math.min(MIN_SIGMA, hi / 2), hi * (1 + 1e-9), 1e-11 * hi)
}

/** A price within this fraction of the exercise value counts as equal to it. */
const ROUNDING = 1e-12
const MIN_SIGMA = 1e-3
const MAX_SIGMA = 64

function exerciseValue({ right, spot, strike }: Pick<Option, 'right' | 'spot' | 'strike'>): number {
  return Math.max(right === 'call' ? spot - strike : strike - spot, 0)
}

/**
 * Value of an option whose underlying has a known path, because no time or no volatility is left. It is the best of
 * three moments of exercise: now, at expiry, and the moment at which the interest on the strike equals the dividends.
 */
function certainPrice({ right, spot, strike, t, rate, dividendYield }: Option): number {
  const sign = right === 'call' ? 1 : -1
  const value = (u: number) => Math.max(sign * (spot * Math.exp(-dividendYield * u) - strike * Math.exp(-rate * u)), 0)
  const balance = Math.log((dividendYield * spot) / (rate * strike)) / (dividendYield - rate)
  return Math.max(value(0), value(t), balance > 0 && balance < t ? value(balance) : 0)
}

/**
 * Step for finite differences in volatility, as a share of the volatility. With it, differences of fourth order are
 * exact to eight digits.
 */
const SIGMA_STEP = 0.01
const MIN_STEP = 1e-4
const RATE_STEP = 1e-4
const TIME_STEP = 1e-3

function volatilitySlopes(option: Option, { value }: SpotPremium) {
  let h = SIGMA_STEP * option.sigma
  // A lower volatility moves the boundary nearer: shorter steps keep the option on this side of it.
  while (h > MIN_STEP * option.sigma && exactPremium({ ...option, sigma: option.sigma - 2 * h }) === 'exercised') h /= 4
  const [low2, low, high, high2] = [-2, -1, 1, 2].map((k) => premiumNear({ ...option, sigma: option.sigma + k * h })!)
  const first = (of: (premium: SpotPremium) => number) => (of(low2) - of(high2) + 8 * (of(high) - of(low))) / (12 * h)
  return {
    vega: first((premium) => premium.value),
    vanna: first((premium) => premium.delta),
    zomma: first((premium) => premium.gamma),
    vomma: (16 * (low.value + high.value) - low2.value - high2.value - 30 * value) / (12 * h * h),
    ultima: (high2.value - low2.value - 2 * (high.value - low.value)) / (2 * h * h * h)
  }
}

/**
 * Derivative of the premium in the rate. If the option would have two exercise boundaries at one of the two shifted
 * rates, the difference is taken on the other side alone.
 */
function rateSlope(option: Option, { value }: SpotPremium): number {
  const [low, high] = [-RATE_STEP, RATE_STEP].map((step) => premiumNear({ ...option, rate: option.rate + step })?.value)
  const steps = (low === undefined ? 0 : 1) + (high === undefined ? 0 : 1)
  return ((high ?? value) - (low ?? value)) / (steps * RATE_STEP)
}

function timeSlopeOfGamma(option: Option): number {
  const [low, high] = [-TIME_STEP, TIME_STEP].map((step) => premiumNear({ ...option, t: option.t * (1 + step) })!.gamma)
  return (high - low) / (2 * TIME_STEP * option.t)
}

/**
 * Early-exercise premium of an option with slightly changed terms, for finite differences. If the changed option is
 * past the exercise boundary, it is the exercise value minus the European price.
 */
function premiumNear(option: Option): SpotPremium | undefined {
  const premium = exactPremium(option)
  if (premium !== 'exercised') return premium
  const { price, delta, gamma, speed } = greeks(option)
  return {
    value: exerciseValue(option) - price,
    delta: deltaExercised(option) - delta,
    gamma: -gamma,
    speed: -speed
  }
}

function deltaExercised({ right }: Option): number {
  return right === 'call' ? 1 : -1
}

function exercisedGreeks(option: Option): Greeks {
  const delta = deltaExercised(option)
  return {
    price: exerciseValue(option),
    delta,
    gamma: 0,
    theta: 0,
    vega: 0,
    rho: 0,
    vanna: 0,
    charm: 0,
    vomma: 0,
    dualDelta: -delta,
    speed: 0,
    zomma: 0,
    color: 0,
    ultima: 0,
    veta: 0
  }
}

function sumOf(european: Greeks, premium: Greeks): Greeks {
  return {
    price: european.price + premium.price,
    delta: european.delta + premium.delta,
    gamma: european.gamma + premium.gamma,
    theta: european.theta + premium.theta,
    vega: european.vega + premium.vega,
    rho: european.rho + premium.rho,
    vanna: european.vanna + premium.vanna,
    charm: european.charm + premium.charm,
    vomma: european.vomma + premium.vomma,
    dualDelta: european.dualDelta + premium.dualDelta,
    speed: european.speed + premium.speed,
    zomma: european.zomma + premium.zomma,
    color: european.color + premium.color,
    ultima: european.ultima + premium.ultima,
    veta: european.veta + premium.veta
  }
}
