import { describe, expect, test } from 'vitest'
import { parsePayload, readPayloadHead } from '../../../src/connectors/cboe/cboe-payload.ts'
import { cboeDailyBar } from '../../../src/connectors/cboe/cboe-underlying.ts'
import { readByJson } from '../../../src/connectors/cboe/json-chain.ts'
import { SourceError } from '../../../src/connectors/port/source-error.ts'
import { CALL, PUT, UNKNOWN } from '../../../src/market/chain.ts'
import type { PayloadText } from '../../support/cboe-payload.ts'
import { cboeOption, cboePayload } from '../../support/cboe-payload.ts'
import { isTakenAlike } from './simd/agreement.ts'

/** A payload as JSON has it; if the WebAssembly reader takes it, as that has it too. */
const mapped = (parts: PayloadText = {}) => readBothWays(cboePayload(parts))

function readBothWays(text: string) {
  isTakenAlike(Buffer.from(text))
  return readByJson(Buffer.from(text))
}

const headOf = (parts: PayloadText = {}) => readPayloadHead(Buffer.from(cboePayload(parts)))
const iso = (instant: number) => new Date(instant).toISOString()

/** Fetched at 11:00:00 New York, with a newest trade of an option at 10:44:30. */
const inSession: PayloadText = {
  timestamp: '2026-07-29 15:00:00',
  underlying: { bid: 735.2, ask: 735.24, current_price: 735.1, last_trade_time: '2026-07-29T10:44:01' },
  options: [cboeOption('SPY260731C00730000', { last_trade_time: '2026-07-29T10:44:30' })]
}

describe('a payload fetched after the session', () => {
  test('stands at the close and takes the official close as spot, not the after-hours print or quote', () => {
    const { chain, closed, session } = mapped({ underlying: { bid: 731.8, ask: 731.9 } })
    expect({ closed, session }).toEqual({ closed: true, session: '2026-07-29' })
    expect(iso(chain.asOf)).toBe('2026-07-29T20:00:00.000Z')
    expect(chain).toMatchObject({ symbol: 'SPY', spot: 729.46, delay: 0 })
    expect(chain.quote).toEqual({ bid: undefined, ask: undefined, last: 729.46, time: chain.asOf })
  })

  test('stands at 13:00 on a half day', () => {
    const { chain, closed } = mapped({
      timestamp: '2026-11-27 18:30:00',
      underlying: { last_trade_time: '2026-11-27T13:00:00' },
      options: [cboeOption('SPY261127C00730000', { last_trade_time: '2026-11-27T13:14:00' })]
    })
    expect(closed).toBe(true)
    expect(iso(chain.asOf)).toBe('2026-11-27T18:00:00.000Z')
  })

  test.each([
    ['in the same night', '2026-07-30 01:14:35'],
    ['before 06:00 of the next trading day', '2026-07-30 09:59:59']
  ])('belongs to the session of its newest trade when fetched %s', (_, timestamp) => {
    const { chain, session } = mapped({ timestamp })
    expect(session).toBe('2026-07-29')
    expect(iso(chain.asOf)).toBe('2026-07-29T20:00:00.000Z')
  })

  test('is closed although the last trades of a share and its options came before 16:00', () => {
    const options = [cboeOption('AAPL260731C00230000', { last_trade_time: '2026-07-29T15:58:12' })]
    expect(mapped({ symbol: 'AAPL', options }).closed).toBe(true)
  })

  test('falls back on the last price where no close is stated', () => {
    expect(mapped({ underlying: { close: 0 } }).chain.spot).toBe(731.88)
  })
})

describe('a payload fetched before the open carries the open interest of the new day, so', () => {
  const morning = (timestamp: string): PayloadText => ({
    timestamp,
    underlying: { current_price: 733.1, bid: 733, ask: 733.2 },
    options: [cboeOption('SPY260729C00730000'), cboeOption('SPY260731C00730000', { open_interest: 1429 })]
  })

  test.each([
    ['at 06:00', '2026-07-30 10:00:00', '2026-07-30T10:00:00.000Z', 0],
    ['at 07:14', '2026-07-30 11:14:00', '2026-07-30T11:14:00.000Z', 0],
    ['at 09:16', '2026-07-30 13:16:05', '2026-07-30T13:16:05.000Z', 0],
    [
      'at 09:40, while the delayed quotes have not reached the opening',
      '2026-07-30 13:40:00',
      '2026-07-30T13:29:59.000Z',
      601
    ]
  ])('%s it is filed under that day and not under the day before', (_, timestamp, asOf, delay) => {
    const { chain, session, closed } = mapped(morning(timestamp))
    expect({ session, closed, asOf: iso(chain.asOf), delay: chain.delay }).toEqual({
      session: '2026-07-30',
      closed: false,
      asOf,
      delay
    })
    expect([...chain.openInterest]).toEqual([1429])
  })

  test('nothing was traded yet, the expired contracts are gone, and the spot fits the quotes, which are of the close', () => {
    const { chain, leftOut } = mapped(morning('2026-07-30 11:14:00'))
    expect([...chain.volume]).toEqual([0])
    expect(leftOut.expired).toBe(1)
    expect(chain.spot).toBe(729.46)
    expect(chain.quote).toMatchObject({ bid: undefined, ask: undefined, last: 729.46 })
    expect(iso(chain.quote.time)).toBe('2026-07-29T19:59:59.000Z')
  })

  test('the bar it shows is still that of the session before', () => {
    expect(cboeDailyBar(headOf(morning('2026-07-30 11:14:00')))).toMatchObject({ date: '2026-07-29', close: 729.46 })
  })

  test('a weekend is no new day', () => {
    const friday = { last_trade_time: '2026-07-31T16:14:59' }
    const { session, closed } = mapped({
      timestamp: '2026-08-01 15:00:00',
      underlying: { last_trade_time: '2026-07-31T15:59:59' },
      options: [cboeOption('SPY261218C00730000', friday)]
    })
    expect({ session, closed }).toEqual({ session: '2026-07-31', closed: true })
  })
})

describe('a payload fetched in the session', () => {
  test('stands at its newest trade, with the midpoint of the quote as spot and the time since as delay', () => {
    const { chain, closed } = mapped(inSession)
    expect(closed).toBe(false)
    expect(iso(chain.asOf)).toBe('2026-07-29T14:44:30.000Z')
    expect(chain.delay).toBe(930)
    expect(chain.spot).toBeCloseTo(735.22, 10)
    expect(chain.quote).toEqual({ bid: 735.2, ask: 735.24, last: 735.1, time: Date.parse('2026-07-29T14:44:01Z') })
  })

  test.each([
    ['no bid', { bid: 0 }],
    ['no ask', { ask: null }],
    ['a bid above the ask', { bid: 736 }]
  ])('takes the last price as spot where the quote has %s', (_, quote) => {
    expect(mapped({ ...inSession, underlying: { ...inSession.underlying, ...quote } }).chain.spot).toBe(735.1)
  })

  test('gives an index its last value, since nobody trades on its quote', () => {
    const options = [cboeOption('SPXW260731C07300000', { last_trade_time: '2026-07-29T10:44:30' })]
    const { chain } = mapped({ ...inSession, symbol: '_SPX', options })
    expect(chain).toMatchObject({ symbol: 'SPX', spot: 735.1, quote: { bid: undefined, ask: undefined } })
  })

  test.each([
    ['before the close', '2026-07-29T15:52:00', false, '2026-07-29T19:52:00.000Z', 780],
    ['at the close', '2026-07-29T16:00:00', true, '2026-07-29T20:00:00.000Z', 0]
  ])('after the close is still in session while its newest trade is %s', (_, newest, over, asOf, delay) => {
    const options = [cboeOption('SPY260731C00730000', { last_trade_time: newest })]
    const underlying = { last_trade_time: '2026-07-29T15:51:00' }
    const { chain, closed } = mapped({ timestamp: '2026-07-29 20:05:00', underlying, options })
    expect(closed).toBe(over)
    expect(iso(chain.asOf)).toBe(asOf)
    expect(chain.delay).toBe(delay)
  })

  test('ignores a trade said to be later than the fetch', () => {
    const options = [
      ...inSession.options!,
      cboeOption('SPY260731C00731000', { last_trade_time: '2027-01-04T10:00:00' })
    ]
    expect(iso(mapped({ ...inSession, options }).chain.asOf)).toBe('2026-07-29T14:44:30.000Z')
  })

  test('has no bar of the day yet', () => {
    expect(cboeDailyBar(headOf(inSession))).toBeUndefined()
  })
})

describe('the contracts of a payload', () => {
  test('are sorted into columns with what the feed states', () => {
    const { chain } = mapped({
      options: [
        cboeOption('SPY260731P00730000', { bid: 1.5 }),
        cboeOption('SPY260731C00730000'),
        cboeOption('SPY260729C00729500')
      ]
    })
    expect(chain.expirations.map(({ date, root, settlement }) => [date, root, settlement])).toEqual([
      ['2026-07-29', 'SPY', 'pm'],
      ['2026-07-31', 'SPY', 'pm']
    ])
    expect([...chain.strike]).toEqual([729.5, 730, 730])
    expect([...chain.right]).toEqual([CALL, CALL, PUT])
    expect([...chain.bid]).toEqual([4.1, 4.1, 1.5])
    expect([chain.ask[0], chain.last[0], chain.bidSize[0], chain.askSize[0]]).toEqual([4.2, 4.14, 12, 30])
    expect([chain.volume[0], chain.openInterest[0]]).toEqual([77, 1052])
  })

  test('tell apart what is zero and what is not stated', () => {
    const zero = { bid: 0, bid_size: 0, ask: 0, ask_size: 0, volume: 0, open_interest: 0, last_trade_price: 0 }
    const empty = { bid: null, bid_size: null, ask: null, volume: null, open_interest: null, last_trade_time: null }
    const { chain } = mapped({
      options: [cboeOption('SPY260731C00730000', zero), cboeOption('SPY260731C00731000', empty)]
    })
    expect([...chain.bid]).toEqual([0, NaN])
    expect([...chain.ask]).toEqual([NaN, NaN])
    expect(chain.last[0]).toBeNaN()
    expect([...chain.bidSize]).toEqual([0, UNKNOWN])
    expect([...chain.volume]).toEqual([0, UNKNOWN])
    expect([...chain.openInterest]).toEqual([0, UNKNOWN])
  })

  test('have an unknown size where a price stands beside a size of 0', () => {
    const { chain } = mapped({ options: [cboeOption('SPY260731C00730000', { bid_size: 0, ask_size: 0 })] })
    expect([chain.bidSize[0], chain.askSize[0]]).toEqual([UNKNOWN, UNKNOWN])
  })

  test('read a count that is none as unknown', () => {
    const odd = { volume: -3, open_interest: 10.5, bid_size: '7', ask_size: 3e9 }
    const { chain } = mapped({ options: [cboeOption('SPY260731C00730000', odd)] })
    expect([chain.volume[0], chain.openInterest[0], chain.bidSize[0], chain.askSize[0]]).toEqual(Array(4).fill(UNKNOWN))
  })

  test('are the same whatever volatility and greeks the vendor gives', () => {
    const greeks = { iv: 0, delta: 9, gamma: 9, vega: 9, theo: 0 }
    const options = [cboeOption('SPY260731C00730000', greeks), cboeOption('SPY260731P00730000', greeks)]
    expect(mapped({ options }).chain).toEqual(mapped().chain)
  })

  test('are left out and counted when adjusted, expired before the session, foreign or unreadable', () => {
    const { chain, leftOut } = mapped({
      symbol: 'AAPL',
      options: [
        cboeOption('AAPL260731C00230000'),
        cboeOption('AAPL260731P00230000'),
        cboeOption('AAPL260807P00230000'),
        cboeOption('AAPL260807C00230000'),
        cboeOption('AAPL1260731C00230000'),
        cboeOption('AAPL260728C00230000'),
        cboeOption('MSFT260731C00230000'),
        cboeOption('AAPL26073'),
        null
      ]
    })
    expect(chain.size).toBe(4)
    expect(leftOut).toEqual({ adjusted: 1, expired: 1, unreadable: 3 })
  })

  test('are counted where they repeat another or state an impossible open interest', () => {
    const listed = cboeOption('SPY260731C00730000')
    const odd = [-3, 12.5, 2 ** 31, 2 ** 32 + 5, '12'].map((open_interest, k) =>
      cboeOption(`SPY260731C0073${k + 1}000`, { open_interest })
    )
    const { chain, reading } = mapped({ options: [listed, listed, ...odd] })
    expect([...chain.openInterest]).toEqual([1052, -1, -1, -1, -1, -1])
    expect(reading).toMatchObject({ rows: 7, repeated: 1, impossibleInterest: 5 })
  })

  test.each([
    ['below zero', { bid: -4.1 }],
    ['text', { ask: '4.2' }],
    ['true', { bid: true }],
    ['a list', { ask: [4.2] }]
  ])('are left out where a quote is %s, counted with those that are traded', (_, quote) => {
    const options = [
      cboeOption('SPY260731C00730000'),
      cboeOption('SPY260731P00730000', quote),
      cboeOption('SPY260731C00731000', { ...quote, open_interest: 0, volume: 0 })
    ]
    const { chain, reading } = mapped({ options })
    expect(chain.size).toBe(1)
    expect(reading).toMatchObject({ rows: 3, unreadable: 0, unusable: 2, unusableLiquid: 1 })
  })

  test('are left out where a quote is without end', () => {
    const text = cboePayload({
      options: [cboeOption('SPY260731C00730000'), cboeOption('SPY260731P00730000', { bid: 1234.5 })]
    })
    const { chain, reading } = readBothWays(text.replace('1234.5', '1e999'))
    expect([chain.size, reading.unusable]).toEqual([1, 1])
  })

  test('keep the last row of a contract that appears twice', () => {
    const options = [cboeOption('SPY260731C00730000'), cboeOption('SPY260731C00730000', { bid: 4.15 })]
    expect([...mapped({ options }).chain.bid]).toEqual([4.15])
  })

  test('of a share class are listed under its root without the dot', () => {
    expect(mapped({ symbol: 'BRK.B', options: [cboeOption('BRKB260731C00480000')] }).chain.size).toBe(1)
  })

  test('of one date under an AM and a PM root stay apart', () => {
    const options = [cboeOption('SPX260821C07300000'), cboeOption('SPXW260821C07300000')]
    const { chain } = mapped({ symbol: '_SPX', options })
    expect(chain.expirations).toEqual([
      { date: '2026-08-21', root: 'SPX', settlement: 'am', start: 0, end: 1 },
      { date: '2026-08-21', root: 'SPXW', settlement: 'pm', start: 1, end: 2 }
    ])
  })

  test('may be none', () => {
    expect(mapped({ options: [] }).chain).toMatchObject({ size: 0, spot: 729.46, expirations: [] })
  })
})

describe('a payload that cannot be used', () => {
  const never = { last_trade_time: null }
  test.each([
    ['nothing', '', 'not JSON'],
    ['half of itself', cboePayload().slice(0, 400), 'not JSON'],
    ['a page of text', '<html>maintenance</html>', 'not JSON'],
    ['a list', '[]', 'not an object'],
    ['no data', '{"symbol":"SPY","timestamp":"2026-07-29 22:37:29"}', 'options'],
    ['no symbol', cboePayload({ symbol: '' }), 'symbol'],
    ['two symbols', cboePayload({ underlying: { symbol: 'QQQ' } }), 'symbol'],
    ['no time', cboePayload({ timestamp: null }), 'fetched'],
    ['a time that is none', cboePayload({ timestamp: '2026-13-29 22:37:29' }), 'fetched'],
    ['no trade', cboePayload({ underlying: never, options: [cboeOption('SPY260731C00730000', never)] }), 'session'],
    ['no price', cboePayload({ underlying: { close: null, current_price: 'n/a' } }), 'price'],
    ['mostly rubbish', cboePayload({ options: [{}, {}, cboeOption('SPY260731C00730000')] }), '2 of its 3']
  ])('because it holds %s is refused with a reason', (_, text, reason) => {
    const parse = () => readBothWays(text)
    expect(parse).toThrow(SourceError)
    expect(parse).toThrow(reason)
    expect(parse).toThrow(expect.objectContaining({ fault: 'malformed' }))
  })
})

describe('the head of a payload', () => {
  test.each([
    ['as sent', (text: string) => text],
    ['written with spaces and lines', (text: string) => JSON.stringify(JSON.parse(text), null, 2)],
    [
      'with the options first',
      (text: string) => {
        const { data, ...rest } = JSON.parse(text)
        const { options, ...underlying } = data
        return JSON.stringify({ data: { options, ...underlying }, ...rest })
      }
    ]
  ])('is the same scanned or parsed, %s', (_, rewrite) => {
    const bytes = Buffer.from(rewrite(cboePayload(inSession)))
    const { contracts: _contracts, ...parsed } = parsePayload(bytes)
    const { options: _none, ...underlying } = parsed.underlying
    const scanned = readPayloadHead(bytes)
    expect({ ...scanned, underlying: { ...scanned.underlying, options: undefined } }).toEqual({
      ...parsed,
      underlying: { ...underlying, options: undefined }
    })
  })

  test.each([
    [
      'in another part of it',
      (list: string, text: string) => text.replace('"data":', `"old":{"options":${list}},"data":`)
    ],
    [
      'in the same part, before the one that counts',
      (list: string, text: string) => text.replace('"options":', `"options":${list},"options":`)
    ]
  ])('and its contracts are not those of another list %s', (_, insert) => {
    const other = JSON.stringify([cboeOption('SPY260731C00700000', { last_trade_time: '2026-07-29T16:14:59' })])
    for (const parts of [inSession, { ...inSession, options: [] }]) {
      const text = cboePayload(parts)
      const bytes = Buffer.from(insert(other, text))
      expect(readBothWays(String(bytes)).chain).toEqual(readBothWays(text).chain)
      expect(readPayloadHead(bytes).newestTrade).toBe(readPayloadHead(Buffer.from(text)).newestTrade)
    }
  })

  test('gives the bar of a finished session, and none where a price is impossible', () => {
    const bar = { date: '2026-07-29', open: 739.97, high: 742.68, low: 729.1, close: 729.46, volume: 69560498 }
    expect(cboeDailyBar(headOf())).toEqual(bar)
    expect(cboeDailyBar(headOf({ underlying: { low: 730 } }))).toBeUndefined()
    expect(cboeDailyBar(headOf({ underlying: { high: null } }))).toBeUndefined()
  })
})
