import { putCallTotals, tradedPremium, volumeConcentration } from '../../exposure/open-interest/put-call-totals.ts'
import { liveOn, liveScope } from '../../exposure/scope.ts'
import { gammaFlip } from '../../exposure/spot-ladder/gamma-flip.ts'
import type { IsoDate } from '../../market/units.ts'
import { ratio } from '../../math/optional.ts'
import { withinUnit } from '../../math/unit-interval.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { chosenExpiry, tradedExpiry } from './expiry-choice.ts'
import { rankedStructures, variantDeltas } from './ranking.ts'
import { MAX_AVOIDED, type StrategyAssessment, scoreOf, verdictOf } from './strategy-assessment.ts'
import { shortVertical } from './structures.ts'
import { tradableOn } from './tradable-contracts.ts'

export const flowRegimes = ['bullish_flow_imbalance', 'bearish_flow_imbalance', 'neutral_flow'] as const
export type FlowRegime = (typeof flowRegimes)[number]
export const flowBiases = ['bullish', 'bearish', 'neutral'] as const
export type FlowBias = (typeof flowBiases)[number]

export interface FlowFigures {
  readonly bias: FlowBias
  /** Call volume divided by put volume. Undefined if no puts traded. */
  readonly volumeRatio: number | undefined
  readonly oiRatio: number | undefined
  readonly volume: number
  readonly openInterest: number
  /** Premium traded in calls or in puts, whichever is larger, USD. */
  readonly dominantPremium: number
  readonly dominantSide: 'calls' | 'puts' | undefined
  /** Share of the traded premium that belongs to the larger side, a fraction. Undefined if nothing traded. */
  readonly dominantShare: number | undefined
  readonly busiestThree: number
}

/** Flow is bullish if call volume / put volume is at least BULLISH, and bearish if it is at most BEARISH. */
const [BULLISH, BEARISH] = [1.25, 0.8]
const CONTRADICTED = 0.8
const FULL_SAMPLE = 5000
const SHORT_DELTA = 0.25

/**
 * Finds whether calls or puts traded more in the trading session, from the volumes of a chain. Who bought and who sold
 * does not matter. Source: the published API contract, /v1/strategies/flow-anomaly.
 */
export function flowAnomalySignal(
  chain: PricedChain,
  asked: IsoDate | undefined
): StrategyAssessment<FlowRegime, FlowFigures> {
  const traded = tradedExpiry(chain, asked)
  if (asked !== undefined && chosenExpiry(chain, asked) === undefined) {
    return { regime: 'neutral_flow', missing: 'expiration', scope: liveScope(chain) }
  }
  const scope = asked === undefined ? liveScope(chain) : liveOn(chain, asked)
  const { callVolume, putVolume, callOi, putOi } = putCallTotals(scope)
  const volume = callVolume + putVolume
  if (volume === 0) return { regime: 'neutral_flow', missing: 'volume', scope }
  const { calls, puts } = tradedPremium(scope)
  const volumeRatio = ratio(callVolume, putVolume)
  const bias = biasOf(volumeRatio)
  const dominantSide = calls === puts ? undefined : calls > puts ? 'calls' : 'puts'
  const figures: FlowFigures = {
    bias,
    volumeRatio,
    oiRatio: ratio(callOi, putOi),
    volume,
    openInterest: callOi + putOi,
    dominantPremium: Math.max(calls, puts),
    dominantSide,
    dominantShare: ratio(Math.max(calls, puts), calls + puts),
    busiestThree: volumeConcentration(scope).busiestThree! / 100
  }
  const score = scoreOf(weighed(figures), bias === 'neutral' ? MAX_AVOIDED : 100)
  const on = traded === undefined || bias === 'neutral' ? undefined : tradableOn(chain, traded)
  const right = bias === 'bullish' ? 'put' : 'call'
  const isDivergent = dominantSide !== undefined && (callVolume - putVolume) * (calls - puts) < 0
  return {
    regime: bias === 'neutral' ? 'neutral_flow' : `${bias}_flow_imbalance`,
    figures,
    score,
    verdict: verdictOf(score),
    sample: withinUnit(volume / FULL_SAMPLE),
    scope,
    expiry: traded,
    structures: rankedStructures(
      on === undefined ? [] : variantDeltas(SHORT_DELTA).map((at) => shortVertical(on, right, at)),
      score
    ),
    risks: isDivergent ? ['PREMIUM_VOLUME_DIVERGENCE'] : [],
    gammaFlip: gammaFlip(scope)
  }
}

/** Bias that follows from call volume / put volume. Bullish if no puts traded. */
function biasOf(volumeRatio: number | undefined): FlowBias {
  if (volumeRatio === undefined || volumeRatio >= BULLISH) return 'bullish'
  return volumeRatio <= BEARISH ? 'bearish' : 'neutral'
}

/**
 * Score of the flow. It combines imbalance, agreement of premium with volume, concentration and activity. It is reduced
 * if premium contradicts volume.
 */
function weighed({ bias, volumeRatio, dominantSide, dominantShare, busiestThree, volume, openInterest }: FlowFigures) {
  const imbalance =
    volumeRatio === undefined || volumeRatio === 0 ? 1 : withinUnit(Math.abs(Math.log(volumeRatio)) / Math.log(2.5))
  const isContradicted = bias !== 'neutral' && dominantSide === (bias === 'bullish' ? 'puts' : 'calls')
  const agrees = bias !== 'neutral' && !isContradicted && dominantShare !== undefined
  const agreement = agrees ? withinUnit((dominantShare - 0.5) / 0.2) : 0
  const activity = openInterest === 0 ? 1 : withinUnit(volume / (0.25 * openInterest))
  const sum = 0.5 * imbalance + 0.2 * agreement + 0.15 * withinUnit(busiestThree / 0.5) + 0.15 * activity
  return 100 * sum * (isContradicted ? CONTRADICTED : 1)
}
