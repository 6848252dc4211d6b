/**
 * ln(forward / strike), to the last digits near the money too, where the quotient rounds away what matters.
 *
 * Near the money it is 2 artanh((F - K) / (F + K)), whose difference is exact there.
 */
export function logMoneyness(forward: number, strike: number): number {
  const y = (forward - strike) / (forward + strike)
  const y2 = y * y
  if (y2 > 0.01) return Math.log(forward / strike)
  const y4 = y2 * y2
  const high = 1 / 7 + y2 * (1 / 9) + y4 * (1 / 11 + y2 * (1 / 13) + y4 * (1 / 15))
  return 2 * y * (1 + y2 * (1 / 3 + y2 * (1 / 5) + y4 * high))
}

/** The same for `count` strikes from `from` on, into `out` from 0 on. The call and the put of a strike share one. */
export function fillLogMoneyness(
  forward: number,
  strike: Float64Array,
  from: number,
  count: number,
  out: Float64Array
): void {
  let last = Number.NaN
  let x = Number.NaN
  for (let q = 0; q < count; q++) {
    const k = strike[from + q]
    if (k !== last) x = logMoneyness(forward, k)
    last = k
    out[q] = x
  }
}
