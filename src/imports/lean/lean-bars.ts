import { MILLISECONDS_PER_DAY, MILLISECONDS_PER_MINUTE } from '../../market/units.ts'
import { cutLine, emptyLine, type Line, numberOf } from '../tables/csv-line.ts'
import { logEntry, type MinuteLog } from './minute-log.ts'

// LEAN's minute files have these columns; times in milliseconds since midnight in New York, prices in parts of
// a dollar that `perDollar` counts:
//   quote         time, bid open, high, low, close, bid size, ask open, high, low, close, ask size
//   trade         time, open, high, low, close, volume
//   openinterest  time, contracts

const MAX_COUNT = 2 ** 31 - 1

/** Position of each figure in a log entry for a quote. `width` is the number of figures. */
export const quoteFigures = { bid: 0, ask: 1, bidSize: 2, askSize: 3, width: 4 } as const

/** Position of each figure in a log entry for a trade bar. `width` is the number of figures. */
export const tradeFigures = { open: 0, high: 1, low: 2, close: 3, volume: 4, width: 5 } as const

/** Opening and close of a session. Bars that begin later are not logged. */
export interface SessionMinutes {
  /** Minute of the New York day at which the session opens; `close` is the minute at which it closes. */
  readonly open: number
  readonly close: number
}

/** Facts that all files of one underlying and day share. */
export interface BarsOfDay {
  readonly span: SessionMinutes
  /** Price units that make one USD: 10,000 in files of stocks and funds, 1 in files of indexes. */
  readonly perDollar: number
}

const line: Line = emptyLine()

/**
 * Logs the closing quote of every quote bar of a contract, whose number is `slot`. Minute 0 holds what was known at the
 * opening; minute m holds the bar that ended m minutes later. A side that was not quoted in a minute is NaN.
 */
export function logQuotes(bytes: Buffer, slot: number, day: BarsOfDay, log: MinuteLog, reject: Reject): void {
  const { span, perDollar } = day
  eachBar(bytes, span, 11, reject, (minute) => {
    const bid = numberOf(line, 4)
    const ask = numberOf(line, 9)
    const bidSize = countOf(numberOf(line, 5))
    const askSize = countOf(numberOf(line, 10))
    if (!isPriceOrNone(bid) || !isPriceOrNone(ask)) return 'a price is not a number above 0'
    if (bidSize === undefined || askSize === undefined) return 'a size is no whole number'
    const at = logEntry(log, minute, slot)
    log.figures[at + quoteFigures.bid] = bid > 0 ? bid / perDollar : Number.NaN
    log.figures[at + quoteFigures.ask] = ask > 0 ? ask / perDollar : Number.NaN
    log.figures[at + quoteFigures.bidSize] = bidSize
    log.figures[at + quoteFigures.askSize] = askSize
    return undefined
  })
}

/** Logs every trade bar of a contract, whose number is `slot`, under the minute at which the bar ended. */
export function logTrades(bytes: Buffer, slot: number, day: BarsOfDay, log: MinuteLog, reject: Reject): void {
  const { span, perDollar } = day
  eachBar(bytes, span, 6, reject, (minute) => {
    const prices = [1, 2, 3, 4].map((field) => numberOf(line, field))
    const volume = countOf(numberOf(line, 5))
    if (!prices.every((price) => price !== undefined && price > 0)) return 'a price is not a number above 0'
    if (volume === undefined || Number.isNaN(volume)) return 'the volume is no whole number'
    const at = logEntry(log, minute, slot)
    prices.forEach((price, i) => {
      log.figures[at + tradeFigures.open + i] = price! / perDollar
    })
    log.figures[at + tradeFigures.volume] = volume
    return undefined
  })
}

/** Reads the newest open interest that was published before the opening; undefined if there is none. */
export function openInterestIn(bytes: Buffer, span: SessionMinutes, reject: Reject): number | undefined {
  let newest: number | undefined
  eachBar(bytes, span, 2, reject, (minute) => {
    const count = countOf(numberOf(line, 1))
    if (count === undefined || Number.isNaN(count)) return 'the open interest is no whole number'
    if (minute > 0) return 'open interest of a session cannot be known after its opening'
    newest = count
    return undefined
  })
  return newest
}

/** Trades of one minute. `time` is its start in milliseconds since midnight, `close` the last price in USD. */
export interface TradeBar {
  readonly time: number
  readonly close: number
  readonly volume: number
  readonly line: number
}

/** Reads the trade bars that have volume, including bars outside the session. */
export function tradeBarsIn(bytes: Buffer, perDollar: number, reject: Reject): readonly TradeBar[] {
  const found: TradeBar[] = []
  eachLine(bytes, 6, reject, (time, number) => {
    const [close, volume] = [numberOf(line, 4), countOf(numberOf(line, 5))]
    if (close === undefined || !(close > 0)) return 'a price is not a number above 0'
    if (volume === undefined || Number.isNaN(volume)) return 'the volume is no whole number'
    if (volume > 0) found.push({ time, close: close / perDollar, volume, line: number })
    return undefined
  })
  return found
}

/** Quote at the end of a minute, USD; 0 for a missing side. */
export interface QuoteBar {
  /** End of the minute, milliseconds since midnight. */
  readonly end: number
  readonly bid: number
  readonly ask: number
}

/** Reads the quote bars of a file, in the order of its lines. */
export function quoteBarsIn(bytes: Buffer, perDollar: number, reject: Reject): readonly QuoteBar[] {
  const found: QuoteBar[] = []
  eachLine(bytes, 11, reject, (time) => {
    const [bid, ask] = [numberOf(line, 4), numberOf(line, 9)]
    if (!isPriceOrNone(bid) || !isPriceOrNone(ask)) return 'a price is not a number above 0'
    found.push({ end: time + MILLISECONDS_PER_MINUTE, bid: (bid || 0) / perDollar, ask: (ask || 0) / perDollar })
    return undefined
  })
  return found
}

export type Reject = (line: number, reason: string) => void

/**
 * Calls `take` for each line with the minute at which its bar was known. `take` returns what is wrong with the line;
 * undefined if it is right.
 */
function eachBar(
  bytes: Buffer,
  { open, close }: SessionMinutes,
  fields: number,
  reject: Reject,
  take: (minute: number) => string | undefined
): void {
  eachLine(bytes, fields, reject, (time) => {
    const start = Math.floor(time / MILLISECONDS_PER_MINUTE)
    return start >= close ? undefined : take(start < open ? 0 : start - open + 1)
  })
}

/**
 * Calls `take` for each line with the start time of its bar and the line number. `take` returns what is wrong with the
 * line; undefined if it is right.
 */
function eachLine(
  bytes: Buffer,
  fields: number,
  reject: Reject,
  take: (time: number, number: number) => string | undefined
): void {
  for (let at = 0, number = 1; at < bytes.length; number++) {
    at = cutLine(line, bytes, at)
    if (line.count === 0) continue
    const time = numberOf(line, 0)
    if (line.count !== fields) reject(number, `it has ${line.count} fields instead of ${fields}`)
    else if (time === undefined || !(time >= 0 && time < MILLISECONDS_PER_DAY)) {
      reject(number, 'its time is no number of milliseconds since midnight')
    } else {
      const reason = take(time, number)
      if (reason !== undefined) reject(number, reason)
    }
  }
}

/** Whether a price can be used: above 0, or 0 or NaN for none. */
export function isPriceOrNone(price: number | undefined): price is number {
  return price !== undefined && !(price < 0)
}

/** Checks a number of contracts or shares: NaN if absent, undefined if it is not a whole number below 2^31. */
export function countOf(value: number | undefined): number | undefined {
  if (value === undefined || Number.isNaN(value)) return value
  return Number.isInteger(value) && value >= 0 && value <= MAX_COUNT ? value : undefined
}
