import { type ContractColumns, UNKNOWN } from '../../market/chain.ts'
import { yearsToExpiry } from '../../market/clock.ts'
import type { Listing } from './listing.ts'
import type { Moment } from './moment.ts'
import { contractKey, seriesKeyOf } from './open-interest.ts'
import { halfSpread, tickAbove, tickBelow, tickSizeOf, volatilitySpread } from './quote.ts'
import { bitsOf } from './random.ts'
import type { Security } from './securities.ts'
import { theoryOf } from './theory.ts'
import type { World } from './world.ts'

/**
 * Fills bid, ask, their sizes and the last price of every contract. What a contract is worth lies between bid and ask
 * and near their middle; a worth below a tick leaves no bid. A contract that no longer trades has no quote. Volume and
 * open interest must be there: last is the price now where the contract traded today, yesterday's worth where it is
 * held, and absent otherwise.
 */
export function fillQuotes(
  world: World,
  security: Security,
  moment: Moment,
  spot: number,
  day: Listing & { readonly previous: Float64Array },
  columns: ContractColumns
): void {
  const { price, vega, delta } = theoryOf(world, security, day, moment, spot)
  const { bid, ask, last, bidSize, askSize, volume, openInterest } = columns
  const ticks = tickSizeOf(security)
  const points = volatilitySpread(security)
  const depth = 4 + Math.sqrt(security.optionVolume) / 12
  const minute = Math.floor(moment.asOf / 60_000)
  for (const series of day.series) {
    const t = yearsToExpiry(moment.asOf, series.date, series.settlement)
    const key = seriesKeyOf(world, security, series)
    for (let slot = series.start; slot < series.end; slot++) {
      const worth = price[slot]
      if (Number.isNaN(worth)) {
        bid[slot] = ask[slot] = last[slot] = Number.NaN
        bidSize[slot] = askSize[slot] = UNKNOWN
        continue
      }
      const tick = worth >= 3 ? ticks.from3 : ticks.below3
      const half = halfSpread(tick, points * vega[slot], delta[slot], spot, t)
      const low = tickBelow(ticks, Math.max(0, worth - half))
      const above = tickAbove(ticks, worth + half)
      const high = above > low ? above : tickAbove(ticks, low + 0.005)
      bid[slot] = low
      ask[slot] = high
      const bits = bitsOf(contractKey(key, day.strike[slot >> 1], slot & 1), minute)
      bidSize[slot] = low > 0 ? 1 + Math.floor((depth * (bits & 1023)) / 512) : 0
      askSize[slot] = 1 + Math.floor((depth * ((bits >>> 10) & 1023)) / 512)
      if (volume[slot] > 0) last[slot] = bits >>> 31 === 1 || low === 0 ? high : low
      else last[slot] = openInterest[slot] > 0 ? tickAbove(ticks, Math.max(0.001, day.previous[slot])) : Number.NaN
    }
  }
}
