import { dayShareLeft, daysToExpiry } from '../../market/clock.ts'
import type { IsoDate } from '../../market/units.ts'
import { normalCdf } from '../../math/normal.ts'
import { atTheMoney } from '../at-the-money/at-the-money.ts'
import { byStrike, netGex, type StrikeRow, sumOf, totalOi } from '../by-strike.ts'
import { keyLevels } from '../levels/key-levels.ts'
import { hasExpired, type Scope } from '../scope.ts'

/** How strongly a strike attracts the price before expiration. Four parts, each 0 to 100, and their weighted score. */
export interface PinRisk {
  readonly oi: number
  readonly proximity: number
  readonly time: number
  readonly gamma: number
  /** Weighted score, not rounded: 0.30 oi + 0.25 proximity + 0.25 time + 0.20 gamma. */
  readonly score: number
}

interface PinTarget {
  readonly strike: number | undefined
  /** If the strike is this far from spot or further, the proximity part is 0. As a fraction of spot. */
  readonly reach: number
  /** The time part, 0 to 100: the percentage of the countdown to expiration that has passed. */
  readonly elapsed: number
}

/**
 * Pin risk: how strongly a strike attracts the price of a scope. The published API contract prescribes the weights. If
 * all contracts have expired, all parts are 0, because nothing attracts the price any more.
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
 * Open interest at the `count` strikes that have most of it, in percent of the scope's open interest. Undefined without
 * open interest.
 */
export function topStrikesShare(scope: Scope, count: number): number | undefined {
  const held = byStrike(scope)
    .map(totalOi)
    .sort((a, b) => b - a)
  const total = sumOf(held, (oi) => oi)
  return total === 0 ? undefined : (100 * sumOf(held.slice(0, count), (oi) => oi)) / total
}

/** |net gamma| at one strike as a fraction of the sum of |net gamma| over all strikes. 0 if that sum is 0. */
function gammaShareAt(scope: Scope, strike: number): number {
  const rows = byStrike(scope)
  const all = sumOf(rows, (row) => Math.abs(netGex(row)))
  const here = rows.find((row) => row.strike === strike)
  return all === 0 || here === undefined ? 0 : Math.abs(netGex(here)) / all
}

/**
 * Distance from spot at which the proximity part becomes 0, as a fraction of spot, if there is no straddle. With a
 * straddle it is the straddle, but at least `MIN_REACH`.
 */
const USUAL_REACH = 0.05
const MIN_REACH = 0.01
/** Days before expiration from which the time part rises. */
const COUNTDOWN = 30

interface PinSetting {
  /** The max pain strike, which attracts the price. */
  readonly strike: number
  /** Expiration date at which the countdown ends. */
  readonly date: IsoDate
  /** Price of the at-the-money straddle, USD per share. It stands for the expected move until expiration. */
  readonly straddle: number | undefined
}

/**
 * How likely the price ends at max pain: a score of 0 to 100, not rounded. Proximity is measured against the straddle.
 * Time counts the last thirty days. Source: the published API contract.
 */
export function pinProbability(scope: Scope, setting: PinSetting): number {
  return maxPainPin(scope, setting).score
}

/** The score of `pinProbability` with its four parts. */
export function maxPainPin(scope: Scope, { strike, date, straddle }: PinSetting): PinRisk {
  const { asOf, spot } = scope.chain
  const reach = straddle === undefined ? USUAL_REACH : Math.max(MIN_REACH, straddle / spot)
  const elapsed = 100 * Math.max(0, 1 - (daysToExpiry(asOf, date) + dayShareLeft(asOf)) / COUNTDOWN)
  return pinRisk(scope, { strike, reach, elapsed })
}

export interface MagnetPin {
  readonly magnet: StrikeRow | undefined
  /** Absolute distance between spot and the magnet, percent of spot. */
  readonly distance: number | undefined
  readonly risk: PinRisk
}

/**
 * Pin risk at the magnet (the strike with the largest |net gamma|). Proximity is 0 from one percent of spot on. Time
 * counts only on the day of expiration. Source: the published API contract.
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

/** A close counts as at the strike up to this distance, as a fraction of the strike. */
const BAND = 0.0025

/**
 * Probability in percent that the price closes within a quarter of a percent of a strike, for one expiration on its
 * last day:
 *
 *     P(|S_close / K - 1| <= 0.0025),  ln(S_close / S) normal with deviation s = σ √T and mean -s²/2
 *
 * σ is the at-the-money volatility. T is the time left, on the clock that the published API uses for contracts that
 * expire today. Undefined without a volatility or without time left.
 * Source: the published API contract.
 */
export function closeProbability(scope: Scope, strike: number): number | undefined {
  const { chain, expirations } = scope
  const sigma = atTheMoney(scope)?.sigma
  if (sigma === undefined || dayShareLeft(chain.asOf) === 0) return undefined
  const deviation = sigma * Math.sqrt(chain.carries[expirations[expirations.length - 1]].t)
  const below = (price: number) => normalCdf(Math.log(price / chain.spot) / deviation + deviation / 2)
  return 100 * Math.max(0, below(strike * (1 + BAND)) - below(strike * (1 - BAND)))
}
