import type { RateCurve } from '../assumptions.ts'

/**
 * A par yield: the coupon, percent a year, at which a bond of this maturity, a multiple of six months, is worth its
 * face value.
 */
export interface ParPoint {
  readonly months: number
  readonly percent: number
}

/** Years between two coupons. A bond that matures before its second coupon pays once. */
const PERIOD = 0.5
const MONTHS = 12
const DAYS = 365
/** Days in a year for overnight loans. */
const MONEY_MARKET_YEAR = 360

/**
 * Continuously compounded zero rates from par yields, ascending by maturity, and from the overnight rate in percent if
 * known.
 * Up to six months a yield is simple interest on a year of 365 days, D = 1 / (1 + y t). From there each discount
 * follows from those before it, D(n) = (1 - y/2 Σ D(i)) / (1 + y/2) over half-years, with par yields linear between two
 * maturities. The forward rate is flat between two points of the curve. Undefined without any input.
 * Source: Hull, Options, Futures, and Other Derivatives, ch. 4 ("Par yield", "Determining zero rates"); the conventions
 * are those of the par yield curve of the US Treasury.
 */
export function zeroCurve(points: readonly ParPoint[], overnight?: number): RateCurve | undefined {
  const short = points.filter(({ months }) => months <= MONTHS * PERIOD)
  const long = points.filter(({ months }) => months > MONTHS * PERIOD)
  const night =
    overnight === undefined ? [] : [{ days: 1, rate: DAYS * Math.log1p(overnight / 100 / MONEY_MARKET_YEAR) }]
  const zeros = [
    ...night,
    ...short.map(({ months, percent }) => zeroOf(months / MONTHS, 1 / (1 + ((percent / 100) * months) / MONTHS)))
  ]
  const discounts = discountsOf(points, (long.at(-1)?.months ?? 0) / MONTHS)
  for (const { months } of long) zeros.push(zeroOf(months / MONTHS, discounts[months / MONTHS / PERIOD - 1]))
  return zeros.length === 0 ? undefined : { points: zeros, between: 'yield' }
}

function zeroOf(years: number, discount: number) {
  return { days: DAYS * years, rate: -Math.log(discount) / years }
}

function discountsOf(points: readonly ParPoint[], years: number): readonly number[] {
  const discounts: number[] = []
  let annuity = 0
  for (let n = 1; n * PERIOD <= years; n++) {
    const coupon = (parYieldAt(points, n * PERIOD * MONTHS) / 100) * PERIOD
    const discount = (1 - coupon * annuity) / (1 + coupon)
    annuity += discount
    discounts.push(discount)
  }
  return discounts
}

function parYieldAt(points: readonly ParPoint[], months: number): number {
  const after = points.findIndex((point) => point.months >= months)
  if (after === -1) return points[points.length - 1].percent
  if (after === 0) return points[0].percent
  const [low, high] = [points[after - 1], points[after]]
  const share = (months - low.months) / (high.months - low.months)
  return low.percent + share * (high.percent - low.percent)
}
