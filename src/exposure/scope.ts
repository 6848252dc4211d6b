import { type Expiration, known } from '../market/chain.ts'
import { daysToExpiry, endOfLife, isLive } from '../market/clock.ts'
import { easternDate } from '../market/eastern.ts'
import { memoize, memoizeBy, memoizePair } from '../market/memoize.ts'
import type { IsoDate } from '../market/units.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import { NO_SIGMA } from '../pricing/sources.ts'
import { type Book, signConvention } from './book.ts'

/**
 * The contracts that a measure covers: slots of a chain in ascending order, the indexes of their expirations, and a
 * book of what dealers hold.
 */
export interface Scope {
  readonly chain: PricedChain
  readonly slots: Int32Array
  readonly expirations: readonly number[]
  /**
   * Dealer positions in every slot of the chain, whether in the scope or not. Unless another book was given, dealers
   * are long calls and short puts.
   */
  readonly book: Book
}

/**
 * A scope with the same contracts and another book. Repeated calls with the same book return the same object, so that
 * cached results are found again.
 */
export function withBook(scope: Scope, book: Book): Scope {
  return book === scope.book ? scope : rebooked(scope, book)
}

const rebooked = memoizePair((scope: Scope, book: Book): Scope => ({ ...scope, book }))

export const liveScope = memoize((chain: PricedChain): Scope => scopeWhere(chain, (listed) => isLiveIn(chain, listed)))

export const liveWithin = memoizeBy(
  (chain: PricedChain, days: number): Scope =>
    scopeWhere(chain, (listed) => isLiveIn(chain, listed) && daysToExpiry(chain.asOf, listed.date) <= days)
)

/**
 * The contracts to show for an expiration date: those that have not expired. After the last one has expired, the
 * contracts that expired last stay visible until midnight, without greeks and therefore without exposure. AM-settled
 * contracts disappear at 09:30 if PM-settled ones have the same date.
 */
export function expiringScope(chain: PricedChain, date: IsoDate): Scope {
  const live = liveOn(chain, date)
  return live.slots.length > 0 || visibleScope(chain, date).slots.length === 0 ? live : longestLivedOn(chain, date)
}

const longestLivedOn = memoizeBy((chain: PricedChain, date: IsoDate): Scope => {
  const endings = chain.expirations.flatMap((listed) =>
    listed.date === date ? [endOfLife(date, listed.settlement)] : []
  )
  const last = Math.max(...endings)
  return scopeWhere(chain, (listed) => listed.date === date && endOfLife(date, listed.settlement) === last)
})

/** Whether a scope has contracts and all of them have expired. Such a scope is shown, but has no exposure. */
export function hasExpired({ chain, expirations }: Pick<Scope, 'chain' | 'expirations'>): boolean {
  return expirations.length > 0 && !expirations.some((at) => isLiveIn(chain, chain.expirations[at]))
}

/** Expiration dates of a scope, ascending. A date with both AM- and PM-settled options counts once. */
export function datesOf({ chain, expirations }: Pick<Scope, 'chain' | 'expirations'>): readonly IsoDate[] {
  return [...new Set(expirations.map((at) => chain.expirations[at].date))]
}

/** All contracts that are listed for an expiration date, expired or not. Empty for dates before today. */
export function visibleScope(chain: PricedChain, date: IsoDate): Scope {
  const visible = date >= easternDate(chain.asOf) && chain.expirations.some((listed) => listed.date === date)
  // Only listed dates are memoized, because a caller may pass any date.
  return visible ? listedOn(chain, date) : nothing(chain)
}

const listedOn = memoizeBy((chain: PricedChain, date: IsoDate) => scopeWhere(chain, (listed) => listed.date === date))

/**
 * Contracts of an expiration date that have not expired. On an AM settlement day, only PM-settled ones are left after
 * 09:30.
 */
export function liveOn(chain: PricedChain, date: IsoDate): Scope {
  if (!chain.expirations.some((listed) => listed.date === date)) return nothing(chain)
  return liveListedOn(chain, date)
}

const liveListedOn = memoizeBy((chain: PricedChain, date: IsoDate) =>
  scopeWhere(chain, (listed) => listed.date === date && isLiveIn(chain, listed))
)

/** Unexpired contracts whose expiration lies from `first` to `last`, both included. */
export function liveBetween(chain: PricedChain, first: IsoDate, last: IsoDate): Scope {
  return liveInSpan(chain, `${first} ${last}`)
}

const liveInSpan = memoizeBy((chain: PricedChain, span: string) => {
  const [first, last] = span.split(' ')
  return scopeWhere(chain, (listed) => listed.date >= first && listed.date <= last && isLiveIn(chain, listed))
})

/** Unexpired contracts that expire on the day of the chain. Empty if there are none, and always after the close. */
export function sameDayScope(chain: PricedChain): Scope {
  return liveOn(chain, easternDate(chain.asOf))
}

/**
 * The scope that most endpoints use: the contracts of one expiration date, or all unexpired contracts if no date is
 * given.
 */
export function scopeOf(chain: PricedChain, date: IsoDate | undefined): Scope {
  return date === undefined ? liveScope(chain) : expiringScope(chain, date)
}

/**
 * Restricts a scope to contracts at strikes with an open interest of at least `minimum` contracts, calls and puts
 * together.
 */
export function atLeastOpenInterest(scope: Scope, minimum: number): Scope {
  if (minimum <= 0) return scope
  const { chain, book } = scope
  const held = new Map<number, number>()
  for (const i of scope.slots) {
    held.set(chain.strike[i], (held.get(chain.strike[i]) ?? 0) + known(book.openInterest[i]))
  }
  return { ...scope, slots: scope.slots.filter((i) => held.get(chain.strike[i])! >= minimum) }
}

/** Whether contract `i` has open interest and greeks. A contract that lacks one of them adds nothing to any sum. */
export function isOpenAndPriced({ chain, book }: Pick<Scope, 'chain' | 'book'>, i: number): boolean {
  return book.openInterest[i] > 0 && chain.sigmaSource[i] !== NO_SIGMA
}

/** Whether dealers hold contract `i` and it has greeks. Otherwise it has no gamma, vanna or charm exposure. */
export function carriesExposure({ chain, book }: Pick<Scope, 'chain' | 'book'>, i: number): boolean {
  return book.position[i] !== 0 && chain.sigmaSource[i] !== NO_SIGMA
}

/** Whether any contract of a scope has gamma exposure. A scope without exposure has neither a flip nor a regime. */
export const hasExposure = memoize((scope: Scope): boolean => scope.slots.some((i) => carriesExposure(scope, i)))

/**
 * Why a scope has no exposure. The open interest of all contracts is unknown (`uncounted`) or 0 (`empty`), no open
 * contract has greeks (`unpriced`), or the book gives dealers none of those that have (`unheld`), which never happens
 * in the default book.
 */
export type ExposureGap = 'uncounted' | 'unpriced' | 'empty' | 'unheld'

/** Why a scope has no exposure. Undefined if it has some, even if its sums are exactly 0. */
export function exposureGap(scope: Scope): ExposureGap | undefined {
  if (hasExposure(scope)) return undefined
  const { slots, book } = scope
  if (slots.some((i) => isOpenAndPriced(scope, i))) return 'unheld'
  if (slots.some((i) => book.openInterest[i] > 0)) return 'unpriced'
  return slots.some((i) => book.openInterest[i] === 0) ? 'empty' : 'uncounted'
}

export const expirationOfSlots = memoize((chain: PricedChain): Uint16Array => {
  const of = new Uint16Array(chain.size)
  chain.expirations.forEach(({ start, end }, at) => {
    of.fill(at, start, end)
  })
  return of
})

const nothing = (chain: PricedChain): Scope => ({
  chain,
  slots: new Int32Array(0),
  expirations: [],
  book: signConvention(chain)
})

export function expirationDate(chain: PricedChain, slot: number): IsoDate {
  return chain.expirations[expirationOfSlots(chain)[slot]].date
}

function isLiveIn({ asOf }: PricedChain, { date, settlement }: Expiration): boolean {
  return isLive(asOf, date, settlement)
}

function scopeWhere(chain: PricedChain, accept: (listed: Expiration) => boolean): Scope {
  const expirations = chain.expirations.flatMap((listed, at) => (accept(listed) ? [at] : []))
  return scopeOfExpirations(chain, expirations)
}

/** All contracts of some expirations of a chain. `expirations` are their indexes, ascending. */
export function scopeOfExpirations(chain: PricedChain, expirations: readonly number[]): Scope {
  const size = expirations.reduce((sum, at) => sum + chain.expirations[at].end - chain.expirations[at].start, 0)
  const slots = new Int32Array(size)
  let k = 0
  for (const at of expirations) {
    for (let i = chain.expirations[at].start; i < chain.expirations[at].end; i++) slots[k++] = i
  }
  return { chain, slots, expirations, book: signConvention(chain) }
}
