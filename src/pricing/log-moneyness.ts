/**
 * ln(forward / strike), with full relative accuracy near the money too, where rounding the quotient would lose digits.
 * There it is computed as 2 artanh((F - K) / (F + K)), in which the difference is exact.
 */
export function logMoneyness(forward: number, strike: number): number {
  const y = (forward - strike) / (forward + strike)
  const y2 = y * y
  if (y2 > 0.01) return Math.log(forward / strike)
  const y4 = y2 * y2
  const high = 1 / 7 + y2 * (1 / 9) + y4 * (1 / 11 + y2 * (1 / 13) + y4 * (1 / 15))
  return 2 * y * (1 + y2 * (1 / 3 + y2 * (1 / 5) + y4 * high))
}
