import type { DailyBar } from '../../../market/bar.ts'
import { addDays, type Session } from '../../../market/calendar.ts'
import { securityKind } from '../../../market/security.ts'
import type { Instant, IsoDate, Ticker } from '../../../market/units.ts'
import {
  indexPrices,
  indexReports,
  stockQuotes,
  stockQuotesAt,
  stockReports,
  type ThetaDataQuoteRow
} from '../thetadata-answers.ts'
import { compactDateText, thetadataName, timeOfDay } from '../thetadata-requests.ts'
import type { ThetaDataRest } from '../thetadata-rest.ts'

/** Price of an underlying, USD. An index has no bid and ask. */
export interface UnderlyingPrice {
  readonly bid: number | undefined
  readonly ask: number | undefined
  /** Midpoint of the stock's quote, or the index level. */
  readonly price: number
  readonly time: Instant
}

const DAYS_AT_ONCE = 365

/**
 * Requests the current price of an underlying. Undefined if the terminal has none today, or if bid or ask is missing.
 */
export async function priceNow(
  rest: ThetaDataRest,
  symbol: Ticker,
  signal: AbortSignal
): Promise<UnderlyingPrice | undefined> {
  const name = thetadataName(symbol)
  if (securityKind(symbol) === 'index') {
    const [row] = (await rest.read(indexPrices, { symbol: name }, signal)) ?? []
    return row && row.price > 0 ? { bid: undefined, ask: undefined, price: row.price, time: row.time } : undefined
  }
  const [row] = (await rest.read(stockQuotes, { symbol: name }, signal)) ?? []
  const price = row && middleOf(row)
  return price === undefined ? undefined : { bid: row.bid, ask: row.ask, price, time: row.time }
}

/** Closing price from a session's end-of-day report, made at 17:15; undefined if there is no report. */
export async function reportedClose(
  rest: ThetaDataRest,
  symbol: Ticker,
  date: IsoDate,
  signal: AbortSignal
): Promise<number | undefined> {
  return (await thetadataDailyBars(rest, symbol, date, date, signal))[0]?.close
}

/**
 * Closing price of a session, requested on the evening after it. Until the end-of-day report exists, the midpoint of
 * the stock's quote at the close is used.
 */
export async function closingPrice(
  rest: ThetaDataRest,
  symbol: Ticker,
  { date, close }: Session,
  signal: AbortSignal
): Promise<number | undefined> {
  const reported = await reportedClose(rest, symbol, date, signal)
  if (reported !== undefined || securityKind(symbol) === 'index') return reported
  const day = compactDateText(date)
  const query = { symbol: thetadataName(symbol), start_date: day, end_date: day, time_of_day: timeOfDay(close) }
  const [quote] = (await rest.read(stockQuotesAt, query, signal)) ?? []
  return quote && middleOf(quote)
}

/** Requests a symbol's daily bars in [from, to], ascending by day. */
export async function thetadataDailyBars(
  rest: ThetaDataRest,
  symbol: Ticker,
  from: IsoDate,
  to: IsoDate,
  signal: AbortSignal
): Promise<readonly DailyBar[]> {
  const answer = securityKind(symbol) === 'index' ? indexReports : stockReports
  const name = thetadataName(symbol)
  const bars: DailyBar[] = []
  for (let begin = from; begin <= to; begin = addDays(begin, DAYS_AT_ONCE)) {
    const last = addDays(begin, DAYS_AT_ONCE - 1)
    const query = { symbol: name, start_date: compactDateText(begin), end_date: compactDateText(last < to ? last : to) }
    const days = (await rest.read(answer, query, signal)) ?? []
    bars.push(...days.filter((bar) => bar !== undefined))
  }
  return bars.filter(({ date }) => date >= from && date <= to).sort((a, b) => (a.date < b.date ? -1 : 1))
}

function middleOf({ bid, ask }: Pick<ThetaDataQuoteRow, 'bid' | 'ask'>): number | undefined {
  return bid > 0 && ask >= bid ? (bid + ask) / 2 : undefined
}
