import { addDays } from './calendar.ts'
import type { Chain } from './chain.ts'
import { easternDate, instantOfEastern } from './eastern.ts'
import type { Instant, IsoDate } from './units.ts'

/** One cash dividend of a share. Several of one ex-date, such as a regular and a special one, add up. */
export interface Dividend {
  /** The first day on which the share trades without it. */
  readonly exDate: IsoDate
  /** USD per share, as paid: not adjusted for later splits. 0 takes back what was expected. */
  readonly amount: number
  /** The moment from which it counts, see `knownFrom`. */
  readonly knownFrom: Instant
}

/** Days before its ex-date from which a dividend counts if its declaration date is unknown. */
const KNOWN_BEFORE = 30

/**
 * When a dividend becomes known: at midnight in New York after the day of its declaration, whose hour is not stated; if
 * that day is unknown, at midnight 30 days before its ex-date, by when nearly all are declared.
 */
export function knownFrom(exDate: IsoDate, declared: IsoDate | undefined): Instant {
  return instantOfEastern(declared === undefined ? addDays(exDate, -KNOWN_BEFORE) : addDays(declared, 1), 0)
}

/** The dividends grouped by ex-date, in order of first appearance. */
export function byExDate(dividends: readonly Dividend[]): ReadonlyMap<IsoDate, readonly Dividend[]> {
  const dates = new Map<IsoDate, Dividend[]>()
  for (const dividend of dividends) {
    const paid = dates.get(dividend.exDate)
    if (paid === undefined) dates.set(dividend.exDate, [dividend])
    else paid.push(dividend)
  }
  return dates
}

/** The dividends that could be expected at a moment: known by then, with an ex-date after its New York date. */
export function comingDividends(dividends: readonly Dividend[], at: Instant): readonly Dividend[] {
  const today = easternDate(at)
  return dividends.filter(({ exDate, amount, knownFrom }) => exDate > today && knownFrom <= at && amount > 0)
}

/** A chain with the dividends of its underlying that were expected at its moment. */
export function withDividends(chain: Chain, dividends: readonly Dividend[]): Chain {
  const coming = comingDividends(dividends, chain.asOf)
  return coming.length === 0 ? chain : { ...chain, dividends: coming }
}
