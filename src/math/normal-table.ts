import { normalCdf, normalPdf } from './normal.ts'

// Computing exercise boundaries takes about a hundred thousand values of the normal distribution per expiration. The
// absolute error of each must be far below that of the integrals in which they are used, but relative accuracy in the
// tails does not matter. A Taylor series about tabulated points is three times as fast as the exponential and the
// scaled error function, which are accurate in the tails too.

const PER_UNIT = 16
const TERMS = 8
/** Beyond ±8.5, the normal distribution is 0 or 1 to within 1e-17. */
const END = 8.5

/** Taylor coefficients of each interval from -8.5 on, and of one more for arguments that round up to 8.5. */
export const NORMAL_SERIES = makeSeries()

/** N(x), the standard normal distribution, with an absolute error below 1e-14. */
export function cumulativeNormal(x: number): number {
  if (!(x > -END && x < END)) return x >= END ? 1 : x <= -END ? 0 : x
  const wide = PER_UNIT * (x + END)
  const at = wide | 0
  const t = wide - at - 0.5
  const k = TERMS * at
  const high = NORMAL_SERIES[k + 4] + t * (NORMAL_SERIES[k + 5] + t * (NORMAL_SERIES[k + 6] + t * NORMAL_SERIES[k + 7]))
  return (
    NORMAL_SERIES[k] + t * (NORMAL_SERIES[k + 1] + t * (NORMAL_SERIES[k + 2] + t * (NORMAL_SERIES[k + 3] + t * high)))
  )
}

/** φ(x), the standard normal density, with an absolute error below 1e-12. */
export function normalDensity(x: number): number {
  if (!(x > -END && x < END)) return Number.isNaN(x) ? x : 0
  const wide = PER_UNIT * (x + END)
  const at = wide | 0
  const t = wide - at - 0.5
  const k = TERMS * at
  const high =
    4 * NORMAL_SERIES[k + 4] +
    t * (5 * NORMAL_SERIES[k + 5] + t * (6 * NORMAL_SERIES[k + 6] + t * (7 * NORMAL_SERIES[k + 7])))
  return PER_UNIT * (NORMAL_SERIES[k + 1] + t * (2 * NORMAL_SERIES[k + 2] + t * (3 * NORMAL_SERIES[k + 3] + t * high)))
}

/** Computes the Taylor coefficients of each interval, about its middle and in units of its width. */
function makeSeries(): Float64Array {
  const intervals = 2 * END * PER_UNIT + 1
  const table = new Float64Array(TERMS * intervals)
  for (let at = 0; at < intervals; at++) {
    const x = (at + 0.5) / PER_UNIT - END
    // φ^(n+1) = -x φ^(n) - n φ^(n-1).
    let [before, here] = [0, normalPdf(x)]
    let unit = 1
    table[TERMS * at] = normalCdf(x)
    for (let n = 1; n < TERMS; n++) {
      unit /= n * PER_UNIT
      table[TERMS * at + n] = here * unit
      ;[before, here] = [here, -x * here - (n - 1) * before]
    }
  }
  return table
}
