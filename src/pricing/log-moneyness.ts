/**
 * ln(forward / strike), accurate to the last digits near the money too, where the quotient would round them away.
 *  Near the money it is 2 artanh((F - K) / (F + K)), whose difference is exact there.
 */
export function logMoneyness(forward: number, strike: number): number {
  const y = (forward - strike) / (forward + strike)
  const y2 = y * y
  if (y2 > 0.01) return Math.log(forward / strike)
  const y4 = y2 * y2
  const high = 1 / 7 + y2 * (1 / 9) + y4 * (1 / 11 + y2 * (1 / 13) + y4 * (1 / 15))
  return 2 * y * (1 + y2 * (1 / 3 + y2 * (1 / 5) + y4 * high))
}
