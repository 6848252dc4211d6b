import type { Scope } from '../../exposure/scope.ts'
import type { IsoDate } from '../../market/units.ts'
import type { RankedStructure } from './ranking.ts'
import type { RiskCode } from './risk-flags.ts'

export const verdicts = ['insufficient_data', 'avoid', 'neutral', 'candidate'] as const
export type Verdict = (typeof verdicts)[number]

export type MissingInput =
  | 'coverage'
  | 'expiration'
  | 'income_expiration'
  | 'same_day_expiration'
  | 'volume'
  | 'open_interest'
  | 'greeks'
  | 'fitted_smile'
  | 'quarter_delta_wings'
  | 'tenth_delta_put'
  | 'volatility'
  | 'realized_volatility'
  | 'history'

/** Result of a signal for which all inputs were available. */
export interface SignalReading<Regime extends string, Figures> {
  readonly regime: Regime
  readonly figures: Figures
  readonly score: number
  readonly verdict: Exclude<Verdict, 'insufficient_data'>
  /** Sample size divided by the size that counts as full, 0 to 1. */
  readonly sample: number
  readonly scope: Scope
  /** Expiration that the signal analyzes or trades. Undefined if the signal is about the whole term structure. */
  readonly expiry: IsoDate | undefined
  readonly structures: readonly RankedStructure[]
  /** Risks that only this signal raises. `riskFlags` adds those common to all signals. */
  readonly risks: readonly RiskCode[]
  /** Gamma flip of the scope. Undefined if dealer hedging does not matter to the signal. */
  readonly gammaFlip: number | undefined
  readonly missing?: undefined
}

/** Result of a signal for which an input is missing. */
export interface UnreadableSignal<Regime extends string> {
  readonly regime: Regime
  readonly missing: MissingInput
  readonly scope: Scope
}

export type StrategyAssessment<Regime extends string, Figures> =
  | SignalReading<Regime, Figures>
  | UnreadableSignal<Regime>

/**
 * Minimum scores for the verdicts candidate (`CANDIDATE`) and neutral (`NEUTRAL`). Source: the published API contract.
 */
const CANDIDATE = 70
const NEUTRAL = 40
/** Highest score that still has the verdict avoid. It limits signals that must have this verdict. */
export const MAX_AVOIDED = NEUTRAL - 1

/** Verdict that a score gives to a trade. */
export function verdictOf(score: number): 'avoid' | 'neutral' | 'candidate' {
  if (score >= CANDIDATE) return 'candidate'
  return score >= NEUTRAL ? 'neutral' : 'avoid'
}

/** Rounds a weighted sum to a whole number from 0 to `most`. */
export function scoreOf(sum: number, most = 100): number {
  return Math.round(Math.min(100, most, Math.max(0, sum)))
}
