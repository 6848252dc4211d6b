import type { DailyBar } from '../../market/bar.ts'
import type { Session } from '../../market/calendar.ts'
import {
  buildChain,
  type Chain,
  type ContractRow,
  chainOf,
  contractColumns,
  copyContracts,
  UNKNOWN
} from '../../market/chain.ts'
import { easternMinutes } from '../../market/eastern.ts'
import { settlementOf } from '../../market/security.ts'
import { type Instant, MILLISECONDS_PER_MINUTE, type Ticker } from '../../market/units.ts'
import { quoteFigures, type SessionMinutes, tradeFigures } from './lean-bars.ts'
import { type LeanOption, leanOptionKey } from './lean-names.ts'
import { byMinute, type MinuteLog, minuteLog } from './minute-log.ts'

export interface LeanDay {
  readonly session: Session
  readonly span: SessionMinutes
  /** Chain of the day's contracts before any quote. It holds open interest, but no other figures. */
  readonly blank: Chain
  readonly quotes: MinuteLog
  readonly trades: MinuteLog
  /** Quotes of the underlying stock, logged under contract number 0. `shareTrades` holds its trades. */
  readonly shareQuotes: MinuteLog
  readonly shareTrades: MinuteLog
}

/**
 * Creates a day without figures. `traded` is true if the day has trade files. A contract without trades then has volume
 * 0 rather than an unknown volume.
 */
export function emptyDay(symbol: Ticker, session: Session, series: Iterable<LeanOption>, traded: boolean): LeanDay {
  const rows = Array.from(series, (option): ContractRow => {
    const prices = { bid: Number.NaN, ask: Number.NaN, last: Number.NaN }
    const counts = { bidSize: UNKNOWN, askSize: UNKNOWN, volume: traded ? 0 : UNKNOWN, openInterest: UNKNOWN }
    return { ...option, settlement: settlementOf(option.root, option.expiration), ...prices, ...counts }
  })
  const quote = { bid: undefined, ask: undefined, last: Number.NaN, time: session.open }
  return {
    session,
    span: { open: easternMinutes(session.open), close: easternMinutes(session.close) },
    blank: buildChain({ symbol, asOf: session.open, delay: 0, spot: Number.NaN, quote }, rows),
    quotes: minuteLog(quoteFigures.width),
    trades: minuteLog(tradeFigures.width),
    shareQuotes: minuteLog(quoteFigures.width),
    shareTrades: minuteLog(tradeFigures.width)
  }
}

/** Row number of each contract in the day's chain, by `leanOptionKey`. */
export function slotsOf({ blank }: LeanDay): ReadonlyMap<string, number> {
  const slots = new Map<string, number>()
  for (const { root, date, start, end } of blank.expirations) {
    for (let slot = start; slot < end; slot++) {
      slots.set(leanOptionKey({ root, expiration: date, right: blank.right[slot], strike: blank.strike[slot] }), slot)
    }
  }
  return slots
}

/**
 * Yields the chain at the end of every minute of the session, including the close. A quote is valid until the next one,
 * and volume accumulates. There is no chain for minutes before the first price of the underlying, and for those of which
 * `isWanted` says no.
 */
export function* chainsOf(day: LeanDay, isWanted: (minute: number) => boolean = () => true): Generator<Chain> {
  const { session, span, blank } = day
  const minutes = span.close - span.open
  const quotes = byMinute(day.quotes, minutes + 1)
  const trades = byMinute(day.trades, minutes + 1)
  const shares = walkShares(day, minutes)
  const columns = contractColumns(blank.size)
  copyContracts(blank, columns)
  for (let m = 0; m <= minutes; m++) {
    for (let k = quotes.first[m]; k < quotes.first[m + 1]; k++) takeQuote(day.quotes, quotes.order[k], columns)
    for (let k = trades.first[m]; k < trades.first[m + 1]; k++) takeTrade(day.trades, trades.order[k], columns)
    const underlying = shares[m]
    if (m === 0 || underlying === undefined || !isWanted(m)) continue
    const asOf = session.open + m * MILLISECONDS_PER_MINUTE
    const { spot, bid, ask, last } = underlying
    const copied = contractColumns(blank.size)
    copyContracts(columns, copied)
    const quote = { bid, ask, last, time: underlying.time }
    yield chainOf({ symbol: blank.symbol, asOf, delay: 0, spot, quote }, copied, blank.expirations)
  }
}

/**
 * Applies a quote bar to the chain's columns. A missing side keeps its last value, as in LEAN itself
 * (QuantConnect/Lean, pull request 1063). If a contract had no bid so far, the bid is 0.
 */
function takeQuote({ slots, figures }: MinuteLog, entry: number, columns: ReturnType<typeof contractColumns>): void {
  const slot = slots[entry]
  const at = entry * quoteFigures.width
  const sizeOf = (size: number) => (Number.isNaN(size) ? UNKNOWN : size)
  if (figures[at + quoteFigures.bid] > 0) {
    columns.bid[slot] = figures[at + quoteFigures.bid]
    columns.bidSize[slot] = sizeOf(figures[at + quoteFigures.bidSize])
  } else if (Number.isNaN(columns.bid[slot])) {
    columns.bid[slot] = 0
    columns.bidSize[slot] = 0
  }
  if (figures[at + quoteFigures.ask] > 0) {
    columns.ask[slot] = figures[at + quoteFigures.ask]
    columns.askSize[slot] = sizeOf(figures[at + quoteFigures.askSize])
  } else if (Number.isNaN(columns.ask[slot])) {
    columns.askSize[slot] = 0
  }
}

function takeTrade({ slots, figures }: MinuteLog, entry: number, columns: ReturnType<typeof contractColumns>): void {
  const slot = slots[entry]
  const at = entry * tradeFigures.width
  columns.last[slot] = figures[at + tradeFigures.close]
  columns.volume[slot] += figures[at + tradeFigures.volume]
}

interface SharesAt {
  readonly spot: number
  readonly bid: number | undefined
  readonly ask: number | undefined
  readonly last: number
  /** End of the newest bar of the stock. */
  readonly time: Instant
}

/**
 * Computes the underlying's price at the end of each minute: the midpoint of its quote, or its last trade if a side is
 * missing. At the close the last trade is preferred.
 */
function walkShares(
  { session, shareQuotes, shareTrades }: LeanDay,
  minutes: number
): readonly (SharesAt | undefined)[] {
  const quotes = byMinute(shareQuotes, minutes + 1)
  const trades = byMinute(shareTrades, minutes + 1)
  const walked: (SharesAt | undefined)[] = []
  let bid: number | undefined
  let ask: number | undefined
  let traded: number | undefined
  let time = session.open
  for (let m = 0; m <= minutes; m++) {
    for (let k = quotes.first[m]; k < quotes.first[m + 1]; k++) {
      const at = quotes.order[k] * quoteFigures.width
      bid = priceOf(shareQuotes.figures[at + quoteFigures.bid]) ?? bid
      ask = priceOf(shareQuotes.figures[at + quoteFigures.ask]) ?? ask
      time = session.open + m * MILLISECONDS_PER_MINUTE
    }
    for (let k = trades.first[m]; k < trades.first[m + 1]; k++) {
      traded = shareTrades.figures[trades.order[k] * tradeFigures.width + tradeFigures.close]
      time = session.open + m * MILLISECONDS_PER_MINUTE
    }
    const mid = bid !== undefined && ask !== undefined && bid <= ask ? (bid + ask) / 2 : undefined
    const spot = m === minutes ? (traded ?? mid) : (mid ?? traded)
    walked.push(spot === undefined ? undefined : { spot, bid, ask, last: traded ?? spot, time })
  }
  return walked
}

function priceOf(price: number): number | undefined {
  return price > 0 ? price : undefined
}

/** Daily bar from the session's stock trades; undefined if there were none. */
export function sessionBar({ session, shareTrades }: LeanDay): DailyBar | undefined {
  const { figures, minutes, size } = shareTrades
  const within = Array.from({ length: size }, (_, i) => i).filter((i) => minutes[i] > 0)
  if (within.length === 0) return undefined
  const figure = (entry: number, name: number) => figures[entry * tradeFigures.width + name]
  const ordered = within.sort((a, b) => minutes[a] - minutes[b] || a - b)
  return {
    date: session.date,
    open: figure(ordered[0], tradeFigures.open),
    high: Math.max(...ordered.map((entry) => figure(entry, tradeFigures.high))),
    low: Math.min(...ordered.map((entry) => figure(entry, tradeFigures.low))),
    close: figure(ordered.at(-1)!, tradeFigures.close),
    volume: ordered.reduce((sum, entry) => sum + figure(entry, tradeFigures.volume), 0)
  }
}
