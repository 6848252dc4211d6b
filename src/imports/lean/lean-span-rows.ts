import { epochDay } from '../../market/units.ts'
import { cutLine, emptyLine, type Line, numberOf, textOf } from '../tables/csv-line.ts'
import { compactDate } from '../tables/table-dates.ts'
import { countOf, isPriceOrNone, type Reject } from './lean-bars.ts'
import type { LeanKind } from './lean-names.ts'

// LEAN's files of hours and days have the columns of its minute files, but the first one is the New York time at which
// a bar began, as 20151224 09:00; 00:00 is a whole day.

export const spanKinds = ['quote', 'trade', 'openinterest'] as const satisfies readonly LeanKind[]
const fieldsOf: Readonly<Record<LeanKind, number>> = { quote: 11, trade: 6, openinterest: 2 }

/** Receives a bar: its epoch day, its start in minutes of the day, and its figures, which the next bar overwrites. */
export type TakeSpan = (day: number, start: number, figures: Float64Array, line: number) => void

const line: Line = emptyLine()
const [quotes, trades, counts] = [new Float64Array(4), new Float64Array(5), new Float64Array(1)]

/**
 * Calls `take` for each usable line of a file. Figures of a quote are bid, ask and their sizes, NaN if there is none;
 * those of a trade open, high, low, close and volume; that of open interest is its number. Prices are in USD.
 */
export function eachSpanRow(bytes: Buffer, kind: LeanKind, perDollar: number, reject: Reject, take: TakeSpan): void {
  for (let at = 0, number = 1; at < bytes.length; number++) {
    at = cutLine(line, bytes, at)
    if (line.count === 0) continue
    const [, date = '', hour, minute] = /^(\d{8}) (\d\d):(\d\d)$/.exec(textOf(line, 0)) ?? []
    const day = compactDate(date)
    const start = Number(hour) * 60 + Number(minute)
    if (line.count !== fieldsOf[kind]) {
      reject(number, `it has ${line.count} fields instead of ${fieldsOf[kind]}`)
    } else if (day === undefined || !(start < 24 * 60)) {
      reject(number, 'its time is not written as 20151224 09:00')
    } else {
      const figures = readers[kind](perDollar)
      if (typeof figures === 'string') reject(number, figures)
      else take(epochDay(day), start, figures, number)
    }
  }
}

const readers: Readonly<Record<LeanKind, (perDollar: number) => Float64Array | string>> = {
  quote(perDollar) {
    const [bid, ask] = [numberOf(line, 4), numberOf(line, 9)]
    const [bidSize, askSize] = [countOf(numberOf(line, 5)), countOf(numberOf(line, 10))]
    if (!isPriceOrNone(bid) || !isPriceOrNone(ask)) return 'a price is not a number above 0'
    if (bidSize === undefined || askSize === undefined) return 'a size is no whole number'
    quotes.set([bid > 0 ? bid / perDollar : Number.NaN, ask > 0 ? ask / perDollar : Number.NaN, bidSize, askSize])
    return quotes
  },
  trade(perDollar) {
    const prices = [1, 2, 3, 4].map((field) => numberOf(line, field))
    const volume = numberOf(line, 5)
    if (!prices.every((price) => price !== undefined && price > 0)) return 'a price is not a number above 0'
    if (volume === undefined || !(volume >= 0)) return 'the volume is no number'
    trades.set([...prices.map((price) => price! / perDollar), volume])
    return trades
  },
  openinterest() {
    const count = countOf(numberOf(line, 1))
    if (count === undefined || Number.isNaN(count)) return 'the open interest is no whole number'
    counts[0] = count
    return counts
  }
}
