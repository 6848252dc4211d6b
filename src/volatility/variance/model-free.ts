import { nextTradingDay, weekday } from '../../market/calendar.ts'
import { CALL } from '../../market/chain.ts'
import { endOfLife, isLive, type Settlement } from '../../market/clock.ts'
import { memoize } from '../../market/memoize.ts'
import { type IsoDate, MILLISECONDS_PER_MINUTE } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { constantMaturity, MINUTES_PER_DAY, type StrikeQuotes, vixVariance } from './vix.ts'

/**
 * Variance of one expiration, computed from the quotes of its out-of-the-money options (a strip). All of them have one
 * root and settle together.
 */
export interface ListedStrip {
  readonly date: IsoDate
  readonly root: string
  readonly settlement: Settlement
  /** Calendar minutes to settlement. */
  readonly minutes: number
  readonly strikes: number
  /** Total variance until settlement, not annualized. Undefined with fewer than 8 strikes. */
  readonly total: number | undefined
  /** Annual volatility from `total` in percent, for a year of 525,600 minutes. */
  readonly volatility: number | undefined
}

/** Volatility computed directly from quotes, without a pricing model or a fitted smile. */
export interface ModelFreeVolatility {
  /** A strip for each expiration that is not past and has enough quotes, ascending. */
  readonly strips: readonly ListedStrip[]
  /**
   * Volatility over the next 30 days in percent, like a VIX of this chain. Undefined unless there is an expiration
   * before and one after 30 days.
   */
  readonly month: number | undefined
}

const MIN_STRIKES = 8
const MONTH = 30

/**
 * Variances of a chain's expirations by the method of the VIX, and the 30-day volatility interpolated between them.
 *
 * AM- and PM-settled options of a date are separate strips. The 30-day volatility is interpolated between the last
 * expiration that settles within 30 days and the first beyond. Only expirations on the last trading session of a week
 * are used, the AM-settled one if a date has both, as for the VIX itself. If a chain has none of these, as for options
 * on a volatility index, all its expirations are used.
 * Source: vix.ts; the choice of expirations for chains other than SPX is our own.
 */
export const modelFreeVolatility = memoize((chain: PricedChain): ModelFreeVolatility => {
  const { asOf, expirations } = chain
  const strips = expirations.flatMap(({ date, settlement }, at) => {
    const strip = isLive(asOf, date, settlement) ? stripOf(chain, at) : undefined
    return strip === undefined ? [] : [strip]
  })
  return { strips, month: monthOf(strips) }
})

function stripOf(chain: PricedChain, at: number): ListedStrip | undefined {
  const { date, root, settlement } = chain.expirations[at]
  const minutes = minutesToSettlement(chain, at)
  const found = vixVariance({ minutes, rate: chain.carries[at].rate, quotes: quotesOf(chain, at) })
  if (found === undefined) return undefined
  const { t, strikes, variance } = found
  const listing = { date, root, settlement, minutes, strikes }
  if (strikes < MIN_STRIKES || !(variance > 0)) return { ...listing, total: undefined, volatility: undefined }
  return { ...listing, total: t * variance, volatility: 100 * Math.sqrt(variance) }
}

/** Calendar minutes until the expiration with index `at` settles. */
export function minutesToSettlement({ asOf, expirations }: PricedChain, at: number): number {
  const { date, settlement } = expirations[at]
  return (endOfLife(date, settlement) - asOf) / MILLISECONDS_PER_MINUTE
}

function quotesOf({ expirations, strike, right, bid, ask }: PricedChain, at: number): StrikeQuotes {
  const { start, end } = expirations[at]
  const column = () => new Float64Array(end - start)
  const [strikes, callBid, callAsk, putBid, putAsk] = [column(), column(), column(), column(), column()]
  let size = 0
  for (let i = start; i < end; i++) {
    if (size === 0 || strikes[size - 1] !== strike[i]) strikes[size++] = strike[i]
    const isCall = right[i] === CALL
    ;(isCall ? callBid : putBid)[size - 1] = bid[i]
    ;(isCall ? callAsk : putAsk)[size - 1] = ask[i]
  }
  const part = (whole: Float64Array) => whole.subarray(0, size)
  return {
    strike: part(strikes),
    callBid: part(callBid),
    callAsk: part(callAsk),
    putBid: part(putBid),
    putAsk: part(putAsk)
  }
}

/**
 * An expiration with its total variance until settlement, not annualized. `total` is undefined if the variance is
 * unknown.
 */
type Listing = Pick<ListedStrip, 'date' | 'settlement' | 'minutes' | 'total'>
type Term = Listing & { readonly total: number }

/**
 * Volatility over the next 30 days in percent, interpolated between expirations, which must be ascending. Undefined
 * unless there is one before and one after 30 days. The expirations are chosen as in `modelFreeVolatility`.
 */
export function monthOf(listings: readonly Listing[]): number | undefined {
  const terms = termsAmong(listings)
  const after = terms.findIndex(({ minutes }) => minutes > MONTH * MINUTES_PER_DAY)
  return after < 1 ? undefined : constantMaturity(terms[after - 1], terms[after], MONTH)
}

/** The expirations between which the 30-day volatility may be interpolated, one per date, ascending. */
function termsAmong(listings: readonly Listing[]): readonly Term[] {
  const whole = listings.filter((listing): listing is Term => listing.total !== undefined)
  const weekly = whole.filter(({ date }) => isWeeksLastSession(date))
  const terms = new Map<IsoDate, Term>()
  for (const term of weekly.length > 0 ? weekly : whole) {
    if (terms.get(term.date)?.settlement !== 'am') terms.set(term.date, term)
  }
  return [...terms.values()]
}

function isWeeksLastSession(date: IsoDate): boolean {
  return weekday(nextTradingDay(date)) <= weekday(date)
}
