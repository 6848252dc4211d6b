import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { chainTableFields } from '../../../src/imports/chains/chain-table.ts'
import { type ChainTableOptions, importChains } from '../../../src/imports/chains/import-chains.ts'
import { parseColumnMap } from '../../../src/imports/tables/column-map.ts'
import type { DailyBar } from '../../../src/market/bar.ts'
import { CALL, PUT } from '../../../src/market/chain.ts'
import type { Ticker } from '../../../src/market/units.ts'
import { folderWith, iso, noParquet, slotOf, take } from '../take.ts'

interface Asked {
  readonly map?: string
  readonly symbol?: string
  readonly bars?: readonly DailyBar[]
  readonly maxContracts?: number
  readonly accept?: boolean
}

function imported(
  files: Readonly<Record<string, string | Uint8Array>>,
  { map, symbol, bars = [], ...limits }: Asked = {}
) {
  const options: ChainTableOptions = {
    columns: map === undefined ? undefined : parseColumnMap(map, chainTableFields),
    symbol: symbol as Ticker | undefined,
    archive: { bars: async () => bars, writeTableText: noParquet },
    ...limits
  }
  return take((writer) => importChains([folderWith(files)], options, writer))
}

const heading = 'date,symbol,expiration,strike,right,bid,ask,underlying_price'
const rows = (...lines: readonly string[]) => `${[heading, ...lines].join('\n')}\n`

test('rows of one date become one snapshot for each symbol, at the close of that day, in any order', async () => {
  const { snapshots, rejections } = await imported({
    'a.csv': rows(
      '2024-01-05,SPY,2024-01-19,470,P,5,5.2,467.92',
      '2024-01-05,QQQ,2024-01-19,400,C,4,4.2,396.75',
      '2024-01-05,SPY,2024-01-12,460,C,9,9.2,467.92',
      '2024-01-05,SPY,2024-01-19,470,C,6,6.2,467.92',
      '2024-11-29,SPY,2024-12-20,600,call,6,6.2,602.55'
    )
  })
  expect(rejections).toEqual([])
  expect(snapshots.map(({ chain }) => [chain.symbol, iso(chain.asOf), chain.spot, chain.size])).toEqual([
    ['QQQ', '2024-01-05T21:00:00.000Z', 396.75, 1],
    ['SPY', '2024-01-05T21:00:00.000Z', 467.92, 3],
    ['SPY', '2024-11-29T18:00:00.000Z', 602.55, 1] // a half day
  ])
  const { chain, missing } = snapshots[1]
  expect([...chain.bid]).toEqual([9, 6, 5])
  expect([...chain.openInterest]).toEqual([-1, -1, -1])
  expect(missing).toEqual(['trade_tape', 'macro_intraday', 'quote_sizes', 'option_volume', 'open_interest'])
})

test('a bad row goes to the report with its line and reason, and the others are imported', async () => {
  const { snapshots, rejections, tally } = await imported({
    'a.csv': rows(
      'yesterday,SPY,2024-01-19,470,C,5,5.2,467.92',
      '2024-01-05,SPY,soon,470,C,5,5.2,467.92',
      '2024-01-05,SPY,2024-01-19,-470,C,5,5.2,467.92',
      '2024-01-05,SPY,2024-01-19,470,X,5,5.2,467.92',
      '2024-01-05,SPY,2024-01-19,470,C,five,5.2,467.92',
      '2024-01-05,S P Y,2024-01-19,470,C,5,5.2,467.92',
      '2024-01-06,SPY,2024-01-19,470,C,5,5.2,467.92',
      '2024-01-08,SPY,2024-01-05,470,C,5,5.2,467.92',
      '2024-01-08,SPY,2024-01-19,470,C,,,474.6'
    )
  })
  expect(rejections.map(({ line, reason }) => `${line}: ${reason}`)).toEqual([
    '2: its date is "yesterday"',
    '3: its expiration is "soon"',
    '4: its strike is "-470"',
    '5: its right is "X", no call or put',
    '6: its bid is "five"',
    '7: its symbol is "S P Y"',
    '8: there was no session on 2024-01-06'
  ])
  expect(tally).toMatchObject({ snapshots: 1, rows: 1, rejected: 7, leftOut: 1, kept: 0 })
  expect([snapshots[0].chain.bid[0], snapshots[0].chain.ask[0]]).toEqual([Number.NaN, Number.NaN])
})

test('rows of a date that comes again after another one, or in another file, belong to one snapshot', async () => {
  const { snapshots, rejections } = await imported({
    'a.csv': rows(
      '2024-01-05,SPY,2024-01-19,470,C,5,5.2,467.92',
      '2024-01-08,SPY,2024-01-19,470,C,6,6.2,474.6',
      '2024-01-05,SPY,2024-01-19,480,C,1,1.2,467.92'
    ),
    'b.csv': rows('2024-01-08,SPY,2024-01-19,480,C,1,1.2,474.6')
  })
  expect(snapshots.map(({ chain }) => chain.size)).toEqual([2, 2])
  expect(rejections).toEqual([])
})

test('without a price of the underlying its quote serves, then the bar in the archive, then nothing', async () => {
  const table = (quote: string) =>
    `date,symbol,expiration,strike,right,bid,ask,underlying_bid,underlying_ask\n2024-01-05,SPY,2024-01-19,470,C,5,5.2,${quote}\n`
  const quoted = await imported({ 'a.csv': table('467.9,467.94') })
  expect(quoted.snapshots[0].chain.spot).toBeCloseTo(467.92, 9)
  expect(quoted.snapshots[0].chain).toMatchObject({ quote: { bid: 467.9, ask: 467.94 } })
  const bar = { date: '2024-01-05', open: 1, high: 1, low: 1, close: 467.92, volume: 1 } as unknown as DailyBar
  const archived = await imported({ 'a.csv': table(',') }, { bars: [bar] })
  expect(archived.snapshots[0].chain).toMatchObject({ spot: 467.92, quote: { bid: undefined, ask: undefined } })
  const nothing = await imported(
    { 'a.csv': table(',') },
    { bars: [{ ...bar, date: '2024-01-04' as DailyBar['date'] }] }
  )
  expect(nothing.snapshots).toEqual([])
  expect(nothing.rejections[0].reason).toContain('no price of the underlying for the 1 contracts of SPY on 2024-01-05')
})

test('a file that does not fit the map at all is given up, with one line for the file or its heading', async () => {
  const wrong = `${Array.from({ length: 5000 }, () => 'x,SPY,2024-01-19,470,C,5,5.2,1').join('\n')}\n`
  const { rejections, tally } = await imported({ 'a.csv': rows() + wrong, 'b.csv': 'a,b\n1,2\n', 'c.csv': '' })
  expect(tally.rejected).toBe(1003)
  const whole = rejections.filter(({ line = 1 }) => line === 1).map(({ line, reason }) => `${line}: ${reason}`)
  expect(whole).toEqual([
    'undefined: not one of its first 1000 rows can be used: the rest is not read',
    '1: no column fills symbol, date, expiration, strike, right',
    'undefined: it is empty'
  ])
})

test('OCC symbols name their series; adjusted ones are left out', async () => {
  const { snapshots, tally } = await imported({
    'a.csv.gz': gzipSync(
      'occ,date,bid,ask,underlying_price\nSPXW  240119P04700000,20240105,1,2,4697.24\nSPX240119P04700000,20240105,1,2,4697.24\nSPX1240119P04700000,20240105,1,2,1\n'
    )
  })
  expect(snapshots).toHaveLength(1)
  const { chain } = snapshots[0]
  expect(chain.symbol).toBe('SPX')
  expect(chain.expirations.map(({ root, settlement }) => `${root} ${settlement}`)).toEqual(['SPX am', 'SPXW pm'])
  expect(tally.leftOut).toBe(1)
})

test('an index table without roots tells weekly from monthly series by their expiration', async () => {
  const { snapshots } = await imported({
    'a.csv': rows('2024-01-05,^SPX,2024-01-19,4700,C,1,2,4697.24', '2024-01-05,^SPX,2024-01-26,4700,C,1,2,4697.24')
  })
  expect(snapshots[0].chain.expirations.map(({ root }) => root)).toEqual(['SPX', 'SPXW'])
})

test('it stops between two snapshots when it is told to', async () => {
  const stopping = new AbortController()
  stopping.abort()
  const folder = folderWith({ 'a.csv': rows('2024-01-05,SPY,2024-01-19,470,C,5,5.2,467.92') })
  const options = {
    columns: undefined,
    symbol: undefined,
    archive: { bars: async () => [], writeTableText: noParquet }
  }
  const { snapshots } = await take((writer) => importChains([folder], options, writer), { signal: stopping.signal })
  expect(snapshots).toEqual([])
})

describe('the maps of the documentation', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/import-tables.md'), 'utf8')
  const [datashop, optionMetrics, orats] = [...page.matchAll(/```json\n([^`]*)```/g)].map(([, json]) => json)

  test('read a Cboe DataShop table', async () => {
    const { snapshots, tally } = await imported(
      {
        'datashop.csv': [
          'underlying_symbol,quote_date,root,expiration,strike,option_type,open,high,low,close,trade_volume,bid_size_1545,bid_1545,ask_size_1545,ask_1545,underlying_bid_1545,underlying_ask_1545,bid_size_eod,bid_eod,ask_size_eod,ask_eod,underlying_bid_eod,underlying_ask_eod,vwap,open_interest,delivery_code',
          '^SPX,2024-01-05,SPXW,2024-01-12,4700.000,P,30.1,35,22,25.5,1234,10,24,11,26,4690,4691,20,25.1000,30,25.6000,4697.0000,4697.4800,27.1,5678,',
          '^SPX,2024-01-05,SPX,2024-01-19,4700.000,C,30.1,35,22,25.5,12,10,24,11,26,4690,4691,20,35.1,30,35.6,4697.0000,4697.4800,27.1,56,',
          '^SPX,2024-01-05,SPX,2024-01-19,4710.000,C,30.1,35,22,25.5,12,10,24,11,26,4690,4691,20,35.1,30,35.6,4697.0000,4697.4800,27.1,56,X'
        ].join('\n')
      },
      { map: datashop }
    )
    const { chain, missing } = snapshots[0]
    expect(chain).toMatchObject({ symbol: 'SPX', size: 2 })
    expect(chain.spot).toBeCloseTo(4697.24, 9)
    const put = slotOf(chain, '2024-01-12', 4700, PUT, 'SPXW')
    expect([chain.bid[put], chain.ask[put], chain.bidSize[put], chain.askSize[put]]).toEqual([25.1, 25.6, 20, 30])
    expect([chain.volume[put], chain.openInterest[put]]).toEqual([1234, 5678])
    expect(missing).toEqual(['trade_tape', 'macro_intraday'])
    expect(tally.leftOut).toBe(1)
  })

  test('read an OptionMetrics table, the underlying from its daily bar', async () => {
    const bar = { date: '2014-01-06', open: 1, high: 1, low: 1, close: 1826.77, volume: 0 } as unknown as DailyBar
    const { snapshots } = await imported(
      {
        'opprcd.csv': [
          'secid,date,symbol,symbol_flag,exdate,last_date,cp_flag,strike_price,best_bid,best_offer,volume,open_interest,impl_volatility',
          '108105,06JAN2014,SPXW 140110P1825000,1,10JAN2014,06JAN2014,P,1825000,6.1,6.5,2500,8700,0.11',
          '108105,06JAN2014,SPX 140118C1825000,1,18JAN2014,,C,1825000,18.2,19.4,0,120,.'
        ].join('\n')
      },
      { map: optionMetrics, symbol: 'SPX', bars: [bar] }
    )
    const { chain } = snapshots[0]
    expect(chain.spot).toBe(1826.77)
    expect(chain.expirations.map(({ date, root }) => `${root} ${date}`)).toEqual(['SPXW 2014-01-10', 'SPX 2014-01-17'])
    const put = slotOf(chain, '2014-01-10', 1825, PUT)
    expect([chain.bid[put], chain.ask[put], chain.volume[put], chain.openInterest[put]]).toEqual([6.1, 6.5, 2500, 8700])
  })

  test('read an ORATS table, the call and the put of a strike from one row', async () => {
    const { snapshots, rejections } = await imported(
      {
        'orats.csv': [
          'ticker,stkPx,expirDate,yte,strike,cVolu,cOi,pVolu,pOi,cBidPx,cValue,cAskPx,pBidPx,pValue,pAskPx,trade_date',
          'AAPL,181.18,1/19/2024,0.04,180,900,12000,800,9000,3.9,3.95,4,2.5,2.55,2.6,1/5/2024'
        ].join('\n')
      },
      { map: orats }
    )
    expect(rejections).toEqual([])
    const { chain } = snapshots[0]
    expect([chain.symbol, chain.spot, chain.size]).toEqual(['AAPL', 181.18, 2])
    const [call, put] = [CALL, PUT].map((right) => slotOf(chain, '2024-01-19', 180, right))
    expect([chain.bid[call], chain.ask[call], chain.volume[call], chain.openInterest[call]]).toEqual([
      3.9, 4, 900, 12000
    ])
    expect([chain.bid[put], chain.ask[put], chain.volume[put], chain.openInterest[put]]).toEqual([2.5, 2.6, 800, 9000])
  })
})

test('a packed table that breaks off gives no snapshot of the date at which it does', async () => {
  const day = (date: string) =>
    Array.from({ length: 3000 }, (_, k) => `${date},SPY,2024-06-21,${100 + k},C,${5 + Math.sin(k)},99,467.92`)
  const packed = gzipSync(rows(...day('2024-01-05'), ...day('2024-01-08')))
  const { snapshots, rejections } = await imported({ 'a.csv.gz': packed.subarray(0, Math.floor(0.9 * packed.length)) })
  expect(snapshots.map(({ chain }) => [iso(chain.asOf), chain.size])).toEqual([['2024-01-05T21:00:00.000Z', 3000]])
  expect(rejections.map(({ line, reason }) => [line, reason])).toEqual([
    [undefined, 'unexpected end of file'],
    [3002, 'SPY on 2024-01-08: it is not complete: the file breaks off']
  ])
})

test('a moment with more contracts than are listed anywhere is refused instead of filling memory', async () => {
  const strikes = [460, 470, 480].map((strike) => `2024-01-05,SPY,2024-01-19,${strike},C,5,5.2,467.92`)
  const three = { 'a.csv': rows(...strikes) }
  expect((await imported(three, { maxContracts: 3 })).snapshots).toHaveLength(1)
  const { snapshots, rejections } = await imported(three, { maxContracts: 2 })
  expect(snapshots).toEqual([])
  expect(rejections.map(({ reason }) => reason)).toEqual(['SPY on 2024-01-05 has too many contracts: it has 3'])
})

test('counts and strikes that no contract can have are refused with their line, and none becomes another figure', async () => {
  const heading = 'date,symbol,expiration,strike,right,bid,ask,underlying_price,open_interest,volume,bid_size,ask_size'
  const row = (strike: string, ...counts: readonly string[]) =>
    `2024-01-05,SPY,2024-01-19,${strike},C,5,5.2,467.92,${counts.join()}`
  const lines = [
    row('470', '4294967296', '1', '1', '1'),
    row('471', '2147483648', '1', '1', '1'),
    row('472', '12.5', '1', '1', '1'),
    row('473', '1', '0.5', '1', '1'),
    row('474', '1', '1', '1.5', '1'),
    row('475', '1', '1', '1', '99999999999'),
    row('0.0009', '1', '1', '1', '1'),
    row('10000000.5', '1', '1', '1', '1'),
    row('0.001', '2147483647', '12.0', '1', '1'),
    row('10000000', '', '', '', '')
  ]
  const { snapshots, rejections } = await imported({ 'a.csv': `${[heading, ...lines].join('\n')}\n` }, { accept: true })
  expect(rejections.map(({ line, reason }) => `${line}: ${reason}`)).toEqual([
    '2: its open_interest is "4294967296"',
    '3: its open_interest is "2147483648"',
    '4: its open_interest is "12.5"',
    '5: its volume is "0.5"',
    '6: its bid_size is "1.5"',
    '7: its ask_size is "99999999999"',
    '8: its strike is "0.0009"',
    '9: its strike is "10000000.5"'
  ])
  const [{ chain }] = snapshots
  expect([[...chain.strike], [...chain.openInterest], [...chain.volume]]).toEqual([
    [0.001, 10_000_000],
    [2_147_483_647, -1],
    [12, -1]
  ])
})
