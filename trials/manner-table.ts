import { gzipSync } from 'node:zlib'
import { MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR } from '../src/market/units.ts'
import { furtherManners } from './further-manners.ts'
import {
  always,
  contracts,
  dated,
  eastTime,
  interest,
  type Manner,
  quoted,
  renamed,
  scaledStrikes,
  shifted,
  spotTimes,
  text,
  timed,
  underlying,
  wrong
} from './manner-changes.ts'
import { fails, sends, truePayload, yesterdaysClose } from './stand-in-exchange.ts'

export interface MannerOfExchange {
  readonly name: string
  /** What is wrong: times, figures or lists of the payload, how it is sent, or our own clock. */
  readonly kind: 'times' | 'figures' | 'lists' | 'transport' | 'clock'
  readonly manner: Manner
  /** By how much our own clock is off while the exchange is honest, milliseconds. */
  readonly clockOff?: number
  /** Whether nothing could tell it from the truth if it were the first thing that the exchange says. */
  readonly onlyLater?: boolean
}

const times: Record<string, Manner> = {
  'an hour older': shifted(-MILLISECONDS_PER_HOUR),
  'the close of yesterday': () => sends(truePayload(yesterdaysClose + MILLISECONDS_PER_HOUR, yesterdaysClose)),
  'the close of yesterday, fetched now': (now) => sends(truePayload(now, yesterdaysClose)),
  'an hour older at every second poll': (now, poll) => sends(truePayload(now - (poll % 2) * MILLISECONDS_PER_HOUR)),
  'half a day stale, fetched now': (now) => sends(truePayload(now, now - 4 * MILLISECONDS_PER_HOUR)),
  'the same payload again and again': (now, poll) => sends(truePayload(now - poll * 15_000)),
  'times that stand still while prices move': (now, poll) => {
    const payload = truePayload(now)
    const before = truePayload(now - poll * 15_000)
    payload.data['last_trade_time'] = before.data['last_trade_time']
    for (const row of payload.data.options) row['last_trade_time'] = before.data['last_trade_time']
    return sends(payload)
  },
  'its clock an hour ahead': shifted(MILLISECONDS_PER_HOUR),
  'its clock 36 days ahead': (now) => sends(dated(truePayload(now), now + 36 * MILLISECONDS_PER_DAY)),
  'its clock 36 days behind': (now) => sends(dated(truePayload(now), now - 36 * MILLISECONDS_PER_DAY)),
  'trades of tomorrow': timed((at) => eastTime(at + MILLISECONDS_PER_DAY)),
  'no times of trades': timed(() => null),
  'times of trades as numbers': timed((at) => at),
  'times of trades without a date': timed(() => '10:45:00'),
  'no time of the fetch': wrong((payload) => void (payload.timestamp = undefined)),
  'a time of the fetch that is text': wrong((payload) => void (payload.timestamp = 'now'))
}

const figures: Record<string, Manner> = {
  'open interest all zero': interest(() => 0),
  'open interest half zero': interest((open, k) => (k % 2 === 0 ? 0 : open)),
  'open interest of a sixth zero': interest((open, k) => (k % 6 === 0 ? 0 : open)),
  'open interest a third larger': interest((open) => Math.round(1.34 * open)),
  'open interest of calls zero': contracts(({ option, open_interest }) => ({
    open_interest: option[9] === 'C' ? 0 : open_interest
  })),
  'open interest negative': interest((open) => -open),
  'open interest of a tenth negative': interest((open, k) => (k % 10 === 0 ? -open : open)),
  'open interest of 2^31': interest(() => 2 ** 31),
  'open interest beyond 2^32': interest((open) => 2 ** 32 + open),
  'open interest doubled': interest((open) => 2 * open),
  'open interest halved': interest((open) => Math.floor(open / 2)),
  'open interest of other contracts': contracts((_, k) => ({ open_interest: 200 + ((k * 389) % 900) })),
  'open interest as text': interest((open) => String(open)),
  'open interest null': interest(() => null),
  'open interest of one contract of two billion': interest((open, k) => (k === 50 ? 2_000_000_000 : open)),
  ...Object.fromEntries(
    [5, 10, 14, 20, 50].flatMap((percent) => [
      [`spot ${percent} % up`, spotTimes(1 + percent / 100)],
      [`spot ${percent} % down`, spotTimes(1 - percent / 100)]
    ])
  ),
  'spot 2 % up': spotTimes(1.02),
  'spot 10 % up and down in turn': spotTimes((poll) => (poll % 2 === 0 ? 1.1 : 0.9)),
  'spot a tenth': spotTimes(0.1),
  'spot a thousand times': spotTimes(1000),
  'spot null': underlying(() => ({ current_price: null, close: null, bid: null, ask: null })),
  'spot zero': spotTimes(0),
  'spot below zero': spotTimes(-1),
  'spot as text': underlying((spot) => ({ current_price: String(spot), close: String(spot) })),
  'quotes crossed': quoted((bid, ask) => ({ bid: ask, ask: bid })),
  'quotes of a quarter crossed': quoted((_bid, ask, k) => (k % 4 === 0 ? { bid: ask + 1, ask } : {})),
  'bids all zero': quoted(() => ({ bid: 0 })),
  'offers all zero': quoted(() => ({ ask: 0 })),
  'quotes all zero': quoted(() => ({ bid: 0, ask: 0 })),
  'quotes all null': quoted(() => ({ bid: null, ask: null })),
  'bids below zero': quoted((bid) => ({ bid: -1 - bid })),
  'quotes as text': quoted((bid, ask) => ({ bid: String(bid), ask: String(ask) })),
  'quotes ten times': quoted((bid, ask) => ({ bid: 10 * bid, ask: 10 * ask })),
  'quotes infinite': text((json) => json.replaceAll(/"ask":[\d.]+/g, '"ask":1e999')),
  'options that stand still while spot runs away': (now, poll) => {
    const payload = truePayload(now - poll * 15_000)
    const { timestamp, data } = truePayload(now)
    const spot = 740 * (1 + 0.012 * (poll + 1))
    const price = { current_price: spot, bid: spot - 0.01, ask: spot + 0.01, close: spot }
    return sends({
      ...payload,
      timestamp,
      data: { ...payload.data, ...price, last_trade_time: data['last_trade_time'] }
    })
  }
}

const lists: Record<string, Manner> = {
  'the chain of another symbol under this name': wrong(({ data }) => {
    const spot = (data['current_price'] as number) / 3.4
    Object.assign(data, { current_price: spot, bid: spot, ask: spot, close: spot })
    data.options = data.options.map((row) => ({
      ...row,
      option: row.option.slice(0, 10) + String(Math.round(Number(row.option.slice(10)) / 3400) * 1000).padStart(8, '0'),
      bid: (row.bid as number) / 3.4,
      ask: (row.ask as number) / 3.4
    }))
  }),
  'the contracts of another symbol': renamed((option) => option.replace('SPY', 'QQQ')),
  'the name of another symbol': wrong((payload) => {
    payload.symbol = 'QQQ'
    payload.data['symbol'] = 'QQQ'
  }),
  'one expiration dropped': contracts((row) => (row.option.startsWith('SPY260807') ? undefined : {})),
  'half of the expirations dropped': contracts((row) => (row.option < 'SPY260822' ? {} : undefined)),
  'half of the contracts dropped': contracts((_, k) => (k % 2 === 0 ? {} : undefined)),
  'the calls dropped': contracts(({ option }) => (option[9] === 'C' ? undefined : {})),
  'no contracts': wrong(({ data }) => void (data.options = [])),
  'contracts listed twice': wrong(({ data }) => void (data.options = data.options.flatMap((row) => [row, row]))),
  'contracts listed twice with other figures': wrong(({ data }) => {
    data.options = data.options.flatMap((row) => [row, { ...row, open_interest: 3 * (row.open_interest as number) }])
  }),
  'strikes a thousand times': scaledStrikes(1000),
  'strikes a tenth': scaledStrikes(0.1),
  'symbols that cannot be read': renamed((option) => option.slice(3)),
  'contracts in another order': wrong(({ data }) => void data.options.reverse())
}

const transport: Record<string, Manner> = {
  'a payload cut short': text((json) => json.slice(0, json.length * 0.7)),
  'a payload with NaN': text((json) => json.replaceAll('"iv":0.15', '"iv":NaN')),
  'a payload with bytes in between': text((json) => json.replaceAll('"bid"', '"b\u0000id"')),
  'plain text': always(sends('the service is being maintained')),
  'an empty body': always(sends('')),
  'a page of HTML': always(sends('<html><body>Please wait</body></html>', { 'content-type': 'text/html' })),
  'a list instead of an object': text((json) => `[${json}]`),
  null: always(sends('null')),
  'ten thousand brackets': always(sends('['.repeat(10_000))),
  'gzip that is none': text((json) => json, { 'content-encoding': 'gzip' }),
  'gzip cut short': text((json) => gzipSync(json).subarray(0, 500), { 'content-encoding': 'gzip' }),
  'a length that is not kept': (now) => (_request, response) => {
    response.writeHead(200, { 'content-length': 1e6 }).write(JSON.stringify(truePayload(now)).slice(0, 5000))
    setTimeout(() => response.destroy(), 20)
  },
  'a slow answer': (now) => (_request, response) => {
    setTimeout(() => response.end(JSON.stringify(truePayload(now))), 60)
  },
  'no answer': () => () => {},
  'a connection that is closed': () => (request) => void request.socket.destroy(),
  'a redirect to itself': () => (request, response) => void response.writeHead(302, { location: request.url }).end(),
  'a redirect elsewhere': always(fails(302, '', { location: 'http://127.0.0.1:9/' })),
  'an unchanged payload that was never sent': always(fails(304)),
  'a part of it': (now) => (_request, response) => void response.writeHead(206).end(JSON.stringify(truePayload(now))),
  ...Object.fromEntries(
    [401, 403, 404, 410, 500, 502, 503].map((status) => [`status ${status}`, always(fails(status, 'no'))])
  ),
  'status 403 in XML': always(fails(403, '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>')),
  'status 429': always(fails(429, '', { 'retry-after': '3' })),
  'status 200 with an error in JSON': always(sends('{"error":"too many requests"}'))
}

const honest: Manner = (now) => sends(truePayload(now))
const clocks = [
  ['an hour', MILLISECONDS_PER_HOUR],
  ['36 days', 36 * MILLISECONDS_PER_DAY]
].flatMap(([name, by]): MannerOfExchange[] => [
  { name: `our clock ${name} ahead`, kind: 'clock', manner: honest, clockOff: by as number },
  { name: `our clock ${name} behind`, kind: 'clock', manner: honest, clockOff: -(by as number) }
])

const kinds = { times, figures, lists, transport } as const
const named = Object.entries(kinds).flatMap(([kind, table]) =>
  Object.entries(table).map(([name, manner]) => ({ name, kind: kind as keyof typeof kinds, manner }))
)

/** Every bad manner, by name. */
export const manners: readonly MannerOfExchange[] = [...named, ...furtherManners, ...clocks]
