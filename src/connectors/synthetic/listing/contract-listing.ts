import { addDays } from '../../../market/calendar.ts'
import type { Expiration } from '../../../market/chain.ts'
import { settlementOf } from '../../../market/security.ts'
import { bitsOf, keyOf } from '../../../math/random.ts'
import { sessionOnOrAfter, sessions } from '../market-sessions.ts'
import { closesOf } from '../prices/price-path.ts'
import type { Security } from '../securities/securities.ts'
import type { World } from '../world.ts'
import { type ListedExpiration, listedExpirations, type Term } from './expiry-cycles.ts'
import { strikeLadder } from './strike-ladder.ts'

/** An expiration of the chain, with the data from which its contracts are generated. */
export interface SyntheticSeries extends Expiration {
  readonly term: Term
  readonly window: number
  readonly firstSession: number
}

/** Contracts listed for a security on one session: a call and a put at each strike of each expiration. */
export interface ContractListing {
  readonly size: number
  readonly series: readonly SyntheticSeries[]
  /** Strike of each pair of call and put. Strike i belongs to the contracts at 2 i and 2 i + 1 of the chain. */
  readonly strike: Float64Array
  readonly listedOn: Int16Array
  /** Random key of each contract. A contract's noise therefore does not depend on which others are listed. */
  readonly key: Int32Array
}

export function seriesKeyOf(world: World, { symbol }: Security, { root, date }: ListedExpiration): number {
  return keyOf(world.seed, 'series', symbol, root, date)
}

/**
 * Lists a security's contracts for a session, sorted by expiration, root and strike. The list does not change during
 * the session.
 */
export function contractListing(world: World, security: Security, session: number): ContractListing {
  const closes = closesOf(world, security)
  const series: SyntheticSeries[] = []
  const strikes: number[] = []
  const days: number[] = []
  const keys: number[] = []
  for (const expiration of listedExpirations(security, sessions[session])) {
    const { root, date, term, window } = expiration
    const openedBy = (ahead: number) => sessionOnOrAfter(addDays(date, -ahead))
    const ladder = strikeLadder(security, expiration, closes, session, openedBy)
    const start = 2 * strikes.length
    const seriesKey = seriesKeyOf(world, security, expiration)
    for (const strike of Float64Array.from(ladder.keys()).sort()) {
      strikes.push(strike)
      days.push(ladder.get(strike)!)
      for (let side = 0; side < 2; side++) keys.push(bitsOf(seriesKey, Math.round(1000 * strike), side))
    }
    const settlement = settlementOf(root, date)
    const end = 2 * strikes.length
    series.push({ date, root, settlement, start, end, term, window, firstSession: openedBy(window) })
  }
  return {
    size: keys.length,
    series,
    strike: Float64Array.from(strikes),
    listedOn: Int16Array.from(days),
    key: Int32Array.from(keys)
  }
}
