import { expect, test } from 'vitest'
import type { TapeMessage } from '../../../src/connectors/port/prints/print-feed.ts'
import type { Ticker } from '../../../src/market/units.ts'
import { listening, noon, SPY } from './listening.ts'
import { KEY, snapshotRow, tradeRow, type Vendor } from './vendor.ts'

const { signal } = new AbortController()
const contracts = Array.from({ length: 30 }, (_, k) => `SPY260731C00${600 + k}000`)
const chain = '/v3/snapshot/options/SPY'
const page = (results: readonly object[], more: object = {}) => ({ body: { status: 'OK', results, ...more } })

async function pastOf(all: Awaited<ReturnType<typeof listening>>, from: number, to: number, symbol: Ticker = SPY) {
  const messages: TapeMessage[] = []
  for await (const batch of all.feed.past!(symbol, from, to, signal)) messages.push(...batch)
  return messages.map(
    (message) => ('print' in message ? message.print : 'cancel' in message ? message.cancel : undefined)!
  )
}

/** Every contract trades once a second from noon on, contract k at k milliseconds. */
function trading(vendor: Vendor): void {
  const half = contracts.length / 2
  const rows = contracts.map((contract) => snapshotRow(contract, noon + 10_000))
  vendor.rest.set(chain, (path) =>
    path.includes('cursor')
      ? page(rows.slice(half))
      : page(rows.slice(0, half), { next_url: `https://api.massive.com${chain}?cursor=abc` })
  )
  for (const [k, contract] of contracts.entries()) {
    vendor.rest.set(`/v3/trades/O%3A${contract}`, (path) => {
      const [, from, to] = /timestamp\.gte=(\d+)000000&timestamp\.lt=(\d+)000000/.exec(path)!.map(Number)
      const times = Array.from({ length: 11 }, (_, second) => noon + 1000 * second + k)
      return page(times.filter((time) => time >= from && time < to).map((time) => tradeRow(time, { size: k + 1 })))
    })
  }
}

test('what was traded is read contract by contract, and told by time', async () => {
  const all = await listening({}, trading)
  const trades = await pastOf(all, noon + 2000, noon + 5000)
  expect(trades).toHaveLength(3 * contracts.length)
  const times = trades.map(({ time }) => time)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(new Set(trades.map(({ contract }) => contract)).size).toBe(contracts.length)
  expect(trades[1]).toMatchObject({ contract: contracts[1], time: noon + 2001, size: 2, exchange: 202, flags: 0 })
  expect(all.vendor.asked).toHaveLength(2 + contracts.length)
  expect(all.vendor.keys).toEqual(new Set([`Bearer ${KEY}`]))
})

test('times are those of the stream, to the millisecond', async () => {
  const times = Array.from({ length: 2000 }, (_, k) => noon + k)
  const nanoseconds = ['000000', '000001', '500000', '999000']
  for (const rest of nanoseconds) {
    const all = await listening({}, (vendor) => {
      vendor.rest.set(chain, () => page([snapshotRow(contracts[0], noon + 5000)]))
      const rows = times.map((time) => JSON.stringify(tradeRow(1)).replace('1000000', `${time}${rest}`))
      vendor.rest.set('/v3/trades', () => ({ body: `{"results":[${rows}]}` }))
    })
    const trades = await pastOf(all, noon, noon + 5000)
    expect(
      trades.map(({ time }) => time),
      rest
    ).toEqual(times)
  }
})

test('a delayed plan is not read beyond what its stream tells', async () => {
  const all = await listening({ delay: 2 }, trading)
  const trades = await pastOf(all, noon, noon + 3000)
  expect(trades).toHaveLength(contracts.length)
})

test('a contract that did not trade is not asked for; one of which it is not told is', async () => {
  const rows = [
    snapshotRow(contracts[0], noon - 1),
    snapshotRow(contracts[1], undefined),
    snapshotRow(contracts[2], undefined, 0),
    { error: 'NOT_FOUND' }
  ]
  const all = await listening({}, (vendor) => vendor.rest.set(chain, () => page(rows)))
  expect(await pastOf(all, noon, noon + 1000)).toEqual([])
  expect(all.vendor.asked.map((path) => path.split('?')[0])).toEqual([chain, `/v3/trades/O%3A${contracts[1]}`])
  await pastOf(all, noon, noon + 1, 'SPX' as Ticker)
  expect(all.vendor.asked.at(-1)).toMatch(/^\/v3\/snapshot\/options\/I%3ASPX\?/)
})

test('a listing whose rows cannot be read is a fault that names the field, and no contract is left out', async () => {
  const row = snapshotRow(contracts[0], noon)
  for (const [broken, field] of [
    [7, 'results'],
    [{ ...row, details: {} }, 'ticker'],
    [{ ...row, details: undefined }, 'details'],
    [{ ...row, last_trade: {} }, 'sip_timestamp'],
    [{ ...row, last_trade: { sip_timestamp: String(noon) } }, 'sip_timestamp'],
    [{ ...row, last_trade: undefined, day: undefined }, 'day'],
    [{ ...row, last_trade: undefined, day: { volume: '5' } }, 'volume']
  ] as const) {
    const all = await listening({}, (vendor) => vendor.rest.set(chain, () => page([broken as object])))
    await expect(pastOf(all, noon, noon + 1000), field).rejects.toMatchObject({
      fault: 'malformed',
      message: expect.stringContaining(field)
    })
  }
})

test('rows that cannot be, or were corrected, are refused and counted', async () => {
  const rows = [
    tradeRow(noon),
    tradeRow(noon, { correction: 1 }),
    tradeRow(noon, { size: 0 }),
    tradeRow(noon, { price: '1.5' }),
    tradeRow(noon, { conditions: [250] }),
    tradeRow(noon, { conditions: [207] }),
    null,
    tradeRow(noon + 5000)
  ]
  const all = await listening({}, (vendor) => {
    vendor.rest.set(chain, () => page([snapshotRow(contracts[0], noon)]))
    vendor.rest.set('/v3/trades', () => page(rows as object[]))
  })
  const trades = await pastOf(all, noon, noon + 1000)
  expect(trades.map((each) => 'flags' in each)).toEqual([true, false])
  expect(all.refused.toSorted()).toEqual([
    'SPY: a trade that was corrected (correction)',
    'SPY: a trade without a price (price)',
    'SPY: a trade without a price (price)',
    'SPY: a trade without a size (size)',
    'SPY: the unknown sale condition 250'
  ])
})

test('what fails in passing is asked for again; what is refused is told without the key', async () => {
  let asked = 0
  const again = await listening({}, (vendor) => {
    trading(vendor)
    vendor.rest.set(`/v3/trades/O%3A${contracts[3]}`, () =>
      ++asked < 3
        ? { status: asked === 1 ? 429 : 503, headers: { 'retry-after': '0' }, body: '' }
        : page([tradeRow(noon)])
    )
  })
  expect(await pastOf(again, noon, noon + 1000)).toHaveLength(contracts.length)
  expect(asked).toBe(3)

  const tradedPages = `${chain}?limit=250&order=asc&sort=ticker`
  const faults: [object | string, number, string, RegExp][] = [
    ['', 401, 'refused', /refuses with status 401/],
    [{ status: 'NOT_AUTHORIZED' }, 200, 'refused', /plan of the key/],
    [{ status: 'ERROR', error: `bad ${KEY}` }, 200, 'malformed', /bad \*\*\*/],
    ['{"results":[', 200, 'malformed', /not JSON/],
    [{ results: {} }, 200, 'malformed', /no list/],
    [{ next_url: 'nowhere' }, 200, 'malformed', /next page is none/],
    [{}, 200, 'malformed', /results are no list/],
    [{ ...page([]).body, next_url: `https://elsewhere.example${tradedPages}` }, 200, 'malformed', /do not end/]
  ]
  for (const [body, status, fault, sentence] of faults) {
    const all = await listening({}, (vendor) => vendor.rest.set(chain, () => ({ status, body })))
    const error = await pastOf(all, noon, noon + 1000).catch((thrown: Error) => thrown)
    expect(error).toMatchObject({ fault, message: expect.stringMatching(sentence) })
    expect(String((error as Error).stack)).not.toContain(KEY)
  }
})

test('readings go one after the other, each within its time', async () => {
  const all = await listening({ limits: { past: 150 } }, (vendor) => {
    vendor.rest.set(chain, () => new Promise(() => {}))
  })
  const begun = performance.now()
  const errors = await Promise.all(
    ['SPY', 'QQQ', 'IWM'].map((symbol) =>
      pastOf(all, noon, noon + 1, symbol as Ticker).catch(({ message }: Error) => message)
    )
  )
  expect(performance.now() - begun).toBeLessThan(2000)
  expect(errors[0]).toBe('what SPY traded could not be read within 0.15 s')
  expect(all.vendor.asked.filter((path) => path.startsWith(chain))).toHaveLength(1)
})

test('requests keep to their budget', async () => {
  const all = await listening({ requestsPerSecond: 50 }, trading)
  const begun = performance.now()
  await pastOf(all, noon, noon + 1000)
  expect(performance.now() - begun).toBeGreaterThan((1000 * (contracts.length + 1)) / 50 - 20)
})
