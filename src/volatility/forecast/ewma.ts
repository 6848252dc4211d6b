import { annualVolatility } from '../realized/daily-returns.ts'

/** How much of yesterday's variance lives on. */
export const EWMA_LAMBDA = 0.94

const MAX_RETURNS = 504
const SEED = 20

/**
 * Exponentially weighted volatility of the next day: v_t+1 = 0.94 v_t + 0.06 r_t², from daily log returns about zero.
 *
 * Reads the last 504 returns. The mean square of their first 20 is v_21, and the recursion runs from the 21st on.
 * Unit: an annual fraction; the model expects every later day to be like the next. Undefined with fewer than 20.
 * Source: J.P. Morgan and Reuters (1996), RiskMetrics Technical Document, 4th ed., section 5.2; the seed is the wire
 * contract's.
 */
export function ewmaVolatility(returns: Float64Array): number | undefined {
  const window = returns.slice(-MAX_RETURNS)
  if (window.length < SEED) return undefined
  let variance = 0
  for (let i = 0; i < SEED; i++) variance += window[i] ** 2 / SEED
  for (let i = SEED; i < window.length; i++) variance = EWMA_LAMBDA * variance + (1 - EWMA_LAMBDA) * window[i] ** 2
  return annualVolatility(variance)
}
