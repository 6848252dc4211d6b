import {
  buildChain,
  type Chain,
  type ChainHeader,
  type ContractColumns,
  contractColumns,
  type Expiration,
  UNKNOWN
} from '../../market/chain.ts'
import { sessionNumber } from './days.ts'
import { type Listing, listingOf } from './listing.ts'
import { closeOf, type Moment } from './moment.ts'
import { openInterestOf } from './open-interest.ts'
import { fillQuotes } from './option-quotes.ts'
import { closesOf } from './path.ts'
import { underlyingQuote } from './quote.ts'
import type { Security } from './securities.ts'
import { theoryOf } from './theory.ts'
import { partsBegun, tradedForChange, tradedInPart } from './volume.ts'
import { ofDay, type World } from './world.ts'

/** What stays fixed for a security from the morning to the close. */
export interface ContractDay extends Listing {
  readonly openInterest: Int32Array
  /** Contracts that trade because positions change by the next morning. */
  readonly turned: Float32Array
  /** What each contract was worth at the close before; NaN where it was not listed. */
  readonly previous: Float64Array
}

/** The chain of a security at a moment. */
export function snapshot(world: World, security: Security, moment: Moment): Chain {
  if (security.cycle === 'none') return buildChain(headerOf(world, security, moment), [])
  const day = ofDay(world, `day ${security.symbol} ${moment.session}`, () =>
    contractDay(world, security, moment.session)
  )
  const columns = contractColumns(day.size)
  fillVolume(world, security, moment, day, columns.volume)
  return listed(world, security, moment, day, columns)
}

/**
 * The same without what trades on the day: volumes unknown, last prices absent. It takes a third of the time, and
 * nothing of it is kept, so that a walk through a year of closes pushes no day out of the cache that requests ask for.
 */
export function closingQuotes(world: World, security: Security, moment: Moment): Chain {
  if (security.cycle === 'none') return buildChain(headerOf(world, security, moment), [])
  const listing = listingOf(world, security, moment.session)
  const openInterest = openInterestOf(world, security, listing, moment.session)
  const previous = new Float64Array(listing.size).fill(Number.NaN)
  const columns = contractColumns(listing.size)
  columns.volume.fill(UNKNOWN)
  return listed(world, security, moment, { ...listing, openInterest, previous }, columns)
}

/** Puts a day's listing, its open interest and its quotes at a moment into columns that hold the volume already. */
function listed(
  world: World,
  security: Security,
  moment: Moment,
  day: Pick<ContractDay, keyof Listing | 'openInterest' | 'previous'>,
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
  return { ...header, ...columns, size: day.size, expirations }
}

function headerOf(world: World, security: Security, moment: Moment): ChainHeader {
  const { quote, spot } = underlyingQuote(world, security, moment)
  return { symbol: security.symbol, asOf: moment.asOf, delay: 0, spot, quote }
}

function contractDay(world: World, security: Security, session: number): ContractDay {
  const listing = listingOf(world, security, session)
  const openInterest = openInterestOf(world, security, listing, session)
  const next = openInterestOf(world, security, listing, session + 1)
  const turned = Float32Array.from(next, (after, slot) => tradedForChange(openInterest[slot], after))
  for (const { date, settlement, start, end } of listing.series) {
    if (settlement === 'am' && sessionNumber(date) === session) turned.fill(0, start, end)
  }
  return { ...listing, openInterest, turned, previous: previousWorth(world, security, listing, session) }
}

function previousWorth(world: World, security: Security, listing: Listing, session: number): Float64Array {
  if (session === 0) return new Float64Array(listing.size).fill(Number.NaN)
  const moment = closeOf(session - 1)
  const spot = closesOf(world, security)[session - 1]
  const { price } = theoryOf(world, security, listing, moment, spot)
  for (let slot = 0; slot < listing.size; slot++) {
    if (listing.listedOn[slot >> 1] >= session) price[slot] = Number.NaN
  }
  return price
}

function fillVolume(world: World, security: Security, moment: Moment, day: ContractDay, volume: Int32Array): void {
  const total = new Float64Array(day.size)
  partsBegun(moment.elapsed).forEach((progress, part) => {
    const name = `traded ${security.symbol} ${moment.session} ${part}`
    const { traded } = ofDay(world, name, () => ({
      size: day.size,
      traded: tradedInPart(world, security, day, moment.session, part)
    }))
    for (let slot = 0; slot < day.size; slot++) total[slot] += progress * traded[slot]
  })
  for (let slot = 0; slot < day.size; slot++) volume[slot] = total[slot] + moment.s * day.turned[slot]
}
