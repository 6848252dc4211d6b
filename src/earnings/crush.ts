import type { EventRecord } from '../market/earnings.ts'
import { percentOf } from '../math/optional.ts'
import { quantile } from '../math/statistics.ts'
import type { EventDecomposition } from './event-decomposition.ts'

/**
 * Fall of implied volatility that a chain prices for an earnings report, in percent of the volatility before the
 * report.
 */
export interface PricedCrush {
  /**
   * Fall from the first expiration after the report to the one that follows it. Negative if volatility is priced to
   * rise.
   */
  readonly expected: number
  /**
   * Fall of the first expiration's volatility once the report no longer counts. Like the recorded history, it compares
   * one expiration before and after the report.
   */
  readonly modelled: number
}

export function pricedCrush({ preIv, postIv, everydayIv }: EventDecomposition): PricedCrush {
  return { expected: (100 * (preIv - postIv)) / preIv, modelled: (100 * (preIv - everydayIv)) / preIv }
}

/**
 * Fall of implied volatility at a past earnings report, in percent of the volatility before it. Undefined if a
 * volatility is unknown.
 */
export function realizedCrush({ preIv, postIv }: Pick<EventRecord, 'preIv' | 'postIv'>): number | undefined {
  return preIv === undefined || postIv === undefined ? undefined : percentOf(preIv - postIv, preIv)
}

/**
 * Distribution of the falls of volatility at past earnings reports, in percent. Figures are undefined without any past
 * report.
 */
export interface CrushDistribution {
  readonly median: number | undefined
  readonly p25: number | undefined
  readonly p75: number | undefined
  readonly worst: number | undefined
  readonly best: number | undefined
  readonly count: number
}

export function crushDistribution(crushes: readonly number[]): CrushDistribution {
  const sorted = Float64Array.from(crushes).sort()
  return {
    median: quantile(sorted, 0.5),
    p25: quantile(sorted, 0.25),
    p75: quantile(sorted, 0.75),
    worst: sorted.at(0),
    best: sorted.at(-1),
    count: sorted.length
  }
}
