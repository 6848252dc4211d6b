import { CALL, type Chain, type Expiration } from '../../../market/chain.ts'
import { yearsToExpiry } from '../../../market/clock.ts'

/** A dividend as a share of the spot, paid to holders of the stock before its ex-date. */
export interface ProportionalDividend {
  /** Years from now to the ex-date, above 0 and at most the time to expiry. */
  readonly t: number
  /** Dividend divided by spot, above 0 and below 1. */
  readonly fraction: number
}

export interface DividendTerms {
  /** CALL or PUT, as in chains. */
  readonly right: number
  /** Years to expiry. */
  readonly t: number
  readonly rate: number
  /**
   * Continuous yield of the stock in addition to its dividends, such as the fee for borrowing it. See `borrowYield`.
   */
  readonly dividendYield: number
  readonly dividends: readonly ProportionalDividend[]
}

/**
 * Dividends of a stock whose ex-dates lie between the chain's moment and the day of expiry (inclusive), as shares of
 * the chain's spot. Ascending by time; several on one ex-date are added up. A stock goes ex with the opening prices of
 * its ex-date, on the clock of `market/clock.ts`. A dividend as large as the spot, or larger, is taken for an error and
 * left out.
 */
export function dividendsUntil(
  { asOf, spot, dividends = [] }: Pick<Chain, 'asOf' | 'spot' | 'dividends'>,
  { date, settlement }: Pick<Expiration, 'date' | 'settlement'>
): readonly ProportionalDividend[] {
  const shares = new Map<string, { readonly t: number; fraction: number }>()
  const expiry = yearsToExpiry(asOf, date, settlement)
  for (const { exDate, amount } of dividends) {
    if (exDate > date) continue
    const known = shares.get(exDate)
    if (known !== undefined) known.fraction += amount / spot
    else shares.set(exDate, { t: Math.min(yearsToExpiry(asOf, exDate, 'am'), expiry), fraction: amount / spot })
  }
  return [...shares.values()].filter(({ fraction }) => fraction < 1).sort((a, b) => a.t - b.t)
}

/**
 * Continuous yield that gives the same forward at `t` years as the dividends until then: -ln(prod(1 - d)) / t. 0
 * without dividends.
 */
export function yieldOfDividends(dividends: readonly ProportionalDividend[], t: number): number {
  return -dividends.reduce((sum, { fraction }) => sum + Math.log(1 - fraction), 0) / t
}

/**
 * Continuous yield in addition to the dividends. It explains the part of the forward that the dividends do not explain:
 *
 *    q = r - ln(F / (S prod(1 - d))) / T
 */
export function borrowYield(
  {
    forward,
    spot,
    t,
    rate
  }: { readonly forward: number; readonly spot: number; readonly t: number; readonly rate: number },
  dividends: readonly ProportionalDividend[]
): number {
  return rate - Math.log(forward / spot) / t - yieldOfDividends(dividends, t)
}

/**
 * Change of the put's value V over x at an ex-date, as seen backwards in time: just before it, V(x) = scale * V(x +
 * shift), unless exercise is worth more.
 */
export interface Jump {
  /** Time from the ex-date to expiry, in years. */
  readonly tau: number
  readonly scale: number
  readonly shift: number
}

/**
 * A put with strike 1, with its value as a function of x = ln S. It represents a put of the chain, or a call by the
 * symmetry of McDonald and Schroder (1998): spot and strike change places, and so do rate and yield. If it represents a
 * call, a dividend lowers its strike by the dividend's share, and its spot stays.
 */
export interface Put {
  readonly t: number
  readonly rate: number
  readonly dividendYield: number
  /** Sorted by time to expiry, so the last dividend comes first. */
  readonly jumps: readonly Jump[]
}

export function asPut({ right, t, rate, dividendYield, dividends }: DividendTerms): Put {
  const isCall = right === CALL
  const jumps = dividends.map(({ t: exDate, fraction }): Jump => {
    const drop = Math.log(1 - fraction)
    return { tau: t - exDate, scale: isCall ? 1 - fraction : 1, shift: isCall ? -drop : drop }
  })
  jumps.reverse()
  return isCall ? { t, rate: dividendYield, dividendYield: rate, jumps } : { t, rate, dividendYield, jumps }
}

/**
 * A plan to exercise at a fixed moment, for options so deep in the money that exercise is certain. Its value at x is
 * strike - spot e^x: both fields are discounted to now.
 */
interface Plan {
  readonly strike: number
  readonly spot: number
}

/**
 * Returns a function of spot and strike that gives the least value of an option at any volatility. It is the value of
 * the best certain plan: to exercise now, before or after an ex-date, or at expiry.
 */
export function leastValue(terms: DividendTerms): (spot: number, strike: number) => number {
  const plans = deepPlans(asPut(terms), terms.t)
  const isCall = terms.right === CALL
  return (spot, strike) => {
    const [received, given] = isCall ? [spot, strike] : [strike, spot]
    return plans.reduce((best, plan) => Math.max(best, received * plan.strike - given * plan.spot), 0)
  }
}

/**
 * All plans that may be best for an option deep in the money, `tau` years before expiry: to exercise now, just before
 * or after one of the ex-dates, or at expiry. Exercise at expiry comes last.
 */
export function deepPlans({ rate, dividendYield, jumps }: Put, tau: number): readonly Plan[] {
  const plans: Plan[] = [{ strike: 1, spot: 1 }]
  const wait = (time: number, { scale, shift } = { scale: 1, shift: 0 }) => {
    const { strike, spot } = plans[plans.length - 1]
    const factors = { strike: scale * Math.exp(-rate * time), spot: scale * Math.exp(shift - dividendYield * time) }
    plans.push({ strike: strike * factors.strike, spot: spot * factors.spot })
  }
  let from = tau
  for (const jump of [...jumps].reverse()) {
    wait(from - jump.tau)
    wait(0, jump)
    from = jump.tau
  }
  wait(from)
  return plans
}
