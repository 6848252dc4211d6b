import { session as sessionHours } from '../../market/calendar.ts'
import {
  buildChain,
  type Chain,
  type ChainHeader,
  type ContractColumns,
  chainOf,
  contractColumns,
  type Expiration,
  UNKNOWN
} from '../../market/chain.ts'
import { MICROSECONDS_PER_MILLISECOND } from '../../market/print.ts'
import { MILLISECONDS_PER_MINUTE } from '../../market/units.ts'
import { type ContractListing, contractListing } from './listing/contract-listing.ts'
import type { MarketMoment } from './market-moment.ts'
import { sessions } from './market-sessions.ts'
import { underlyingQuote } from './prices/underlying-quote.ts'
import type { Security } from './securities/securities.ts'
import { fillQuotes } from './surface/option-quotes.ts'
import { type ContractDay, contractDay } from './trading/contract-day.ts'
import { addUpTo } from './trading/minute-prints.ts'
import { morningOpenInterest } from './trading/morning-open-interest.ts'
import { tradedMinute } from './trading/traded-minute.ts'
import { volumeAfterParts } from './trading/volume.ts'
import type { World } from './world.ts'

export function snapshot(world: World, security: Security, moment: MarketMoment): Chain {
  if (security.cycle === 'none') return buildChain(headerOf(world, security, moment), [])
  const day = contractDay(world, security, moment.session)
  const columns = contractColumns(day.size)
  fillVolume(world, security, moment, day, columns.volume)
  return listed(world, security, moment, day, columns)
}

/** Generates the part of `snapshot` that expires in the moment's session; undefined if nothing does. */
export function expiringSnapshot(world: World, security: Security, moment: MarketMoment): Chain | undefined {
  if (security.cycle === 'none') return undefined
  const day = contractDay(world, security, moment.session)
  // Series ascend by date, and none expires before its session.
  const series = day.series.filter(({ date }) => date === sessions[moment.session])
  const size = series.at(-1)?.end
  if (size === undefined) return undefined
  const volume = new Int32Array(day.size)
  fillVolume(world, security, moment, day, volume)
  const columns = contractColumns(size)
  columns.volume.set(volume.subarray(0, size))
  const { openInterest } = day
  return listed(
    world,
    security,
    moment,
    { ...day, size, series, openInterest: openInterest.subarray(0, size) },
    columns
  )
}

/**
 * Generates a chain without the figures that depend on the day's trading: volumes are unknown, last prices absent. This
 * takes a third of the time. Nothing is cached, so that reading a year of closes does not evict days that users
 * request.
 */
export function closingQuotes(world: World, security: Security, moment: MarketMoment): Chain {
  if (security.cycle === 'none') return buildChain(headerOf(world, security, moment), [])
  const listing = contractListing(world, security, moment.session)
  const openInterest = morningOpenInterest(world, security, listing, moment.session)
  const previous = new Float64Array(listing.size).fill(Number.NaN)
  const columns = contractColumns(listing.size)
  columns.volume.fill(UNKNOWN)
  return listed(world, security, moment, { ...listing, openInterest, previous }, columns)
}

/** Completes a chain with listing, open interest and quotes. `columns` must already hold the volume. */
function listed(
  world: World,
  security: Security,
  moment: MarketMoment,
  day: Pick<ContractDay, keyof ContractListing | 'openInterest' | 'previous'>,
  columns: ContractColumns
): Chain {
  const header = headerOf(world, security, moment)
  for (let slot = 0; slot < day.size; slot++) {
    columns.strike[slot] = day.strike[slot >> 1]
    columns.right[slot] = slot & 1
  }
  columns.openInterest.set(day.openInterest)
  fillQuotes(world, security, moment, header.spot, day, columns)
  const expirations: Expiration[] = day.series.map(({ date, root, settlement, start, end }) => ({
    date,
    root,
    settlement,
    start,
    end
  }))
  return chainOf(header, columns, expirations)
}

function headerOf(world: World, security: Security, moment: MarketMoment): ChainHeader {
  const { quote, spot } = underlyingQuote(world, security, moment)
  return { symbol: security.symbol, asOf: moment.asOf, delay: 0, spot, quote }
}

/** Fills the number of contracts traded from the open to a moment, which is the sum of the prints up to then. */
function fillVolume(
  world: World,
  security: Security,
  moment: MarketMoment,
  day: ContractDay,
  volume: Int32Array
): void {
  if (moment.elapsed >= 1) {
    volume.set(volumeAfterParts(world, security, day, 3))
    return
  }
  const passed = moment.asOf - sessionHours(sessions[day.session])!.open
  const minute = Math.floor(passed / MILLISECONDS_PER_MINUTE)
  const { before, prints } = tradedMinute(world, security, day, minute)
  volume.set(before)
  addUpTo(volume, prints, MICROSECONDS_PER_MILLISECOND * (passed - minute * MILLISECONDS_PER_MINUTE))
}
