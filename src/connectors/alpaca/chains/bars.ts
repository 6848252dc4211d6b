import type { DailyBar } from '../../../market/bar.ts'
import { easternDate } from '../../../market/eastern.ts'
import type { Instant, Ticker } from '../../../market/units.ts'
import type { Fields } from '../../port/http/vendor-fields.ts'
import { reader, timeIn } from '../fields.ts'
import type { Rest } from '../rest.ts'

/** A stretch of trading. Prices in USD per share, NaN for what is none, volume in shares or contracts. */
export interface Bar {
  /** When it begins. */
  readonly begin: Instant
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

/** The bars of one symbol in a page of `/v2/stocks/bars` or `/v1beta1/options/bars`; none where it did not trade. */
export function readBars(page: Fields, symbol: string): readonly Bar[] {
  const bars = reader.object(page, 'bars')
  const rows = bars[symbol] === undefined ? [] : (reader.list(bars, symbol) ?? [])
  return rows.map((row) => {
    const fields = reader.element(row, symbol)
    const [open, high, low, close] = ['o', 'h', 'l', 'c'].map((name) => reader.priceOrNone(fields, name))
    return { begin: timeIn(fields, 't'), open, high, low, close, volume: reader.volume(fields, 'v') }
  })
}

interface BarRequest {
  readonly symbol: Ticker
  readonly timeframe: '1Day' | '1Min'
  readonly from: Instant
  readonly to: Instant
  /** Whose trades they are made of: `sip` of all exchanges, which is free once it is 15 minutes old. */
  readonly feed: string
}

/** The bars of a share that begin in a stretch, adjusted for splits, ascending. */
export async function fetchBars(rest: Rest, request: BarRequest, signal: AbortSignal): Promise<readonly Bar[]> {
  const { symbol, timeframe, from, to, feed } = request
  const [start, end] = [from, to].map((instant) => new Date(instant).toISOString())
  const query = { symbols: symbol, timeframe, start, end, feed, adjustment: 'split', sort: 'asc', limit: '10000' }
  const bars: Bar[] = []
  for await (const page of rest.pages({ of: 'data', path: '/v2/stocks/bars', query }, signal)) {
    bars.push(...readBars(page, symbol))
  }
  return bars.filter(({ close }) => close > 0)
}

/** A bar of a day begins at midnight of New York. */
export function dailyBarOf({ begin, ...figures }: Bar): DailyBar {
  return { date: easternDate(begin), ...figures }
}
