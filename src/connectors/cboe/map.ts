import type { DailyBar } from '../../market/bar.ts'
import type { Chain, ChainHeader, ContractRow } from '../../market/chain.ts'
import { buildChain, CALL, PUT, UNKNOWN } from '../../market/chain.ts'
import { parseEasternDateTime } from '../../market/eastern.ts'
import { parseOcc } from '../../market/occ.ts'
import { momentOf, type PayloadMoment } from '../../market/payload-moment.ts'
import type { Reading } from '../../market/reading.ts'
import { securityKind } from '../../market/security.ts'
import type { IsoDate } from '../../market/units.ts'
import { type LeftOut, type Listing, listingOf } from './listing.ts'
import type { Payload, PayloadHead } from './payload.ts'
import { malformed } from './payload.ts'
import type { PayloadOptions } from './scan/options.ts'
import { ASK, ASK_SIZE, BID, BID_SIZE, figureNames, LAST, OPEN_INTEREST, VOLUME } from './scan/options.ts'

/** A chain, and how many rows of the payload are not in it, by reason. */
export interface MappedPayload {
  readonly chain: Chain
  /** The day of the chain, see `PayloadMoment`. */
  readonly session: IsoDate
  /** The session was over when the payload was made. */
  readonly closed: boolean
  readonly leftOut: LeftOut
  /** The same for those that judge the payload as a whole, and the rows left out for their quotes. */
  readonly reading: Reading
}

/** The same with the head that it was made with. */
export interface MappedBytes extends MappedPayload {
  readonly head: PayloadHead
}

/**
 * Turns a payload into the chain of the moment it shows. The vendor's volatilities and greeks are not read: they are
 * rounded to four decimals and 0 where none was found.
 */
export function mapPayload(payload: Payload): MappedPayload {
  const moment = momentOf(payload)
  const { rows, leftOut, unusable, unusableLiquid } = contractRows(payload, moment)
  if (leftOut.unreadable * 2 > payload.options.symbols.length) {
    throw malformed(`${leftOut.unreadable} of its ${payload.options.symbols.length} contracts cannot be read`)
  }
  const chain = buildChain(chainHeader(payload, moment), rows)
  const reading = { rows: payload.options.symbols.length, unreadable: leftOut.unreadable, unusable, unusableLiquid }
  return { chain, session: moment.session.date, closed: moment.closed, leftOut, reading }
}

/**
 * The header of the chain. Once the session is over, and until the next one opens, the underlying stands at its official
 * `close`: `current_price`, `bid` and `ask` are then after-hours figures, made minutes to hours after the options stopped
 * trading. Cboe's quote of an index is made from the quotes of its members and nobody trades on it, so an index has none.
 */
export function chainHeader(head: PayloadHead, moment: PayloadMoment): ChainHeader {
  const { symbol, underlying } = head
  const { asOf, delay, closed, preOpen } = moment
  const isAtRest = closed || preOpen
  const last = firstPrice(underlying, isAtRest ? ['close', 'current_price'] : ['current_price', 'close'])
  if (last === undefined) throw malformed('it has no price of the underlying')
  const quoted = !isAtRest && securityKind(symbol) !== 'index'
  const bid = quoted ? firstPrice(underlying, ['bid']) : undefined
  const ask = quoted ? firstPrice(underlying, ['ask']) : undefined
  const spot = bid !== undefined && ask !== undefined && bid <= ask ? (bid + ask) / 2 : last
  const traded = closed ? asOf : parseEasternDateTime(String(underlying['last_trade_time']))
  const time = Math.min(traded ?? asOf, asOf)
  return { symbol, asOf, delay, spot, quote: { bid, ask, last, time } }
}

/**
 * The bar of the newest session that was traded, before the next opening too. Undefined while one is running, or where a
 * price is missing or impossible.
 */
export function dailyBarOf(head: PayloadHead): DailyBar | undefined {
  const { completed } = momentOf(head)
  if (completed === undefined) return undefined
  const { underlying } = head
  const [open, high, low, close] = ['open', 'high', 'low', 'close'].map((name) => priceOf(underlying[name]))
  if (!(low <= Math.min(open, close) && high >= Math.max(open, close))) return undefined
  const volume = countOf(underlying['volume'])
  return { date: completed.date, open, high, low, close, volume: Math.max(volume, 0) }
}

/** The rows of a chain, and how many are none of it. */
interface ReadRows extends Pick<Reading, 'unusable' | 'unusableLiquid'> {
  readonly rows: readonly ContractRow[]
  readonly leftOut: LeftOut
}

function contractRows(payload: Payload, moment: PayloadMoment): ReadRows {
  const rows: ContractRow[] = []
  let unusable = 0
  let unusableLiquid = 0
  const leftOut = { adjusted: 0, expired: 0, unreadable: 0 }
  const listing = listingOf(payload.symbol, moment.session.date)
  for (let i = 0; i < payload.options.symbols.length; i++) {
    const row = contractRow(payload.options, i, moment, listing)
    if (typeof row === 'string') leftOut[row]++
    else if (isQuoteUsable(payload.options, i)) rows.push(row)
    else {
      unusable++
      if (row.openInterest > 0 || row.volume > 0) unusableLiquid++
    }
  }
  return { rows, leftOut, unusable, unusableLiquid }
}

/** A contract as a row, or why it is none. */
function contractRow(
  { symbols, figures }: PayloadOptions,
  i: number,
  { preOpen }: PayloadMoment,
  listing: Listing
): ContractRow | keyof LeftOut {
  const symbol = symbols[i]
  const occ = symbol === undefined ? undefined : parseOcc(symbol)
  if (occ === undefined) return 'unreadable'
  const settlement = listing(occ)
  if (settlement !== 'am' && settlement !== 'pm') return settlement
  const { root, expiration, strike } = occ
  const first = i * figureNames.length
  const bid = figures[first + BID] === 0 ? 0 : priceOf(figures[first + BID]) // 0: nobody bids, which is a fact
  const ask = priceOf(figures[first + ASK]) // 0: nobody offers, and no price
  const volume = countOf(figures[first + VOLUME])
  return {
    root,
    expiration,
    settlement,
    right: occ.right === 'call' ? CALL : PUT,
    strike,
    bid,
    ask,
    last: priceOf(figures[first + LAST]), // 0: never traded
    bidSize: sizeOf(figures[first + BID_SIZE], bid),
    askSize: sizeOf(figures[first + ASK_SIZE], ask),
    volume: preOpen && volume > 0 ? 0 : volume, // before the opening it is still that of the session before
    openInterest: countOf(figures[first + OPEN_INTEREST])
  }
}

/** Whether both sides of a quote are prices, zero or absent: what is below zero, endless or no number tells of a fault. */
function isQuoteUsable({ figures, withoutQuote }: PayloadOptions, i: number): boolean {
  const first = i * figureNames.length
  const bid = figures[first + BID]
  const ask = figures[first + ASK]
  return !(bid < 0 || ask < 0 || bid === Infinity || ask === Infinity || withoutQuote.has(i))
}

function firstPrice(underlying: PayloadHead['underlying'], names: readonly string[]): number | undefined {
  return names.map((name) => priceOf(stated(underlying, name))).find((price) => price > 0)
}

/** A figure of the underlying, null where there is none. Another in the place of one that is not stated would be wrong. */
function stated(underlying: PayloadHead['underlying'], name: string): number | null {
  const value = underlying[name]
  if (value === null || typeof value === 'number') return value
  const problem = value === undefined ? 'is missing' : 'is no number'
  throw malformed(`the field ${name} of the underlying ${problem}`)
}

/** A price above 0; NaN for anything else. */
function priceOf(value: unknown): number {
  return typeof value === 'number' && value > 0 && value < Infinity ? value : NaN
}

/** The feed writes counts as decimals, 23.0. */
function countOf(value: unknown): number {
  return typeof value === 'number' && value >= 0 && value < 2 ** 31 && Number.isInteger(value) ? value : UNKNOWN
}

/** Index options are quoted with sizes of 0 beside real prices: the size is not stated. */
function sizeOf(value: unknown, price: number): number {
  const size = countOf(value)
  return size === 0 && price > 0 ? UNKNOWN : size
}
