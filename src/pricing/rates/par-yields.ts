import type { RateCurve } from '../assumptions.ts'

/**
 * A par yield: the yearly coupon, in percent, with which a bond of this maturity is worth its face value. Maturities
 * above six months are multiples of six months.
 */
export interface ParPoint {
  readonly months: number
  readonly percent: number
}

/** Years between two coupons. A bond that matures before its second coupon pays once. */
const PERIOD = 0.5
const MONTHS = 12
const DAYS = 365
/** Days in a year by the convention for overnight loans. */
const MONEY_MARKET_YEAR = 360

/**
 * Zero rates, continuously compounded, computed from par yields (ascending by maturity) and from the overnight rate, in
 * percent, if it is known. Undefined without any input.
 * Up to six months a yield is simple interest on a year of 365 days: D = 1 / (1 + y t). Beyond, each discount factor
 * follows from the ones before it, D(n) = (1 - y/2 Σ D(i)) / (1 + y/2), at every half-year. Par yields are linear
 * between two maturities. The forward rate is constant between two points of the curve.
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
