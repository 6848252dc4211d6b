import { isLive, yearsToExpiry } from '../../market/clock.ts'
import { normalCdf, normalPdf } from '../../math/normal.ts'
import type { Listing } from './listing.ts'
import type { Moment } from './moment.ts'
import { RATE } from './rate.ts'
import type { Security } from './securities.ts'
import { smileOf, smileShape, totalVariance } from './smile.ts'
import { varianceCurve } from './variance.ts'
import { vixVarianceCurve } from './volatility-index.ts'
import type { World } from './world.ts'

/** What contracts are worth, one slot per contract. */
export interface Theory {
  /** USD per share. NaN where the contract no longer trades. */
  readonly price: Float64Array
  /** Price change per 0.01 of volatility. */
  readonly vega: Float64Array
  /** Probability-like share of the spot's move, 0 to 1, of the contract in absolute value. */
  readonly delta: Float64Array
}

/**
 * The worth of every listed contract: Black on the forward of its expiration, volatility from the surface.
 * Source: Black (1976). The side out of the money is computed, the other follows by put-call parity.
 */
export function theoryOf(world: World, security: Security, listing: Listing, moment: Moment, spot: number): Theory {
  const { size, series, strike } = listing
  const { asOf, session, s } = moment
  const theory = { price: new Float64Array(size), vega: new Float64Array(size), delta: new Float64Array(size) }
  const shape = smileShape(world, security, session, s)
  const isVix = security.cycle === 'vix'
  const curve = isVix ? vixVarianceCurve(world, session, s) : varianceCurve(world, security, session, s)
  for (const { date, settlement, start, end } of series) {
    if (settlement === 'am' && !isLive(asOf, date, 'am')) {
      theory.price.fill(Number.NaN, start, end)
      continue
    }
    const t = yearsToExpiry(asOf, date, settlement)
    const smile = smileOf(shape, curve(t, date))
    const forward = spot * Math.exp((RATE - security.dividendYield) * t)
    const discount = Math.exp(-RATE * t)
    const vegaUnit = 0.01 * discount * forward * Math.sqrt(t)
    for (let call = start; call < end; call += 2) {
      const struck = strike[call >> 1]
      const k = Math.log(struck / forward)
      const deviation = Math.sqrt(totalVariance(smile, k))
      const d1 = -k / deviation + deviation / 2
      const out = k >= 0 ? 1 : -1 // which side is out of the money: +1 the call, -1 the put
      const near = normalCdf(out * d1)
      const value = discount * out * (forward * near - struck * normalCdf(out * (d1 - deviation)))
      const parity = discount * Math.abs(forward - struck)
      const outOfTheMoney = k >= 0 ? call : call + 1
      const inTheMoney = k >= 0 ? call + 1 : call
      theory.price[outOfTheMoney] = Math.max(0, value)
      theory.price[inTheMoney] = Math.max(0, value) + parity
      theory.vega[call] = theory.vega[call + 1] = vegaUnit * normalPdf(d1)
      theory.delta[outOfTheMoney] = near
      theory.delta[inTheMoney] = 1 - near
    }
  }
  return theory
}
