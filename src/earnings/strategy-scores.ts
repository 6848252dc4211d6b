import type { StatedRegime } from '../exposure/regime.ts'
import { withinUnit } from '../math/unit-interval.ts'

export interface ScoreInputs {
  /** Implied move over the median past one. */
  readonly premiumRatio: number | undefined
  /** Median fall of volatility at past reports and the priced one, percent. */
  readonly crushMedian: number | undefined
  readonly pricedCrush: number | undefined
  readonly regime: StatedRegime
  /** Execution score of the first expiration after the report, 0 to 100; undefined without one. */
  readonly executionScore: number | undefined
  /** Whether past moves lean to one side. */
  readonly isDirectional: boolean
}

/** Suitability of common structures for a report, whole numbers from 0 to 100. */
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
 * Ratio at which premium starts to count as rich, the span to fully rich, and the fall of volatility in percent that
 * counts in full.
 */
const [RICH_FROM, RICH_SPAN, FULL_CRUSH] = [0.7, 0.9, 60]

/** Source: the wire contract, the strategy scores of earnings. */
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
