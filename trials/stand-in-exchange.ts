import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { easternDateTime } from '../src/market/eastern.ts'
import { type Instant, isoInstant, MILLISECONDS_PER_MINUTE } from '../src/market/units.ts'
import { eastern, jumbled, ladder, type SeriesSketch, sketched } from '../test/support/hand-made.ts'

/** One contract of a payload, as the exchange writes it. */
export type ContractFields = Record<string, unknown> & {
  option: string
  open_interest: unknown
  bid: unknown
  ask: unknown
}

/** A payload of delayed quotes in the shape of Cboe, before it is written as JSON. */
export interface ExchangePayload {
  timestamp: unknown
  symbol: string
  data: Record<string, unknown> & { options: ContractFields[] }
}

export type ExchangeReply = (request: IncomingMessage, response: ServerResponse) => void

/** Delay of the quotes. */
export const DELAY = 15 * MILLISECONDS_PER_MINUTE

const dates = ['2026-07-31', '2026-08-07', '2026-08-21', '2026-09-18', '2026-12-18', '2027-01-15']

/** Open interest settled before a date, the same all day. */
const interestOf = (date: string): NonNullable<SeriesSketch['oi']> => {
  const day = Number(date.slice(8))
  return (strike, right) => 200 + jumbled(strike, right, 900) + (jumbled(strike, right + day, 2) === 0 ? 7 : 0)
}

/** The chain of SPY at a moment of a session, sound in every respect: spot wanders slowly, and the options with it. */
export function trueChain(at: Instant) {
  const [date, time] = easternDateTime(at).split(/[ T]/)
  const spot = Math.round(100 * (740 + 4 * Math.sin(at / (20 * MILLISECONDS_PER_MINUTE)))) / 100
  const series = dates.map((expiration) => ({
    date: expiration,
    strikes: ladder(650, 830, 10),
    sigma: 0.15,
    oi: interestOf(date),
    volume: (strike: number, right: number) => 40 + jumbled(strike, right, 60)
  }))
  return sketched({ symbol: 'SPY', date, time, spot, series })
}

/** The moment that an honest exchange shows at its time `now`: trades are timed by the second. */
export const momentAt = (now: Instant): Instant => 1000 * Math.floor((now - DELAY) / 1000)

/** The payload that an honest exchange gives at a moment: the chain of 15 minutes before. */
export function truePayload(now: Instant, at: Instant = momentAt(now)): ExchangePayload {
  const { expirations, strike, right, bid, ask, last, volume, openInterest, spot } = trueChain(at)
  const traded = easternDateTime(at).replace(' ', 'T')
  const options = expirations.flatMap(({ date, start, end }) =>
    Array.from({ length: end - start }, (_, k): ContractFields => {
      const i = start + k
      const side = right[i] === 0 ? 'C' : 'P'
      const name = `SPY${date.slice(2).replaceAll('-', '')}${side}${String(1000 * strike[i]).padStart(8, '0')}`
      const prices = { bid: bid[i], bid_size: 10, ask: ask[i], ask_size: 12, last_trade_price: last[i] }
      return {
        option: name,
        ...prices,
        iv: 0.15,
        open_interest: openInterest[i],
        volume: volume[i],
        last_trade_time: traded
      }
    })
  )
  const price = { current_price: spot, bid: spot - 0.01, ask: spot + 0.01, close: spot }
  const day = { open: 740, high: 745, low: 735, prev_day_close: 739, volume: 4e7, last_trade_time: traded }
  const timestamp = isoInstant(now).slice(0, 19).replace('T', ' ')
  return { timestamp, symbol: 'SPY', data: { symbol: 'SPY', ...price, ...day, options } }
}

export const yesterdaysClose = eastern('2026-07-28', '16:00')

export interface StandInExchange {
  readonly url: string
  /** What it answers next. */
  reply: ExchangeReply
  /** The clock of its server, which its Date headers state. */
  clock: () => Instant
  /** Number of requests so far. */
  asked: number
  close(): void
}

/** A small exchange on this machine that answers every request as it is told. */
export async function startExchange(): Promise<StandInExchange> {
  const server = createServer((request, response) => {
    exchange.asked++
    response.setHeader('date', new Date(exchange.clock()).toUTCString())
    exchange.reply(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const exchange: StandInExchange = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reply: (_request, response) => void response.writeHead(404).end(),
    clock: Date.now,
    asked: 0,
    close() {
      server.closeAllConnections()
      server.close()
    }
  }
  return exchange
}

/** Answers with a text, or with a payload written as JSON. */
export function sends(
  body: ExchangePayload | string | Buffer,
  headers: Readonly<Record<string, string>> = {}
): ExchangeReply {
  const isText = typeof body === 'string' || Buffer.isBuffer(body)
  return (_request, response) =>
    void response
      .writeHead(200, { 'content-type': 'application/json', ...headers })
      .end(isText ? body : JSON.stringify(body))
}

export function fails(status: number, text = '', headers: Readonly<Record<string, string>> = {}): ExchangeReply {
  return (_request, response) => void response.writeHead(status, headers).end(text)
}
