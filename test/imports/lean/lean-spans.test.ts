import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { HistoryStore } from '../../../src/archive/history-store.ts'
import { importLean } from '../../../src/imports/lean/import-lean.ts'
import { parseSpanName } from '../../../src/imports/lean/lean-names.ts'
import type { DailyBar } from '../../../src/market/bar.ts'
import { CALL } from '../../../src/market/chain.ts'
import type { IsoDate } from '../../../src/market/units.ts'
import { folderWith, iso, slotOf, take } from '../take.ts'
import { zipOf } from '../zip-file.ts'

type Files = Readonly<Record<string, Readonly<Record<string, string>>>>

function imported(zips: Files, archive: Partial<Pick<HistoryStore, 'bars' | 'splits'>> = {}) {
  const folder = folderWith({})
  for (const [path, files] of Object.entries(zips)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), zipOf(files))
  }
  return take((writer) => importLean([folder], writer, { archive }))
}

const call = (kind: string, ticker = 'zed') => `${ticker}_${kind}_american_call_1000000_20240119.csv`
const quoted = (time: string, bid: number, ask: number) =>
  [time, bid, bid, bid, bid, 3, ask, ask, ask, ask, 4].join(',')
const traded = (time: string, price: number, volume: number) =>
  [time, price, price + 1000, price - 1000, price, volume].join(',')

const hours: Files = {
  'option/usa/hour/zed_2024_quote_american.zip': {
    [call('quote')]: [
      quoted('20240104 15:00', 19000, 20000),
      quoted('20240105 09:00', 21000, 22000),
      quoted('20240105 11:00', 23000, 24000)
    ].join('\n')
  },
  'option/usa/hour/zed_2024_trade_american.zip': {
    [call('trade')]: [traded('20240105 09:00', 21500, 5), traded('20240105 15:00', 22500, 7)].join('\n')
  },
  'option/usa/hour/zed_2024_openinterest_american.zip': { [call('openinterest')]: '20240105 00:00,1234\n' },
  'equity/usa/hour/zed.zip': {
    'zed.csv': [
      traded('20240104 15:00', 990000, 10),
      traded('20240105 09:00', 1000000, 100),
      traded('20240105 15:00', 1010000, 50)
    ].join('\n')
  }
}

test('the end of every hour is a snapshot, with what was known by then', async () => {
  const { snapshots, rejections, bars } = await imported(hours)
  expect(rejections).toEqual([])
  expect(snapshots.map(({ chain }) => iso(chain.asOf))).toEqual([
    '2024-01-04T21:00:00.000Z',
    ...[15, 16, 17, 18, 19, 20, 21].map((hour) => `2024-01-05T${hour}:00:00.000Z`)
  ])
  const figures = snapshots.slice(1).map(({ chain }) => {
    const at = slotOf(chain, '2024-01-19', 100, CALL)
    return [chain.spot, chain.bid[at], chain.ask[at], chain.volume[at], chain.openInterest[at]]
  })
  expect(figures[0]).toEqual([100, 2.1, 2.2, 5, 1234])
  expect(figures[2]).toEqual([100, 2.3, 2.4, 5, 1234])
  expect(figures.at(-1)).toEqual([101, 2.3, 2.4, 12, 1234])
  expect(bars).toEqual([
    ['ZED', { date: '2024-01-04', open: 99, high: 99.1, low: 98.9, close: 99, volume: 10 }],
    ['ZED', { date: '2024-01-05', open: 100, high: 101.1, low: 99.9, close: 101, volume: 150 }]
  ])
})

const days: Files = {
  'option/usa/daily/zed_quote_american.zip': {
    [call('quote')]: [quoted('20240104 00:00', 19000, 20000), quoted('20240105 00:00', 21000, 22000)].join('\n'),
    ['zed1_quote_american_call_1000000_20240119.csv']: quoted('20240105 00:00', 1, 2)
  },
  'option/usa/daily/zed_trade_american.zip': { [call('trade')]: traded('20240105 00:00', 21500, 5) },
  'option/usa/daily/zed_openinterest_american.zip': {
    [call('openinterest')]: '20240104 00:00,900\n20240105 00:00,1000\n'
  }
}
const shares = {
  'equity/usa/daily/zed.zip': {
    'zed.csv': `${traded('20240104 00:00', 990000, 10)}\n${traded('20240105 00:00', 1000000, 20)}\n`
  }
}

describe('days', () => {
  test('are a snapshot at the close of each, and daily bars', async () => {
    const { snapshots, bars, rejections } = await imported({ ...days, ...shares })
    expect(rejections.map(({ reason }) => reason)).toEqual(['it is not of ZED, as the zip is'])
    expect(
      snapshots.map(({ chain }) => [iso(chain.asOf), chain.spot, chain.bid[0], chain.volume[0], chain.openInterest[0]])
    ).toEqual([
      ['2024-01-04T21:00:00.000Z', 99, 1.9, 0, 900],
      ['2024-01-05T21:00:00.000Z', 100, 2.1, 5, 1000]
    ])
    expect(bars.map(([symbol, { date, close, volume }]) => [symbol, date, close, volume])).toEqual([
      ['ZED', '2024-01-04', 99, 10],
      ['ZED', '2024-01-05', 100, 20]
    ])
  })

  test('take the price of the underlying from the bars of the history, if no file has it', async () => {
    const known: DailyBar = { date: '2024-01-05' as IsoDate, open: 98, high: 102, low: 97, close: 101, volume: 1 }
    const { snapshots, rejections } = await imported(days, { bars: async () => [known] })
    expect(snapshots.map(({ chain }) => [iso(chain.asOf), chain.spot])).toEqual([['2024-01-05T21:00:00.000Z', 101]])
    expect(rejections.at(-1)?.reason).toBe(
      'nothing tells the price of ZED on 2024-01-04: name the zip of its own hours or days too, or import daily bars first'
    )
  })

  test('of an index are not divided by 10,000', async () => {
    const { bars, snapshots } = await imported({
      'index/usa/daily/spx.zip': { 'spx.csv': '20240105 00:00,4690.57,4721.49,4682.11,4697.24,0\n' },
      'indexoption/usa/daily/spx_2024_quote_european.zip': {
        'spx_quote_european_call_47000000_20240119.csv': '20240105 00:00,50,50,50,50.5,3,52,52,52,52,4\n'
      }
    })
    expect(bars[0][1]).toMatchObject({ open: 4690.57, close: 4697.24 })
    expect(snapshots.map(({ chain }) => [chain.symbol, chain.spot, chain.strike[0], chain.bid[0]])).toEqual([
      ['SPX', 4697.24, 4700, 50.5]
    ])
  })

  test('as traded follow a known split, and are set aside without it', async () => {
    const csv = Array.from({ length: 20 }, (_, k) => {
      const date = `202401${String(k + 2).padStart(2, '0')}`
      return traded(`${date} 00:00`, k < 10 ? 1000000 + k * 1000 : 100000, 10)
    }).filter((row) => !/^202401(06|07|13|14|15|20|21)/.test(row))
    const zip = { 'equity/usa/daily/zed.zip': { 'zed.csv': csv.join('\n') } }
    const splits = async () => [{ date: '2024-01-12' as IsoDate, ratio: 10 }]
    const known = await imported(zip, { splits })
    expect([known.rejections, known.bars[0][1].close]).toEqual([[], 10])
    const unknown = await imported(zip)
    expect(unknown.rejections[0].reason).toContain('as after a split of 10 to 1')
  })
})

test.each([
  ['spy.csv', { kind: 'trade', symbol: 'SPY', option: undefined }],
  ['spxw_quote_european_put_47000000_20240119.csv', { kind: 'quote', symbol: 'SPX' }],
  ['goog_openinterest_american_call_7500000_20160115.csv', { kind: 'openinterest', symbol: 'GOOG' }],
  ['notes.txt', undefined],
  ['goog_call.csv', undefined]
])('the name %s tells what it holds', (name, parts) => {
  if (parts === undefined) expect(parseSpanName(name)).toBeUndefined()
  else expect(parseSpanName(name)).toMatchObject(parts)
})

test('lines that are not of these files are reported, the others count', async () => {
  const { bars, rejections } = await imported({
    'equity/usa/daily/zed.zip': {
      'zed.csv': `34200000,1,1,1,1,1\n20240105 00:00,1000000,1000000\n${traded('20240106 00:00', 1000000, 1)}\n${traded('20240105 00:00', 1000000, 1)}\n`
    }
  })
  expect(bars).toHaveLength(1)
  expect(rejections.map(({ reason }) => reason)).toEqual([
    'its time is not written as 20151224 09:00',
    'it has 3 fields instead of 6',
    'there was no session on 2024-01-06'
  ])
})
