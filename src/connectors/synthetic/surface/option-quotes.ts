import { type ContractColumns, UNKNOWN } from '../../../market/chain.ts'
import { MILLISECONDS_PER_MINUTE } from '../../../market/units.ts'
import { bitsOf } from '../../../math/random.ts'
import type { ContractListing } from '../listing/contract-listing.ts'
import type { MarketMoment } from '../market-moment.ts'
import {
  halfSpread,
  type TickSize,
  tickAbove,
  tickBelow,
  tickSizeOf,
  volatilitySpread
} from '../prices/underlying-quote.ts'
import type { Security } from '../securities/securities.ts'
import type { World } from '../world.ts'
import { emptyTheory, fillTheory, type SeriesTerms, seriesTerms, surfaceOf, type Theory } from './theory.ts'

/**
 * Fills bid, ask, sizes and last price of every contract. The value of a contract lies between bid and ask, near their
 * middle. A value below one tick leaves no bid, and a contract that no longer trades has no quote. Volume and open
 * interest must be filled before: a contract that traded today has a last price at the current bid or ask, a contract
 * with open interest has yesterday's value, and any other has none.
 */
export function fillQuotes(
  world: World,
  security: Security,
  moment: MarketMoment,
  spot: number,
  day: ContractListing & { readonly previous: Float64Array },
  columns: ContractColumns
): void {
  const surface = surfaceOf(world, security, moment, spot)
  if (room.price.length < day.size) room = emptyTheory(day.size)
  const theory = room
  const { bid, ask, last, bidSize, askSize, volume, openInterest } = columns
  const maker = makerOf(security)
  const depth = 4 + Math.sqrt(security.optionVolume) / 12
  const minute = Math.floor(moment.asOf / MILLISECONDS_PER_MINUTE)
  for (const series of day.series) {
    const terms = seriesTerms(surface, series)
    fillTheory(theory, terms, series, day.strike)
    for (let slot = series.start; slot < series.end; slot++) {
      if (terms === undefined) {
        bid[slot] = ask[slot] = last[slot] = Number.NaN
        bidSize[slot] = askSize[slot] = UNKNOWN
        continue
      }
      fillQuote(maker, spot, terms, theory, slot, columns)
      const low = bid[slot]
      const bits = bitsOf(day.key[slot], minute)
      bidSize[slot] = low > 0 ? 1 + Math.floor((depth * (bits & 1023)) / 512) : 0
      askSize[slot] = 1 + Math.floor((depth * ((bits >>> 10) & 1023)) / 512)
      if (volume[slot] > 0) last[slot] = bits >>> 31 === 1 || low === 0 ? ask[slot] : low
      else
        last[slot] = openInterest[slot] > 0 ? tickAbove(maker.ticks, Math.max(0.001, day.previous[slot])) : Number.NaN
    }
  }
}

/** Working memory for the values of one chain at a time. */
let room = emptyTheory(0)

/** How market makers quote the options of a security around their value. */
export interface Maker {
  readonly ticks: TickSize
  readonly points: number
}

export function makerOf(security: Security): Maker {
  return { ticks: tickSizeOf(security), points: volatilitySpread(security) }
}

export function fillQuote(
  { ticks, points }: Maker,
  spot: number,
  { t }: SeriesTerms,
  { price, vega, delta }: Theory,
  slot: number,
  { bid, ask }: Pick<ContractColumns, 'bid' | 'ask'>
): void {
  const worth = price[slot]
  const tick = worth >= 3 ? ticks.from3 : ticks.below3
  const half = halfSpread(tick, points * vega[slot], delta[slot], spot, t)
  const low = tickBelow(ticks, Math.max(0, worth - half))
  const above = tickAbove(ticks, worth + half)
  bid[slot] = low
  ask[slot] = above > low ? above : tickAbove(ticks, low + 0.005)
}
