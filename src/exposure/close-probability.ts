import { dayShareLeft } from '../market/clock.ts'
import { normalCdf } from '../math/normal.ts'
import { atTheMoney } from './at-the-money.ts'
import type { Scope } from './scope.ts'

/** So near to a strike, as a fraction of it, a close counts as at the strike. */
const BAND = 0.0025

/**
 * The probability that a scope of one expiration on its last day closes within a quarter of a percent of a strike, percent:
 *
 *     P(|S_close / K - 1| <= 0.0025),  ln(S_close / S) normal with deviation s = σ √T and mean -s²/2
 *
 * σ is the volatility at the money, T the same-day clock. Undefined without a volatility and once no time is left.
 * Source: the wire contract.
 */
export function closeProbability(scope: Scope, strike: number): number | undefined {
  const { chain, expirations } = scope
  const sigma = atTheMoney(scope)?.sigma
  if (sigma === undefined || dayShareLeft(chain.asOf) === 0) return undefined
  const deviation = sigma * Math.sqrt(chain.carries[expirations[expirations.length - 1]].t)
  const below = (price: number) => normalCdf(Math.log(price / chain.spot) / deviation + deviation / 2)
  return 100 * Math.max(0, below(strike * (1 + BAND)) - below(strike * (1 - BAND)))
}
