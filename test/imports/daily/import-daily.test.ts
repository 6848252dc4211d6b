import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { dailyFields, importDaily } from '../../../src/imports/daily/import-daily.ts'
import { parseColumnMap } from '../../../src/imports/tables/column-map.ts'
import { readJob } from '../../../src/jobs/job.ts'
import type { Ticker } from '../../../src/market/units.ts'
import { closingBars, isWhole } from '../../../src/volatility/realized/daily-returns.ts'
import { folderWith, noParquet, take } from '../take.ts'

function imported(paths: readonly string[], { map, symbol }: { map?: string; symbol?: string } = {}) {
  const columns = map === undefined ? undefined : parseColumnMap(map, dailyFields)
  return take((writer) =>
    importDaily(
      paths,
      { columns, symbol: symbol as Ticker | undefined, archive: { writeTableText: noParquet } },
      writer
    )
  )
}

test('a table of bars is read by its heading, the symbol by the name of the file', async () => {
  const folder = folderWith({
    'SPY.csv': 'Date,Open,High,Low,Close,Volume\n2024-01-05,467.49,470.44,466.43,467.92,86060800\n',
    'VIX_History.csv': 'DATE,OPEN,HIGH,LOW,CLOSE\n01/05/2024,14.24,14.58,13.29,13.35\n01/16/2024,14.1,14.4,13.5,13.84\n'
  })
  const { bars, rejections } = await imported([folder])
  expect(rejections).toEqual([])
  expect(bars).toEqual([
    ['SPY', { date: '2024-01-05', open: 467.49, high: 470.44, low: 466.43, close: 467.92, volume: 86060800 }],
    ['VIX', { date: '2024-01-05', open: 14.24, high: 14.58, low: 13.29, close: 13.35, volume: 0 }],
    ['VIX', { date: '2024-01-16', open: 14.1, high: 14.4, low: 13.5, close: 13.84, volume: 0 }]
  ])
})

describe('bars of symbols side by side are read whatever the file is called', () => {
  const days = '2024-01-04,61,58\n2024-01-05,60,59\n'
  const closes = [
    ['JPM', '2024-01-04', 61],
    ['JPM', '2024-01-05', 60],
    ['QQQ', '2024-01-04', 58],
    ['QQQ', '2024-01-05', 59]
  ]
  const rows = '2024-01-05,60,61,59,59.5,1000,401,402,399,400,2000\n'
  const whole = [
    ['JPM', { date: '2024-01-05', open: 60, high: 61, low: 59, close: 59.5, volume: 1000 }],
    ['QQQ', { date: '2024-01-05', open: 401, high: 402, low: 399, close: 400, volume: 2000 }]
  ]
  const names = 'Open,High,Low,Close,Volume'
  const [jpms, qqqs] = ['JPM', 'QQQ'].map((symbol) => Array(5).fill(symbol).join())
  const each = (name: (symbol: string, figure: string) => string) =>
    ['JPM', 'QQQ'].flatMap((symbol) => names.split(',').map((figure) => name(symbol, figure))).join()

  test.each([
    ['symbols below the figures', `Price,${names},${names}\nTicker,${jpms},${qqqs}\nDate,,,,,,,,,,\n`],
    ['symbols above the figures', `Ticker,${jpms},${qqqs}\nPrice,${names},${names}\nDate,,,,,,,,,,\n`],
    ['an index without a name', `,${jpms},${qqqs}\n,${names},${names}\n`],
    ['pairs', `Date,${each((symbol, figure) => `"('${figure}', '${symbol}')"`)}\n`],
    ['pairs the other way round', `,${each((symbol, figure) => `"('${symbol}', '${figure}')"`)}\n`],
    ['joined names', `Date,${each((symbol, figure) => `${symbol}_${figure.toLowerCase()}`)}\n`],
    ['joined names the other way round', `date,${each((symbol, figure) => `${figure} ${symbol}`)}\n`]
  ])('%s', async (_, heading) => {
    const { bars, rejections } = await imported([folderWith({ 'data.csv': heading + rows })])
    expect([bars, rejections]).toEqual([whole, []])
  })

  test.each([
    ['symbols alone', 'Date,JPM,QQQ\n'],
    ['marked symbols', 'date,JPM US Equity,NASDAQ:QQQ\n']
  ])('closes under %s', async (_, heading) => {
    const { bars, rejections } = await imported([folderWith({ 'closes.csv': heading + days })])
    expect([bars.map(([symbol, { date, close }]) => [symbol, date, close]), rejections]).toEqual([closes, []])
  })

  test('one symbol in a table with three lines of headings', async () => {
    const text =
      'Price,Close,High,Low,Open,Volume\nTicker,PEP,PEP,PEP,PEP,PEP\nDate,,,,,\n2024-01-05,60,61,59,59.5,1000\n'
    const { bars, rejections } = await imported([folderWith({ 'data.csv': text })])
    expect([bars, rejections]).toEqual([
      [['PEP', { date: '2024-01-05', open: 59.5, high: 61, low: 59, close: 60, volume: 1000 }]],
      []
    ])
  })

  test('a day without a close of one of them has no bar of it', async () => {
    const { bars } = await imported([folderWith({ 'closes.csv': 'Date,JPM,QQQ\n2024-01-04,61,\n2024-01-05,60,59\n' })])
    expect(bars.map(([symbol, { date }]) => `${symbol} ${date}`)).toEqual([
      'JPM 2024-01-04',
      'JPM 2024-01-05',
      'QQQ 2024-01-05'
    ])
  })

  test('columns of figures are no symbols', async () => {
    const yahoo = 'Date,Open,High,Low,Close,Adj Close,Volume\n2024-01-05,60,61,59,59.5,59.1,1000\n'
    expect((await imported([folderWith({ 'JPM.csv': yahoo })])).bars).toEqual([whole[0]])
    for (const heading of ['Date,IV,HV', 'Date,Adj Close,Prev Close', 'Date,KO,PEP', 'Date,QQQ,strategy', 'Date,KO,12'])
      expect((await imported([folderWith({ 'data.csv': `${heading}\n${days}` })])).bars, heading).toEqual([])
  })
})

test('bars of a weekly root are those of its index', async () => {
  const table = 'symbol,date,close\nSPXW,2024-01-05,4697.24\n'
  const folder = folderWith({ 'X.csv': table, 'RUTW.csv': 'date,close\n2024-01-05,1951.14\n' })
  const { bars } = await imported([folder])
  expect(bars.map(([symbol, { close }]) => [symbol, close])).toEqual([
    ['RUT', 1951.14],
    ['SPX', 4697.24]
  ])
})

test('a table of closes alone makes bars without a range, which measures of ranges pass over', async () => {
  const folder = folderWith({ 'VVIX_History.csv': 'DATE,VVIX\n01/12/2024,82.5\n01/16/2024,81.2\n' })
  const { bars } = await imported([folder], { map: 'DATE=date,VVIX=close' })
  const list = bars.map(([, bar]) => bar)
  expect(list[0]).toEqual({
    date: '2024-01-12',
    open: Number.NaN,
    high: Number.NaN,
    low: Number.NaN,
    close: 82.5,
    volume: 0
  })
  expect(closingBars(list)).toHaveLength(2)
  expect(list.filter(isWhole)).toHaveLength(0)
})

test('rows of no session, without a close or with impossible figures go to the report', async () => {
  const folder = folderWith({
    'X.csv': [
      'symbol,date,open,high,low,close,volume',
      'SPY,2024-01-06,1,1,1,1,1',
      'SPY,2024-01-05,1,1,1,,1',
      'SPY,2024-01-05,1,1,0,1,1',
      'SPY,2024-01-05,1,1,1,1,-1',
      ',2024-01-05,1,1,1,1,1',
      'SPY,2024-01-05,1,1,1,1,'
    ].join('\n')
  })
  const { bars, rejections } = await imported([folder])
  expect(rejections.map(({ line, reason }) => `${line}: ${reason}`)).toEqual([
    '2: there was no session on 2024-01-06',
    '3: its close is ""',
    '4: its low is "0"',
    '5: its volume is "-1"',
    '6: its symbol is ""'
  ])
  expect(bars).toEqual([['SPY', { date: '2024-01-05', open: 1, high: 1, low: 1, close: 1, volume: Number.NaN }]])
})

test('a file whose symbol nothing names goes to the report', async () => {
  const folder = folderWith({ 'all my prices.csv': 'date,close\n2024-01-05,1\n' })
  const { rejections } = await imported([folder])
  expect(rejections[0].reason).toBe('nothing says which symbol it is of: give --symbol')
  expect((await imported([folder], { symbol: 'SPY' })).bars).toHaveLength(1)
})

const recorded = new URL('../../../../shared/data', import.meta.url).pathname
const isHere = existsSync(recorded)
if (!isHere) console.log('skipped: the tests with recorded daily series need ../shared/data beside the project')

describe.skipIf(!isHere)('the recorded series', () => {
  test.each([
    ['indices/VIX_History.csv', undefined, undefined, '2026-07-22', 16.64],
    ['indices/VIX9D_History.csv', undefined, undefined, '2026-07-22', 14.88],
    ['indices/VIX3M_History.csv', undefined, undefined, '2026-07-22', 19.54],
    ['indices/VVIX_History.csv', 'DATE=date,VVIX=close', undefined, '2026-07-22', 95.55],
    ['indices/SKEW_History.csv', 'DATE=date,SKEW=close', undefined, '2026-07-22', 150.19],
    ['closes/SPY.csv', undefined, undefined, '2024-04-15', 504.45],
    ['closes/sp500_prices.csv', undefined, 'SPX', '2025-11-25', 6765.8798828125],
    [
      'closes/aapl_prices_2015_2025.csv',
      'Price=date,Open=open,High=high,Low=low,Close=close,Volume=volume',
      'AAPL',
      '2025-11-14',
      272.4100036621094
    ]
  ])('%s ends as it does in the file', async (file, map, symbol, date, close) => {
    const { bars, tally } = await imported([join(recorded, file)], { ...(map && { map }), ...(symbol && { symbol }) })
    expect(bars.at(-1)?.[1]).toMatchObject({ date, close })
    expect(tally.bars).toBeGreaterThan(2000)
    expect(tally.rejected).toBeLessThan(40) // index levels of days on which the exchanges were closed
  })
})

describe('the series of the wider market', () => {
  const value = (date: string, close: number) => {
    return { date, open: Number.NaN, high: Number.NaN, low: Number.NaN, close, volume: 0 }
  }

  test('DGS10, DFF, BAMLH0A0HYM2 are read as FRED writes them, days without a value left out', async () => {
    const folder = folderWith({
      'DGS10.csv': 'observation_date,DGS10\n2026-07-27,4.41\n2026-07-28,.\n2026-07-29,\n2026-07-30,4.38\n',
      'fredgraph.csv': 'DATE,DFF,BAMLH0A0HYM2\n2026-07-31,4.33,2.87\n2026-08-01,4.33,\n2026-08-02,4.33,.\n'
    })
    const { bars, rejections, tally } = await imported([folder])
    expect([rejections, tally.leftOut]).toEqual([[], 2])
    expect(bars).toEqual([
      ['^DGS10', value('2026-07-27', 4.41)],
      ['^DGS10', value('2026-07-30', 4.38)],
      ['^DFF', value('2026-07-31', 4.33)],
      ['^DFF', value('2026-08-01', 4.33)], // a Saturday: the funds rate is of every day
      ['^DFF', value('2026-08-02', 4.33)],
      ['^HYOAS', value('2026-07-31', 2.87)]
    ])
  })

  test('MOVE is the index and not the share of that name, by its file, by --symbol or by its column', async () => {
    const rows = 'Date,Open,High,Low,Close,Volume\n2026-07-29,91,92,90,91.5,0\n'
    const named = folderWith({ '^MOVE.csv': rows, 'MOVE.csv': rows })
    const other = folderWith({ 'download.csv': rows })
    const column = folderWith({ 'all.csv': 'symbol,date,close\nMOVE,2026-07-29,91.5\nSPY,2026-07-29,640\n' })
    const expected = ['^MOVE', value('2026-07-29', 91.5)]
    expect((await imported([named])).bars).toEqual([expected])
    expect((await imported([other], { symbol: '^MOVE' })).bars).toEqual([expected])
    expect((await imported([column])).bars).toEqual([
      expected,
      ['SPY', { ...value('2026-07-29', 640), volume: Number.NaN }]
    ])
    const job = { work: 'import', format: 'daily', paths: ['x.csv'], symbol: 'BAMLH0A0HYM2' }
    expect(readJob(job)).toMatchObject({ symbol: '^HYOAS' })
    expect(readJob({ ...job, symbol: 'move' })).toMatchObject({ symbol: '^MOVE' })
    expect(readJob({ ...job, format: 'csv', symbol: 'MOVE' })).toMatchObject({ symbol: 'MOVE' })
  })

  test('a value that cannot be one goes to the report, a rate of 0 or less does not', async () => {
    const folder = folderWith({
      'DGS10.csv': 'DATE,DGS10\n2026-07-27,0\n2026-07-28,-0.25\n2026-07-29,x\n2026-07-30,4410\nsoon,4\n',
      'MOVE.csv': 'Date,Close\n2026-07-29,0\n'
    })
    const { bars, rejections } = await imported([folder])
    expect(bars.map(([, { close }]) => close)).toEqual([0, -0.25])
    expect(rejections.map(({ reason }) => reason)).toEqual([
      'its DGS10 is "x"',
      'its DGS10 is "4410"',
      'its date is "soon"',
      'its MOVE is "0"'
    ])
  })
})
