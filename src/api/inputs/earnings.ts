import type { DailyBar } from '../../market/bar.ts'
import type { SymbolEarnings } from '../../market/earnings.ts'
import { reportsAhead } from '../../market/earnings.ts'
import type { IsoDate } from '../../market/units.ts'
import { versionOf } from '../../market/versions.ts'
import { apiError } from '../error.ts'
import type { EarningsCalendar } from '../market-source.ts'
import type { Input } from './input.ts'
import { ifReadable } from './market-reader.ts'

/** Earnings reports of the company, with the records of the closes around past ones. */
export const earnings: Input<SymbolEarnings, SymbolEarnings | undefined> = {
  kind: 'market',
  moves: true,
  find: ({ symbols: [symbol], market }) => market.earnings(symbol),
  value: (found) => found!,
  version: (found) => (found === undefined ? '' : versionOf(found)),
  refuse(found, { symbols: [symbol] }) {
    if (found === undefined) throw apiError('no_data', `no earnings calendar says anything of ${symbol}`)
  },
  errors: () => ['no_data']
}

/** Coming earnings reports of all companies, with the available history of each. Too large to send to a worker. */
export const earningsCalendar: Input<EarningsCalendar, EarningsCalendar | undefined> = {
  kind: 'market',
  inPlace: true,
  moves: true,
  find: ({ market }) => market.earningsCalendar(),
  value: (found) => found!,
  version: (found) => (found === undefined ? '' : versionOf(found)),
  refuse(found) {
    if (found === undefined) throw apiError('no_data', 'no earnings calendar is loaded')
  },
  errors: () => ['no_data']
}

/** Daily bars of the company, ascending; empty if unavailable, since its calendar is useful without them. */
export const pastBars: Input<readonly DailyBar[]> = {
  kind: 'market',
  moves: false,
  find: ({ symbols: [symbol], market }) => ifReadable(() => market.bars(symbol)) ?? noBars,
  version: versionOf
}

const noBars: readonly DailyBar[] = []

/**
 * Days of the company's earnings reports, from the day of the response on, ascending. Undefined if no calendar knows
 * the company; an empty list means that no report is coming.
 */
export const earningsDates: Input<readonly IsoDate[] | undefined> = {
  kind: 'market',
  moves: false,
  find: ({ symbols: [symbol], day, market }) => {
    const known = ifReadable(() => market.reports(symbol))
    return known && reportsAhead(known, day)
  },
  version: (found) => found?.join() ?? ''
}
