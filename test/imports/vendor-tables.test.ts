import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ChainSnapshot } from '../../src/archive/history-store.ts'
import { importChains } from '../../src/imports/chains/import-chains.ts'
import { chainColumnsFrom } from '../../src/imports/chains/vendor-table.ts'
import type { DailyBar } from '../../src/market/bar.ts'
import type { Ticker } from '../../src/market/units.ts'
import { folderWith, iso, noParquet, take } from './take.ts'
import { zipOf } from './zip-file.ts'

// Rows of end-of-day files as vendors sell them.

const folder = resolve(import.meta.dirname, '../../../shared/data/vendor-samples')
const isThere = existsSync(folder)
if (!isThere) console.log('skipped: rows of end-of-day files lie in ../shared/data, which is not there')
const sample = (path: string) => (isThere ? readFileSync(join(folder, path), 'utf8') : '')

interface Asked {
  readonly symbol?: string
  readonly bars?: readonly DailyBar[]
}

function imported(
  files: Readonly<Record<string, string | Uint8Array>>,
  map: string | undefined,
  { symbol, bars = [] }: Asked = {}
) {
  const archive = { bars: async () => bars, writeTableText: noParquet }
  const read = map === undefined ? { columns: undefined } : chainColumnsFrom(map)
  const options = { ...read, symbol: symbol as Ticker | undefined, archive }
  return take((writer) => importChains([folderWith(files)], options, writer))
}

/** Everything of a snapshot that is figures. */
function figuresOf({ chain, missing }: ChainSnapshot) {
  const { symbol, asOf, spot, expirations, strike, right, bid, ask, last, bidSize, askSize, volume, openInterest } =
    chain
  const columns = [strike, right, bid, ask, last, bidSize, askSize, volume, openInterest].map((column) => [...column])
  const series = expirations.map(({ date, root, settlement }) => `${root} ${date} ${settlement}`)
  return { symbol, at: iso(asOf), spot, series, columns, missing: missing.slice(2) }
}

const none = Number.NaN

describe.skipIf(!isThere)('rows of Cboe DataShop', () => {
  const calculated = sample('cboe-datashop/eod-with-calcs.csv')
  const plain = sample('cboe-datashop/eod.csv')

  test('are the chain at the close', async () => {
    const { snapshots, rejections } = await imported({ 'a.csv': calculated }, 'datashop')
    expect(rejections).toEqual([])
    expect(snapshots.map(figuresOf)).toEqual([
      {
        symbol: 'A',
        at: '2021-04-09T20:00:00.000Z',
        spot: expect.closeTo(131.895, 9),
        series: ['A 2021-04-16 pm'],
        columns: [
          [65, 65],
          [0, 1],
          [64.9, 0],
          [69.5, 0.2],
          [none, none],
          [299, 0],
          [222, 274],
          [0, 0],
          [0, 1]
        ],
        missing: []
      }
    ])
  })

  test('are the chain of 15:45 where that is asked for, without the volume that nobody knew yet', async () => {
    const { snapshots } = await imported({ 'a.csv': calculated }, 'datashop-1545')
    expect(snapshots.map(figuresOf)).toEqual([
      {
        symbol: 'A',
        at: '2021-04-09T19:45:00.000Z',
        spot: expect.closeTo(131.505, 9),
        series: ['A 2021-04-16 pm'],
        columns: [
          [65, 65],
          [0, 1],
          [66, 0],
          [67, 0.1],
          [none, none],
          [77, 0],
          [77, 142],
          [-1, -1],
          [0, 1]
        ],
        missing: ['option_volume']
      }
    ])
  })

  test('of before 2010 have the root of their symbol, and expire on the Friday before their Saturday', async () => {
    const { snapshots, rejections, tally } = await imported({ 'a.csv': plain }, 'datashop')
    expect(rejections).toEqual([])
    expect(tally.leftOut).toBe(0)
    expect(snapshots.map(figuresOf)).toEqual([
      {
        symbol: 'XSP',
        at: '2006-08-01T20:00:00.000Z',
        spot: expect.closeTo(127.1, 9),
        series: ['XSP 2006-08-18 pm'],
        columns: [
          [125, 125],
          [0, 1],
          [2.15, 0.1],
          [2.4, 0.2],
          [none, none],
          [1579, 1642],
          [1554, 64],
          [0, 10],
          [0, 1015]
        ],
        missing: []
      }
    ])
  })

  test('whose root is none of their symbol, or that have a delivery code, are left out', async () => {
    const [heading, call, put] = calculated.trim().split('\n')
    const rows = [heading, call, put.replace('A,2021-04-09,A,', 'A,2021-04-09,A1,'), `${call}5B`].join('\n')
    const { snapshots, tally } = await imported({ 'a.csv': rows }, 'datashop')
    expect(snapshots[0].chain.size).toBe(1)
    expect(tally.leftOut).toBe(2)
  })

  test('of an index whose underlying is 0 are refused by its name, with or without a bar of that day', async () => {
    const zero = plain.replaceAll('127.10', '0.00')
    const bar = { date: '2006-08-01', open: 1, high: 1, low: 1, close: 127.1, volume: 1 } as unknown as DailyBar
    for (const bars of [[], [bar]]) {
      const { snapshots, rejections } = await imported({ 'a.csv': zero }, 'datashop', { bars })
      expect(snapshots).toEqual([])
      expect(rejections.map(({ line, reason }) => [line, reason])).toEqual([
        [
          2,
          'no price of the underlying for the 2 contracts of XSP on 2006-08-01: it is 0, as in files of indexes that hold none: import its daily bars and map no column to the underlying'
        ]
      ])
    }
  })
})

describe.skipIf(!isThere)('rows of historicaloptiondata', () => {
  test('are a chain for each date', async () => {
    const { snapshots, rejections } = await imported(
      { 'a.csv': sample('historicaloptiondata/spx.csv') },
      'historicaloptiondata'
    )
    expect(rejections).toEqual([])
    expect(snapshots.map(({ chain }) => [iso(chain.asOf), chain.spot, chain.size])).toEqual([
      ['2017-01-03T21:00:00.000Z', 2257.83, 2],
      ['2017-01-04T21:00:00.000Z', 2270.75, 2],
      ['2017-01-12T21:00:00.000Z', 2270.44, 1],
      ['2017-01-18T21:00:00.000Z', 2271.89, 1],
      ['2017-01-20T21:00:00.000Z', 2271.31, 1]
    ])
    expect(figuresOf(snapshots[0])).toMatchObject({
      symbol: 'SPX',
      series: ['SPX 2017-03-17 am'],
      columns: [
        [300, 300],
        [0, 1],
        [1945.3, 0],
        [1950.1, 0.05],
        [1848.1, none],
        [-1, -1],
        [-1, -1],
        [0, 0],
        [12, 0]
      ],
      missing: ['quote_sizes']
    })
    expect(figuresOf(snapshots[2]).columns.map(([figure]) => figure)).toEqual([
      1375, 1, 0.25, 0.75, 0.55, -1, -1, 9, 323
    ])
  })

  test('under the names of later years are the same', async () => {
    const [level, example] = sample('historicaloptiondata/README-columns.csv')
      .split('\n')
      .slice(1)
      .map((line) => /"([^"]*)"/.exec(line)?.[1])
    const { snapshots, rejections } = await imported({ 'a.csv': `${level}\n${example}\n` }, 'historicaloptiondata')
    expect(rejections).toEqual([])
    expect(snapshots.map(figuresOf)).toMatchObject([
      {
        symbol: 'LUV',
        at: '2021-04-01T20:00:00.000Z',
        spot: 61.3,
        series: ['LUV 2021-04-01 pm'],
        columns: [[30], [0], [30.6], [32.2], [none], [-1], [-1], [0], [0]]
      }
    ])
  })
})

describe.skipIf(!isThere)('rows of optionsdx', () => {
  const text = sample('optionsdx/spy-15min.txt')

  test('are call and put of a strike at their time, without open interest', async () => {
    const { snapshots, rejections } = await imported({ 'spy.txt': text }, 'optionsdx', { symbol: 'SPY' })
    expect(rejections).toEqual([])
    expect(snapshots.map(figuresOf)).toEqual([
      {
        symbol: 'SPY',
        at: '2020-03-06T14:30:10.000Z',
        spot: 292.97,
        series: ['SPY 2020-03-06 pm'],
        columns: [
          [200, 200],
          [0, 1],
          [91.52, 0],
          [93.18, 0.05],
          [none, 0.01],
          [10, 0],
          [1, 250],
          [-1, 0],
          [-1, -1]
        ],
        missing: ['open_interest']
      }
    ])
  })

  test('of one date and several times are several chains; one of another day is refused', async () => {
    const [heading, row] = text.trim().split('\n')
    const at = (seconds: number) => row.replace('1583505010', String(seconds))
    const rows = [heading, row, at(1_583_505_910), at(1_583_528_400 + 900), at(1_583_505_010 - 3600), at(1_583_600_000)]
    const { snapshots, rejections } = await imported({ 'a.txt': rows.join('\n') }, 'optionsdx', { symbol: 'SPY' })
    expect(snapshots.map(({ chain }) => iso(chain.asOf).slice(11, 19))).toEqual(['14:30:10', '14:45:10', '21:00:00'])
    expect(rejections.map(({ line, reason }) => `${line}: ${reason}`)).toEqual([
      '5: its time "1583501410" is before the opening',
      '6: its time "1583600000" is not on 2020-03-06'
    ])
  })

  test('need to be told their symbol', async () => {
    const { rejections } = await imported({ 'a.txt': text }, 'optionsdx')
    expect(rejections.map(({ line, reason }) => [line, reason])).toEqual([
      [1, 'no column fills symbol: say it with --symbol']
    ])
  })
})

describe('a heading that is not known', () => {
  test('is an error with its file and line, and names what a vendor would have', async () => {
    const { rejections, snapshots } = await imported({ 'a.csv': 'quote_date,root\n1,2\n' }, 'datashop')
    expect(snapshots).toEqual([])
    expect(rejections).toEqual([
      {
        file: expect.stringMatching(/a\.csv$/),
        line: 1,
        reason: expect.stringMatching(/^its heading is not that of datashop: there is no column underlying_symbol, /),
        outcome: 'refused'
      }
    ])
  })

  test.skipIf(!isThere)('is one of a table without any', async () => {
    const [, row] = sample('historicaloptiondata/spx.csv').split('\n')
    const { rejections } = await imported({ 'a.csv': `${row}\n${row}\n` }, 'historicaloptiondata')
    expect(rejections.map(({ line }) => line)).toEqual([1])
  })

  test.each([
    'a.csv,cboe-datashop/eod.csv,datashop',
    'spy_15x_202003.txt,optionsdx/spy-15min.txt,optionsdx'
  ])('is that of a vendor by itself: %s', async (named) => {
    const [name, path, map] = named.split(',')
    if (!isThere) return
    const said = await imported({ [name]: sample(path) }, map)
    const found = await imported({ [name]: sample(path) }, undefined)
    expect(found.rejections).toEqual([])
    expect(found.snapshots.map(figuresOf)).toEqual(said.snapshots.map(figuresOf))
  })

  test('gets a map proposed that can be pasted', async () => {
    const text =
      'und,quote_dt,Expiry Date,strike_px,call/put flag,best_bid,best_ask,oi,spot\nSPY,2024-03-05,2024-04-19,500,C,9,9.2,11,507\n'
    const { rejections } = await imported({ 'a.csv': text }, undefined)
    const [, map] = /use --map "([^"]+)"$/.exec(rejections[0].reason)!
    expect(map).toBe(
      'und=symbol,quote_dt=date,Expiry Date=expiration,strike_px=strike,call/put flag=right,best_bid=bid,best_ask=ask,oi=open_interest,spot=underlying_price'
    )
    const { snapshots } = await imported({ 'a.csv': text }, map)
    expect(snapshots.map(({ chain }) => [chain.symbol, chain.spot, chain.openInterest[0]])).toEqual([['SPY', 507, 11]])
  })
})

test('a map names a table that there is, and no column of 15:45', () => {
  expect(() => chainColumnsFrom('datashp')).toThrow(
    'there is no table datashp: those of vendors are datashop, datashop-1545, datashop-intervals, exchange, '
  )
  expect(() => chainColumnsFrom('bid_eod=bid,underlying_bid_1545=underlying_bid')).toThrow(
    'the column underlying_bid_1545 is of 15:45'
  )
})

test('open interest of the evening is that of the next session, and is not known after a gap', async () => {
  const heading = 'date,symbol,expiration,strike,right,bid,ask,underlying_price,open_interest_after'
  const row = (date: string, strike: number, open: number) => `${date},SPY,2024-02-16,${strike},C,5,5.2,470,${open}`
  const files = {
    'a.csv': [heading, row('2024-01-05', 470, 10), row('2024-01-08', 470, 11), row('2024-01-08', 480, 3)].join('\n'),
    'b.csv': [heading, row('2024-01-09', 470, 12), row('2024-01-09', 480, 4)].join('\n'),
    'c.csv': [heading, row('2024-01-11', 470, 13)].join('\n')
  }
  const { snapshots } = await imported(files, undefined)
  expect(snapshots.map((snapshot) => [figuresOf(snapshot).columns.at(-1), snapshot.missing.slice(4)])).toEqual([
    [[-1], ['open_interest']],
    [[10, -1], []],
    [[11, 3], []],
    [[-1], ['open_interest']]
  ])
  const both = await imported({ 'a.csv': `${heading},open_interest\n` }, undefined)
  expect(both.rejections[0].reason).toBe('it fills open interest of the morning and of the evening')
})

describe('a zip', () => {
  const heading = 'date,symbol,expiration,strike,right,bid,ask,underlying_price'
  const table = (date: string) => `${heading}\n${date},SPY,2024-02-16,470,C,5,5.2,470\n`

  test('is read table by table, by name', async () => {
    const zip = zipOf({
      'b/2.csv': table('2024-01-08'),
      'a/1.txt': table('2024-01-05'),
      'notes.pdf': 'x',
      'c.csv': 'a\n'
    })
    const { snapshots, rejections, notes } = await imported({ 'month.zip': zip }, undefined)
    expect(snapshots.map(({ chain }) => iso(chain.asOf).slice(0, 10))).toEqual(['2024-01-05', '2024-01-08'])
    expect(rejections.map(({ file, line }) => [file.split('/').slice(-2).join('/'), line])).toEqual([
      ['month.zip/c.csv', 1]
    ])
    const shares = notes.flatMap((note) => (note.kind === 'progress' ? [note.done / note.total] : []))
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
    expect(shares.at(-1)).toBeLessThanOrEqual(1)
  })

  test('that is damaged, or none, is reported, and the others are read', async () => {
    const whole = zipOf({ 'a.csv': table('2024-01-05') })
    const damaged = Buffer.from(whole)
    damaged[14] ^= 1 // the check sum, here and in the directory
    damaged[whole.indexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 16] ^= 1
    const files = { '1.zip': damaged, '2.zip': Buffer.from('no zip'), '3.zip': zipOf({ 'a.pdf': '' }), '4.zip': whole }
    const { snapshots, rejections } = await imported(files, undefined)
    expect(snapshots).toHaveLength(1)
    expect(rejections.map(({ line, reason }) => `${line} ${reason}`)).toEqual([
      'undefined it is damaged: its check sum does not fit',
      expect.stringMatching(/^undefined it cannot be read as a zip: /),
      'undefined it holds no table: no .csv or .txt'
    ])
  })
})

/** Tables in which one cell is another one, one column has another name or is not there, or that end too early. */
function* tableMutations(text: string): Generator<{ readonly label: string; readonly text: string }> {
  const cells = text
    .trim()
    .split('\n')
    .map((line) => line.split(','))
  const written = (rows: readonly (readonly string[])[]) => `${rows.map((row) => row.join()).join('\n')}\n`
  const names = cells[0]
  for (const [column, name] of names.entries()) {
    yield { label: `${name} renamed`, text: written([names.with(column, `${name}2`), ...cells.slice(1)]) }
    yield { label: `${name} dropped`, text: written(cells.map((row) => row.toSpliced(column, 1))) }
    // Any value of this column marks another deliverable.
    if (name === 'delivery_code') continue
    for (const line of [1, cells.length - 1]) {
      yield {
        label: `${name} of line ${line} retyped`,
        text: written(cells.with(line, cells[line].with(column, '#?')))
      }
    }
  }
  const whole = text.trimEnd()
  for (let end = 1; end < whole.length - 1; end += Math.ceil(whole.length / 60))
    yield { label: `cut off after ${end}`, text: whole.slice(0, end) }
}

/** Each contract of a snapshot with all its figures. */
function contractsOf(snapshots: readonly ChainSnapshot[]): readonly string[] {
  return snapshots.flatMap(({ chain }) => {
    const { symbol, asOf, spot, expirations, strike, right, bid, ask, last, bidSize, askSize, volume, openInterest } =
      chain
    const columns = [strike, right, bid, ask, last, bidSize, askSize, volume, openInterest]
    return expirations.flatMap(({ date, root, settlement, start, end }) =>
      Array.from({ length: end - start }, (_, k) =>
        [symbol, asOf, spot, date, root, settlement, ...columns.map((column) => column[start + k])].join(' ')
      )
    )
  })
}

describe.skipIf(!isThere)(
  'a mutated table has no figure that is another one, and a line in the report for what is not there',
  () => {
    test.each([
      ['cboe-datashop/eod.csv', 'datashop', undefined],
      ['cboe-datashop/eod-with-calcs.csv', 'datashop-1545', undefined],
      ['historicaloptiondata/spx.csv', 'historicaloptiondata', undefined],
      ['optionsdx/spy-15min.txt', 'optionsdx', 'SPY']
    ] as const)('%s', { timeout: 120_000 }, async (path, map, symbol) => {
      const asked = symbol === undefined ? {} : { symbol }
      const whole = contractsOf((await imported({ 'a.csv': sample(path) }, map, asked)).snapshots)
      let refused = 0
      for (const { label, text } of tableMutations(sample(path))) {
        const { snapshots, rejections, tally } = await imported({ 'a.csv': text }, map, asked)
        const contracts = contractsOf(snapshots)
        expect(
          contracts.filter((contract) => !whole.includes(contract)),
          label
        ).toEqual([])
        const isReported = rejections.length + tally.leftOut > 0
        if (isReported) refused++
        // A text cut at the end of a line does not show that there were more lines.
        else if (!label.startsWith('cut')) expect(contracts, label).toEqual(whole)
      }
      expect(refused).toBeGreaterThan(20)
    })
  }
)
