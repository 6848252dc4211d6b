import { annualVolatility } from '../realized/daily-returns.ts'

/**
 * Weight of the previous variance in the next one (lambda of RiskMetrics). The squared return of the day has the rest.
 */
export const EWMA_LAMBDA = 0.94

const MAX_RETURNS = 504
const SEED = 20

/**
 * Exponentially weighted volatility of the next day: v_t+1 = 0.94 v_t + 0.06 r_t², from daily log returns whose mean is
 * taken as zero. The result is an annual fraction. The model forecasts the same volatility for every later day.
 * Undefined with fewer than 20 returns.
 *
 * Reads at most the last 504 returns. The mean square of the first 20 is the starting value v_21; the recursion begins
 * with return 21.
 * Source: J.P. Morgan and Reuters (1996), RiskMetrics Technical Document, 4th ed., section 5.2; the starting value is
 * prescribed by the published API contract.
 */
export function ewmaVolatility(returns: Float64Array): number | undefined {
  const window = returns.slice(-MAX_RETURNS)
  if (window.length < SEED) return undefined
  let variance = 0
  for (let i = 0; i < SEED; i++) variance += window[i] ** 2 / SEED
  for (let i = SEED; i < window.length; i++) variance = EWMA_LAMBDA * variance + (1 - EWMA_LAMBDA) * window[i] ** 2
  return annualVolatility(variance)
}
