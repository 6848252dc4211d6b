import { type ContractListing, contractListing } from '../listing/contract-listing.ts'
import { closeOf } from '../market-moment.ts'
import { sessions } from '../market-sessions.ts'
import { closesOf } from '../prices/price-path.ts'
import type { Security } from '../securities/securities.ts'
import { theoryOf } from '../surface/theory.ts'
import { ofDay, type World } from '../world.ts'
import { morningOpenInterest } from './morning-open-interest.ts'

/** Contracts of a security in a session, with all figures that stay fixed from the morning to the close. */
export interface ContractDay extends ContractListing {
  readonly session: number
  readonly openInterest: Int32Array
  /** Change of each contract's open interest by the next morning; 0 for contracts that no longer trade. */
  readonly change: Int32Array
  /** Value of each contract at the previous close, USD per share; NaN if it was not listed. */
  readonly previous: Float64Array
}

export function contractDay(world: World, security: Security, session: number): ContractDay {
  return ofDay(world, `day ${security.symbol} ${session}`, () => {
    const listing = contractListing(world, security, session)
    const openInterest = morningOpenInterest(world, security, listing, session)
    const next = morningOpenInterest(world, security, listing, session + 1)
    const change = next.map((after, slot) => after - openInterest[slot])
    for (const { date, settlement, start, end } of listing.series) {
      if (settlement === 'am' && date === sessions[session]) change.fill(0, start, end)
    }
    return { ...listing, session, openInterest, change, previous: previousWorth(world, security, listing, session) }
  })
}

function previousWorth(world: World, security: Security, listing: ContractListing, session: number): Float64Array {
  if (session === 0) return new Float64Array(listing.size).fill(Number.NaN)
  const moment = closeOf(session - 1)
  const spot = closesOf(world, security)[session - 1]
  const { price } = theoryOf(world, security, listing, moment, spot)
  for (let slot = 0; slot < listing.size; slot++) {
    if (listing.listedOn[slot >> 1] >= session) price[slot] = Number.NaN
  }
  return price
}
