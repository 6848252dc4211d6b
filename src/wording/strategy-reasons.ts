import type { DealerFigures } from '../signals/strategies/dealer-regime-signal.ts'
import type { PinFigures } from '../signals/strategies/expiry-positioning-signal.ts'
import type { FlowFigures } from '../signals/strategies/flow-anomaly-signal.ts'
import type { GammaSetting } from '../signals/strategies/gamma-setting.ts'
import type { SkewFigures } from '../signals/strategies/skew-signal.ts'
import type { SurfaceFigures } from '../signals/strategies/surface-anomaly-signal.ts'
import type { TailFigures } from '../signals/strategies/tail-pricing-signal.ts'
import type { TermFigures } from '../signals/strategies/term-structure-signal.ts'
import type { CarryFigures } from '../signals/strategies/vol-carry-signal.ts'
import type { YieldFigures } from '../signals/strategies/yield-enhancement-signal.ts'
import type { ZeroDteFigures } from '../signals/strategies/zero-dte-signal.ts'
import { level, money, multiple, percent, points, sideOfLevel, withNoun } from './format.ts'

/** Reasons for a strategy signal, each with its figure, and conditions under which the signal would no longer hold. */
export interface Reasons {
  /** One to five reasons, each a sentence. */
  readonly why: readonly string[]
  /** One to four conditions under which the signal would no longer hold, each a sentence. */
  readonly avoidIf: readonly string[]
}

export const sentences = (...texts: readonly (string | undefined)[]) => texts.filter((one) => one !== undefined)

type FlipScope = 'chain' | 'expiration'

/** Says on which side of the gamma flip spot is. `scope`: the contracts that the flip is of. */
export function flipReading(
  { flip, distance }: Pick<GammaSetting, 'flip' | 'distance'>,
  scope: FlipScope = 'chain'
): string | undefined {
  if (flip === undefined || distance === undefined) return undefined
  const side = sideOfLevel(flip / (1 - distance / 100), flip)
  if (side === 'at') return `Spot is at ${flipName(scope)}, ${level(flip)}.`
  const size = percent(Math.abs(distance))
  return `Spot is ${size === '0%' ? 'just' : size} ${side} ${flipName(scope)} at ${level(flip)}.`
}

/** The flip of one expiration is another than that of the whole chain, which answers beside it have. */
const flipName = (scope: FlipScope) => `the gamma flip${scope === 'chain' ? '' : ' of this expiration'}`

/** The move of spot that would change the gamma regime. Undefined without a flip. */
export function flipCondition(
  { flip, isBelowFlip }: Pick<GammaSetting, 'flip' | 'isBelowFlip'>,
  scope: FlipScope = 'chain'
): string | undefined {
  if (flip === undefined) return undefined
  return `Spot ${isBelowFlip ? 'rises above' : 'falls below'} ${flipName(scope)} at ${level(flip)}.`
}

export function dealerReasons(figures: DealerFigures): Reasons {
  const { gex, vex, callWall, putWall } = figures
  const walls =
    callWall === undefined || putWall === undefined
      ? undefined
      : `The put wall is at ${level(putWall)} and the call wall at ${level(callWall)}.`
  return {
    why: sentences(
      `Net gamma is ${money(gex)} per 1% move.`,
      flipReading(figures) ?? 'There is no gamma flip near spot.',
      walls,
      `Net vanna is ${money(vex / 100)} per volatility point.`
    ),
    avoidIf: sentences(flipCondition(figures), "The next morning's open interest moves the levels.")
  }
}

export function positioningReasons(figures: PinFigures): Reasons {
  const { maxPain, painDistance, expiry, days, concentration, openInterest } = figures
  return {
    why: sentences(
      `Max pain of ${expiry}, ${daysAway(days)}, is at ${level(maxPain)}, ${percent(painDistance)} from spot.`,
      openReading(openInterest, concentration),
      flipReading(figures, 'expiration')
    ),
    avoidIf: sentences(`Spot moves away from ${level(maxPain)}.`, flipCondition(figures, 'expiration'))
  }
}

const daysAway = (days: number) => (days === 0 ? 'which is today' : `${withNoun(days, 'day')} away`)

const openReading = (openInterest: number, concentration: number) =>
  `Open interest is ${withNoun(openInterest, 'contract')}, with a concentration score of ${concentration}.`

export function flowReasons(figures: FlowFigures): Reasons {
  const { bias, volumeRatio, volume, openInterest, dominantPremium, dominantShare, dominantSide, busiestThree } =
    figures
  const traded =
    volumeRatio === undefined
      ? `Only calls have traded: ${withNoun(volume, 'contract')}.`
      : volumeRatio === 0
        ? `Only puts have traded: ${withNoun(volume, 'contract')}.`
        : `Call volume is ${multiple(volumeRatio)} times put volume, on ${withNoun(volume, 'contract')} in all.`
  return {
    why: sentences(
      traded,
      dominantShare === undefined || dominantSide === undefined
        ? undefined
        : `${dominantSide === 'calls' ? 'Calls' : 'Puts'} account for ${percent(100 * dominantShare)} of the premium traded: ${money(dominantPremium)}.`,
      `The busiest strikes, three at most, account for ${percent(100 * busiestThree)} of the volume.`,
      openInterest === 0 ? undefined : `Volume is ${multiple(volume / openInterest)} times open interest.`
    ),
    avoidIf: [
      'The volume turns out to be one spread or one roll.',
      bias === 'neutral' ? 'Volume leans to one side later in the session.' : 'The other side catches up in volume.'
    ]
  }
}

/** Conditions that end a reading of the wings of a smile. */
const wingsMayChange = [
  'The quotes of the wings widen or disappear.',
  'Earnings or another scheduled event falls before the expiration.'
]

const strikesReading = (strikes: number) => `The smile rests on ${withNoun(strikes, 'quoted strike')}.`

/** A difference in vol points as its size and the word for its sign, such as `2.1 vol points above`. */
const apart = (difference: number, [above, below]: readonly [string, string] = ['above', 'below']) =>
  `${points(Math.abs(difference))} vol points ${difference < 0 ? below : above}`

export function skewReasons({ put25, call25, riskReversal, slope, points: strikes, atm }: SkewFigures): Reasons {
  return {
    why: [
      `The 25-delta put trades at ${points(put25)}% volatility and the 25-delta call at ${points(call25)}%, against ${points(atm)}% at the money.`,
      `The risk reversal, call minus put, is ${points(riskReversal)} vol points, and the slope ${points(slope)} vol points per 10% of moneyness.`,
      strikesReading(strikes)
    ],
    avoidIf: wingsMayChange
  }
}

export function surfaceReasons(figures: SurfaceFigures): Reasons {
  const { expiry, putRichness, callRichness, fitQuality, points: residuals, dominantWing } = figures
  const wing = (side: string, richness: number | undefined) =>
    richness === undefined
      ? undefined
      : `Quotes of the ${side} wing of ${expiry} are ${apart(richness)} the fitted smile.`
  return {
    why: sentences(
      wing('put', putRichness),
      wing('call', callRichness),
      `The fit over ${withNoun(residuals.length, 'strike')} has a quality score of ${fitQuality}.`
    ),
    avoidIf: sentences(
      'The fit is rejected or its quality drops.',
      dominantWing === 'none' ? undefined : `The ${dominantWing} wing comes back to the fit.`
    )
  }
}

export function tailReasons({ put10, atm, call10, downside, asymmetry, points: strikes }: TailFigures): Reasons {
  return {
    why: sentences(
      `The 10-delta put trades at ${points(put10)}% volatility, ${apart(downside)} the ${points(atm)}% at the money.`,
      call10 === undefined || asymmetry === undefined
        ? undefined
        : `The 10-delta call trades at ${points(call10)}%: the put is ${apart(asymmetry)} it.`,
      strikesReading(strikes)
    ),
    avoidIf: wingsMayChange
  }
}

export function termReasons({ front, back, slope, points: curve }: TermFigures): Reasons {
  return {
    why: [
      `At-the-money volatility is ${points(front)}% at the front of the curve and ${points(back)}% at the back.`,
      `The slope is ${points(slope)} vol points over ${withNoun(curve.length, 'expiration')}.`
    ],
    avoidIf: ['An event lifts the volatility of a single expiration.', 'The front expiration is about to expire.']
  }
}

export function carryReasons(figures: CarryFigures): Reasons {
  const { atmIv, realized, premium, percentile, sessions, realizedChange, skew25, termSlope } = figures
  return {
    why: sentences(
      `At-the-money volatility is ${points(atmIv)}% against ${points(realized)}% realized over 20 days, ${apart(premium)} it.`,
      `That difference is at percentile ${percentile} of ${withNoun(sessions, 'session')}.`,
      realizedChange === undefined
        ? undefined
        : `Realized volatility has ${realizedChange < 0 ? 'fallen' : 'risen'} by ${points(Math.abs(realizedChange))} vol points in five sessions.`,
      skew25 === undefined ? undefined : `25-delta puts are ${apart(skew25)} calls.`,
      termSlope === undefined
        ? undefined
        : `30-day volatility is ${percent(Math.abs(termSlope))} ${termSlope < 0 ? 'below' : 'above'} 7-day volatility.`
    ),
    avoidIf: sentences(
      'The company reports earnings before the expiration.',
      'Realized volatility rises above implied.',
      termSlope !== undefined && termSlope > 0 ? 'The term structure inverts.' : undefined
    )
  }
}

export function yieldReasons({ pick, days, ivRank, earningsBefore, dividends, isUncoverable }: YieldFigures): Reasons {
  const rank =
    ivRank === undefined
      ? undefined
      : `Implied volatility is at ${percent(ivRank)} of its range over the last 30 sessions.`
  if (isUncoverable) {
    return {
      why: ['Nobody can own an index, so nothing covers a call on it.'],
      avoidIf: ['You sell the call without cover.']
    }
  }
  if (pick === undefined) {
    return {
      why: sentences(`No option ${daysOut(days)} has a delta near the target and enough open interest.`, rank),
      avoidIf: ['A strike near the target delta gains open interest.']
    }
  }
  const { strike, premium, annualYield, delta, assignment, surrendered } = pick
  return {
    why: sentences(
      `The ${level(strike)} strike pays ${level(premium)} a share for ${withNoun(days, 'day')}, ${percent(annualYield)} annualized.`,
      `Its delta is ${multiple(delta)}; the chance of assignment is ${percent(100 * assignment)}.`,
      rank
    ),
    avoidIf: sentences(
      'You do not want to be assigned at the strike.',
      earningsBefore === true ? 'The company reports earnings before the expiration.' : undefined,
      ...(surrendered === undefined ? [] : dividendConditions(dividends))
    )
  }
}

const daysOut = (days: number) => (days === 0 ? 'that expires today' : `${withNoun(days, 'day')} out`)

/** Number of dividends that are named, the next ones. The answer lists all. */
const MAX_DIVIDENDS = 2

/** Conditions of dividends on a sold call: those that are known by date and amount, or any where none is known. */
function dividendConditions(dividends: YieldFigures['dividends']): readonly string[] {
  if (dividends === undefined) return ['The stock goes ex-dividend before the expiration.']
  return dividends
    .slice(0, MAX_DIVIDENDS)
    .map(({ exDate, amount }) => `The stock goes ex a dividend of ${level(amount)} on ${exDate}.`)
}

export function zeroDteReasons(figures: ZeroDteFigures): Reasons {
  const { maxPain, painDistance, minutesToClose, concentration, openInterest, moveOfDay } = figures
  return {
    why: sentences(
      `Max pain is at ${level(maxPain)}, ${percent(painDistance)} from spot.`,
      openReading(openInterest, concentration),
      minutesToClose === 0
        ? 'No full minute is left to the close.'
        : `${withNoun(minutesToClose, 'minute')} ${minutesToClose === 1 ? 'is' : 'are'} left to the close.`,
      flipReading(figures, 'expiration'),
      dayReading(figures)
    ),
    avoidIf: sentences(
      flipCondition(figures, 'expiration'),
      moveOfDay === undefined
        ? undefined
        : `Spot moves more than ${level(moveOfDay)} from its open, the expected move.`,
      'News is scheduled before the close.'
    )
  }
}

/** How much of the move expected for the day spot has made. */
function dayReading({ consumed, moveOfDay }: ZeroDteFigures): string | undefined {
  if (consumed === undefined || moveOfDay === undefined) return undefined
  return consumed <= 100
    ? `Spot has used ${percent(consumed)} of the move expected for the day.`
    : `Spot is farther from its open than the ${level(moveOfDay)} expected for the day.`
}
