import { type BandPools, bandPools } from '../../market/band-pool.ts'
import type { DailyBar } from '../../market/bar.ts'
import { daysBetween, MAX_CLOSURE_DAYS } from '../../market/calendar.ts'
import type { DailyRecord } from '../../market/daily-record.ts'
import { easternDate } from '../../market/eastern.ts'
import { memoizeBy } from '../../market/memoize.ts'
import { securityKind } from '../../market/security.ts'
import type { IsoDate } from '../../market/units.ts'
import { versionOf } from '../../market/versions.ts'
import type { Input } from './input.ts'
import { nothingKnown } from './symbol-chain.ts'

/**
 * Newest completed daily bars of the symbol, ascending, as many as the endpoint declares. Empty if the source has none.
 */
export const bars: Input<readonly DailyBar[]> = {
  kind: 'market',
  moves: false,
  find({ symbols: [symbol], market, request: { source }, session, endpoint, params }) {
    const until = session ?? easternDate(source.now())
    return newestBars(market.bars(symbol), until, endpoint.barsRead(params as never))
  },
  version: versionOf,
  /** Looks the symbol up if it has neither bars nor a chain, to tell an empty history from an unknown symbol. */
  refuse(found, context) {
    if (found.length > 0 || context.underlying !== undefined || context.endpoint.needs.includes('lastKnown')) return
    if (context.hasSubject) throw nothingKnown(context)
    const { market, symbols, request, asker } = context
    if (market.chain(symbols[0], request.maxAge, asker) === undefined) throw nothingKnown(context)
  }
}

/**
 * Newest bars up to a date; empty if the last bar is much older than the date. While the source's list is unchanged
 * this returns the same list object, so its version stays equal.
 */
export function newestBars(all: readonly DailyBar[], until: IsoDate, count: number): readonly DailyBar[] {
  const whole = all.length <= count && (all.length === 0 || all[all.length - 1].date <= until)
  const past = whole ? all : lastOf(barsUntil(all, until), count)
  const last = past.at(-1)
  return last === undefined || daysBetween(last.date, until) > MAX_CLOSURE_DAYS ? noBars : past
}

const noBars: readonly DailyBar[] = []
const barsUntil = memoizeBy((all: readonly DailyBar[], until: IsoDate) => all.filter(({ date }) => date <= until))
const lastOf = memoizeBy((all: readonly DailyBar[], count: number) => all.slice(-count))

/** Daily records of the symbol before the day that the response describes, ascending. Empty if the source has none. */
export const records: Input<readonly DailyRecord[]> = {
  kind: 'market',
  moves: false,
  find: ({ symbols: [symbol], market, day, endpoint, params }) =>
    market.records(symbol, day, endpoint.recordsRead(params as never)),
  version: versionOf
}

/** Errors of the bands of all symbols before the day that the response describes, pooled for the class of the symbol. */
export const bandHistory: Input<BandPools> = {
  kind: 'market',
  moves: false,
  find: ({ symbols: [symbol], market, day }) => bandPools(market.bandErrors(day), securityKind(symbol)),
  version: versionOf
}
