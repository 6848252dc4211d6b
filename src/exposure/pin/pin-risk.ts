import { dayShareLeft, daysToExpiry } from '../../market/clock.ts'
import type { IsoDate } from '../../market/units.ts'
import { normalCdf } from '../../math/normal.ts'
import { atTheMoney } from '../at-the-money/at-the-money.ts'
import { byStrike, netGex, type StrikeRow, sumOf, totalOi } from '../by-strike.ts'
import { keyLevels } from '../levels/key-levels.ts'
import { hasExpired, type Scope } from '../scope.ts'

/** How strongly a strike attracts price into expiration: four parts of 0 to 100 and their weighted score. */
export interface PinRisk {
  readonly oi: number
  readonly proximity: number
  readonly time: number
  readonly gamma: number
  /** 0.30 oi + 0.25 proximity + 0.25 time + 0.20 gamma, before rounding. */
  readonly score: number
}

interface PinTarget {
  readonly strike: number | undefined
  /** Distance of the strike from spot, as a fraction of spot, at which the proximity part reaches 0. */
  readonly reach: number
  /** The time part, 0 to 100: how much of the countdown to expiration has passed. */
  readonly elapsed: number
}

/**
 * Pin risk of a scope toward one strike, with the weights of the wire contract. Expired contracts pin nothing: all
 * parts are 0.
 */
export function pinRisk(scope: Scope, { strike, reach, elapsed }: PinTarget): PinRisk {
  if (hasExpired(scope)) return { oi: 0, proximity: 0, time: 0, gamma: 0, score: 0 }
  const { spot } = scope.chain
  const oi = Math.min(100, 2 * (topStrikesShare(scope, 3) ?? 0))
  const proximity = strike === undefined ? 0 : 100 * Math.max(0, 1 - Math.abs(spot - strike) / (reach * spot))
  const gamma = strike === undefined ? 0 : Math.min(100, 400 * gammaShareAt(scope, strike))
  const score = 0.3 * oi + 0.25 * proximity + 0.25 * elapsed + 0.2 * gamma
  return { oi, proximity, time: elapsed, gamma, score }
}

/**
 * Open interest of the `count` busiest strikes in percent of the scope's open interest. Undefined without open
 * interest.
 */
export function topStrikesShare(scope: Scope, count: number): number | undefined {
  const held = byStrike(scope)
    .map(totalOi)
    .sort((a, b) => b - a)
  const total = sumOf(held, (oi) => oi)
  return total === 0 ? undefined : (100 * sumOf(held.slice(0, count), (oi) => oi)) / total
}

/** |net gamma| at one strike as a fraction of the sum of |net gamma| over all strikes; 0 if that sum is 0. */
function gammaShareAt(scope: Scope, strike: number): number {
  const rows = byStrike(scope)
  const all = sumOf(rows, (row) => Math.abs(netGex(row)))
  const here = rows.find((row) => row.strike === strike)
  return all === 0 || here === undefined ? 0 : Math.abs(netGex(here)) / all
}

/** Reach of the proximity part as a fraction of spot: the value without a straddle, and the minimum with one. */
const USUAL_REACH = 0.05
const MIN_REACH = 0.01
/** Days before expiration at which the time part starts to rise. */
const COUNTDOWN = 30

interface PinSetting {
  /** Max pain, the strike that attracts price. */
  readonly strike: number
  /** Expiration date that the countdown runs to. */
  readonly date: IsoDate
  /** At-the-money straddle in USD per share, the expected move until the expiration. */
  readonly straddle: number | undefined
}

/**
 * Likelihood that price ends at max pain, 0 to 100, not rounded. Proximity reaches as far as the straddle, and time
 * counts down from thirty days. Source: the wire contract.
 */
export function pinProbability(scope: Scope, setting: PinSetting): number {
  return maxPainPin(scope, setting).score
}

/** `pinProbability` together with the parts of its score. */
export function maxPainPin(scope: Scope, { strike, date, straddle }: PinSetting): PinRisk {
  const { asOf, spot } = scope.chain
  const reach = straddle === undefined ? USUAL_REACH : Math.max(MIN_REACH, straddle / spot)
  const elapsed = 100 * Math.max(0, 1 - (daysToExpiry(asOf, date) + dayShareLeft(asOf)) / COUNTDOWN)
  return pinRisk(scope, { strike, reach, elapsed })
}

export interface MagnetPin {
  readonly magnet: StrikeRow | undefined
  /** Absolute distance of spot from the magnet, percent of spot. */
  readonly distance: number | undefined
  readonly risk: PinRisk
}

/**
 * Pin risk toward the magnet. Proximity reaches one percent of spot, and time counts over the day of expiration only.
 * Source: the wire contract.
 */
export function magnetPin(scope: Scope): MagnetPin {
  const { chain, expirations } = scope
  const { magnet } = keyLevels(scope)
  const sameDay = chain.carries[expirations[0]].days === 0
  const elapsed = sameDay ? 100 * (1 - dayShareLeft(chain.asOf)) : 0
  return {
    magnet,
    distance: magnet && (100 * Math.abs(chain.spot - magnet.strike)) / chain.spot,
    risk: pinRisk(scope, { strike: magnet?.strike, reach: MIN_REACH, elapsed })
  }
}

/** Distance from a strike, as a fraction of the strike, within which a close counts as at the strike. */
const BAND = 0.0025

/**
 * Probability in percent that price closes within a quarter of a percent of a strike, for a scope of one expiration on
 * its last day:
 *
 *     P(|S_close / K - 1| <= 0.0025),  ln(S_close / S) normal with deviation s = σ √T and mean -s²/2
 *
 * σ is the at-the-money volatility, T the time left on the same-day clock. Undefined without a volatility or without
 * time left.
 * Source: the wire contract.
 */
export function closeProbability(scope: Scope, strike: number): number | undefined {
  const { chain, expirations } = scope
  const sigma = atTheMoney(scope)?.sigma
  if (sigma === undefined || dayShareLeft(chain.asOf) === 0) return undefined
  const deviation = sigma * Math.sqrt(chain.carries[expirations[expirations.length - 1]].t)
  const below = (price: number) => normalCdf(Math.log(price / chain.spot) / deviation + deviation / 2)
  return 100 * Math.max(0, below(strike * (1 + BAND)) - below(strike * (1 - BAND)))
}
