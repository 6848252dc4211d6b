import { CALL, PUT } from '../market/chain.ts'
import { normalPdf } from '../math/normal.ts'
import { type AllGreekColumns, fillAllGreeks, NO_VOLATILITY } from './greeks.ts'
import { impliedVolatilities } from './implied-volatility.ts'
import { logMoneyness } from './log-moneyness.ts'
import { europeanPrice } from './time-value.ts'

export type Right = 'call' | 'put'

/** A European option and the market terms from which Black-Scholes-Merton prices it. */
export interface Option {
  readonly right: Right
  readonly spot: number
  readonly strike: number
  /** Years to expiry. */
  readonly t: number
  /** Volatility, an annual fraction. */
  readonly sigma: number
  /** Interest rate, continuously compounded, an annual fraction. */
  readonly rate: number
  readonly dividendYield: number
}

/**
 * Price and greeks of an option per share. V is the price. All are mathematical derivatives: per 1.00 of volatility or
 * rate, and per year.
 */
export interface Greeks {
  readonly price: number
  /** dV / dSpot. */
  readonly delta: number
  /** d²V / dSpot². */
  readonly gamma: number
  /** dV / dt, per year that passes. */
  readonly theta: number
  /** dV / dσ. */
  readonly vega: number
  /** dV / dRate. */
  readonly rho: number
  /** dDelta / dσ. */
  readonly vanna: number
  /** dDelta / dt, per year that passes. */
  readonly charm: number
  /** d²V / dσ². */
  readonly vomma: number
  /** dV / dStrike. */
  readonly dualDelta: number
  /** dGamma / dSpot. */
  readonly speed: number
  /** dGamma / dσ. */
  readonly zomma: number
  /**
   * dGamma / dτ, per year of time to expiry. Time to expiry falls as time passes, so the sign is opposite to theta and
   * charm.
   */
  readonly color: number
  /** d³V / dσ³. */
  readonly ultima: number
  /** dVega / dτ, per year of time to expiry. */
  readonly veta: number
}

/**
 * Price per share of a European option. If no time or no volatility is left, it is the present value of what exercise
 * at the forward would pay.
 *
 *    call = S e^(-qt) N(d1) - K e^(-rt) N(d2),    put = K e^(-rt) N(-d2) - S e^(-qt) N(-d1)
 *
 * Source: Haug, The Complete Guide to Option Pricing Formulas, 2nd ed. (2007), 1.1.6; arranged as in time-value.ts.
 */
export function price({ right, spot, strike, t, sigma, rate, dividendYield }: Option): number {
  const spotPart = spot * Math.exp(-dividendYield * t)
  const strikePart = strike * Math.exp(-rate * t)
  const x = logMoneyness(spot * Math.exp((rate - dividendYield) * t), strike)
  const s = sigma * Math.sqrt(t)
  if (s === 0) return Math.max(right === 'call' ? spotPart - strikePart : strikePart - spotPart, 0)
  return europeanPrice(right === 'call', spotPart, strikePart, Math.abs(x) / s, s, normalPdf(x / s + 0.5 * s))
}

/**
 * Price and greeks of one European option, computed by the same kernel that prices chains. Throws if time or volatility
 * is not positive: the delta of an expired option is a step and its gamma a spike, which no caller wants by accident.
 */
export function greeks(option: Option): Greeks {
  const { right, spot, strike, t, sigma, rate, dividendYield } = option
  if (!(sigma * Math.sqrt(t) > NO_VOLATILITY)) throw new RangeError('greeks need positive time and volatility')
  const out: AllGreekColumns = {
    price: new Float64Array(1),
    delta: new Float64Array(1),
    gamma: new Float64Array(1),
    theta: new Float64Array(1),
    vega: new Float64Array(1),
    rho: new Float64Array(1),
    vanna: new Float64Array(1),
    charm: new Float64Array(1),
    vomma: new Float64Array(1),
    dualDelta: new Float64Array(1),
    speed: new Float64Array(1),
    zomma: new Float64Array(1),
    color: new Float64Array(1),
    ultima: new Float64Array(1),
    veta: new Float64Array(1)
  }
  const terms = { spot, t, rate, dividendYield }
  fillAllGreeks(terms, Float64Array.of(strike), flagOf(right), Float64Array.of(sigma), 0, 1, out, 'mathematical')
  return {
    price: price(option),
    delta: out.delta[0],
    gamma: out.gamma[0],
    theta: out.theta[0],
    vega: out.vega[0],
    rho: out.rho[0],
    vanna: out.vanna[0],
    charm: out.charm[0],
    vomma: out.vomma[0],
    dualDelta: out.dualDelta[0],
    speed: out.speed[0],
    zomma: out.zomma[0],
    color: out.color[0],
    ultima: out.ultima[0],
    veta: out.veta[0]
  }
}

/**
 * Annual volatility, a fraction, at which a European option costs `price`. Undefined if the price is not strictly
 * between the least and the most that a European option can be worth.
 */
export function impliedVolatility(option: Omit<Option, 'sigma'>, price: number): number | undefined {
  const { right, spot, strike, t, rate, dividendYield } = option
  const terms = { forward: spot * Math.exp((rate - dividendYield) * t), discount: Math.exp(-rate * t), t }
  const sigma = new Float64Array(1)
  impliedVolatilities(terms, Float64Array.of(strike), flagOf(right), Float64Array.of(price), 0, 1, sigma)
  return Number.isNaN(sigma[0]) ? undefined : sigma[0]
}

function flagOf(right: Right): Uint8Array {
  return Uint8Array.of(right === 'call' ? CALL : PUT)
}
