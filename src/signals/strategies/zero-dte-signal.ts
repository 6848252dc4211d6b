import { atTheMoney } from '../../exposure/at-the-money/at-the-money.ts'
import { maxPain, totalOpenInterest } from '../../exposure/pin/max-pain.ts'
import { painDistance } from '../../exposure/pin/max-pain-signal.ts'
import { maxPainPin } from '../../exposure/pin/pin-risk.ts'
import { liveOn, liveScope } from '../../exposure/scope.ts'
import { session } from '../../market/calendar.ts'
import { dayShareLeft, daysToExpiry } from '../../market/clock.ts'
import { easternDate } from '../../market/eastern.ts'
import { type Instant, type IsoDate, MILLISECONDS_PER_MINUTE } from '../../market/units.ts'
import { inPercent } from '../../math/optional.ts'
import { withinUnit } from '../../math/unit-interval.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { slices } from '../../volatility/smile/slice.ts'
import { moveOfDay, moveToExpiry } from '../../volatility/term/expected-move.ts'
import { chosenExpiry } from './expiry-choice.ts'
import { type FlyTerms, FULL_OPEN_INTEREST, type PinFigures } from './expiry-positioning-signal.ts'
import { gammaSetting } from './gamma-setting.ts'
import { rankedStructures } from './ranking.ts'
import type { RiskCode } from './risk-flags.ts'
import { MAX_AVOIDED, type StrategyAssessment, scoreOf, verdictOf } from './strategy-assessment.ts'
import { ironFly } from './structures.ts'
import { tradableOn } from './tradable-contracts.ts'

export const zeroDteRegimes = [
  'pin_risk_positive_gamma',
  'range_compression',
  'trend_risk_or_no_setup',
  'no_same_day_expiry',
  'no_expiry_chain'
] as const
export type ZeroDteRegime = (typeof zeroDteRegimes)[number]

export interface ZeroDteFigures extends PinFigures {
  readonly minutesToClose: number
  /** Spot at the open in USD. Undefined before the open, or if it was not recorded. */
  readonly openSpot: number | undefined
  /** Expected move of a full trading day, measured at the open: one standard deviation in USD. */
  readonly moveOfDay: number | undefined
  /** Absolute distance between spot and the open, in percent of `moveOfDay`. */
  readonly consumed: number | undefined
  /**
   * How much faster theta runs than at the open: 1 / √v, where v is the fraction of the trading session that is left.
   */
  readonly thetaAcceleration: number
}

/**
 * If the price has moved this percentage of the day's expected move, that move is exhausted. From `TRENDING` percent
 * on, the price is trending and no range is expected.
 */
const EXHAUSTED = 100
const TRENDING = 150
const LATE_MINUTES = 5
const MINUTES_OF_DAY = 390
/** For an expiration on a later day, the time part of the score rises over this many days before expiry. */
const COUNTDOWN = 10
const regimeOf = {
  candidate: 'pin_risk_positive_gamma',
  neutral: 'range_compression',
  avoid: 'trend_risk_or_no_setup'
} as const

/**
 * Whether the price is likely to stay in a range until the close. `openSpot` is the price at the open of the chain's
 * trading session. Source: the published API contract, /v1/strategies/zero-dte.
 */
export function zeroDteSignal(
  chain: PricedChain,
  asked: IsoDate | undefined,
  openSpot: number | undefined,
  { minOpenInterest, wingWidth }: FlyTerms
): StrategyAssessment<ZeroDteRegime, ZeroDteFigures> {
  const { asOf, spot } = chain
  const today = easternDate(asOf)
  const expiry = chosenExpiry(chain, asked ?? today)
  const [regime, missing] =
    asked === undefined
      ? (['no_same_day_expiry', 'same_day_expiration'] as const)
      : (['no_expiry_chain', 'expiration'] as const)
  if (expiry === undefined) return { regime, missing, scope: liveScope(chain) }
  const scope = liveOn(chain, expiry)
  const strike = maxPain(scope)
  if (strike === undefined) return { regime, missing: 'open_interest', scope }

  const setting = gammaSetting(scope)
  const slice = slices(chain).find(({ date }) => date === expiry)
  const move = slice && moveToExpiry(chain, slice)
  const dayMove =
    openSpot === undefined || move?.sigma === undefined ? undefined : moveOfDay(openSpot, inPercent(move.sigma)!)
  const consumed = dayMove === undefined ? undefined : (100 * Math.abs(spot - openSpot!)) / dayMove
  const { oi } = maxPainPin(scope, { strike, date: expiry, straddle: atTheMoney(scope)?.straddle })
  const { percent: distance } = painDistance(spot, strike)
  const [concentration, days, dayLeft] = [Math.round(oi), daysToExpiry(asOf, expiry), dayShareLeft(asOf)]
  const sum =
    (0.25 * concentration) / 100 +
    0.2 * (move?.percent === undefined ? 0 : withinUnit(1 - distance / move.percent)) +
    0.2 * (days === 0 ? 1 - dayLeft : withinUnit(1 - days / COUNTDOWN)) +
    0.2 * setting.dampening +
    0.15 * withinUnit(1 - (consumed ?? 0) / 100)
  const isTrending = setting.isBelowFlip || (consumed ?? 0) >= TRENDING
  const score = scoreOf(100 * sum, isTrending ? MAX_AVOIDED : 100)
  const verdict = verdictOf(score)
  const on = verdict === 'avoid' ? undefined : tradableOn(chain, expiry, minOpenInterest)
  const minutesToClose = minutesLeft(asOf)
  const openInterest = totalOpenInterest(scope)
  const risks: RiskCode[] = (consumed ?? 0) >= EXHAUSTED ? ['EXPECTED_MOVE_EXHAUSTED'] : []
  if (minutesToClose < LATE_MINUTES) risks.push('LATE_DAY_GREEKS')
  return {
    regime: regimeOf[verdict],
    figures: {
      ...setting,
      maxPain: strike,
      painDistance: distance,
      concentration,
      openInterest,
      expiry,
      days,
      minutesToClose,
      openSpot,
      moveOfDay: dayMove,
      consumed,
      thetaAcceleration: 1 / Math.sqrt(Math.max(dayLeft, 1 / MINUTES_OF_DAY))
    },
    score,
    verdict,
    sample: withinUnit(openInterest / FULL_OPEN_INTEREST),
    scope,
    expiry,
    structures: rankedStructures([on && ironFly(on, strike, wingWidth)], score),
    risks,
    gammaFlip: setting.flip
  }
}

/**
 * Whole minutes until the close. Before the open, those of the whole session. 0 after the close and on days without a
 * session.
 */
function minutesLeft(asOf: Instant): number {
  const today = session(easternDate(asOf))
  if (today === undefined) return 0
  const left = today.close - Math.max(asOf, today.open)
  return Math.max(0, Math.floor(left / MILLISECONDS_PER_MINUTE))
}
