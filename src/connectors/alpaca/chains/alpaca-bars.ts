import type { DailyBar } from '../../../market/bar.ts'
import { easternDate } from '../../../market/eastern.ts'
import type { Instant, Ticker } from '../../../market/units.ts'
import type { VendorFields } from '../../port/http/vendor-fields.ts'
import { alpacaReader, timeIn } from '../alpaca-fields.ts'
import type { AlpacaRest } from '../alpaca-rest.ts'

/** Price bar of a stock or option. Prices in USD per share, NaN if absent; volume in shares or contracts. */
export interface AlpacaBar {
  readonly begin: Instant
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

/**
 * Reads a symbol's bars from a page of `/v2/stocks/bars` or `/v1beta1/options/bars`; empty if the symbol did not trade.
 */
export function readAlpacaBars(page: VendorFields, symbol: string): readonly AlpacaBar[] {
  const bars = alpacaReader.object(page, 'bars')
  const rows = bars[symbol] === undefined ? [] : (alpacaReader.list(bars, symbol) ?? [])
  return rows.map((row) => {
    const fields = alpacaReader.element(row, symbol)
    const [open, high, low, close] = ['o', 'h', 'l', 'c'].map((name) => alpacaReader.priceOrNone(fields, name))
    return { begin: timeIn(fields, 't'), open, high, low, close, volume: alpacaReader.volume(fields, 'v') }
  })
}

interface BarRequest {
  readonly symbol: Ticker
  readonly timeframe: '1Day' | '1Min'
  readonly from: Instant
  readonly to: Instant
  /** Stock feed whose trades form the bars, e.g. `sip`, which covers all exchanges and is free after 15 minutes. */
  readonly feed: string
}

/** Requests the bars of a stock that begin in [from, to], adjusted for splits, ascending by time. */
export async function fetchAlpacaBars(
  rest: AlpacaRest,
  request: BarRequest,
  signal: AbortSignal
): Promise<readonly AlpacaBar[]> {
  const { symbol, timeframe, from, to, feed } = request
  const [start, end] = [from, to].map((instant) => new Date(instant).toISOString())
  const query = { symbols: symbol, timeframe, start, end, feed, adjustment: 'split', sort: 'asc', limit: '10000' }
  const bars: AlpacaBar[] = []
  for await (const page of rest.pages({ of: 'data', path: '/v2/stocks/bars', query }, signal)) {
    bars.push(...readAlpacaBars(page, symbol))
  }
  return bars.filter(({ close }) => close > 0)
}

/** Converts a vendor bar, which begins at midnight in New York, to a daily bar. */
export function alpacaDailyBar({ begin, ...figures }: AlpacaBar): DailyBar {
  return { date: easternDate(begin), ...figures }
}
