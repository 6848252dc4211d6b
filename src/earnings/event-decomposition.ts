import { atTheMoney } from '../exposure/at-the-money/at-the-money.ts'
import { nearer } from '../exposure/levels/key-levels.ts'
import { liveOn } from '../exposure/scope.ts'
import { daysBetween } from '../market/calendar.ts'
import { memoizeBy } from '../market/memoize.ts'
import type { IsoDate } from '../market/units.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import { slices } from '../volatility/smile/slice.ts'
import { atmVolatility } from '../volatility/smile/smile-volatility.ts'

/** The variance up to the first expiration that lives through a report, split into the report and everyday trading. */
export interface EventDecomposition {
  /** The first expiration that lives through the report. */
  readonly expiration: IsoDate
  /** Expected absolute moves, percent of spot: all of it, the report's part and the everyday part. Squares add up. */
  readonly straddle: number
  readonly jump: number
  readonly drift: number
  /** At-the-money volatilities, percent: of that expiration, and of the one behind it. */
  readonly preIv: number
  readonly postIv: number
  /** Volatility without the report, percent. */
  readonly everydayIv: number
}

/** An expiration with what it says at the forward. */
interface Quoted {
  readonly date: IsoDate
  /** Years to expiry. */
  readonly t: number
  /** At-the-money volatility, a fraction. */
  readonly sigma: number
}

/** The expiration behind the first is the next that lies so many calendar days after it. */
const MIN_GAP_DAYS = 5
/** Everyday volatility as a share of that of the first expiration: below, the expiration behind it is taken as distorted. */
const MIN_EVERYDAY = 0.25
/** What a unit of total volatility is worth as an expected absolute move; outside, the straddle is spoilt. */
const [MIN_UNIT, MAX_UNIT] = [0.5, 1.2]

/**
 * The jump that a chain prices for a report between the session `before` and the one after it.
 *
 * Total variance of the expirations that live through it is w(T) = σ² T + J², so that two of them give both: σ² =
 * (w₂ - w₁) / (T₂ - T₁), J² = w₁ - σ² T₁. Where there is no second one, or variance falls from the first to the second, σ
 * is the volatility of the last expiration before the report. Undefined where that is missing too, where nothing lives
 * through the report, and where the straddle of the first expiration contradicts its volatility.
 * Source: the wire contract, the decomposition of earnings; Dubinsky, Johannes, Kaeck, Seeger, Option pricing of earnings
 * announcement risks (2019), the term structure estimator.
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

/** The volatility between two expirations behind a report. Undefined where variance does not rise from one to the other. */
function everydayVolatility(first: Quoted, second: Quoted | undefined): number | undefined {
  if (second === undefined) return undefined
  const variance = (second.sigma ** 2 * second.t - first.sigma ** 2 * first.t) / (second.t - first.t)
  return variance > 0 ? Math.sqrt(variance) : undefined
}

/** Call mid plus put mid at the listed strike nearest to spot, percent of spot. Undefined without both. */
function straddlePercent(chain: PricedChain, date: IsoDate): number | undefined {
  const scope = liveOn(chain, date)
  const money = atTheMoney(scope)
  const isNearest = money && scope.slots.every((i) => !nearer(chain.strike[i], money.strike, chain.spot))
  return isNearest ? (100 * money.straddle) / chain.spot : undefined
}

/** The first expiration with a volatility at the forward that lives through a report after the session `before`. */
export function expirationThrough(chain: PricedChain, before: IsoDate): IsoDate | undefined {
  return quotedExpirations(chain).find(({ date }) => date > before)?.date
}

/** At-the-money volatility of one expiration, percent. Undefined where nothing is quoted at the forward. */
export function expirationIv(chain: PricedChain, date: IsoDate): number | undefined {
  const found = quotedExpirations(chain).find((quoted) => quoted.date === date)
  return found && 100 * found.sigma
}
