import { addDays } from './calendar.ts'
import type { Chain } from './chain.ts'
import { easternDate, instantOfEastern } from './eastern.ts'
import type { Instant, IsoDate } from './units.ts'

/** One cash dividend of a share. Several with one ex-date, such as a regular and a special one, add up. */
export interface Dividend {
  /** The first day on which the share trades without the dividend. */
  readonly exDate: IsoDate
  /** USD per share, as paid: not adjusted for later splits. 0 cancels a dividend that was expected. */
  readonly amount: number
  /** Time from which the dividend counts, see the function `knownFrom`. */
  readonly knownFrom: Instant
}

/** If the declaration date of a dividend is unknown, it counts as known this many days before its ex-date. */
const KNOWN_BEFORE = 30

/**
 * Time at which a dividend becomes known: midnight in New York after the day of its declaration, because declarations
 * state no hour. If that day is unknown, midnight 30 days before the ex-date, by when nearly all dividends are
 * declared.
 */
export function knownFrom(exDate: IsoDate, declared: IsoDate | undefined): Instant {
  return instantOfEastern(declared === undefined ? addDays(exDate, -KNOWN_BEFORE) : addDays(declared, 1), 0)
}

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

/** A chain with the dividends of its underlying that were expected at the chain's time. */
export function withDividends(chain: Chain, dividends: readonly Dividend[]): Chain {
  const coming = comingDividends(dividends, chain.asOf)
  return coming.length === 0 ? chain : { ...chain, dividends: coming }
}
