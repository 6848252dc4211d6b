import { liveOn, liveScope } from '../../exposure/scope.ts'
import type { IsoDate } from '../../market/units.ts'
import { difference } from '../../math/optional.ts'
import { withinUnit } from '../../math/unit-interval.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { tailsOf } from '../../volatility/smile/skew.ts'
import { atmVolatility } from '../../volatility/smile/smile-volatility.ts'
import { chosenSlice } from './expiry-choice.ts'
import { type StrategyAssessment, scoreOf } from './strategy-assessment.ts'

export const tailRegimes = ['expensive_tail', 'cheap_tail', 'symmetric_tail', 'no_tail_data'] as const
export type TailRegime = (typeof tailRegimes)[number]

/** Tails of the smile of one expiration. Volatilities are in percent, differences in vol points. */
export interface TailFigures {
  readonly expiry: IsoDate
  readonly days: number
  readonly atm: number
  readonly put10: number
  readonly call10: number | undefined
  readonly downside: number
  readonly asymmetry: number | undefined
  readonly points: number
}

/** Limits between the tail regimes, as fractions of at-the-money volatility. */
const SYMMETRIC = 0.1
const EXPENSIVE = 0.3
const CHEAP = 0.15
const FULL_SCORE = 0.6
const FULL_SAMPLE = 20

/**
 * How expensive the 10-delta put of an expiration is, compared with at-the-money volatility. Source: the published API
 * contract, /v1/strategies/tail-pricing.
 */
export function tailPricingSignal(
  chain: PricedChain,
  asked: IsoDate | undefined
): StrategyAssessment<TailRegime, TailFigures> {
  const chosen = chosenSlice(chain, asked)
  if (chosen === undefined) {
    return { regime: 'no_tail_data', missing: 'expiration', scope: liveScope(chain) }
  }
  const { expiry, slice } = chosen
  const scope = liveOn(chain, expiry)
  const tails = tailsOf(slice)
  if (tails === undefined) {
    const missing = atmVolatility(slice) === undefined ? 'volatility' : 'tenth_delta_put'
    return { regime: 'no_tail_data', missing, scope }
  }
  const { atm, put10, call10 } = tails
  const downside = put10 - atm
  const asymmetry = difference(put10, call10)
  const points = slice.points.size
  return {
    regime: regimeOf(downside / atm, asymmetry === undefined ? undefined : asymmetry / atm),
    figures: { expiry, days: slice.days, atm, put10, call10, downside, asymmetry, points },
    score: scoreOf(100 * withinUnit(downside / atm / FULL_SCORE)),
    verdict: 'neutral',
    sample: withinUnit(points / FULL_SAMPLE),
    scope,
    expiry,
    structures: [],
    risks: [],
    gammaFlip: undefined
  }
}

/**
 * Regime of the tails. `downside` is the premium of the downside tail, `asymmetry` its difference from the upside tail,
 * both as fractions of at-the-money volatility.
 */
function regimeOf(downside: number, asymmetry: number | undefined): TailRegime {
  if (asymmetry !== undefined && Math.abs(asymmetry) <= SYMMETRIC) return 'symmetric_tail'
  if (downside >= EXPENSIVE) return 'expensive_tail'
  return downside <= CHEAP ? 'cheap_tail' : 'symmetric_tail'
}
