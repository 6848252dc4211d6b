import { atTheMoney } from '../../exposure/at-the-money/at-the-money.ts'
import { maxPain, totalOpenInterest } from '../../exposure/pin/max-pain.ts'
import { painDistance } from '../../exposure/pin/max-pain-signal.ts'
import { maxPainPin } from '../../exposure/pin/pin-risk.ts'
import { liveOn, liveScope } from '../../exposure/scope.ts'
import { daysToExpiry } from '../../market/clock.ts'
import type { IsoDate } from '../../market/units.ts'
import { withinUnit } from '../../math/unit-interval.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { chosenExpiry } from './expiry-choice.ts'
import { type GammaSetting, gammaSetting } from './gamma-setting.ts'
import { rankedStructures } from './ranking.ts'
import { MAX_AVOIDED, type StrategyAssessment, scoreOf, verdictOf } from './strategy-assessment.ts'
import { ironFly } from './structures.ts'
import { tradableOn } from './tradable-contracts.ts'

export const positioningRegimes = ['strong_pin_likely', 'moderate_pin', 'no_pin_setup'] as const
export type PositioningRegime = (typeof positioningRegimes)[number]

export interface PinFigures extends GammaSetting {
  readonly maxPain: number
  /** Absolute distance between spot and max pain, in percent of spot. */
  readonly painDistance: number
  /** How much open interest is concentrated on a few strikes: a score, a whole number from 0 to 100. */
  readonly concentration: number
  readonly openInterest: number
  readonly expiry: IsoDate
  readonly days: number
}

export interface FlyTerms {
  readonly minOpenInterest: number
  /** Distance between the strike of the body and the strike of each bought wing, USD. */
  readonly wingWidth: number
}

export const FULL_OPEN_INTEREST = 20_000
const regimeOf = { candidate: 'strong_pin_likely', neutral: 'moderate_pin', avoid: 'no_pin_setup' } as const

/**
 * How strongly max pain attracts the price: its pin probability, which is limited while dealers are short gamma.
 * Source: the published API contract, /v1/strategies/expiry-positioning.
 */
export function expiryPositioningSignal(
  chain: PricedChain,
  asked: IsoDate | undefined,
  { minOpenInterest, wingWidth }: FlyTerms
): StrategyAssessment<PositioningRegime, PinFigures> {
  const expiry = chosenExpiry(chain, asked)
  if (expiry === undefined) return { regime: 'no_pin_setup', missing: 'expiration', scope: liveScope(chain) }
  const scope = liveOn(chain, expiry)
  const strike = maxPain(scope)
  if (strike === undefined) return { regime: 'no_pin_setup', missing: 'open_interest', scope }
  const setting = gammaSetting(scope)
  const pin = maxPainPin(scope, { strike, date: expiry, straddle: atTheMoney(scope)?.straddle })
  const score = scoreOf(pin.score, setting.isBelowFlip ? MAX_AVOIDED : 100)
  const verdict = verdictOf(score)
  const on = verdict === 'avoid' ? undefined : tradableOn(chain, expiry, minOpenInterest)
  const openInterest = totalOpenInterest(scope)
  return {
    regime: regimeOf[verdict],
    figures: {
      ...setting,
      maxPain: strike,
      painDistance: painDistance(chain.spot, strike).percent,
      concentration: Math.round(pin.oi),
      openInterest,
      expiry,
      days: daysToExpiry(chain.asOf, expiry)
    },
    score,
    verdict,
    sample: withinUnit(openInterest / FULL_OPEN_INTEREST),
    scope,
    expiry,
    structures: rankedStructures([on && ironFly(on, strike, wingWidth)], score),
    risks: [],
    gammaFlip: setting.flip
  }
}
