import type { Chain } from '../market/chain.ts'
import { isMarketOpen } from '../market/clock.ts'
import { checked, notCheckable, notDue, type QualityCheck } from './quality-check.ts'

/** Ages from which a price of the underlying is old beside its chain, or very old, and how far it may lie ahead, seconds. */
const [OLD, VERY_OLD, AHEAD] = [20 * 60, 2 * 3600, 60]
const [FOR_OLD, FOR_VERY_OLD] = [5, 15]

/** In a session, compares the time of the underlying's price with that of the chain, in seconds before it. */
export function quoteTimesCheck({ asOf, quote }: Chain): QualityCheck {
  if (!isMarketOpen(asOf)) return notDue('quote_times')
  const age = (asOf - quote.time) / 1000
  if (Number.isNaN(age)) return notCheckable('quote_times')
  const isOff = age > VERY_OLD || age < -AHEAD
  return checked('quote_times', age, isOff ? FOR_VERY_OLD : age > OLD ? FOR_OLD : 0)
}
