import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { SourceFault } from '../../../src/connectors/port/source-error.ts'
import { readFeedConfig, readFeedData } from '../../../src/connectors/tastytrade/dxlink/dxlink-events.ts'
import { tastytrade as declaration } from '../../../src/connectors/tastytrade/index.ts'
import {
  nearestContracts,
  readTastytradeListing,
  tastytradeReader
} from '../../../src/connectors/tastytrade/tastytrade-contracts.ts'
import type { IsoDate, Ticker } from '../../../src/market/units.ts'
import { jsonMutations } from '../../support/mutations.ts'
import type { VendorAnswer } from '../../support/rest-vendor.ts'
import { expectSameOrNamed } from '../../support/same-or-named.ts'
import { listing, market, noon, QUOTE_TOKEN, SECRETS, tastytradeOver } from './vendor.ts'

const SPY = 'SPY' as Ticker
const { signal } = new AbortController()

describe('a chain', () => {
  test('is what the stream tells of the contracts that are listed, in the order of its own fields', async () => {
    const { tastytrade, link, rest } = await tastytradeOver()
    const chain = (await tastytrade.chain(SPY, noon, signal))!
    expect(chain).toMatchObject({ symbol: 'SPY', size: 5 })
    expect(chain.spot).toBeCloseTo(600.05, 9)
    expect(chain.asOf).toBeGreaterThanOrEqual(noon)
    expect(chain.quote).toMatchObject({ bid: 600, ask: 600.1, last: 600.05 })
    const { strike, right, bid, ask, last, bidSize, askSize, volume, openInterest } = chain
    expect([...strike]).toEqual([590, 590, 600, 600, 610])
    expect([...right]).toEqual([0, 1, 0, 1, 0]) // the put of 610 is not in the stream
    expect([bid, ask, last, bidSize, askSize, volume, openInterest].map(([figure]) => figure)).toEqual([
      2, 2.1, 2.05, 10, -1, 120, 4000
    ])
    const [commands] = link.received
    expect(commands.slice(0, 4).map(({ type }) => type)).toEqual(['SETUP', 'AUTH', 'CHANNEL_REQUEST', 'FEED_SETUP'])
    expect(rest.asked.map(({ path }) => path)).toEqual([
      '/oauth/token',
      '/option-chains/SPY/nested',
      '/api-quote-tokens'
    ])
    const [token] = rest.asked
    expect(JSON.parse(token.sent)).toEqual({
      grant_type: 'refresh_token',
      client_secret: SECRETS.secret,
      refresh_token: SECRETS.token
    })
    expect(rest.asked[1].headers).toMatchObject({
      authorization: 'Bearer access-hidden-4711',
      'user-agent': 'gammawall/1.0'
    })
    await tastytrade.chain(SPY, noon + 1000, signal)
    expect(rest.asked).toHaveLength(3) // listing, access and session are still good
    await expect.poll(() => link.clients.length).toBe(0)
  })

  test('of many contracts is subscribed to in messages of five hundred, the nearest alone', async () => {
    const many = (root: ReturnType<typeof listing>['data']['items'][0]) =>
      [...Array(2000).keys()].map((k) => ({
        'strike-price': `${100 + k}.0`,
        call: `SPY   260731C0${String(100 + k).padStart(4, '0')}000`,
        'call-streamer-symbol': `.SPY260731C${100 + k}`,
        put: root['root-symbol'],
        'put-streamer-symbol': ''
      }))
    const [item] = listing().data.items
    const body = listing({ expirations: [{ 'expiration-date': '2026-07-31', strikes: many(item) }] })
    const { tastytrade, link } = await tastytradeOver({ '/option-chains': () => ({ body }) }, { most: 300 })
    const chain = (await tastytrade.chain(SPY, noon, signal))!
    expect(chain.size).toBe(300)
    // Both strikes are equally far from 600.05 on a log scale: 600.05 / 469 is 768 / 600.3.
    expect([chain.strike[0], chain.strike.at(-1)]).toEqual([469, 768])
    const sizes = link.received[0].flatMap(({ add }) => (add === undefined ? [] : [add.length]))
    expect(sizes).toEqual([3, 500, 400])
  })

  test('has no figure of what is not told, and leaves out other deliverables', async () => {
    const { tastytrade, link } = await tastytradeOver({
      '/option-chains': () => ({ body: listing() })
    })
    link.market = (type, symbol) => {
      const event = market(type, symbol)
      if (symbol === '.SPY260731C590') return type === 'Summary' ? { ...event, openInterest: 'NaN' } : undefined
      if (symbol === '.SPY260731C600' && type === 'Trade') return { ...event, time: noon - 86_400_000 }
      return event
    }
    const { bid, volume, openInterest } = (await tastytrade.chain(SPY, noon, signal))!
    expect([bid[0], volume[0], openInterest[0], volume[2]]).toEqual([Number.NaN, -1, -1, 0])
    const mini = await tastytradeOver({ '/option-chains': () => ({ body: listing({ 'shares-per-contract': 10 }) }) })
    expect(await mini.tastytrade.chain(SPY, noon, signal)).toMatchObject({ size: 0 })
  })

  test('stands at the moment when all of it had been told, so that no quote is newer', async () => {
    const quiet = 300
    const { tastytrade, link } = await tastytradeOver({}, { limits: { quiet } })
    link.market = (type, symbol) => (symbol === '.SPY260731C590' ? undefined : market(type, symbol))
    const { asOf, delay } = (await tastytrade.chain(SPY, noon, signal))!
    expect(asOf).toBeGreaterThanOrEqual(noon + quiet)
    expect(delay).toBe(0)
  })

  test('after the close stands at it, and before the opening at the close before', async () => {
    const { tastytrade, link } = await tastytradeOver()
    link.market = (type, symbol) => {
      const event = market(type, symbol)
      return type === 'Summary' && symbol === 'SPY' ? { ...event, dayClosePrice: 601.2 } : event
    }
    const close = Date.parse('2026-07-29T20:00:00Z')
    expect(await tastytrade.chain(SPY, close + 3_600_000, signal)).toMatchObject({ asOf: close, delay: 0, spot: 601.2 })
    link.market = market
    expect(await tastytrade.chain(SPY, Date.parse('2026-07-30T12:00:00Z'), signal)).toMatchObject({ spot: 597.5 })
  })

  test('of a symbol that is not known is none', async () => {
    const { tastytrade, link } = await tastytradeOver()
    expect(await tastytrade.chain('NOSUCH' as Ticker, noon, signal)).toBeUndefined()
    expect(link.received).toEqual([])
  })
})

test('a session that was ended early is renewed once, and an access that is refused is not used again', async () => {
  let asked = 0
  const { tastytrade, rest } = await tastytradeOver({
    '/option-chains': () => (asked++ === 0 ? { status: 401 } : { body: listing() })
  })
  expect(await tastytrade.chain(SPY, noon, signal)).toMatchObject({ size: 5 })
  expect(rest.asked.filter(({ path }) => path === '/oauth/token')).toHaveLength(2)
  let given = 0
  const other = await tastytradeOver({
    '/api-quote-tokens': () => ({
      body: { data: { token: given++ === 0 ? 'old' : QUOTE_TOKEN, 'dxlink-url': other.link.url } }
    })
  })
  await expect(other.tastytrade.chain(SPY, noon, signal)).rejects.toMatchObject({ fault: 'refused' })
  expect(await other.tastytrade.chain(SPY, noon, signal)).toMatchObject({ size: 5 })
})

test('an access token that no header can hold is refused, and stands in no sentence', async () => {
  const body = { access_token: 'access-hidden\n4711', expires_in: 900 }
  const { tastytrade } = await tastytradeOver({ '/oauth/token': () => ({ body }) })
  const error = await tastytrade.chain(SPY, noon, signal).catch((reason) => reason)
  expect(error).toMatchObject({
    fault: 'malformed',
    message: expect.stringContaining('the field access_token is no token')
  })
  expect(error.message).not.toContain('hidden')
})

test('a log-in that is refused is not tried again for five minutes, by however many symbols', async () => {
  const { tastytrade, rest } = await tastytradeOver({ '/oauth/token': () => ({ status: 401 }) })
  const ask = () =>
    Promise.all(
      ['SPY', 'QQQ', 'IWM'].map((symbol) =>
        tastytrade.chain(symbol as Ticker, noon, signal).catch(({ fault }) => fault)
      )
    )
  for (let turn = 0; turn < 2; turn++) expect(await ask()).toEqual(['refused', 'refused', 'refused'])
  expect(rest.asked).toHaveLength(1)
  const clock = performance.now.bind(performance)
  const later = vi.spyOn(performance, 'now').mockImplementation(() => clock() + 5 * 60_000)
  onTestFinished(() => later.mockRestore())
  await ask()
  expect(rest.asked).toHaveLength(2)
})

const faults: readonly (readonly [string, SourceFault, RegExp, VendorAnswer])[] = [
  ['401', 'refused', /GAMMAWALL_TASTYTRADE_SECRET and GAMMAWALL_TASTYTRADE_TOKEN/, { status: 401 }],
  ['429', 'rate_limited', /fewer requests/, { status: 429 }],
  ['502', 'unavailable', /502/, { status: 502 }],
  ['HTML', 'malformed', /not JSON/, { body: '<html>' }],
  ['a body that breaks off', 'malformed', /broke off/, { body: listing(), cut: 40 }],
  ['another body', 'malformed', /the field data is missing/, { body: {} }]
]

test.each(faults)('%s is the fault %s', async (_, fault, message, answer) => {
  for (const path of ['/option-chains', '/api-quote-tokens']) {
    const { tastytrade } = await tastytradeOver({ [path]: () => answer })
    const error = await tastytrade.chain(SPY, noon, signal).catch((reason) => reason)
    expect(error).toMatchObject({ fault, message: expect.stringMatching(message) })
    expect(error.message).not.toContain('hidden')
  }
})

test.each([
  ['an error of the protocol', { type: 'ERROR', error: 'TIMEOUT', message: 'none' }, 'timeout', /TIMEOUT: none/],
  ['another error', { type: 'ERROR', error: 'UNKNOWN', message: '' }, 'unavailable', /UNKNOWN/],
  ['a channel that is closed', { type: 'CHANNEL_CLOSED' }, 'unavailable', /closed the channel/],
  ['data that cannot be cut', { type: 'FEED_DATA', data: ['Quote', [1, 2, 3, 4]] }, 'malformed', /4 figures, of 6/],
  ['data without its fields', { type: 'FEED_DATA', data: ['Greeks', [1]] }, 'malformed', /Greeks came before/],
  [
    'fields that are not there',
    { type: 'FEED_CONFIG', eventFields: { Quote: ['eventSymbol'] } },
    'malformed',
    /lack bidPrice/
  ]
] as const)('%s in the stream is a fault', async (_, frame, fault, sentence) => {
  const { tastytrade, link } = await tastytradeOver()
  link.instead = ({ type }) => (type === 'FEED_SUBSCRIPTION' ? { channel: 1, ...frame } : undefined)
  const error = await tastytrade.chain(SPY, noon, signal).catch((reason) => reason)
  expect(error).toMatchObject({ fault, message: expect.stringMatching(sentence) })
})

test('a stream that falls silent of one type of event is a timeout, and one that does not open', async () => {
  const { tastytrade, link } = await tastytradeOver()
  link.market = (type, symbol) => (type === 'Summary' && symbol.startsWith('.') ? undefined : market(type, symbol))
  await expect(tastytrade.chain(SPY, noon, signal)).rejects.toMatchObject({
    fault: 'timeout',
    message: expect.stringContaining('any Summary of the options on SPY')
  })
  const mute = await tastytradeOver({}, { limits: { opening: 50 } })
  mute.link.instead = () => 'nothing'
  await expect(mute.tastytrade.chain(SPY, noon, signal)).rejects.toMatchObject({ fault: 'timeout' })
  const lost = await tastytradeOver({
    '/api-quote-tokens': () => ({ body: { data: { token: 't', 'dxlink-url': 'ws://127.0.0.1:1' } } })
  })
  await expect(lost.tastytrade.chain(SPY, noon, signal)).rejects.toMatchObject({ fault: 'unavailable' })
  const open = await tastytradeOver({
    '/api-quote-tokens': () => ({ body: { data: { token: 't', 'dxlink-url': 'ws://example.com' } } })
  })
  await expect(open.tastytrade.chain(SPY, noon, signal)).rejects.toMatchObject({
    fault: 'malformed',
    message: /dxlink-url/
  })
})

test('of contracts those come first that are near the spot for the time they have', () => {
  const contract = (expiration: string, strike: number) => ({
    ...{ occ: '', streamer: `${expiration} ${strike}`, isStandard: true },
    ...{ expiration: expiration as IsoDate, strike }
  })
  const all = [
    contract('2026-07-30', 100),
    contract('2026-07-30', 130),
    contract('2026-08-28', 130),
    contract('2026-07-28', 100)
  ]
  const names = nearestContracts(all, 100, '2026-07-29' as IsoDate, 2).map(({ streamer }) => streamer)
  expect(names).toEqual(['2026-07-30 100', '2026-08-28 130'])
})

test('without its secrets the service ends with the variable that is missing and where they are had', () => {
  const use = { capabilities: ['chains'], asOf: undefined } as const
  const values = {
    'tastytrade-secret': undefined,
    'tastytrade-token': undefined,
    'tastytrade-contracts': 5000,
    'tastytrade-url': 'https://x'
  }
  expect(declaration.refusal!(values, use)).toMatch(/GAMMAWALL_TASTYTRADE_SECRET.*tastytrade\.com/)
  const half = { ...values, 'tastytrade-secret': 's' }
  expect(declaration.refusal!(half, use)).toMatch(/GAMMAWALL_TASTYTRADE_TOKEN/)
  expect(declaration.refusal!({ ...half, 'tastytrade-token': 't' }, use)).toBeUndefined()
})

const folder = resolve(import.meta.dirname, '../../../../shared/data/vendor-samples/tastytrade')
const isThere = existsSync(folder)
if (!isThere) console.log('skipped: samples of tastytrade lie in ../shared/data, which is not there')

describe.skipIf(!isThere)('what the vendor documents', () => {
  const text = isThere ? readFileSync(resolve(folder, 'option-chain-nested.json'), 'utf8') : '{}'
  const frames = isThere ? readFileSync(resolve(folder, 'dxlink.ndjson'), 'utf8').trim().split('\n') : []
  const read = (changed: string) => readTastytradeListing(tastytradeReader.body(Buffer.from(changed)))

  test('lists contracts of several roots, and skips one that the stream has not', () => {
    expect(read(text).map(({ occ, streamer, strike }) => [occ, streamer, strike])).toEqual([
      ['SPX260320C05700000', '.SPX260320C5700', 5700],
      ['SPX260320P05700000', '.SPX260320P5700', 5700],
      ['TSLA261002C00355000', '.TSLA261002C355', 355],
      ['TSLA261002P00355000', '.TSLA261002P355', 355],
      ['TSLA261002C00357500', '.TSLA261002C357.5', 357.5]
    ])
  })

  test('is the same or a fault with the name of the field when it is mutated', () => {
    expectSameOrNamed(jsonMutations(text), read(text), read)
  })

  test('cuts data by the fields of the configuration', () => {
    const known = new Map<string, readonly string[]>()
    const received: unknown[] = []
    for (const line of frames) {
      const frame = JSON.parse(line)
      if (frame.type === 'FEED_CONFIG') readFeedConfig(frame, new Map([['Quote', ['bidPrice', 'bidSize']]]), known)
      if (frame.type === 'FEED_DATA') readFeedData(frame, known, (type, events) => received.push([type, ...events]))
    }
    const quote = (eventSymbol: string, bidPrice: number, askPrice: number, bidSize: unknown, askSize: unknown) => ({
      ...{ eventType: 'Quote', eventSymbol, bidPrice, askPrice, bidSize, askSize }
    })
    expect(received).toEqual([['Quote', quote('AAPL', 123, 123.5, 10, 'NaN'), quote('MSFT', 321, 321.5, 4, 7)]])
  })
})
