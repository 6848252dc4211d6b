import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { mapMassiveSnapshot, momentOfMassiveSnapshot } from '../../../src/connectors/massive/chains/massive-chain.ts'
import { readMassiveSnapshotRow } from '../../../src/connectors/massive/chains/massive-snapshot.ts'
import { createMassive } from '../../../src/connectors/massive/massive-connector.ts'
import { massivePage } from '../../../src/connectors/massive/massive-rest.ts'
import type { Ticker } from '../../../src/market/units.ts'
import { jsonMutations } from '../../support/mutations.ts'
import { expectSameOrNamed } from '../../support/same-or-named.ts'
import { KEY, Vendor } from './vendor.ts'

const SPY = 'SPY' as Ticker
const { signal } = new AbortController()
const noon = Date.parse('2026-07-29T16:00:00Z')
const nanoseconds = (time: number) => 1e6 * time
const chain = '/v3/snapshot/options/SPY'

/** A row of the snapshot, quoted a second before noon. */
const row = (contract: string, more: object = {}) => ({
  day: { volume: 40, last_updated: nanoseconds(Date.parse('2026-07-29T04:00:00Z')) },
  details: { contract_type: 'call', shares_per_contract: 100, ticker: `O:${contract}` },
  last_quote: { bid: 2, ask: 2.1, bid_size: 5, ask_size: 6, last_updated: nanoseconds(noon - 1000) },
  last_trade: { price: 2.05, sip_timestamp: nanoseconds(noon - 60_000) },
  open_interest: 900,
  underlying_asset: { price: 600.5, ticker: 'SPY', last_updated: nanoseconds(noon - 2000) },
  ...more
})

const page = (results: readonly object[], more: object = {}) => ({ body: { status: 'OK', results, ...more } })

async function massiveOver(prepare: (vendor: Vendor) => void) {
  const vendor = await new Vendor().start()
  prepare(vendor)
  const settings = { key: KEY, stream: vendor.stream, url: vendor.url, delay: 0, quotes: 0, requestsPerSecond: 100 }
  return { vendor, massive: createMassive(settings) }
}

describe('a chain', () => {
  test('is read range by range and page by page, at the newest quote', async () => {
    const { vendor, massive } = await massiveOver(({ rest }) => {
      rest.set(chain, (path) => {
        if (path.includes('cursor')) return page([row('SPY260731P00600000')])
        if (!path.includes('expiration_date.gte=2026-07-31')) return page([])
        return page([row('SPY260731C00600000')], { next_url: `https://api.massive.com${chain}?cursor=abc` })
      })
    })
    const found = await massive.chain(SPY, noon, signal)
    expect(found).toMatchObject({ symbol: 'SPY', size: 2, asOf: noon - 1000, delay: 1, spot: 600.5 })
    expect(found!.quote).toEqual({ bid: undefined, ask: undefined, last: 600.5, time: noon - 1000 })
    const columns = [found!.bid, found!.ask, found!.last, found!.bidSize, found!.volume, found!.openInterest]
    expect(columns.map((column) => [...column])).toEqual([
      [2, 2],
      [2.1, 2.1],
      [2.05, 2.05],
      [5, 5],
      [40, 40],
      [900, 900]
    ])
    expect(vendor.asked).toHaveLength(9)
    expect(vendor.asked.filter((path) => path.includes('expiration_date.gte=2026-07-29'))).toHaveLength(1)
    expect(vendor.keys).toEqual(new Set([`Bearer ${KEY}`]))
  })

  test('of an index is asked for with its mark, and stands at its value', async () => {
    const asset = { value: 6000, ticker: 'I:SPX', last_updated: nanoseconds(noon - 500) }
    const { massive } = await massiveOver(({ rest }) => {
      rest.set('/v3/snapshot/options/I%3ASPX', (path) =>
        page(path.includes('gte=2026-07-29') ? [row('SPXW260730C06000000', { underlying_asset: asset })] : [])
      )
    })
    expect(await massive.chain('SPX' as Ticker, noon, signal)).toMatchObject({ size: 1, spot: 6000 })
  })

  test('keeps what is of an earlier session out of this one, and other deliverables out at all', async () => {
    const before = nanoseconds(noon - 86_400_000)
    const rows = [
      row('SPY260730C00600000', {
        day: { volume: 70, last_updated: before },
        last_quote: { ...row('').last_quote, last_updated: before }
      }),
      row('SPY260730C00610000', { day: {} }),
      row('SPY1260730C00600000'),
      row('SPY260730C00620000', {
        details: { contract_type: 'other', shares_per_contract: 100, ticker: 'O:SPY260730C00620000' }
      }),
      row('SPY260730C00630000', { last_quote: undefined })
    ]
    const { massive } = await massiveOver(({ rest }) => {
      rest.set(chain, (path) => page(path.includes('gte=2026-07-29') ? rows : []))
    })
    const found = (await massive.chain(SPY, noon, signal))!
    expect([...found.strike]).toEqual([600, 610, 630])
    expect([...found.volume]).toEqual([0, 0, 40])
    expect([...found.bid]).toEqual([Number.NaN, 2, Number.NaN])
  })

  test('counts the rows that state an open interest no contract can have, and knows none of theirs', async () => {
    const stated = [900, 0, null, 12.5, -3, 2 ** 31, 2 ** 32 + 5]
    const rows = stated.map((open_interest, k) => row(`SPY260731C006${10 + k}000`, { open_interest }))
    const { massive } = await massiveOver(({ rest }) => {
      rest.set(chain, (path) => page(path.includes('gte=2026-07-31') ? rows : []))
    })
    let reading: unknown
    const found = await massive.chain(SPY, noon, signal, (_, received) => {
      reading = received!.reading
    })
    expect([...found!.openInterest]).toEqual([900, 0, -1, -1, -1, -1, -1])
    expect(reading).toMatchObject({ rows: 7, unreadable: 0, impossibleInterest: 4 })
  })

  test('after the close has the closing price, where the plan has bars', async () => {
    const evening = noon + 8 * 3_600_000
    const late = { price: 611, ticker: 'SPY', last_updated: nanoseconds(evening - 60_000) }
    const rows = [row('SPY260731C00600000', { underlying_asset: late })]
    for (const [bars, spot] of [
      [page([{ o: 1, h: 2, l: 1, c: 601, v: 5, t: Date.parse('2026-07-29T04:00:00Z') }]), 601],
      [{ status: 403, body: { status: 'NOT_AUTHORIZED' } }, 611]
    ] as const) {
      const { massive } = await massiveOver(({ rest }) => {
        rest.set(chain, (path) => page(path.includes('gte=2026-07-31') ? rows : []))
        rest.set('/v2/aggs/ticker/SPY/range/1/day/2026-07-29/2026-07-29', () => bars)
      })
      const close = Date.parse('2026-07-29T20:00:00Z')
      expect(await massive.chain(SPY, evening, signal)).toMatchObject({ asOf: close, spot })
    }
  })

  test.each([
    ['without quotes', { last_quote: undefined }, 'refused', /no last_quote/],
    [
      'without the underlying',
      { underlying_asset: { ticker: 'SPY' } },
      'refused',
      /no price or value in underlying_asset/
    ],
    ['of another plan', { error: 'NOT_ENTITLED', message: 'no' }, 'refused', /does not include this symbol/],
    ['with another type', { open_interest: '900' }, 'malformed', /the field open_interest is no number/]
  ])('%s is a fault', async (_, more, fault, message) => {
    const { massive } = await massiveOver(({ rest }) => {
      rest.set(chain, () => page([row('SPY260731C00600000', more)]))
    })
    const error = await massive.chain(SPY, noon, signal).catch((reason) => reason)
    expect(error).toMatchObject({ fault, message: expect.stringMatching(message) })
    expect(error.message).not.toContain(KEY)
  })

  test('of a symbol that is not known is none', async () => {
    const { massive } = await massiveOver(() => {})
    expect(await massive.chain('NOSUCH' as Ticker, noon, signal)).toBeUndefined()
    const { massive: other } = await massiveOver(({ rest }) => {
      rest.set('/v3/snapshot', () => page([{ ticker: 'O:X', error: 'NOT_FOUND', message: 'Ticker not found.' }]))
    })
    expect(await other.chain('X' as Ticker, noon, signal)).toBeUndefined()
  })

  test('of which a page is lost, or some expirations are, is a fault and never a part of the chain', async () => {
    const { massive } = await massiveOver(({ rest }) => {
      rest.set(chain, (path) => {
        if (path.includes('cursor')) return { status: 404, body: '' }
        return page([row('SPY260731C00600000')], { next_url: `https://api.massive.com${chain}?cursor=abc` })
      })
    })
    const lost = { fault: 'unavailable', message: 'Massive has lost the next page of a list' }
    await expect(massive.chain(SPY, noon, signal)).rejects.toMatchObject(lost)
    const { massive: other } = await massiveOver(({ rest }) => {
      rest.set(chain, (path) =>
        path.includes('gte=2026-07-29') ? page([row('SPY260730C00600000')]) : { status: 404, body: '' }
      )
    })
    const partly = { fault: 'unavailable', message: 'Massive has only some of the options of SPY' }
    await expect(other.chain(SPY, noon, signal)).rejects.toMatchObject(partly)
    const { massive: unknown } = await massiveOver(({ rest }) => {
      rest.set('/v3/snapshot', () => ({ status: 404, body: '' }))
    })
    expect(await unknown.chain(SPY, noon, signal)).toBeUndefined()
  })

  test('of which a page comes again under another cursor is a fault', async () => {
    let pages = 0
    const { massive } = await massiveOver(({ rest }) => {
      rest.set(chain, (path) =>
        path.includes('gte=2026-07-29') || path.includes('cursor')
          ? page([row('SPY260730C00600000')], { next_url: `https://api.massive.com${chain}?cursor=${++pages}` })
          : page([])
      )
    })
    const again = { fault: 'malformed', message: expect.stringContaining('a page of it comes again') }
    await expect(massive.chain(SPY, noon, signal)).rejects.toMatchObject(again)
    expect(pages).toBe(2)
  })

  test('that waits for a rest which the vendor asks for is told so, and is not waited for', async () => {
    const { massive, vendor } = await massiveOver(({ rest }) => {
      rest.set(chain, () => ({ status: 429, headers: { 'retry-after': '3600' }, body: '' }))
    })
    const error = await massive.chain(SPY, noon, signal).catch((reason) => reason)
    expect(error).toMatchObject({ fault: 'rate_limited' })
    expect(error.retryAfter).toBeGreaterThan(3_590_000)
    const { length } = vendor.asked
    await expect(massive.chain(SPY, noon, signal)).rejects.toMatchObject({ fault: 'rate_limited' })
    expect(vendor.asked).toHaveLength(length)
  })

  test('whose pages do not end, or whose key is refused, is a fault', async () => {
    const { massive } = await massiveOver(({ rest }) => {
      rest.set(chain, () => page([], { next_url: `https://api.massive.com${chain}?cursor=abc` }))
    })
    await expect(massive.chain(SPY, noon, signal)).rejects.toMatchObject({ fault: 'malformed' })
    const { massive: refused } = await massiveOver(({ rest }) => {
      rest.set(chain, () => ({ status: 401, body: '' }))
    })
    const error = await refused.chain(SPY, noon, signal).catch((reason) => reason)
    expect(error).toMatchObject({ fault: 'refused', message: expect.stringContaining('GAMMAWALL_MASSIVE_KEY') })
  })
})

test('daily bars are those of sessions that are over', async () => {
  const bar = (date: string, c: number) => ({ o: 1, h: 9, l: 1, c, v: 100, t: Date.parse(`${date}T04:00:00Z`) })
  const { massive } = await massiveOver(({ rest }) => {
    rest.set('/v2/aggs/ticker/SPY', () => page([bar('2026-07-28', 4), bar('2026-07-29', 5)]))
  })
  expect(await massive.dailyBars(SPY, noon, signal)).toEqual([
    { date: '2026-07-28', open: 1, high: 9, low: 1, close: 4, volume: 100 }
  ])
})

test('a daily bar has no price that is none, and is none without its close', async () => {
  const bar = (date: string, more: object) => {
    return { o: 1, h: 9, l: 1, c: 5, v: 100, t: Date.parse(`${date}T04:00:00Z`), ...more }
  }
  const endless = (text: string) => text.replaceAll('"endless"', '1e999')
  const rows = [
    bar('2026-07-24', { c: 0 }),
    bar('2026-07-27', { h: 'endless', l: -1 }),
    bar('2026-07-28', { v: 'endless' })
  ]
  const asked = async (listed: readonly object[]) => {
    const { massive } = await massiveOver(({ rest }) => {
      rest.set('/v2/aggs/ticker/SPY', () => ({ body: endless(JSON.stringify(page(listed).body)) }))
    })
    return massive.dailyBars(SPY, noon, signal)
  }
  expect(await asked(rows.slice(0, 2))).toEqual([
    { date: '2026-07-27', open: 1, high: Number.NaN, low: Number.NaN, close: 5, volume: 100 }
  ])
  await expect(asked(rows)).rejects.toMatchObject({
    fault: 'malformed',
    message: expect.stringContaining('field v is')
  })
})

const file = resolve(import.meta.dirname, '../../../../shared/data/vendor-samples/massive/chain-snapshot.json')
const isThere = existsSync(file)
if (!isThere) console.log('skipped: samples of Massive lie in ../shared/data, which is not there')

describe.skipIf(!isThere)('what the vendor documents', () => {
  const text = isThere ? readFileSync(file, 'utf8') : ''
  const fetched = Date.parse('2022-04-29T17:44:30Z')

  const chainOf = (body: string) => {
    const rows = massivePage(Buffer.from(body), KEY).rows.map((each) => readMassiveSnapshotRow(each)!)
    const symbol = 'AAPL' as Ticker
    const moment = momentOfMassiveSnapshot({ symbol, rows, fetched })
    return mapMassiveSnapshot({ symbol, rows, fetched }, moment, undefined).chain
  }

  test('is a chain of one contract', () => {
    const found = chainOf(text)
    expect(found).toMatchObject({ symbol: 'AAPL', size: 1, spot: 159.9606, asOf: fetched, delay: 0 })
    expect(found.expirations).toMatchObject([{ date: '2023-06-16', root: 'AAPL', settlement: 'pm' }])
    const { strike, right, bid, ask, last, bidSize, askSize, volume, openInterest } = found
    const columns = [strike, right, bid, ask, last, bidSize, askSize, volume, openInterest]
    expect(columns.map(([figure]) => figure)).toEqual([150, 0, 28.9, 29.25, 29.25, 294, 209, 8, 8133])
  })

  // A plan without trades has no last_trade, and a chain then no last price, which is no other one.
  test('gives the same figures or a fault with the name of the field, however it is mutated', () => {
    const figures = (body: string) => {
      const { size, spot, strike, right, bid, ask, last, bidSize, askSize, volume, openInterest } = chainOf(body)
      return [
        size,
        spot,
        ...[strike, right, bid, ask, last, bidSize, askSize, volume, openInterest].flatMap((column) => [...column])
      ]
    }
    const whole = figures(text)
    expectSameOrNamed(jsonMutations(text), whole, figures, (found, label) => {
      const isAbsent = found.map(
        (figure, k) => Number.isNaN(figure) && label.startsWith('results.0.last_trade ') && k === 6
      )
      expect(
        found.map((figure, k) => (isAbsent[k] ? whole[k] : figure)),
        label
      ).toEqual(whole)
    })
  })
})
