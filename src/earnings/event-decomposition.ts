import { atTheMoney } from '../exposure/at-the-money/at-the-money.ts'
import { nearer } from '../exposure/levels/key-levels.ts'
import { liveOn } from '../exposure/scope.ts'
import { daysBetween } from '../market/calendar.ts'
import { memoizeBy } from '../market/memoize.ts'
import type { IsoDate } from '../market/units.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import { slices } from '../volatility/smile/slice.ts'
import { atmVolatility } from '../volatility/smile/smile-volatility.ts'

/**
 * Implied variance until the first expiration after an earnings report, split into a part for the report and a part for
 * everyday trading.
 */
export interface EventDecomposition {
  readonly expiration: IsoDate
  /**
   * Expected absolute moves in percent of spot: the whole move (`straddle`), the part of the report (`jump`) and the
   * everyday part (`drift`). jump² + drift² = straddle².
   */
  readonly straddle: number
  readonly jump: number
  readonly drift: number
  /**
   * At-the-money volatilities in percent: `preIv` of the first expiration after the report, `postIv` of the one that
   * follows.
   */
  readonly preIv: number
  readonly postIv: number
  /** Volatility of everyday trading, without the report, in percent. */
  readonly everydayIv: number
}

interface Quoted {
  readonly date: IsoDate
  readonly t: number
  /** At-the-money volatility, an annual fraction. */
  readonly sigma: number
}

/** Minimum calendar days between the first expiration after the report and the second one that is compared with it. */
const MIN_GAP_DAYS = 5
/**
 * Everyday volatility is at least this share of the first expiration's volatility. A lower value means that the second
 * expiration is distorted.
 */
const MIN_EVERYDAY = 0.25
/** Plausible range for straddle / total volatility. Outside this range, the straddle is unreliable. */
const [MIN_UNIT, MAX_UNIT] = [0.5, 1.2]

/**
 * Estimates the jump that a chain prices for an earnings report between the trading session `before` and the next
 * session.
 *
 * Expirations after the report have a total variance of w(T) = σ² T + J², so two of them give
 * σ² = (w₂ - w₁) / (T₂ - T₁) and J² = w₁ - σ² T₁. If there is no second expiration, or variance falls from the first to
 * the second, σ is the volatility of the last expiration before the report. Undefined if there is none of these either.
 * Also undefined if no expiration lies after the report, or if the straddle of the first expiration contradicts its
 * volatility.
 * Source: the published API contract, the decomposition of earnings; Dubinsky, Johannes, Kaeck, Seeger, Option pricing
 * of earnings announcement risks (2019), the term structure estimator.
 */
export const eventDecomposition = memoizeBy((chain: PricedChain, before: IsoDate): EventDecomposition | undefined => {
  const quoted = quotedExpirations(chain)
  const first = quoted.find(({ date }) => date > before)
  if (first === undefined) return undefined
  const later = quoted.filter(({ date }) => date > first.date)
  const second = later.find(({ date }) => daysBetween(first.date, date) >= MIN_GAP_DAYS) ?? later.at(-1)
  const earlier = quoted.findLast(({ date }) => date <= before)
  const measured = everydayVolatility(first, second) ?? earlier?.sigma
  if (measured === undefined) return undefined
  const everyday = Math.min(Math.max(measured, MIN_EVERYDAY * first.sigma), first.sigma)
  const deviation = first.sigma * Math.sqrt(first.t)
  const straddle = straddlePercent(chain, first.date) ?? 100 * Math.sqrt(2 / Math.PI) * deviation
  const unit = straddle / (100 * deviation)
  if (!(unit >= MIN_UNIT && unit <= MAX_UNIT)) return undefined
  return {
    expiration: first.date,
    straddle,
    jump: 100 * unit * Math.sqrt(Math.max(0, first.sigma ** 2 - everyday ** 2) * first.t),
    drift: 100 * unit * everyday * Math.sqrt(first.t),
    preIv: 100 * first.sigma,
    postIv: 100 * (second?.sigma ?? everyday),
    everydayIv: 100 * everyday
  }
})

function quotedExpirations(chain: PricedChain): readonly Quoted[] {
  return slices(chain).flatMap((slice): Quoted[] => {
    const sigma = atmVolatility(slice)
    return sigma === undefined || !(sigma > 0 && slice.t > 0) ? [] : [{ date: slice.date, t: slice.t, sigma }]
  })
}

/**
 * Volatility between two expirations that both lie after an earnings report. Undefined if total variance does not rise
 * from the first to the second.
 */
function everydayVolatility(first: Quoted, second: Quoted | undefined): number | undefined {
  if (second === undefined) return undefined
  const variance = (second.sigma ** 2 * second.t - first.sigma ** 2 * first.t) / (second.t - first.t)
  return variance > 0 ? Math.sqrt(variance) : undefined
}

/**
 * Price of the straddle at the listed strike nearest to spot, in percent of spot. Undefined if its call or put has no
 * mid.
 */
function straddlePercent(chain: PricedChain, date: IsoDate): number | undefined {
  const scope = liveOn(chain, date)
  const money = atTheMoney(scope)
  const isNearest = money && scope.slots.every((i) => !nearer(chain.strike[i], money.strike, chain.spot))
  return isNearest ? (100 * money.straddle) / chain.spot : undefined
}

/** First expiration after the trading session `before` that has an at-the-money volatility. */
export function expirationThrough(chain: PricedChain, before: IsoDate): IsoDate | undefined {
  return quotedExpirations(chain).find(({ date }) => date > before)?.date
}

/** At-the-money volatility of one expiration, percent. Undefined if nothing is quoted at the forward. */
export function expirationIv(chain: PricedChain, date: IsoDate): number | undefined {
  const found = quotedExpirations(chain).find((quoted) => quoted.date === date)
  return found && 100 * found.sigma
}
