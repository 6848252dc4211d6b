import type { Scope } from '../../exposure/scope.ts'
import type { IsoDate } from '../../market/units.ts'
import type { RankedStructure } from './ranking.ts'
import type { RiskCode } from './risk-flags.ts'

export const verdicts = ['insufficient_data', 'avoid', 'neutral', 'candidate'] as const
export type Verdict = (typeof verdicts)[number]

export type MissingInput =
  | 'coverage'
  | 'expiration'
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

/** Result of a signal that had all its inputs. */
export interface SignalReading<Regime extends string, Figures> {
  readonly regime: Regime
  readonly figures: Figures
  readonly score: number
  readonly verdict: Exclude<Verdict, 'insufficient_data'>
  /** Sample size relative to a full sample, 0 to 1. */
  readonly sample: number
  readonly scope: Scope
  /** Expiration analyzed or traded; undefined if the signal is about all of them. */
  readonly expiry: IsoDate | undefined
  readonly structures: readonly RankedStructure[]
  /** Risks specific to this signal; `riskFlags` adds the general ones. */
  readonly risks: readonly RiskCode[]
  /** Gamma flip of the scope, if dealer hedging matters to the signal. */
  readonly gammaFlip: number | undefined
  readonly missing?: undefined
}

/** Result of a signal that lacks an input. */
export interface UnreadableSignal<Regime extends string> {
  readonly regime: Regime
  readonly missing: MissingInput
  readonly scope: Scope
}

export type StrategyAssessment<Regime extends string, Figures> =
  | SignalReading<Regime, Figures>
  | UnreadableSignal<Regime>

/** Minimum scores of the verdicts candidate and neutral. Source: the wire contract. */
const CANDIDATE = 70
const NEUTRAL = 40
/** Maximum score of a signal that must have the verdict avoid. */
export const MAX_AVOIDED = NEUTRAL - 1

/** Verdict for a score that grades a trade setup. */
export function verdictOf(score: number): 'avoid' | 'neutral' | 'candidate' {
  if (score >= CANDIDATE) return 'candidate'
  return score >= NEUTRAL ? 'neutral' : 'avoid'
}

/** Rounds a weighted sum and clamps it to the range from 0 to `most`. */
export function scoreOf(sum: number, most = 100): number {
  return Math.round(Math.min(100, most, Math.max(0, sum)))
}
