import { session } from '../../../market/calendar.ts'
import type { MinutePrices } from '../../../market/minute-prices.ts'
import { MILLISECONDS_PER_MINUTE } from '../../../market/units.ts'
import { momentIn } from '../market-moment.ts'
import { sessions } from '../market-sessions.ts'
import { isVolatilitySector, type Security } from '../securities/securities.ts'
import type { World } from '../world.ts'
import { priceAt } from './price-path.ts'

/** Points of the path read within each minute. A volatility index takes long to compute, so its ends alone are read. */
const POINTS = 4

/** Prices of the first `minutes` minutes of session number `n`, on the path that chains and prints of the session follow. */
export function minutePath(world: World, security: Security, n: number, minutes: number): Omit<MinutePrices, 'shares'> {
  const [open, high, low, close] = [0, 1, 2, 3].map(() => new Float64Array(minutes))
  const points = isVolatilitySector(security) ? 1 : POINTS
  const step = MILLISECONDS_PER_MINUTE / points
  const opening = session(sessions[n])!.open
  const priceIn = (point: number) =>
    Math.round(100 * priceAt(world, security, n, momentIn(n, opening + point * step).s)) / 100
  let price = minutes === 0 ? Number.NaN : priceIn(0)
  for (let minute = 0; minute < minutes; minute++) {
    open[minute] = high[minute] = low[minute] = price
    for (let point = 1; point <= points; point++) {
      price = priceIn(minute * points + point)
      high[minute] = Math.max(high[minute], price)
      low[minute] = Math.min(low[minute], price)
    }
    close[minute] = price
  }
  return { date: sessions[n], open, high, low, close }
}
