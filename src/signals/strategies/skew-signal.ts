import { liveOn, liveScope } from '../../exposure/scope.ts'
import type { IsoDate } from '../../market/units.ts'
import { withinUnit } from '../../math/unit-interval.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { type QuarterSkew, quarterSkewOf, skewSlope } from '../../volatility/smile/skew.ts'
import { chosenSlice } from './expiry-choice.ts'
import { type StrategyAssessment, scoreOf } from './strategy-assessment.ts'

export const skewRegimes = ['put_skew', 'call_skew', 'flat_skew', 'no_skew_data'] as const
export type SkewRegime = (typeof skewRegimes)[number]

/** Skew of one expiration. Volatilities are in percent, differences in vol points. */
export interface SkewFigures extends Pick<QuarterSkew, 'atm' | 'put25' | 'call25'> {
  readonly expiry: IsoDate
  readonly days: number
  readonly riskReversal: number
  /** Slope of the smile in vol points per 10 % of log-moneyness. */
  readonly slope: number
  readonly dominantWing: 'put' | 'call' | 'none'
  readonly points: number
}

/**
 * Skew from which a wing is dominant (`MIN_SKEW`), and skew that gives a full score, both as fractions of at-the-money
 * volatility.
 */
const MIN_SKEW = 0.05
const FULL_SKEW = 0.4
const FULL_SAMPLE = 20

/**
 * Signal from the skew between the 25-delta put and the 25-delta call of an expiration. Source: the published API
 * contract, /v1/strategies/skew.
 */
export function skewSignal(
  chain: PricedChain,
  asked: IsoDate | undefined
): StrategyAssessment<SkewRegime, SkewFigures> {
  const chosen = chosenSlice(chain, asked)
  if (chosen === undefined) {
    return { regime: 'no_skew_data', missing: 'expiration', scope: liveScope(chain) }
  }
  const { expiry, slice } = chosen
  const scope = liveOn(chain, expiry)
  const skew = quarterSkewOf(slice)
  if (skew === undefined) return { regime: 'no_skew_data', missing: 'quarter_delta_wings', scope }
  const { atm, put25, call25, skew25 } = skew
  const relative = skew25 / atm
  const dominantWing = relative >= MIN_SKEW ? 'put' : relative <= -MIN_SKEW ? 'call' : 'none'
  const points = slice.points.size
  return {
    regime: dominantWing === 'none' ? 'flat_skew' : `${dominantWing}_skew`,
    figures: {
      expiry,
      days: slice.days,
      atm,
      put25,
      call25,
      riskReversal: call25 - put25,
      slope: skewSlope(skew, slice.t),
      dominantWing,
      points
    },
    score: scoreOf(100 * withinUnit(Math.abs(relative) / FULL_SKEW)),
    verdict: 'neutral',
    sample: withinUnit(points / FULL_SAMPLE),
    scope,
    expiry,
    structures: [],
    risks: [],
    gammaFlip: undefined
  }
}
