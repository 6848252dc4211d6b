import { datesAmong, type ExpirationSet } from '../market/expiration-set.ts'
import { memoizeRecent } from '../market/memoize.ts'
import type { IsoDate } from '../market/units.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import { datesOf, expiringScope, liveScope, type Scope, scopeOfExpirations } from './scope.ts'

/** Number of sets of dates whose scopes, and all that was computed from them, are kept for a chain. */
const MAX_SETS = 64

/**
 * The dates of a set that a chain can show, ascending. Dates are named or searched among those with unexpired contracts;
 * of a search that finds none of these, the date that expired last is found as long as it is shown.
 */
export function datesOfSet(chain: PricedChain, set: ExpirationSet): readonly IsoDate[] {
  const listed = [...new Set(chain.expirations.map(({ date }) => date))]
  const live = datesAmong(set, datesOf(liveScope(chain)))
  if (!('dates' in set) && live.length > 0) return live
  return datesAmong(set, listed).filter((date) => expiringScope(chain, date).slots.length > 0)
}

/**
 * The contracts that `expiringScope` gives for each of some dates, together. `dates` ascend. Equal lists give the same
 * object, a list of one date that of the date, and a list of all dates that of the whole chain.
 */
export function scopeOfDates(chain: PricedChain, dates: readonly IsoDate[]): Scope {
  return dates.length === 1 ? expiringScope(chain, dates[0]) : ofDates(chain, dates.join())
}

const ofDates = memoizeRecent(MAX_SETS, (chain: PricedChain, key: string): Scope => {
  const dates = key === '' ? [] : (key.split(',') as IsoDate[])
  const expirations = dates.flatMap((date) => expiringScope(chain, date).expirations)
  const live = liveScope(chain)
  const isWhole =
    live.expirations.length === expirations.length && live.expirations.every((at, k) => at === expirations[k])
  return isWhole ? live : scopeOfExpirations(chain, expirations)
})
