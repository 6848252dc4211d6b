import { once } from 'node:events'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { createCboeFeed } from '../../../src/connectors/cboe/cboe-feed.ts'
import { readPayload } from '../../../src/connectors/cboe/recorded-payloads.ts'
import type { ReceivedPayload } from '../../../src/connectors/port/connector.ts'
import { SourceError } from '../../../src/connectors/port/source-error.ts'
import type { IsoDate, Ticker } from '../../../src/market/units.ts'
import { cboeOption, cboePayload, recordedPayloads } from '../../support/cboe-payload.ts'

const SPY = 'SPY' as Ticker
const SPX = 'SPX' as Ticker
const UNKNOWN = 'ZZZZ' as Ticker
const NOW = Date.parse('2026-07-29T15:00:00Z')
const { signal } = new AbortController()

// Response of the exchange's file store to an unknown name.
const accessDenied = '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code></Error>'

const closings: (() => void)[] = []
afterEach(() => {
  for (const close of closings.splice(0)) close()
})

/** A feed that asks a server of this test, where each request is answered by `answer`. */
async function feedFrom(answer: RequestListener, limits: { timeLimit?: number; sizeLimit?: number } = {}) {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closings.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { feed: createCboeFeed({ url: `http://127.0.0.1:${port}/options/`, ...limits }), requests, server }
}

type Reply = readonly [status: number, body: string | Buffer, headers?: Record<string, string>]

function send(response: ServerResponse, [status, body, headers = {}]: Reply): void {
  response.writeHead(status, headers)
  response.end(body)
}

/** Answers by file name; what is not named is not there. */
const files =
  (replies: Record<string, Reply | readonly Reply[]>, otherwise: Reply = [403, accessDenied]): RequestListener =>
  (request, response) => {
    const reply = replies[request.url!.split('/').at(-1)!] ?? otherwise
    const queue = reply as Reply[]
    send(response, Array.isArray(reply[0]) ? (queue.length > 1 ? queue.shift()! : queue[0]) : (reply as Reply))
  }

describe('the delayed quotes of the exchange', () => {
  test('are read as a chain, an index under its name with an underscore', async () => {
    const spx = cboePayload({ symbol: '_SPX', options: [cboeOption('SPXW260731C07300000')] })
    const { feed, requests } = await feedFrom(files({ 'SPY.json': [200, cboePayload()], '_SPX.json': [200, spx] }))
    expect(await feed.chain(SPY, NOW, signal)).toMatchObject({ symbol: 'SPY', size: 2, spot: 729.46 })
    expect(await feed.chain(SPX, NOW, signal)).toMatchObject({ symbol: 'SPX', size: 1 })
    expect(requests.map(({ url }) => url)).toEqual(['/options/SPY.json', '/options/_SPX.json'])
  })

  test('may come packed and in slow pieces', async () => {
    const packed = gzipSync(cboePayload())
    const { feed } = await feedFrom(async (_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      for (let at = 0; at < packed.length; at += 100) {
        response.write(packed.subarray(at, at + 100))
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      response.end()
    })
    expect(await feed.chain(SPY, NOW, signal)).toMatchObject({ size: 2 })
  })

  test('have no past', async () => {
    const feed = createCboeFeed({ url: 'http://127.0.0.1:9' })
    expect(await feed.closingChain(SPY, '2026-07-28' as IsoDate, signal)).toBeUndefined()
    expect(await feed.dailyBars(SPY, NOW, signal)).toEqual([])
    expect(feed).toMatchObject({ fixedAt: undefined, provides: ['chains', 'bars'], synthetic: false, pace: 15_000 })
  })

  test('tell the bar of a session that was seen to its end, and of no other', async () => {
    const { feed } = await feedFrom(files({ 'SPY.json': [200, cboePayload()] }))
    await feed.chain(SPY, NOW, signal)
    const bar = { date: '2026-07-29', open: 739.97, high: 742.68, low: 729.1, close: 729.46, volume: 69_560_498 }
    expect(await feed.dailyBars(SPY, NOW, signal)).toEqual([bar])
    const open = cboePayload({
      timestamp: '2026-07-29 19:37:29',
      underlying: { last_trade_time: '2026-07-29T15:22:00' }
    })
    const { feed: during } = await feedFrom(files({ 'SPY.json': [200, open.replaceAll('T16:14:59', 'T15:21:00')] }))
    await during.chain(SPY, NOW, signal)
    expect(await during.dailyBars(SPY, NOW, signal)).toEqual([])
  })

  test('that are refused leave the feed as if they had never come: no bar, and nothing unchanged since', async () => {
    const { feed, requests } = await feedFrom(files({ 'SPY.json': [200, cboePayload(), { etag: '"bad"' }] }))
    const refuse = () => {
      throw new SourceError('malformed', 'not believed')
    }
    await expect(feed.chain(SPY, NOW, signal, refuse)).rejects.toThrow('not believed')
    expect(await feed.dailyBars(SPY, NOW, signal)).toEqual([])
    let received: ReceivedPayload | undefined
    await feed.chain(SPY, NOW, signal, (_, shown) => void (received = shown))
    expect(requests[1].headers['if-none-match']).toBeUndefined()
    expect(String(received?.payload)).toBe(cboePayload())
    const noneFaulty = { repeated: 0, impossibleInterest: 0 }
    expect(received?.reading).toEqual({ rows: 2, unreadable: 0, unusable: 0, unusableLiquid: 0, ...noneFaulty })
  })

  test('that cannot be read are thrown with what came, an empty list of a symbol kept warm among them', async () => {
    for (const text of ['<html>maintenance</html>', cboePayload({ options: [] })]) {
      const { feed } = await feedFrom(files({ 'SPY.json': [200, text] }))
      await expect(feed.chain(SPY, NOW, signal)).rejects.toMatchObject({
        fault: 'malformed',
        heldBack: { verdict: { kind: 'refused', reason: 'malformed' }, payload: Buffer.from(text) }
      })
    }
  })

  test('keep about sixty symbols warm, each once, the most watched first', () => {
    const { universe, tickers } = createCboeFeed({ url: 'http://127.0.0.1:9' })
    expect(universe.slice(0, 3).map(({ symbol }) => symbol)).toEqual(['SPX', 'SPY', 'QQQ'])
    expect(tickers).toEqual([...new Set(universe.map(({ symbol }) => symbol))].sort())
    expect(tickers.length).toBe(universe.length)
    const tiers = universe.map(({ tier }) => tier)
    expect(tiers).toEqual([...tiers].sort())
  })
})

describe('the newest moment the quotes can describe', () => {
  const { latest } = createCboeFeed({ url: 'http://127.0.0.1:9' })
  test.each([
    ['in the session is now', '2026-07-29T15:00:00Z', '2026-07-29T15:00:00Z'],
    ['is still now until the delayed quotes have caught up', '2026-07-29T20:34:59Z', '2026-07-29T20:34:59Z'],
    ['is then the close', '2026-07-29T20:35:00Z', '2026-07-29T20:00:00Z'],
    ['stays the close through the night', '2026-07-30T09:59:59Z', '2026-07-29T20:00:00Z'],
    ['is now from 06:00 on, when open interest of the day may come', '2026-07-30T10:00:00Z', '2026-07-30T10:00:00Z'],
    ['is still now in the last second before the opening', '2026-07-30T13:29:59Z', '2026-07-30T13:29:59Z'],
    ['is now from the opening on', '2026-07-30T13:30:00Z', '2026-07-30T13:30:00Z'],
    ['on a weekend is the close of Friday', '2026-08-01T15:00:00Z', '2026-07-31T20:00:00Z'],
    ['on a half day is the close at 13:00', '2026-11-27T19:00:00Z', '2026-11-27T18:00:00Z']
  ])('%s', (_, now, newest) => {
    expect(latest(Date.parse(now))).toBe(Date.parse(newest))
  })
})

describe('an unchanged payload', () => {
  test('is not sent again and gives the same chain', async () => {
    const { feed, requests } = await feedFrom((request, response) => {
      const headers = { etag: '"v1"', 'last-modified': 'Wed, 29 Jul 2026 22:37:29 GMT' }
      if (request.headers['if-none-match'] === '"v1"') send(response, [304, '', headers])
      else send(response, [200, cboePayload(), headers])
    })
    const chain = await feed.chain(SPY, NOW, signal)
    expect(await feed.chain(SPY, NOW, signal)).toBe(chain)
    expect(requests[1].headers['if-modified-since']).toBe('Wed, 29 Jul 2026 22:37:29 GMT')
  })

  test('is asked for as usual where the server marks no versions', async () => {
    const { feed, requests } = await feedFrom(files({ 'SPY.json': [200, cboePayload()] }))
    const chain = await feed.chain(SPY, NOW, signal)
    expect(await feed.chain(SPY, NOW, signal)).toEqual(chain)
    expect(requests[1].headers).not.toHaveProperty('if-none-match')
  })

  test('that nobody holds is malformed', async () => {
    const { feed } = await feedFrom(files({ 'SPY.json': [304, ''] }))
    await expect(feed.chain(SPY, NOW, signal)).rejects.toMatchObject({ fault: 'malformed' })
  })
})

describe('a symbol without payload', () => {
  test.each([
    ['403 in XML', [403, accessDenied]],
    ['404', [404, 'not found']]
  ] as const)('is unknown when the server says %s', async (_, absent) => {
    const { feed } = await feedFrom(files({ 'SPY.json': [200, cboePayload()] }, absent))
    expect(await feed.chain(UNKNOWN, NOW, signal)).toBeUndefined()
    await feed.chain(SPY, NOW, signal)
    expect(await feed.chain(UNKNOWN, NOW, signal)).toBeUndefined()
    expect(await feed.chain('COST' as Ticker, NOW, signal)).toBeUndefined()
  })

  test('is refused when it had been answered before', async () => {
    const { feed } = await feedFrom(
      files({
        'SPY.json': [
          [200, cboePayload()],
          [403, accessDenied]
        ]
      })
    )
    await feed.chain(SPY, NOW, signal)
    await expect(feed.chain(SPY, NOW, signal)).rejects.toMatchObject({ name: 'SourceError', fault: 'refused' })
  })

  test('is refused when it is known to be listed and nothing was answered yet', async () => {
    const { feed } = await feedFrom(files({}))
    await expect(feed.chain(SPY, NOW, signal)).rejects.toMatchObject({ fault: 'refused' })
  })

  test('points to a wrong address when it is known to be listed and everything is missing', async () => {
    const { feed } = await feedFrom(files({}, [404, '']))
    await expect(feed.chain(SPY, NOW, signal)).rejects.toMatchObject({ fault: 'unavailable' })
  })
})

describe('trouble at the source', () => {
  const half = cboePayload().slice(0, 500)
  test.each([
    ['a page that forbids', [403, '<html>Access denied</html>'], 'refused'],
    ['a demand to log in', [401, ''], 'refused'],
    ['a failure', [500, 'oops'], 'unavailable'],
    ['maintenance', [503, '<html>'], 'unavailable'],
    ['half a payload', [200, half], 'malformed'],
    ['nothing', [200, ''], 'malformed'],
    ['a web page', [200, '<html>startupBanner</html>', { 'content-type': 'text/html' }], 'malformed'],
    ['other JSON', [200, '{"ok":true}'], 'malformed'],
    ['another symbol', [200, cboePayload({ symbol: 'QQQ' })], 'malformed'],
    ['rubbish under the name of a packed answer', [200, 'rubbish', { 'content-encoding': 'gzip' }], 'malformed']
  ] as const)('%s is reported in kind', async (_, reply, fault) => {
    const { feed } = await feedFrom(files({ 'SPY.json': reply }))
    await expect(feed.chain(SPY, NOW, signal)).rejects.toMatchObject({ name: 'SourceError', fault })
  })

  test.each([
    ['seconds', { 'retry-after': '30' }, 30_000],
    ['a date', { 'retry-after': 'Wed, 29 Jul 2026 15:01:00 GMT' }, 60_000],
    ['a date in the past', { 'retry-after': 'Wed, 29 Jul 2026 14:00:00 GMT' }, 0],
    ['a word', { 'retry-after': 'soon' }, undefined],
    ['nothing', {}, undefined]
  ])('too many requests are reported with the wait that is asked for in %s', async (_, headers, retryAfter) => {
    const sent = { date: new Date(NOW).toUTCString(), ...headers } // the clock of the server is that of the feed
    const { feed } = await feedFrom(files({ 'SPY.json': [429, '', sent] }))
    await expect(feed.chain(SPY, NOW, signal)).rejects.toMatchObject({ fault: 'rate_limited', retryAfter })
  })

  test('an answer that breaks off is malformed', async () => {
    const { feed } = await feedFrom((_, response) => {
      response.writeHead(200, { 'content-length': '100000' })
      response.write(half, () => response.destroy())
    })
    await expect(feed.chain(SPY, NOW, signal)).rejects.toMatchObject({ fault: 'malformed' })
  })

  test.each([
    ['as it is', (body: string) => [Buffer.from(body), {}] as const],
    ['packed small', (body: string) => [gzipSync(body), { 'content-encoding': 'gzip' }] as const]
  ])('an answer beyond the size limit is not read to its end, %s', async (_, pack) => {
    const [body, headers] = pack(cboePayload({ symbol: 'SPY', options: [' '.repeat(200_000)] }))
    const { feed } = await feedFrom(
      (_request, response) => {
        response.writeHead(200, headers)
        response.end(body)
      },
      { sizeLimit: 100_000 }
    )
    await expect(feed.chain(SPY, NOW, signal)).rejects.toMatchObject({ fault: 'malformed' })
    await expect(feed.chain(SPY, NOW, signal)).rejects.toThrow(/larger than 100000 bytes/)
  })

  test.each([
    ['says nothing', () => {}],
    [
      'stops in the middle',
      (_: IncomingMessage, response: ServerResponse) => {
        response.writeHead(200)
        response.write(half)
      }
    ]
  ])('a server that %s is given up after the time limit', async (_, answer) => {
    const { feed } = await feedFrom(answer, { timeLimit: 100 })
    await expect(feed.chain(SPY, NOW, signal)).rejects.toMatchObject({ fault: 'timeout' })
  })

  test('a server that is not there is unavailable', async () => {
    const { feed, server } = await feedFrom(files({}))
    server.close()
    await once(server, 'close')
    await expect(feed.chain(SPY, NOW, signal)).rejects.toMatchObject({ fault: 'unavailable' })
  })

  test('is overtaken by a caller who gives up', async () => {
    const { feed } = await feedFrom(() => {})
    const caller = new AbortController()
    const asked = feed.chain(SPY, NOW, caller.signal)
    caller.abort(new Error('no longer needed'))
    await expect(asked).rejects.toThrow('no longer needed')
  })

  test('is over when the next answer is good', async () => {
    const { feed } = await feedFrom(
      files({
        'SPY.json': [
          [503, ''],
          [200, half],
          [200, cboePayload()]
        ]
      })
    )
    await expect(feed.chain(SPY, NOW, signal)).rejects.toMatchObject({ fault: 'unavailable' })
    await expect(feed.chain(SPY, NOW, signal)).rejects.toMatchObject({ fault: 'malformed' })
    expect(await feed.chain(SPY, NOW, signal)).toMatchObject({ size: 2 })
  })
})

const folder = recordedPayloads()

test.skipIf(folder === undefined)('a recorded payload of the S&P 500 passes through the feed whole', async () => {
  const recorded = await readPayload(join(folder!, '_SPX-2026-07-30.json.gz'))
  const { feed } = await feedFrom(files({ '_SPX.json': [200, recorded] }))
  expect(await feed.chain(SPX, NOW, signal)).toMatchObject({ symbol: 'SPX', size: 29210, spot: 7437.6299, delay: 0 })
})
