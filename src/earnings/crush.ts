import type { EventRecord } from '../market/earnings.ts'
import { percentOf } from '../math/optional.ts'
import type { EventDecomposition } from './event-decomposition.ts'

/** The fall of volatility that a chain prices for the moment after a report, percent of the volatility before. */
export interface PricedCrush {
  /** To the volatility of the expiration behind; negative: none is priced. */
  readonly expected: number
  /** To the everyday volatility: the same expiration before and after, as history measures it. */
  readonly modelled: number
}

export function pricedCrush({ preIv, postIv, everydayIv }: EventDecomposition): PricedCrush {
  return { expected: (100 * (preIv - postIv)) / preIv, modelled: (100 * (preIv - everydayIv)) / preIv }
}

/** The fall of volatility at a past report, percent of that before. Undefined where either close has none. */
export function realizedCrush({ preIv, postIv }: Pick<EventRecord, 'preIv' | 'postIv'>): number | undefined {
  return preIv === undefined || postIv === undefined ? undefined : percentOf(preIv - postIv, preIv)
}

/** How volatility fell at past reports. The figures are undefined without any. */
export interface CrushDistribution {
  readonly median: number | undefined
  readonly p25: number | undefined
  readonly p75: number | undefined
  readonly worst: number | undefined
  readonly best: number | undefined
  readonly count: number
}

/** The distribution of falls of volatility, percent, in any order. */
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

/** Linear between the two values around position p (n - 1). Undefined for none. */
function quantile(sorted: Float64Array, p: number): number | undefined {
  if (sorted.length === 0) return undefined
  const position = p * (sorted.length - 1)
  const low = Math.floor(position)
  const next = sorted[Math.min(low + 1, sorted.length - 1)]
  return sorted[low] + (position - low) * (next - sorted[low])
}
