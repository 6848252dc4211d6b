import { dayShareLeft, daysToExpiry, yearsOfDays } from '../../../market/clock.ts'
import { normalCdf, normalPdf } from '../../../math/normal.ts'
import type { ContractListing, SyntheticSeries } from '../listing/contract-listing.ts'
import type { MarketMoment } from '../market-moment.ts'
import type { Security } from '../securities/securities.ts'
import { RATE } from '../synthetic-terms.ts'
import type { World } from '../world.ts'
import { type Smile, type SmileShape, smileOf, smileShape, ssviVariance } from './ssvi-smile.ts'
import { type VarianceCurve, varianceCurve } from './variance-curve.ts'
import { vixVarianceCurve } from './volatility-index.ts'

/** Theoretical values, one entry per contract of the chain. */
export interface Theory {
  /** Price, USD per share; NaN if the contract no longer trades. */
  readonly price: Float64Array
  /** Price change per 0.01 of volatility. */
  readonly vega: Float64Array
  /** Absolute delta, 0 to 1. */
  readonly delta: Float64Array
}

export interface Surface {
  readonly moment: MarketMoment
  /** Share of the day's trading still to come. */
  readonly dayLeft: number
  readonly spot: number
  readonly dividendYield: number
  readonly shape: SmileShape
  readonly curve: VarianceCurve
}

export interface SeriesTerms {
  /** Years to expiry. */
  readonly t: number
  readonly smile: Smile
  readonly forward: number
  readonly discount: number
  /**
   * 0.01 times discount, forward and the square root of `t`. Vega per 0.01 of volatility is this value times the normal
   * density at d1.
   */
  readonly vegaUnit: number
}

export function surfaceOf(world: World, security: Security, moment: MarketMoment, spot: number): Surface {
  const { session, s } = moment
  const isVix = security.cycle === 'vix'
  return {
    moment,
    dayLeft: dayShareLeft(moment.asOf),
    spot,
    dividendYield: security.dividendYield,
    shape: smileShape(world, security, session, s),
    curve: isVix ? vixVarianceCurve(world, session, s) : varianceCurve(world, security, session, s)
  }
}

/** Pricing inputs of an expiration that is `days` calendar days ahead; undefined if it no longer trades. */
export function seriesTerms(
  { moment: { asOf }, dayLeft, spot, dividendYield, shape, curve }: Surface,
  { date, settlement }: Pick<SyntheticSeries, 'date' | 'settlement'>,
  days = daysToExpiry(asOf, date)
): SeriesTerms | undefined {
  if (settlement === 'am' && days <= 0) return undefined // settled at the open
  const t = yearsOfDays(days, dayLeft, settlement)
  const forward = spot * Math.exp((RATE - dividendYield) * t)
  const discount = Math.exp(-RATE * t)
  return {
    t,
    smile: smileOf(shape, curve(t, date)),
    forward,
    discount,
    vegaUnit: 0.01 * discount * forward * Math.sqrt(t)
  }
}

/**
 * Values all listed contracts by Black's formula on the forward of their expiration, with volatility from the surface.
 * The out-of-the-money side is computed; the other follows by put-call parity. Source: Black (1976).
 */
export function theoryOf(
  world: World,
  security: Security,
  listing: ContractListing,
  moment: MarketMoment,
  spot: number
): Theory {
  const theory = emptyTheory(listing.size)
  const surface = surfaceOf(world, security, moment, spot)
  for (const series of listing.series) fillTheory(theory, seriesTerms(surface, series), series, listing.strike)
  return theory
}

export function emptyTheory(size: number): Theory {
  return { price: new Float64Array(size), vega: new Float64Array(size), delta: new Float64Array(size) }
}

/**
 * Computes the values of one expiration's contracts, from index `start` up to but excluding `end`. Prices are NaN if
 * the terms are undefined.
 */
export function fillTheory(
  { price, vega, delta }: Theory,
  terms: SeriesTerms | undefined,
  { start, end }: { readonly start: number; readonly end: number },
  strike: Float64Array
): void {
  if (terms === undefined) {
    price.fill(Number.NaN, start, end)
    return
  }
  const { smile, forward, discount, vegaUnit } = terms
  for (let call = start; call < end; call += 2) {
    const struck = strike[call >> 1]
    const k = Math.log(struck / forward)
    const deviation = Math.sqrt(ssviVariance(smile, k))
    const d1 = -k / deviation + deviation / 2
    const out = k >= 0 ? 1 : -1 // the out-of-the-money side: +1 call, -1 put
    const near = normalCdf(out * d1)
    const value = discount * out * (forward * near - struck * normalCdf(out * (d1 - deviation)))
    const parity = discount * Math.abs(forward - struck)
    const outOfTheMoney = k >= 0 ? call : call + 1
    const inTheMoney = k >= 0 ? call + 1 : call
    price[outOfTheMoney] = Math.max(0, value)
    price[inTheMoney] = Math.max(0, value) + parity
    vega[call] = vega[call + 1] = vegaUnit * normalPdf(d1)
    delta[outOfTheMoney] = near
    delta[inTheMoney] = 1 - near
  }
}
