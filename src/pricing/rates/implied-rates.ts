import { CALL, type Chain, type Expiration } from '../../market/chain.ts'
import { daysToExpiry, isLive, yearsToExpiry } from '../../market/clock.ts'
import { median } from '../../math/statistics.ts'
import type { RateCurve } from '../assumptions.ts'
import { mid } from '../parity.ts'

/**
 * Minimum days to expiry. In nearer expirations a cent of spread changes the rate too much: it is worth about a percent
 * of rate.
 */
const MIN_DAYS = 30
/** Minimum distance between two strikes whose prices give a discount factor, as a share of spot. */
const MIN_GAP = 0.1
/** Strikes further than this from spot, as a share of spot, are not used: their spreads are too wide. */
const REACH = 0.3
const MIN_PAIRS = 10
/**
 * Width of the window in which an expiration's rate is averaged with the rates of its neighbors, in natural logarithms
 * of time. e^0.7 is a factor of two.
 */
const MIXED = 0.7
const MIN_RATE = -0.02
const MAX_RATE = 0.2

/**
 * Curve of interest rates, continuously compounded, that European options on an index imply by put-call parity, C - P =
 * D (F - K). The slope of C - P over K is -D, and r = -ln(D) / T.
 * Each expiration at least 30 days away gives a discount factor: the median over pairs of strikes far apart. All
 * discount factors have similar errors, so the error of a rate falls with time to expiry. Each point of the curve
 * therefore lies on a line through the rates around it, over log time and with weights of T². Undefined if no
 * expiration gives a rate.
 * Source: van Binsbergen, Diamond and Grotteria (2022), Risk-free interest rates, Journal of Financial Economics 143,
 * whose estimator for one date is the slope of a regression; the median over pairs is our own.
 */
export function impliedRates(chain: Chain): RateCurve | undefined {
  const found: { readonly days: number; readonly rate: number; readonly weight: number }[] = []
  for (const expiration of chain.expirations) {
    const { date, settlement } = expiration
    const days = daysToExpiry(chain.asOf, date)
    if (days < MIN_DAYS || !isLive(chain.asOf, date, settlement)) continue
    const discount = discountOf(chain, expiration)
    if (discount === undefined) continue
    const t = yearsToExpiry(chain.asOf, date, settlement)
    const rate = -Math.log(discount) / t
    if (rate >= MIN_RATE && rate <= MAX_RATE) found.push({ days, rate, weight: t * t })
  }
  if (found.length === 0) return undefined
  const points = [...new Set(found.map(({ days }) => days))].map((days) => {
    const near = found.map((one) => {
      const x = Math.log(one.days / days)
      return { x, y: one.rate, weight: one.weight * Math.exp(-0.5 * (x / MIXED) ** 2) }
    })
    return { days, rate: lineAtZero(near) }
  })
  return { points, between: 'yield' }
}

function lineAtZero(points: readonly { readonly x: number; readonly y: number; readonly weight: number }[]): number {
  const sum = (of: (point: (typeof points)[number]) => number) =>
    points.reduce((total, point) => total + point.weight * of(point), 0)
  const [one, x, y, xx, xy] = [
    sum(() => 1),
    sum((p) => p.x),
    sum((p) => p.y),
    sum((p) => p.x * p.x),
    sum((p) => p.x * p.y)
  ]
  const spread = one * xx - x * x
  return spread > 1e-12 * one * xx ? (xx * y - x * xy) / spread : y / one
}

/**
 * Discount factor of an expiration. With G = C - P it is the median of (G(K) - G(K')) / (K' - K) over pairs of strikes
 * that are far apart.
 */
function discountOf(chain: Chain, { start, end }: Expiration): number | undefined {
  const { strike, right, spot } = chain
  const strikes: number[] = []
  const gaps: number[] = []
  for (let i = start; i + 1 < end; i++) {
    if (right[i] !== CALL || strike[i + 1] !== strike[i] || Math.abs(strike[i] / spot - 1) > REACH) continue
    const gap = mid(chain, i) - mid(chain, i + 1)
    if (Number.isNaN(gap)) continue
    strikes.push(strike[i])
    gaps.push(gap)
  }
  const half = strikes.length >> 1
  const discounts: number[] = []
  for (let k = 0; k + half < strikes.length; k++) {
    const apart = strikes[k + half] - strikes[k]
    if (apart >= MIN_GAP * spot) discounts.push((gaps[k] - gaps[k + half]) / apart)
  }
  return discounts.length < MIN_PAIRS ? undefined : median(discounts)
}
