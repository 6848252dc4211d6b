import { gzipSync } from 'node:zlib'
import { type Instant, MILLISECONDS_PER_HOUR } from '../src/market/units.ts'
import {
  always,
  contracts,
  dated,
  eastTime,
  interest,
  type Manner,
  quoted,
  renamed,
  spotTimes,
  text,
  underlying,
  wrong
} from './manner-changes.ts'
import type { MannerOfExchange } from './manner-table.ts'
import {
  type ContractFields,
  type ExchangePayload,
  type ExchangeReply,
  sends,
  trueChain,
  truePayload,
  yesterdaysClose
} from './stand-in-exchange.ts'

const AUGUST_7 = '260807'
const ofDate = (date: string) => (option: string) => option.slice(3, 9) === date
const strikeTimes = (option: string, factor: number) =>
  option.slice(0, 10) + String(Math.round(Number(option.slice(10)) * factor)).padStart(8, '0')
const otherSide = (option: string) => option.slice(0, 9) + (option[9] === 'C' ? 'P' : 'C') + option.slice(10)
const dayLater = (option: string) =>
  `${option.slice(0, 7)}${String(Number(option.slice(7, 9)) + 1).padStart(2, '0')}${option.slice(9)}`
/** Every contract with fields of the contract after it. */
const fromNext = (fields: readonly (keyof ContractFields)[]): Manner =>
  wrong(({ data }) => {
    const rows = data.options
    data.options = rows.map((row, k) => {
      const next = rows[(k + 1) % rows.length]
      return { ...row, ...Object.fromEntries(fields.map((field) => [field, next[field]])) }
    })
  })
/** The payload with further contracts that do not exist. */
const withMore = (made: (row: ContractFields) => ContractFields): Manner =>
  wrong(({ data }) => {
    const some = data.options.filter(({ option }) => ofDate(AUGUST_7)(option))
    data.options = [...data.options, ...some.map(made)]
  })
const yesterdaysInterest = () => {
  const open = trueChain(yesterdaysClose).openInterest
  return interest((_, k) => open[k])
}
const withText =
  (change: (payload: ExchangePayload) => unknown): Manner =>
  (now) =>
    sends(JSON.stringify(change(truePayload(now))))

const figures: Record<string, Manner> = {
  'keys that come twice': text((json) => json.replaceAll(/"bid":([\d.]+)/g, (all, bid) => `${all},"bid":${3 * bid}`)),
  'numbers as text in every third contract': contracts((row, k) =>
    k % 3 === 0 ? { open_interest: String(row.open_interest), bid: String(row.bid) } : {}
  ),
  'numbers with separators': interest((open) => (1000 * open).toLocaleString('en-US')),
  'numbers with exponents': text((json) => json.replaceAll(/"open_interest":(\d+)/g, '"open_interest":$1e2')),
  'calls and puts exchanged': renamed(otherSide),
  'calls and puts of one expiration exchanged': renamed((option) =>
    ofDate(AUGUST_7)(option) ? otherSide(option) : option
  ),
  'quotes all equal': quoted(() => ({ bid: 1, ask: 1.1 })),
  'quotes a tenth': quoted((bid, ask) => ({ bid: bid / 10, ask: ask / 10 })),
  'quotes in cents': quoted((bid, ask) => ({ bid: 100 * bid, ask: 100 * ask })),
  'quotes of one expiration zero': contracts(({ option }) => (ofDate(AUGUST_7)(option) ? { bid: 0, ask: 0 } : {})),
  'quotes of the contract beside': fromNext(['bid', 'ask']),
  'open interest of the contract beside': fromNext(['open_interest']),
  'open interest and volume exchanged': contracts((row) => ({
    open_interest: row['volume'],
    volume: row.open_interest
  })),
  'open interest with a fraction': interest((open) => open + 0.5),
  'open interest true': interest(() => true),
  'open interest of one expiration ten times': contracts((row) =>
    ofDate(AUGUST_7)(row.option) ? { open_interest: 10 * (row.open_interest as number) } : {}
  ),
  'volume below zero': contracts((row) => ({ volume: -(row['volume'] as number) })),
  'volume beyond 2^32': contracts(() => ({ volume: 2 ** 33 })),
  'volume that falls from poll to poll': wrong(({ data }, _now, poll) => {
    for (const row of data.options) row['volume'] = Math.max(0, (row['volume'] as number) - 5 * poll)
  }),
  'offers twice': quoted((bid, ask) => ({ bid, ask: 2 * ask })),
  'offers of a half a hundred times': quoted((bid, ask, k) => ({ bid, ask: k % 2 === 0 ? 100 * ask : ask })),
  'quotes of the expiration after': wrong(({ data }) => {
    const rows = data.options
    data.options = rows.map((row, k) => ({
      ...row,
      bid: rows[(k + 38) % rows.length].bid,
      ask: rows[(k + 38) % rows.length].ask
    }))
  }),
  'spot 1 % up': spotTimes(1.01),
  'the close before ten times': underlying((spot) => ({ prev_day_close: 10 * spot })),
  'high below low': underlying((spot) => ({ high: spot - 20, low: spot + 20 })),
  'sizes below zero': contracts(() => ({ bid_size: -1, ask_size: -1 })),
  'spot as a list': underlying((spot) => ({ current_price: [spot], close: [spot], bid: [spot], ask: [spot] }))
}

const wholeSecond = (at: Instant) => 1000 * Math.floor(at / 1000)
let firstOne = 0
/** The payload of the first bad poll, again and again. */
const kept = (now: Instant, poll: number) => {
  if (poll === 0) firstOne = now
  return truePayload(firstOne)
}

const times: Record<string, Manner> = {
  'a kept payload under new times': (now, poll) => sends(dated(kept(now, poll), wholeSecond(now))),
  'kept options under new times, with a price of now': (now, poll) => {
    const payload = dated(kept(now, poll), wholeSecond(now))
    const { current_price, bid, ask, close } = truePayload(now).data
    Object.assign(payload.data, { current_price, bid, ask, close })
    return sends(payload)
  },
  'the underlying traded yesterday': underlying(() => ({ last_trade_time: eastTime(yesterdaysClose) })),
  'spot of yesterday beside the quotes of today': (now) => {
    const { data, ...payload } = truePayload(now)
    const { spot } = trueChain(yesterdaysClose)
    return sends({
      ...payload,
      data: { ...data, current_price: 1.02 * spot, close: 1.02 * spot, bid: null, ask: null }
    })
  },
  'a payload of Sunday': (now) => sends(dated(truePayload(now), now - 3 * 24 * MILLISECONDS_PER_HOUR)),
  'a payload of a holiday': (now) => sends(dated(truePayload(now), now - 26 * 24 * MILLISECONDS_PER_HOUR)),
  'a payload of the night': (now) => sends(dated(truePayload(now), now - 9 * MILLISECONDS_PER_HOUR)),
  'the close of yesterday at every second poll': (now, poll) =>
    sends(poll % 2 === 0 ? truePayload(now, yesterdaysClose) : truePayload(now)),
  'times in another format': wrong(({ data }) => {
    for (const row of [data, ...data.options]) row['last_trade_time'] = 'Wed Jul 29 2026 11:00'
  }),
  'times of the year 9999': wrong(({ data }) => {
    for (const row of [data, ...data.options]) row['last_trade_time'] = '9999-12-31T23:59:59'
  })
}

const lists: Record<string, Manner> = {
  'one expiration a day late': renamed((option) => (ofDate(AUGUST_7)(option) ? dayLater(option) : option)),
  'all expirations a day late': renamed(dayLater),
  'strikes of one expiration in cents': renamed((option) =>
    ofDate(AUGUST_7)(option) ? strikeTimes(option, 100) : option
  ),
  'strikes of zero': renamed((option) => strikeTimes(option, 0)),
  'strikes that do not exist': withMore((row) => ({
    ...row,
    option: strikeTimes(row.option, 1.0005),
    open_interest: 50_000
  })),
  'an expiration that does not exist': withMore((row) => ({
    ...row,
    option: row.option.replace(AUGUST_7, '260814'),
    open_interest: 3 * (row.open_interest as number)
  })),
  'contracts that are null': wrong(
    ({ data }) => void (data.options as unknown[]).splice(0, 150, ...Array(150).fill(null))
  ),
  'contracts in an object': withText((payload) => ({
    ...payload,
    data: { ...payload.data, options: { ...payload.data.options } }
  })),
  'a payload within a payload': withText((payload) => ({ ...payload, data: payload })),
  'a payload with an error beside': withText((payload) => ({ error: 'partial outage', ...payload, data: null }))
}

const trickle =
  (every: number, bytes: number): ExchangeReply =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const timer = setInterval(() => response.write(' '.repeat(bytes)), every)
    response.on('close', () => clearInterval(timer))
  }

const transport: Record<string, Manner> = {
  'a mark of the byte order': text((json) => `\uFEFF${json}`),
  'UTF-16': text((json) => Buffer.from(json, 'utf16le')),
  'gzip that is not declared': text((json) => gzipSync(json)),
  'gzip twice': text((json) => gzipSync(gzipSync(json)), { 'content-encoding': 'gzip' }),
  'an unknown encoding': text((json) => json, { 'content-encoding': 'rot13' }),
  'chunks that break off': (now) => (_request, response) => {
    response.writeHead(200).write(JSON.stringify(truePayload(now)).slice(0, 20_000))
    setTimeout(() => response.destroy(), 20)
  },
  'HTTP/1.0 that ends by closing': (now) => (request) =>
    void request.socket.end(
      `HTTP/1.0 200 OK\r\ncontent-type: application/json\r\n\r\n${JSON.stringify(truePayload(now))}`
    ),
  'a line that is not HTTP': () => (request) => void request.socket.end('220 mail.example ESMTP\r\n'),
  'ten gigabytes announced': (now) => (_request, response) =>
    void response.writeHead(200, { 'content-length': 1e10 }).write(JSON.stringify(truePayload(now))),
  'a body that never ends': always(trickle(1, 100_000)),
  'a body that trickles': always(trickle(20, 1)),
  'two payloads in one body': text((json) => json + json),
  'a payload in quotes': text((json) => JSON.stringify(json)),
  'a body before an early answer': (now) => (_request, response) => {
    response.writeProcessing()
    response.end(JSON.stringify(truePayload(now)))
  },
  'status 204': always((_request, response) => void response.writeHead(204).end()),
  'status 418': always((_request, response) => void response.writeHead(418).end('no'))
}

const kinds = { figures, times, lists, transport } as const

/** Nothing but a longer memory tells these from the truth if they come first. */
const onlyLater: Record<string, Manner> = {
  'open interest of yesterday': (now, poll) => yesterdaysInterest()(now, poll),
  'open interest of yesterday at every second poll': (now, poll) =>
    poll % 2 === 0 ? yesterdaysInterest()(now, poll) : sends(truePayload(now)),
  'volume all zero': contracts(() => ({ volume: 0 })),
  'volume of every second contract zero': contracts((_, k) => (k % 2 === 0 ? { volume: 0 } : {})),
  'volume in shares': contracts((row) => ({ volume: 100 * (row['volume'] as number) }))
}

/** Bad manners beyond those that first came to mind. */
export const furtherManners: readonly MannerOfExchange[] = [
  ...Object.entries(kinds).flatMap(([kind, table]) =>
    Object.entries(table).map(([name, manner]) => ({ name, kind: kind as keyof typeof kinds, manner }))
  ),
  ...Object.entries(onlyLater).map(([name, manner]) => ({ name, kind: 'figures' as const, manner, onlyLater: true }))
]
