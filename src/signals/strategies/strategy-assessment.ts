import type { Scope } from '../../exposure/scope.ts'
import type { IsoDate } from '../../market/units.ts'
import type { RankedStructure } from './ranking.ts'
import type { RiskCode } from './risk-flags.ts'

export const verdicts = ['insufficient_data', 'avoid', 'neutral', 'candidate'] as const
export type Verdict = (typeof verdicts)[number]

/** What a signal can lack, so that nothing can be said. */
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

/** What a signal makes of the measures. */
export interface SignalReading<Regime extends string, Figures> {
  readonly regime: Regime
  readonly figures: Figures
  /** A whole number, 0 to 100. */
  readonly score: number
  readonly verdict: Exclude<Verdict, 'insufficient_data'>
  /** How much it rests on, 0 to 1. */
  readonly sample: number
  /** The contracts that were looked at. */
  readonly scope: Scope
  /** The expiration that is analysed or traded; undefined where the signal is about all of them alike. */
  readonly expiry: IsoDate | undefined
  /** The best first, three at most. */
  readonly structures: readonly RankedStructure[]
  /** Risks of this signal alone. Those that every signal may have are found by `riskFlags`. */
  readonly risks: readonly RiskCode[]
  /** Where dealers' hedging counts: the flip of the scope it was judged by. */
  readonly gammaFlip: number | undefined
  readonly missing?: undefined
}

/** A signal that lacks an input. */
export interface UnreadableSignal<Regime extends string> {
  readonly regime: Regime
  readonly missing: MissingInput
  readonly scope: Scope
}

export type StrategyAssessment<Regime extends string, Figures> =
  | SignalReading<Regime, Figures>
  | UnreadableSignal<Regime>

/** From these scores on a signal is a candidate, and neutral. Source: the wire contract. */
const CANDIDATE = 70
const NEUTRAL = 40
/** The highest score of a signal that is to be avoided whatever its parts say. */
export const MAX_AVOIDED = NEUTRAL - 1

/** The verdict of a score that grades a setup rather than the strength of a reading. */
export function verdictOf(score: number): 'avoid' | 'neutral' | 'candidate' {
  if (score >= CANDIDATE) return 'candidate'
  return score >= NEUTRAL ? 'neutral' : 'avoid'
}

/** A weighted sum as a score: a whole number, 0 to 100, at most `most`. */
export function scoreOf(sum: number, most = 100): number {
  return Math.round(Math.min(100, most, Math.max(0, sum)))
}
