import type { DailyBar } from '../../../market/bar.ts'
import { completedSession, session } from '../../../market/calendar.ts'
import { easternDate } from '../../../market/eastern.ts'
import { securityKind } from '../../../market/security.ts'
import { dateOfEpochDay, type Instant, type IsoDate, MILLISECONDS_PER_DAY, type Ticker } from '../../../market/units.ts'
import type { VendorFields } from '../../port/http/vendor-fields.ts'
import { type DxlinkEventFields, dxlinkReader, figureIn } from '../dxlink/dxlink-events.ts'
import { streamSymbol } from '../tastytrade-contracts.ts'

export const tastytradeCandleFields: DxlinkEventFields = new Map([
  ['Candle', ['eventSymbol', 'eventFlags', 'time', 'open', 'high', 'low', 'close', 'volume']]
])

/** Stream name of a symbol's daily candles, regular trading hours only. Source: dxFeed, How to Request Candles. */
export const daysOf = (symbol: Ticker) => `${streamSymbol(symbol)}{=d,tho=true}`

/** Decodes the snapshot flags of a candle. Source: dxFeed, QD Model of Market Events, `eventFlags`. */
export function flagsOf(candle: VendorFields) {
  const flags = dxlinkReader.number(candle, 'eventFlags')
  return {
    /** More candles of the same update follow. */
    isPending: (flags & 1) !== 0,
    isRemoved: (flags & 2) !== 0,
    /** A snapshot begins; earlier candles are void. */
    begins: (flags & 4) !== 0,
    /** The snapshot ends; later candles are updates. */
    ends: (flags & (8 | 16)) !== 0
  }
}

/**
 * Converts candles to completed daily bars, ascending by day. The last candle received for a day wins. A day without a
 * close had no trading and gets no bar.
 */
export function readCandles(candles: readonly VendorFields[], symbol: Ticker, now: Instant): readonly DailyBar[] {
  const days = new Map<IsoDate, DailyBar>()
  let strays = 0
  for (const candle of candles) {
    const { begins, isRemoved } = flagsOf(candle)
    if (begins) days.clear()
    const date = dateIn(candle)
    if (date === undefined) continue
    const bar = readCandle(candle, symbol, date)
    if (isRemoved) days.delete(date)
    else if (session(date) === undefined) strays++
    else if (bar !== undefined) days.set(date, bar)
  }
  // Checks the assumption about when a candle's day starts: with another hour, Mondays would become Sundays.
  if (strays * 10 > candles.length) {
    throw dxlinkReader.malformed(`by the field time ${strays} of ${candles.length} candles are of no trading day`)
  }
  const last = completedSession(now).date
  return [...days.values()].filter(({ date }) => date <= last).sort((a, b) => (a.date < b.date ? -1 : 1))
}

/**
 * Date of a candle, which begins at midnight UTC or New York time. Undefined for time 0, which marks the end of an
 * empty snapshot.
 */
function dateIn(candle: VendorFields): IsoDate | undefined {
  const time = dxlinkReader.timeOrNever(candle, 'time')
  if (time === undefined) return undefined
  return time % MILLISECONDS_PER_DAY === 0 ? dateOfEpochDay(time / MILLISECONDS_PER_DAY) : easternDate(time)
}

/** Converts a candle to a daily bar; the volume of an index is 0. */
function readCandle(candle: VendorFields, symbol: Ticker, date: IsoDate): DailyBar | undefined {
  // Compares only the start of the name, because the stream may write the attributes in braces differently.
  if (!dxlinkReader.text(candle, 'eventSymbol').startsWith(`${streamSymbol(symbol)}{`)) {
    throw dxlinkReader.malformed(`the field eventSymbol of a candle does not name ${symbol}`)
  }
  const [open, high, low, close] = ['open', 'high', 'low', 'close'].map((name) => priceIn(candle, name))
  const volume = figureIn(candle, 'volume')
  if (Number.isNaN(close)) return undefined
  const isIndex = securityKind(symbol) === 'index'
  if (!isIndex && !(volume >= 0 && volume < Number.POSITIVE_INFINITY)) {
    throw dxlinkReader.malformed('the field volume of a candle with a close is no number')
  }
  return { date, open, high, low, close, volume: isIndex ? 0 : volume }
}

function priceIn(candle: VendorFields, name: string): number {
  const value = figureIn(candle, name)
  return value > 0 && value < Number.POSITIVE_INFINITY ? value : Number.NaN
}
