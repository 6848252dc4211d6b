import { executionQuality } from '../../exposure/liquidity/execution.ts'
import { liveOn, type Scope } from '../../exposure/scope.ts'
import type { IsoDate } from '../../market/units.ts'
import type { DataDistrust } from '../../quality/chain-assessment.ts'
import type { RankedStructure } from './ranking.ts'
import { type RiskCode, riskFlags } from './risk-flags.ts'
import { qualityOfNothing, type ReadAt, type SignalQuality, signalQuality } from './signal-quality.ts'
import type { MissingInput, StrategyAssessment, Verdict } from './strategy-assessment.ts'

export interface Decision<Regime extends string, Figures> {
  readonly verdict: Verdict
  readonly score: number
  /** How much the signal can be trusted, 0 to 1, not rounded. */
  readonly confidence: number
  readonly regime: Regime
  readonly structures: readonly RankedStructure[]
  readonly figures: Figures | undefined
  readonly missing: MissingInput | undefined
  readonly risks: readonly RiskCode[]
  readonly quality: SignalQuality
}

/** Decision for a moment for which nothing was recorded. Its verdict is insufficient_data, and it proposes nothing. */
export function uncovered<Regime extends string>(regime: Regime): Decision<Regime, never> {
  const nothing = { verdict: 'insufficient_data', score: 0, confidence: 0, figures: undefined } as const
  return { ...nothing, regime, missing: 'coverage', structures: [], risks: [], quality: qualityOfNothing }
}

/**
 * Decision from data that contradict themselves. Its verdict is insufficient_data, it proposes nothing, and its data
 * quality is no better than that of the chain.
 */
export function distrusted<Regime extends string>(
  regime: Regime,
  scope: Scope,
  at: ReadAt,
  distrust: Pick<DataDistrust, 'score'>
): Decision<Regime, never> {
  const { score, warnings } = signalQuality(scope, at)
  const quality = { score: Math.min(score, distrust.score), warnings }
  const nothing = { verdict: 'insufficient_data', score: 0, confidence: 0, figures: undefined } as const
  return { ...nothing, regime, missing: undefined, structures: [], risks: [], quality }
}

/**
 * Turns an assessment into a decision. If an input of the signal is missing, the score is 0 and nothing is proposed.
 * Confidence combines data quality, sample size, and the liquidity of the first structure, or of the expiration if
 * there is no structure. Source: the published API contract, x-conventions.envelope and confidence.
 */
export function decisionOf<Regime extends string, Figures>(
  assessment: StrategyAssessment<Regime, Figures>,
  at: ReadAt,
  earnings: readonly IsoDate[] | undefined
): Decision<Regime, Figures> {
  const { regime, scope } = assessment
  const quality = signalQuality(scope, at)
  if (assessment.missing !== undefined) {
    const { missing } = assessment
    const nothing = { structures: [], figures: undefined, risks: [] }
    return { verdict: 'insufficient_data', score: 0, confidence: 0, regime, missing, quality, ...nothing }
  }
  const { verdict, score, structures, figures, sample, expiry } = assessment
  const execution = expiry && executionQuality(liveOn(scope.chain, expiry)).score / 100
  const liquidity = structures.at(0)?.liquidity ?? execution ?? 0.5
  return {
    verdict,
    score,
    confidence: (0.5 * quality.score) / 100 + 0.3 * sample + 0.2 * liquidity,
    regime,
    structures,
    figures,
    missing: undefined,
    risks: riskFlags(assessment, earnings),
    quality
  }
}
