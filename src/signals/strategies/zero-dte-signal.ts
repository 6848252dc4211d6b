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
  /** Spot at the open in USD; undefined before the open or if it was not recorded. */
  readonly openSpot: number | undefined
  /** One standard deviation of a full day's move from the open, USD. */
  readonly moveOfDay: number | undefined
  /** Distance of spot from the open in percent of `moveOfDay`. */
  readonly consumed: number | undefined
  /** Theta relative to the open, 1 / √v with v the fraction of the session left. */
  readonly thetaAcceleration: number
}

/** Percent of the day's expected move from which it is exhausted, and from which price trends too far for a range. */
const EXHAUSTED = 100
const TRENDING = 150
const LATE_MINUTES = 5
const MINUTES_OF_DAY = 390
/** Days over which the countdown of a later expiration runs. */
const COUNTDOWN = 10
const regimeOf = {
  candidate: 'pin_risk_positive_gamma',
  neutral: 'range_compression',
  avoid: 'trend_risk_or_no_setup'
} as const

/**
 * Whether price is likely to stay in a range until the close. `openSpot` is the open of the chain's session. Source:
 * the wire contract, /v1/strategies/zero-dte.
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
  const move = slice && moveToExpiry(spot, slice)
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

/** Whole minutes to the close: of the full session before the open, 0 after the close or without a session. */
function minutesLeft(asOf: Instant): number {
  const today = session(easternDate(asOf))
  if (today === undefined) return 0
  const left = today.close - Math.max(asOf, today.open)
  return Math.max(0, Math.floor(left / MILLISECONDS_PER_MINUTE))
}
