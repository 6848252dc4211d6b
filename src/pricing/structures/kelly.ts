import { normalCdf, normalPdf } from '../../math/normal.ts'
import { findRoot } from '../../math/root.ts'
import type { Right } from '../bsm.ts'

/** A purchased option that is held to expiry, with the buyer's expectations for the underlying. */
export interface Bet {
  readonly right: Right
  readonly spot: number
  readonly strike: number
  /** Years to expiry. */
  readonly t: number
  /** Annual volatility, a fraction. */
  readonly sigma: number
  readonly premium: number
  /**
   * Total return that the buyer expects of the underlying, dividends included: continuously compounded, an annual
   * fraction.
   */
  readonly mu: number
  readonly rate: number
  readonly dividendYield: number
}

/** Value of a bet to its buyer, and the share of capital to invest in it. Nothing is discounted. */
export interface Kelly {
  /** Share of capital, 0 to 1, for which the expected growth of wealth is greatest. */
  readonly fraction: number
  /** Expected growth of ln(wealth) over the life of the option if `fraction` of the capital is invested. */
  readonly growth: number
  /** Expected payoff at expiry, USD per share. */
  readonly expectedPayoff: number
  /** Expected return at expiry, a fraction: expected payoff over premium, minus 1. */
  readonly expectedReturn: number
  readonly probabilityOfProfit: number
  readonly probabilityInTheMoney: number
  /**
   * Price of the underlying at expiry at which the payoff equals the premium. Negative for a put that costs more than
   * its strike.
   */
  readonly breakeven: number
}

const STEPS = 2000
const WIDEST = 6
const WIDTH = (2 * WIDEST) / STEPS
/**
 * Limit for the invested share of capital. If a total loss is possible, the best share is below it, because every
 * possible payoff has a probability of at least 1.8e-11.
 */
const MAX_RISKY = 1 - 1e-12
const TOLERANCE = 1e-12

/**
 * Points of the trapezoid rule over the standard normal distribution, from -6 to 6. `weights` are their probabilities.
 */
const nodes = Float64Array.from({ length: STEPS + 1 }, (_, i) => (i * 2 * WIDEST) / STEPS - WIDEST)
const weights = nodes.map((z, i) => (i === 0 || i === STEPS ? 0.5 : 1) * WIDTH * normalPdf(z))

/**
 * Kelly sizing of a purchased option: the share f of capital, from 0 to 1, that maximizes the expected value of ln(1 +
 * f (payoff / premium - 1)). Expectations are sums by the trapezoid rule; probabilities have closed forms.
 * The underlying is lognormal with the buyer's drift mu - q: ln S_T has mean ln S + (mu - q - σ²/2) t and deviation
 * σ√t. The share is 0 if the expected return is not positive. It is also 0 if mu equals the rate: a view that only
 * repeats the market's has no edge.
 * Source: Kelly (1956), A New Interpretation of Information Rate, Bell System Technical Journal 35(4).
 */
export function kelly(bet: Bet): Kelly {
  const { right, strike, premium, mu, rate } = bet
  const payoffs = payoffsAtExpiry(bet)
  const returns = payoffs.map((payoff) => payoff / premium - 1)
  const expectedPayoff = payoffs.reduce((sum, payoff, i) => sum + weights[i] * payoff, 0)
  const expectedReturn = expectedPayoff / premium - 1
  const fraction = mu === rate || expectedReturn <= 0 ? 0 : fastestGrowth(returns)
  const breakeven = right === 'call' ? strike + premium : strike - premium
  return {
    fraction,
    growth: fraction === 0 ? 0 : expectedGrowth(returns, fraction),
    expectedPayoff,
    expectedReturn,
    probabilityOfProfit: probabilityBeyond(bet, breakeven),
    probabilityInTheMoney: probabilityBeyond(bet, strike),
    breakeven
  }
}

function payoffsAtExpiry(bet: Bet): Float64Array {
  const sign = bet.right === 'call' ? 1 : -1
  const { mean, deviation } = logTerms(bet)
  return nodes.map((z) => Math.max(sign * (Math.exp(mean + deviation * z) - bet.strike), 0))
}

function logTerms({ spot, t, sigma, mu, dividendYield }: Bet) {
  return { mean: Math.log(spot) + (mu - dividendYield - 0.5 * sigma * sigma) * t, deviation: sigma * Math.sqrt(t) }
}

function probabilityBeyond(bet: Bet, level: number): number {
  if (level <= 0) return bet.right === 'call' ? 1 : 0
  const { mean, deviation } = logTerms(bet)
  const above = (mean - Math.log(level)) / deviation
  return normalCdf(bet.right === 'call' ? above : -above)
}

/**
 * The share of capital, from 0 to 1, up to which more investment raises the expected log growth. 1 if it never falls.
 */
function fastestGrowth(returns: Float64Array): number {
  const slope = (fraction: number) => returns.reduce((sum, x, i) => sum + (weights[i] * x) / (1 + fraction * x), 0)
  const highest = returns.includes(-1) ? MAX_RISKY : 1
  return slope(highest) >= 0 ? highest : (findRoot(slope, 0, highest, TOLERANCE) ?? 0)
}

function expectedGrowth(returns: Float64Array, fraction: number): number {
  return returns.reduce((sum, x, i) => sum + weights[i] * Math.log1p(fraction * x), 0)
}
