import type { StatedRegime } from '../exposure/regime.ts'
import { withinUnit } from '../math/unit-interval.ts'

export interface ScoreInputs {
  /** Implied move divided by the median of the past moves. */
  readonly premiumRatio: number | undefined
  /**
   * Median fall of implied volatility at past earnings reports, percent. `pricedCrush` is the fall that the chain
   * prices now.
   */
  readonly crushMedian: number | undefined
  readonly pricedCrush: number | undefined
  readonly regime: StatedRegime
  /**
   * Execution score of the first expiration after the report: how cheaply it can be traded, 0 to 100. Undefined without
   * such an expiration.
   */
  readonly executionScore: number | undefined
  readonly isDirectional: boolean
}

/** How well common option structures suit an earnings report, whole numbers from 0 to 100. */
export interface StrategyScores {
  readonly longStraddle: number
  readonly shortStrangle: number
  readonly ironCondor: number
  readonly calendarSpread: number
  readonly earningsDiagonal: number
}

const stability: Readonly<Record<StatedRegime, number>> = { positive_gamma: 1, undetermined: 0.5, negative_gamma: 0 }
const UNKNOWN = 0.5
/**
 * Above `RICH_FROM`, the premium ratio counts as rich, and `RICH_SPAN` further up as fully rich. A fall of volatility
 * by `FULL_CRUSH` percent scores in full.
 */
const [RICH_FROM, RICH_SPAN, FULL_CRUSH] = [0.7, 0.9, 60]

/**
 * Scores of common option structures for an earnings report. Source: the published API contract, the strategy scores of
 * earnings.
 */
export function strategyScores(inputs: ScoreInputs): StrategyScores {
  const { premiumRatio, crushMedian, pricedCrush, regime, executionScore = 0, isDirectional } = inputs
  const rich = premiumRatio === undefined ? UNKNOWN : withinUnit((premiumRatio - RICH_FROM) / RICH_SPAN)
  const fall = crushMedian ?? pricedCrush
  const crush = fall === undefined ? UNKNOWN : withinUnit(fall / FULL_CRUSH)
  const g = stability[regime]
  const liquidity = executionScore / 100
  const direction = isDirectional ? 1 : 0
  const score = (sum: number) => Math.round(100 * sum)
  return {
    longStraddle: score(0.5 * (1 - rich) + 0.25 * (1 - crush) + 0.1 * (1 - g) + 0.15 * liquidity),
    shortStrangle: score(0.5 * rich + 0.25 * crush + 0.1 * g + 0.15 * liquidity),
    ironCondor: score(0.4 * rich + 0.2 * crush + 0.2 * g + 0.2 * liquidity),
    calendarSpread: score(0.15 * rich + 0.45 * crush + 0.2 * g + 0.2 * liquidity),
    earningsDiagonal: score(0.25 * rich + 0.35 * crush + 0.2 * direction + 0.2 * liquidity)
  }
}
