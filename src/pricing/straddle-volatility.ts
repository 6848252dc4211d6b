import { impliedVolatility } from './bsm.ts'
import type { Carry } from './carry.ts'

/**
 * Volatility of an expiration, an annual fraction, at which the call and the put of a strike together cost `straddle`,
 * USD per share. By parity the one out of the money is worth (straddle - D |F - K|) / 2. A straddle below the difference
 * of forward and strike has no such volatility; it is then taken for the expected absolute move, σ S √(2T/π). Source:
 * Brenner and Subrahmanyam (1988), A Simple Formula to Compute the Implied Standard Deviation, Financial Analysts
 * Journal 44(5).
 */
export function straddleVolatility(carry: Carry, strike: number, straddle: number): number {
  const { spot, forward, discount, t, rate } = carry
  const outside = (straddle - discount * Math.abs(forward - strike)) / 2
  const option = { right: strike >= forward ? ('call' as const) : ('put' as const), strike, t, rate }
  const dividendYield = rate - Math.log(forward / spot) / t
  return (
    impliedVolatility({ ...option, spot, dividendYield }, outside) ?? (straddle / spot) * Math.sqrt(Math.PI / (2 * t))
  )
}
