import { normalPdf } from '../../math/normal.ts'
import { totalVariance } from '../svi/svi.ts'
import { type AcceptedSlice, fitQuality } from './slice.ts'

/**
 * One smile point compared with the fitted smile. Volatilities are in percent. The residual, in vol points, is positive
 * if the quote is above the fit.
 */
export interface Residual {
  readonly strike: number
  readonly right: 'put' | 'call'
  readonly marketIv: number
  readonly fittedIv: number
  readonly residual: number
}

/**
 * How far quotes are above the fitted smile of one expiration, in vol points, for each wing. Undefined for a wing with
 * fewer than two points.
 */
export interface WingResiduals {
  readonly points: readonly Residual[]
  readonly putRichness: number | undefined
  readonly callRichness: number | undefined
  /** Quality of the fit, a whole number from 0 to 100. */
  readonly fitQuality: number
}

/** The wings begin at this distance from the forward, in standard deviations. */
const WING_BEGINS = 0.5
const MIN_POINTS = 2

/**
 * Differences between quoted and fitted volatilities of an accepted smile, and their vega-weighted mean per wing. Each
 * vega is computed with the quoted volatility. Factors that all points share cancel, so φ(d1) is enough. Source: the
 * published API contract.
 */
export function wingResiduals(slice: AcceptedSlice): WingResiduals {
  const { points: smile, svi, t } = slice
  const rootT = Math.sqrt(t)
  const reach = WING_BEGINS * Math.sqrt(totalVariance(svi, 0))
  const puts: Weighted[] = []
  const calls: Weighted[] = []
  const points = Array.from({ length: smile.size }, (_, i): Residual => {
    const [k, iv] = [smile.k[i], smile.iv[i]]
    const fitted = Math.sqrt(totalVariance(svi, k) / t)
    const residual = 100 * (iv - fitted)
    const total = iv * rootT
    const point = { residual, vega: normalPdf(total / 2 - k / total) }
    if (k <= -reach) puts.push(point)
    if (k >= reach) calls.push(point)
    const right = k < 0 ? 'put' : 'call'
    return { strike: smile.strike[i], right, marketIv: 100 * iv, fittedIv: 100 * fitted, residual }
  })
  return {
    points,
    putRichness: richnessOf(puts),
    callRichness: richnessOf(calls),
    fitQuality: Math.round(fitQuality(slice))
  }
}

interface Weighted {
  readonly residual: number
  readonly vega: number
}

function richnessOf(wing: readonly Weighted[]): number | undefined {
  if (wing.length < MIN_POINTS) return undefined
  let [sum, weight] = [0, 0]
  for (const { residual, vega } of wing) {
    sum += vega * residual
    weight += vega
  }
  return sum / weight
}
