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
import { grouped, level, money, multiple, percent, points } from './format.ts'

/** Reasons for a strategy signal, each with its figure, and conditions under which the signal would no longer hold. */
export interface Reasons {
  /** One to five reasons, each a sentence. */
  readonly why: readonly string[]
  /** One to four conditions under which the signal would no longer hold, each a sentence. */
  readonly avoidIf: readonly string[]
}

export const sentences = (...texts: readonly (string | undefined)[]) => texts.filter((one) => one !== undefined)

export function flipReading({ flip, distance }: Pick<GammaSetting, 'flip' | 'distance'>): string | undefined {
  if (flip === undefined || distance === undefined) return undefined
  const side = distance < 0 ? 'below' : 'above'
  return `Spot is ${percent(Math.abs(distance))} ${side} the gamma flip at ${level(flip)}.`
}

export function flipCondition({ flip }: Pick<GammaSetting, 'flip'>): string | undefined {
  return flip === undefined ? undefined : `Spot trades below the gamma flip at ${level(flip)}.`
}

export function dealerReasons(figures: DealerFigures): Reasons {
  const { gex, vex, callWall, putWall } = figures
  const walls =
    callWall === undefined || putWall === undefined
      ? undefined
      : `The put wall is at ${level(putWall)}, the call wall at ${level(callWall)}.`
  return {
    why: sentences(
      `Net gamma of dealers is ${money(gex)} per 1% move.`,
      flipReading(figures) ?? 'Net gamma crosses zero nowhere near spot.',
      walls,
      `Net vanna is ${money(vex)} per vol unit.`
    ),
    avoidIf: sentences(
      gex > 0 ? flipCondition(figures) : 'Spot rises above the gamma flip.',
      'Open interest of the next morning moves the walls.'
    )
  }
}

export function positioningReasons(figures: PinFigures): Reasons {
  const { maxPain, painDistance, expiry, days, concentration, openInterest } = figures
  return {
    why: sentences(
      `Max pain of ${expiry}, ${days} days away, is at ${level(maxPain)}, ${percent(painDistance)} from spot.`,
      `${grouped(openInterest)} contracts are open; their concentration scores ${concentration}.`,
      flipReading(figures)
    ),
    avoidIf: sentences(`Spot leaves the neighbourhood of ${level(maxPain)}.`, flipCondition(figures))
  }
}

export function flowReasons(figures: FlowFigures): Reasons {
  const { bias, volumeRatio, volume, openInterest, dominantPremium, dominantShare, dominantSide, busiestThree } =
    figures
  return {
    why: sentences(
      volumeRatio === undefined
        ? `Only calls have traded, ${grouped(volume)} contracts.`
        : `Calls trade ${multiple(volumeRatio)} times the volume of puts, ${grouped(volume)} contracts in all.`,
      dominantShare === undefined || dominantSide === undefined
        ? undefined
        : `${dominantSide === 'calls' ? 'Calls' : 'Puts'} make ${percent(100 * dominantShare)} of the premium, ${money(dominantPremium)}.`,
      `The three busiest strikes hold ${percent(100 * busiestThree)} of the volume.`,
      openInterest === 0 ? undefined : `Volume is ${percent((100 * volume) / openInterest)} of open interest.`
    ),
    avoidIf: [
      'The volume turns out to be one spread or one roll.',
      bias === 'neutral' ? 'Volume leans to one side later in the session.' : 'The other side catches up in volume.'
    ]
  }
}

export function skewReasons({ put25, call25, riskReversal, slope, points: strikes, atm }: SkewFigures): Reasons {
  return {
    why: [
      `The 25-delta put costs ${points(put25)} and the call ${points(call25)} vol points, ${points(atm)} at the money.`,
      `The risk reversal is ${points(riskReversal)} vol points, the slope ${points(slope)} per 10% of moneyness.`,
      `The smile rests on ${strikes} quoted strikes.`
    ],
    avoidIf: ['The quotes of the wings widen or vanish.', 'A report or a decision falls before the expiration.']
  }
}

export function surfaceReasons(figures: SurfaceFigures): Reasons {
  const { expiry, putRichness, callRichness, fitQuality, points: residuals, dominantWing } = figures
  const wing = (side: string, richness: number | undefined) =>
    richness === undefined
      ? undefined
      : `Quotes of the ${side} wing of ${expiry} lie ${points(richness)} vol points over the fitted smile.`
  return {
    why: sentences(
      wing('put', putRichness),
      wing('call', callRichness),
      `The fit over ${residuals.length} strikes has a quality of ${fitQuality}.`
    ),
    avoidIf: sentences(
      'The fit is refused or its quality falls.',
      dominantWing === 'none' ? undefined : `The ${dominantWing} wing comes back to the fit.`
    )
  }
}

export function tailReasons({ put10, atm, call10, downside, asymmetry, points: strikes }: TailFigures): Reasons {
  return {
    why: sentences(
      `The 10-delta put costs ${points(put10)} vol points, ${points(downside)} over the ${points(atm)} at the money.`,
      call10 === undefined || asymmetry === undefined
        ? undefined
        : `The 10-delta call costs ${points(call10)}: the put is ${points(asymmetry)} dearer.`,
      `The smile rests on ${strikes} quoted strikes.`
    ),
    avoidIf: ['The quotes of the tail widen or vanish.', 'A report or a decision falls before the expiration.']
  }
}

export function termReasons({ front, back, slope, points: curve }: TermFigures): Reasons {
  return {
    why: [
      `Volatility at the money is ${points(front)} in front and ${points(back)} at the back of the curve.`,
      `The slope is ${points(slope)} vol points over ${grouped(curve.length)} expirations.`
    ],
    avoidIf: ['An event lifts the volatility of a single expiration.', 'The front expiration is about to end.']
  }
}

export function carryReasons(figures: CarryFigures): Reasons {
  const { atmIv, realized, premium, percentile, sessions, realizedChange, skew25, termSlope } = figures
  return {
    why: sentences(
      `Volatility at the money is ${points(atmIv)} against ${points(realized)} realized: ${points(premium)} vol points of premium.`,
      `That is percentile ${percentile} of ${sessions} sessions.`,
      realizedChange === undefined
        ? undefined
        : `Realized volatility has changed by ${points(realizedChange)} vol points in five sessions.`,
      skew25 === undefined ? undefined : `25-delta puts cost ${points(skew25)} vol points more than calls.`,
      termSlope === undefined ? undefined : `Volatility of 30 days stands ${percent(termSlope)} over that of 7 days.`
    ),
    avoidIf: sentences(
      'The company reports before the expiration.',
      'Realized volatility rises above implied.',
      termSlope !== undefined && termSlope > 0 ? 'The term structure inverts.' : undefined
    )
  }
}

export function yieldReasons({ pick, days, ivRank, earningsBefore }: YieldFigures): Reasons {
  const rank = ivRank === undefined ? undefined : `Volatility ranks at ${percent(ivRank)} of its last 30 sessions.`
  if (pick === undefined) {
    return {
      why: sentences(`No option ${days} days out has a delta near the target and enough open interest.`, rank),
      avoidIf: ['The chain stays as thin as it is.']
    }
  }
  const { strike, premium, annualYield, delta, assignment, surrendered } = pick
  return {
    why: sentences(
      `The ${level(strike)} strike pays ${level(premium)} for ${days} days, ${percent(annualYield)} a year.`,
      `Its delta is ${multiple(delta)}; assignment has a chance of ${percent(100 * assignment)}.`,
      rank
    ),
    avoidIf: sentences(
      'Assignment at the strike is not wanted.',
      earningsBefore === true ? 'The company reports before the expiration.' : undefined,
      surrendered === undefined ? undefined : 'A dividend goes ex before the expiration.'
    )
  }
}

export function zeroDteReasons(figures: ZeroDteFigures): Reasons {
  const { maxPain, painDistance, minutesToClose, consumed, concentration, openInterest, moveOfDay } = figures
  return {
    why: sentences(
      `Max pain is at ${level(maxPain)}, ${percent(painDistance)} from spot.`,
      `${grouped(openInterest)} contracts are open; their concentration scores ${concentration}.`,
      `${minutesToClose} minutes are left to the close.`,
      flipReading(figures),
      consumed === undefined ? undefined : `Spot has gone ${percent(consumed)} of the move expected of the day.`
    ),
    avoidIf: sentences(
      flipCondition(figures),
      moveOfDay === undefined ? undefined : `Spot goes beyond the ${level(moveOfDay)} expected of the day.`,
      'News is due before the close.'
    )
  }
}
