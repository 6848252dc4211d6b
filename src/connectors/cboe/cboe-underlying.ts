import type { DailyBar } from '../../market/bar.ts'
import { type ChainHeader, UNKNOWN } from '../../market/chain.ts'
import { parseEasternDateTime } from '../../market/eastern.ts'
import { momentOf, type PayloadMoment } from '../../market/payload-moment.ts'
import { securityKind } from '../../market/security.ts'
import { malformed, type PayloadHead } from './cboe-payload.ts'

/**
 * Builds the header of a chain. From the end of a session to the next opening, the underlying's price is its official
 * `close`: `current_price`, `bid` and `ask` are then after-hours figures, minutes to hours newer than the options'
 * quotes. An index gets no quote, because Cboe computes it from the quotes of its members and nobody trades on it.
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
 * Daily bar of the session that ended last. Undefined while a session is running, or if a price is missing or
 * impossible.
 */
export function cboeDailyBar(head: PayloadHead): DailyBar | undefined {
  const { completed } = momentOf(head)
  if (completed === undefined) return undefined
  const { underlying } = head
  const [open, high, low, close] = ['open', 'high', 'low', 'close'].map((name) => priceIn(underlying[name]))
  if (!(low <= Math.min(open, close) && high >= Math.max(open, close))) return undefined
  const volume = countIn(underlying['volume'])
  return { date: completed.date, open, high, low, close, volume: Math.max(volume, 0) }
}

function firstPrice(underlying: PayloadHead['underlying'], names: readonly string[]): number | undefined {
  return names.map((name) => priceIn(stated(underlying, name))).find((price) => price > 0)
}

/**
 * Reads a number of the underlying; null if the payload states null. Throws if the field is missing, so that no other
 * field silently replaces it.
 */
function stated(underlying: PayloadHead['underlying'], name: string): number | null {
  const value = underlying[name]
  if (value === null || typeof value === 'number') return value
  const problem = value === undefined ? 'is missing' : 'is no number'
  throw malformed(`the field ${name} of the underlying ${problem}`)
}

/** A price above 0; NaN for anything else. */
export function priceIn(value: unknown): number {
  return typeof value === 'number' && value > 0 && value < Infinity ? value : NaN
}

/** A count, which the feed writes as a decimal (23.0); UNKNOWN for anything else. */
export function countIn(value: unknown): number {
  return typeof value === 'number' && value >= 0 && value < 2 ** 31 && Number.isInteger(value) ? value : UNKNOWN
}
