import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ChainSnapshot } from '../../src/archive/history-store.ts'
import { importLean } from '../../src/imports/lean/import-lean.ts'
import { exportLean, type LeanSource } from '../../src/jobs/lean/export-lean.ts'
import type { DailyBar } from '../../src/market/bar.ts'
import { session } from '../../src/market/calendar.ts'
import { buildChain, CALL, type ContractRow, PUT, UNKNOWN } from '../../src/market/chain.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { folderWith, take } from '../imports/take.ts'
import { filesInZip } from '../support/lean-files.ts'

const date = '2026-07-29' as IsoDate
const hours = session(date)!
const minute = 60_000

interface Seen {
  readonly symbol?: string
  readonly spot: number
  readonly bid?: number
  readonly ask?: number
  readonly contracts: readonly Partial<ContractRow>[]
}

/** A chain at the end of a minute of the session, with what it saw. */
function seenAt(past: number, { symbol = 'ZED', spot, bid, ask, contracts }: Seen): ChainSnapshot {
  const asOf = hours.open + past * minute
  const rows = contracts.map((contract): ContractRow => {
    const none = { bid: Number.NaN, ask: Number.NaN, last: Number.NaN, bidSize: UNKNOWN, askSize: UNKNOWN }
    const counts = { volume: 0, openInterest: UNKNOWN }
    const named = { root: symbol, expiration: '2026-08-21' as IsoDate, right: CALL, strike: 100, settlement: 'pm' }
    return { ...named, ...none, ...counts, ...contract } as ContractRow
  })
  const quote = { bid, ask, last: spot, time: asOf }
  const chain = buildChain({ symbol: symbol as Ticker, asOf, delay: 0, spot, quote }, rows)
  return { chain, fidelity: 'recorded', missing: [] }
}

const call = { bid: 2.05, ask: 2.15, bidSize: 3, askSize: 4, volume: 2, last: 2.1, openInterest: 1234 }
const put = { right: PUT, strike: 97.5, ask: 1.1, bid: 0, bidSize: 0, askSize: 6 }
const day = [
  seenAt(1, { spot: 100, bid: 99.99, ask: 100.01, contracts: [call, { right: PUT, strike: 97.5, openInterest: 7 }] }),
  seenAt(2, { spot: 100.1, bid: 100, ask: 100.2, contracts: [call, { ...put, openInterest: 7 }] }),
  seenAt(3, {
    spot: 100.1,
    bid: 100,
    ask: 100.2,
    contracts: [
      { ...call, bid: 2, volume: 5, last: 2.2 },
      { ...put, bid: 1, bidSize: 5, openInterest: 7 }
    ]
  })
]

const bar: DailyBar = { date, open: 99.5, high: 101.25, low: 99, close: 100.1, volume: 12_345 }

/** Exports snapshots to a new folder and returns it. */
async function exported(snapshots: readonly ChainSnapshot[], more: Partial<LeanSource> = {}): Promise<string> {
  const folder = folderWith({})
  const [{ chain }] = snapshots
  const moments = snapshots.map((one) => one.chain.asOf)
  const sessions = await exportLean({ symbol: chain.symbol, from: date, to: date }, folder, {
    moments: async (from, to) => moments.filter((at) => at >= from && at < to),
    chainAt: async (at) => snapshots.find((one) => one.chain.asOf === at)?.chain,
    bars: async () => [{ ...bar, date: '2026-07-28' as IsoDate }, bar],
    onDay: async () => {},
    signal: new AbortController().signal,
    ...more
  })
  expect(sessions).toBe(1)
  return folder
}

const listed = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.zip'))
    .map((name) => name.replaceAll('\\', '/'))
    .sort()

const imported = (folder: string) =>
  take((writer) =>
    importLean(
      ['option', 'indexoption', 'equity/usa/minute', 'index/usa/minute']
        .map((part) => join(folder, part))
        .filter(existsSync),
      writer
    )
  )

describe('a session written for LEAN', () => {
  test('lies in its folders, one file for each contract in a zip for each kind', async () => {
    const folder = await exported(day)
    expect(listed(folder)).toEqual([
      'equity/usa/daily/zed.zip',
      'equity/usa/minute/zed/20260729_quote.zip',
      'equity/usa/minute/zed/20260729_trade.zip',
      'option/usa/minute/zed/20260729_openinterest_american.zip',
      'option/usa/minute/zed/20260729_quote_american.zip',
      'option/usa/minute/zed/20260729_trade_american.zip'
    ])
    const read = (name: string) => Object.fromEntries(filesInZip(join(folder, name)))
    const start = 570 * minute // 9:30 in New York
    expect(read('option/usa/minute/zed/20260729_quote_american.zip')).toEqual({
      '20260729_zed_minute_quote_american_call_1000000_20260821.csv': [
        [start, 20_500, 20_500, 20_500, 20_500, 3, 21_500, 21_500, 21_500, 21_500, 4].map(String),
        [start + 2 * minute, 20_000, 20_000, 20_000, 20_000, 3, 21_500, 21_500, 21_500, 21_500, 4].map(String)
      ],
      '20260729_zed_minute_quote_american_put_975000_20260821.csv': [
        [start + minute, '', '', '', '', 0, 11_000, 11_000, 11_000, 11_000, 6].map(String),
        [start + 2 * minute, 10_000, 10_000, 10_000, 10_000, 5, 11_000, 11_000, 11_000, 11_000, 6].map(String)
      ]
    })
    expect(read('option/usa/minute/zed/20260729_trade_american.zip')).toEqual({
      '20260729_zed_minute_trade_american_call_1000000_20260821.csv': [
        [start, 21_000, 21_000, 21_000, 21_000, 2].map(String),
        [start + 2 * minute, 22_000, 22_000, 22_000, 22_000, 3].map(String)
      ]
    })
    expect(read('equity/usa/daily/zed.zip')).toEqual({
      'zed.csv': [['20260729 00:00', '995000', '1012500', '990000', '1001000', '12345']]
    })
  })

  test('reads back as it was: quotes, sizes, volume, open interest, and the underlying', async () => {
    const { snapshots, rejections } = await imported(await exported(day))
    expect(rejections).toEqual([])
    expect(snapshots).toHaveLength(390)
    for (const [k, { chain }] of day.entries()) expect(figuresOf(snapshots[k])).toEqual(figuresOf({ chain } as never))
    expect(figuresOf(snapshots[388]).contracts).toEqual(figuresOf(day[2]).contracts) // what stood last stands on
  })

  test('is the same after another export', async () => {
    const once = (await imported(await exported(day))).snapshots
    const twice = (await imported(await exported(once))).snapshots
    expect(twice.map(figuresOf)).toEqual(once.map(figuresOf))
  })

  test('without a trade still says that volumes are known', async () => {
    const quiet = seenAt(1, {
      spot: 100,
      bid: 99.99,
      ask: 100.01,
      contracts: [{ ...call, volume: 0, last: Number.NaN }]
    })
    const { snapshots } = await imported(await exported([quiet]))
    expect([...snapshots[0].chain.volume]).toEqual([0])
    const unknown = seenAt(1, { spot: 100, contracts: [{ ...call, volume: UNKNOWN, last: Number.NaN }] })
    expect([...(await imported(await exported([unknown]))).snapshots[0].chain.volume]).toEqual([UNKNOWN])
  })

  test('has the last snapshot of each minute, and none from beyond the session', async () => {
    const early = seenAt(1.5, { spot: 90, contracts: [{ ...call, bid: 1 }] })
    const after = seenAt(391, { spot: 80, contracts: [{ ...call, bid: 9 }] })
    const { snapshots } = await imported(await exported([day[0], early, day[1], day[2], after]))
    expect(figuresOf(snapshots[1])).toEqual(figuresOf(day[1]))
    expect(snapshots[389].chain.bid[1]).toBe(2)
  })

  test('of an index has its own folders, plain prices and a zip for each root', async () => {
    const contracts = [
      { root: 'SPX', strike: 6400, bid: 31.25, ask: 31.5 },
      { root: 'SPXW', strike: 6400, bid: 20.05, ask: 20.1 }
    ]
    const folder = await exported([seenAt(1, { symbol: 'SPX', spot: 6400.25, contracts })])
    expect(listed(folder)).toEqual([
      'index/usa/daily/spx.zip',
      'index/usa/minute/spx/20260729_trade.zip',
      'indexoption/usa/minute/spx/20260729_quote_european.zip',
      'indexoption/usa/minute/spx/20260729_trade_european.zip',
      'indexoption/usa/minute/spxw/20260729_quote_european.zip',
      'indexoption/usa/minute/spxw/20260729_trade_european.zip'
    ])
    const { snapshots } = await imported(folder)
    const { chain } = snapshots[0]
    expect([chain.symbol, chain.spot, [...chain.bid], chain.expirations.map(({ root }) => root)]).toEqual([
      'SPX',
      6400.25,
      [31.25, 20.05],
      ['SPX', 'SPXW']
    ])
  })

  test('is left out where nothing was recorded, and stops when told to', async () => {
    const source = {
      moments: async () => [],
      chainAt: async () => undefined,
      bars: async () => [],
      onDay: async () => {}
    }
    const span = { symbol: 'ZED' as Ticker, from: date, to: date }
    const going = { ...source, signal: new AbortController().signal }
    expect(await exportLean(span, folderWith({}), going)).toBe(0)
    expect(await exportLean(span, folderWith({}), { ...source, signal: AbortSignal.abort() })).toBe(0)
  })
})

/** What a snapshot says, contract by contract. */
function figuresOf({ chain }: Pick<ChainSnapshot, 'chain'>) {
  const { spot, quote, expirations } = chain
  const contracts = expirations.flatMap(({ root, date: expiration, start, end }) =>
    Array.from({ length: end - start }, (_, i) => {
      const k = start + i
      const prices = [chain.bid[k], chain.ask[k], chain.last[k]]
      const counts = [chain.bidSize[k], chain.askSize[k], chain.volume[k], chain.openInterest[k]]
      return [root, expiration, chain.right[k], chain.strike[k], ...prices, ...counts]
    })
  )
  return { asOf: chain.asOf, spot, bid: quote.bid, ask: quote.ask, last: quote.last, contracts }
}
