import { type Expiration, known } from '../market/chain.ts'
import { daysToExpiry, endOfLife, isLive } from '../market/clock.ts'
import { easternDate } from '../market/eastern.ts'
import { memoize, memoizeBy, memoizePair } from '../market/memoize.ts'
import type { IsoDate } from '../market/units.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import { NO_SIGMA } from '../pricing/sources.ts'
import { type Book, signConvention } from './book.ts'

/**
 * The contracts that a measure covers: slots of a chain in ascending order, their expirations, and a book of dealers'
 * positions.
 */
export interface Scope {
  readonly chain: PricedChain
  readonly slots: Int32Array
  readonly expirations: readonly number[]
  /**
   * Dealers' positions in every slot of the chain, in scope or not; the sign convention unless another book was given.
   */
  readonly book: Book
}

/**
 * The same contracts with another book. Repeated calls with one book return the same object, so that memoized results
 * are found again.
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
 * The contracts to show for one expiration date: the live ones. After the last one has ended, the contracts that lived
 * longest stay visible until midnight, without greeks and so without exposure. AM-settled contracts drop out at 09:30
 * if a PM series has the same date.
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

/** Whether every contract of a non-empty scope has expired, so that the scope is only shown. */
export function hasExpired({ chain, expirations }: Pick<Scope, 'chain' | 'expirations'>): boolean {
  return expirations.length > 0 && !expirations.some((at) => isLiveIn(chain, chain.expirations[at]))
}

/** Expiration dates of a scope, ascending. AM and PM series of one date count once. */
export function datesOf({ chain, expirations }: Pick<Scope, 'chain' | 'expirations'>): readonly IsoDate[] {
  return [...new Set(expirations.map((at) => chain.expirations[at].date))]
}

/** All listed contracts of one expiration date. Today's contracts stay visible after their close, until midnight. */
export function visibleScope(chain: PricedChain, date: IsoDate): Scope {
  const visible = date >= easternDate(chain.asOf) && chain.expirations.some((listed) => listed.date === date)
  // Only listed dates are memoized, because a caller may pass any date.
  return visible ? listedOn(chain, date) : nothing(chain)
}

const listedOn = memoizeBy((chain: PricedChain, date: IsoDate) => scopeWhere(chain, (listed) => listed.date === date))

/** Live contracts of one expiration date. On an AM settlement day only the PM series is left after 09:30. */
export function liveOn(chain: PricedChain, date: IsoDate): Scope {
  if (!chain.expirations.some((listed) => listed.date === date)) return nothing(chain)
  return liveListedOn(chain, date)
}

const liveListedOn = memoizeBy((chain: PricedChain, date: IsoDate) =>
  scopeWhere(chain, (listed) => listed.date === date && isLiveIn(chain, listed))
)

/** Live contracts that expire from `first` to `last`, both included. */
export function liveBetween(chain: PricedChain, first: IsoDate, last: IsoDate): Scope {
  return liveInSpan(chain, `${first} ${last}`)
}

const liveInSpan = memoizeBy((chain: PricedChain, span: string) => {
  const [first, last] = span.split(' ')
  return scopeWhere(chain, (listed) => listed.date >= first && listed.date <= last && isLiveIn(chain, listed))
})

/**
 * Live contracts that expire on the chain's own day; empty on most days for most symbols, and always after the close.
 */
export function sameDayScope(chain: PricedChain): Scope {
  return liveOn(chain, easternDate(chain.asOf))
}

/** The scope of most endpoints: one expiration, or every live one if no date is given. */
export function scopeOf(chain: PricedChain, date: IsoDate | undefined): Scope {
  return date === undefined ? liveScope(chain) : expiringScope(chain, date)
}

/** The part of a scope at strikes with at least `minimum` contracts of open interest, calls and puts together. */
export function atLeastOpenInterest(scope: Scope, minimum: number): Scope {
  if (minimum <= 0) return scope
  const { chain, book } = scope
  const held = new Map<number, number>()
  for (const i of scope.slots) {
    held.set(chain.strike[i], (held.get(chain.strike[i]) ?? 0) + known(book.openInterest[i]))
  }
  return { ...scope, slots: scope.slots.filter((i) => held.get(chain.strike[i])! >= minimum) }
}

/** Whether contract i has open interest and greeks. Other contracts add nothing to any sum. */
export function isOpenAndPriced({ chain, book }: Pick<Scope, 'chain' | 'book'>, i: number): boolean {
  return book.openInterest[i] > 0 && chain.sigmaSource[i] !== NO_SIGMA
}

/** Whether dealers hold contract i and it has greeks; other contracts have no gamma, vanna or charm exposure. */
export function carriesExposure({ chain, book }: Pick<Scope, 'chain' | 'book'>, i: number): boolean {
  return book.position[i] !== 0 && chain.sigmaSource[i] !== NO_SIGMA
}

/** Whether any contract of a scope has gamma exposure. A scope without exposure has neither a flip nor a regime. */
export const hasExposure = memoize((scope: Scope): boolean => scope.slots.some((i) => carriesExposure(scope, i)))

/**
 * Whether a scope has open contracts with greeks but the book gives dealers none of them. Never true for the sign
 * convention.
 */
export function isUnheld(scope: Scope): boolean {
  return !hasExposure(scope) && scope.slots.some((i) => isOpenAndPriced(scope, i))
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
  const size = expirations.reduce((sum, at) => sum + chain.expirations[at].end - chain.expirations[at].start, 0)
  const slots = new Int32Array(size)
  let k = 0
  for (const at of expirations) {
    for (let i = chain.expirations[at].start; i < chain.expirations[at].end; i++) slots[k++] = i
  }
  return { chain, slots, expirations, book: signConvention(chain) }
}
