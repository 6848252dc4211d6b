import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { decodeTape } from '../../../src/archive/codec/decode-tape.ts'
import { importPrints, type PrintOptions } from '../../../src/imports/prints/import-prints.ts'
import { conditionsIn, parseConditionMap } from '../../../src/imports/prints/print-conditions.ts'
import { printFields } from '../../../src/imports/prints/print-table.ts'
import { parseColumnMap } from '../../../src/imports/tables/column-map.ts'
import { printTime } from '../../../src/imports/tables/table-times.ts'
import {
  ADJUSTED,
  CANCEL,
  CROSS,
  EXTENDED,
  INTERMARKET_SWEEP,
  LATE,
  MULTI_LEG,
  SETS_NO_PRICE,
  STOCK_TIED,
  sideOf,
  sides,
  type TapeKind
} from '../../../src/market/print.ts'
import { listedSeries } from '../../../src/market/series.ts'
import type { IsoDate, Ticker } from '../../../src/market/units.ts'
import { eastern } from '../../support/hand-made.ts'
import { folderWith, noParquet, type Taken, take } from '../take.ts'
import { zipOf } from '../zip-file.ts'

const SPY = 'SPY' as Ticker
const friday = '2024-01-05' as IsoDate
const usual: PrintOptions = {
  columns: undefined,
  symbol: undefined,
  conditions: undefined,
  archive: { writeTableText: noParquet },
  now: eastern('2024-01-10', '12:00')
}

function imported(files: Readonly<Record<string, string | Uint8Array>>, more: Partial<PrintOptions> = {}) {
  return take((writer) => importPrints([folderWith(files)], { ...usual, ...more }, writer))
}

/** Columns of a tape that tests compare. */
function rowsOf({ tapes }: Taken, kind: TapeKind = 'option', session = friday, symbol = SPY) {
  const stored = tapes.stored({ symbol, kind, session })
  if (stored === undefined) return undefined
  const { prints, series } = decodeTape(stored)
  const { length, ts, known, price, size, bid, ask, spot, flags, judged, instrument, sequence, exchange } = prints
  return Array.from({ length }, (_, at) => ({
    at: new Date(ts[at] / 1000).toISOString().slice(11, 23),
    isKnownThen: known[at] === ts[at],
    series: kind === 'stock' ? '' : nameOf(listedSeries(series, instrument[at])),
    price: Number((price[at] * stored.unit).toFixed(6)),
    size: size[at],
    bid: bid[at],
    ask: ask[at],
    spot: spot[at],
    flags: flags[at],
    side: sides[sideOf(judged[at])],
    sequence: sequence[at],
    exchange: exchange[at]
  }))
}

const nameOf = ({ root, date, strike, right }: ReturnType<typeof listedSeries>) => `${root} ${date} ${strike} ${right}`

const heading = 'time,symbol,expiration,strike,right,price,size,sequence,condition,bid,ask,quote_time,underlying_price'
const row = (time: string, more: string) => `${friday} ${time},SPY,2024-01-19,${more}`

describe('a table of prints', () => {
  test('may hold a session in any order: the tape stands by time, then by sequence', async () => {
    const lines = [
      heading,
      row('10:00:01.500,', '').slice(0, -1).replace(/,$/, ''), // no figures at all
      row('10:00:01.500', '470,C,5.2,3,12,,5,5.2,,467.9'),
      row('10:00:01.500', '470,C,5,4,11,,5,5.2,,467.9'),
      row('09:30:00', '465,P,1.11,10,9,S,1,1.1,,468'),
      row('16:30:00', '465,P,1.12,1,13,,1,1.2,,468')
    ]
    const taken = await imported({ 'a.csv': lines.join('\n') })
    const found = rowsOf(taken)!
    expect(found.map(({ at, series, size, side }) => [at, series, size, side])).toEqual([
      ['14:30:00.000', 'SPY 2024-01-19 465 1', 10, 'buy'],
      ['15:00:01.500', 'SPY 2024-01-19 470 0', 4, 'sell'],
      ['15:00:01.500', 'SPY 2024-01-19 470 0', 3, 'buy'],
      ['21:30:00.000', 'SPY 2024-01-19 465 1', 1, 'buy']
    ])
    expect(found.every(({ isKnownThen }) => isKnownThen)).toBe(true)
    expect(found.map(({ flags }) => flags)).toEqual([INTERMARKET_SWEEP, 0, 0, EXTENDED])
    expect(found[0]).toMatchObject({ bid: 10_000, ask: 11_000, spot: 4_680_000, sequence: 9 })
    expect(taken.rejections.map(({ line }) => line)).toEqual([2])
    expect(taken.tally).toMatchObject({ prints: 4, tapes: 1, rejected: 1, leftOut: 0 })
  })

  test('names when its quotes were taken: one that is too old, or later than the print, says nothing', async () => {
    const at = (clock: string, quote: string) => row(clock, `470,C,5.2,1,,,5,5.2,${friday} ${quote},`)
    const lines = [heading, at('10:00:00', '09:45:00'), at('10:20:00', '10:00:00'), at('10:30:00', '10:30:01')]
    const found = rowsOf(await imported({ 'a.csv': lines.join('\n') }))!
    expect(found.map(({ ask, side, spot }) => [ask, side, spot])).toEqual([
      [52_000, 'buy', -1],
      [-1, 'mid', -1],
      [-1, 'mid', -1]
    ])
  })

  test('takes a print back by contract, price and size, at the time of the message', async () => {
    const lines = [
      `${heading},cancel_code`,
      row('10:00:00', '470,C,5.2,3,1,,5,5.2,,,1'),
      row('10:05:00', '470,C,5.2,3,2,,5,5.2,,,2'),
      row('10:06:00', '470,C,5.1,3,3,,5,5.2,,,0'),
      row('10:07:00', '470,C,5.1,3,4,A,5,5.2,,,0'),
      row('10:08:00', '470,C,5.1,3,5,40,5,5.2,,,0')
    ]
    const taken = await imported({ 'a.csv': lines.join('\n') })
    const stored = taken.tapes.stored({ symbol: SPY, kind: 'option', session: friday })!
    const { prints } = decodeTape(stored)
    expect([...prints.flags]).toEqual([0, CANCEL, 0, CANCEL])
    expect([...prints.ts]).toEqual([prints.ts[0], prints.ts[0], prints.ts[2], prints.ts[2]])
    expect(prints.known[1] - prints.known[0]).toBe(300e6)
    expect(taken.rejections).toMatchObject([{ line: 6, reason: 'it takes back a print that is not there' }])
  })

  test('of options and of the stock itself becomes a tape of each', async () => {
    const lines = [
      'time_utc,symbol,occ,price,size,condition,exchange',
      '2024-01-05T15:00:00.000250Z,SPY,SPY   240119C00470000,5.2,3,,C',
      '2024-01-05 15:00:00,SPY,,467.91,300,@F,N',
      '2024-01-05 15:00:01,SPY,,467.9,20,@ I,N',
      '2024-01-05 15:00:02,SPY,,467.9,20,M,N',
      '1704466803000000000,SPX,O:SPXW240105P04700000,5.2,3,,'
    ]
    const taken = await imported({ 'a.csv': lines.join('\n') })
    expect(rowsOf(taken)).toMatchObject([{ price: 5.2, exchange: 67 }])
    expect(decodeTape(taken.tapes.stored({ symbol: SPY, kind: 'option', session: friday })!).prints.ts[0] % 1000).toBe(
      250
    )
    expect(rowsOf(taken, 'stock')).toMatchObject([
      { size: 300, flags: INTERMARKET_SWEEP },
      { size: 20, flags: SETS_NO_PRICE }
    ])
    expect(rowsOf(taken, 'option', friday, 'SPX' as Ticker)).toMatchObject([{ series: 'SPXW 2024-01-05 4700 1' }])
    expect(taken.tally).toMatchObject({ prints: 4, tapes: 3, leftOut: 1, rejected: 0 })
  })

  test('keeps contracts with another deliverable apart, and leaves out those that only a column marks', async () => {
    const lines = [
      'date,time,root,expiration,strike,right,price,size,adjusted',
      '20240105,36000000,AAPL1,2024-01-19,170,C,5.2,3,1',
      '20240105,36000001,AAPL,2024-01-19,170,C,5.2,3,1',
      '20240105,10:00:02.5,AAPL,2024-01-19,170,C,5.2,3,0'
    ]
    const taken = await imported({ 'a.csv': lines.join('\n') })
    const found = rowsOf(taken, 'option', friday, 'AAPL' as Ticker)!
    expect(found.map(({ at, flags }) => [at, flags])).toEqual([
      ['15:00:00.000', ADJUSTED],
      ['15:00:02.500', 0]
    ])
    expect(taken.tally).toMatchObject({ leftOut: 1, rejected: 0 })
  })

  test('counts a print once that it tells twice, and refuses what cannot be', async () => {
    const lines = [
      heading,
      row('10:00:00', '470,C,5.2,3,7,,,,,'),
      row('10:00:00', '470,C,5.2,3,7,,,,,'),
      row('10:00:00', '470,C,0,3,8,,,,,'),
      row('10:00:00', '470,C,5,2.5,9,,,,,'),
      row('10:00:00', '470,X,5,2,9,,,,,'),
      row('10:00:00', '470,C,5,2,9,what,,,,'),
      row('25:00:00', '470,C,5,2,9,,,,,')
    ]
    const taken = await imported({ 'a.csv': lines.join('\n') })
    expect(taken.tally).toMatchObject({ prints: 1, leftOut: 1 })
    expect(taken.rejections.map(({ line, reason }) => `${line}: ${reason}`)).toEqual([
      '4: its price is "0"',
      '5: its size is "2.5"',
      '6: its right is "X", no call or put',
      '7: its condition is "what", which is not known: say what it means with --conditions',
      '8: its time is "2024-01-05 25:00:00"'
    ])
  })

  test('says what is missing of it', async () => {
    const reasonOf = async (columns: string, more: Partial<PrintOptions> = {}) =>
      (await imported({ 'a.csv': `${columns}\n` }, more)).rejections[0]?.reason
    expect(await reasonOf('when,what')).toBe('no column fills symbol, time, price, size')
    expect(await reasonOf('time,price,size,strike', { symbol: SPY })).toBe('no column fills expiration, right')
    expect(await reasonOf('time,price,size', { symbol: SPY })).toBe('it has no row below its heading')
    expect(await reasonOf('time,time_utc,symbol,price,size')).toContain('choose one of them')
  })
})

describe('the sessions of an import', () => {
  const print = (date: string, clock: string, size = 1) => `${date} ${clock},SPY,240119C00470000,5,${size}`
  const columns = parseColumnMap('t=time,s=symbol,o=occ,p=price,n=size', printFields)
  const table = (...lines: readonly string[]) =>
    ['t,s,o,p,n', ...lines.map((line) => line.replace(',SPY,', ',SPY,SPY'))].join('\n')

  test('may lie in several files, and evenings belong to the next one', async () => {
    const files = {
      'a.csv': table(print('2024-01-04', '19:00:00'), print(friday, '10:00:00', 2), print(friday, '20:00:00', 7)),
      'b.csv.gz': gzipSync(table(print(friday, '10:00:01', 3), print('2024-01-08', '10:00:00', 8)))
    }
    const taken = await imported(files, { columns })
    expect(rowsOf(taken)?.map(({ size }) => size)).toEqual([1, 2, 3])
    expect(rowsOf(taken, 'option', '2024-01-08' as IsoDate)?.map(({ size }) => size)).toEqual([7, 8])
    expect(taken.rejections).toEqual([])
  })

  test('are written once: rows that come after two others began are refused', async () => {
    const dates = [friday, '2024-01-08', '2024-01-09', friday]
    const taken = await imported({ 'a.csv': table(...dates.map((date) => print(date, '10:00:00'))) }, { columns })
    expect(rowsOf(taken)).toHaveLength(1)
    expect(taken.rejections).toMatchObject([
      { line: 5, reason: 'SPY on 2024-01-05 was complete before: sort the rows by date and keep a date in one import' }
    ])
  })

  test('are the service’s own until they are over', async () => {
    const files = { 'a.csv': table(print('2024-01-10', '10:00:00'), print('2024-01-10', '10:00:01')) }
    const taken = await imported(files, { columns })
    expect(rowsOf(taken, 'option', '2024-01-10' as IsoDate)).toBeUndefined()
    expect(taken.rejections.map(({ reason }) => reason)).toEqual([
      "SPY on 2024-01-10 is not over: its tape is the service's own"
    ])
  })

  test('are left alone where a file breaks off', async () => {
    const lines = Array.from({ length: 3000 }, (_, k) => print(friday, '10:00:00', k + 1))
    const whole = gzipSync(table(...lines), { level: 0 })
    const taken = await imported({ 'a.csv.gz': whole.subarray(0, whole.length - 100) }, { columns })
    expect(rowsOf(taken)).toBeUndefined()
    expect(taken.rejections.at(-1)?.reason).toBe('SPY on 2024-01-05 is not complete: the file breaks off')
  })

  test('give way to make room, and are refused where one alone has too many prints', async () => {
    const six = [friday, '2024-01-08'].flatMap((date) =>
      ['10:00:00', '10:00:01', '10:00:02'].map((clock) => print(date, clock))
    )
    const taken = await imported({ 'a.csv': table(...six) }, { columns, maxPrints: 4 })
    expect(taken.tally).toMatchObject({ prints: 6, tapes: 2, rejected: 0 })
    const refused = await imported({ 'a.csv': table(...six) }, { columns, maxPrints: 2 })
    expect(refused.rejections[0].reason).toBe('it has over 2 prints on 2024-01-05: split it by symbol')
    expect(refused.tally.prints).toBe(0)
  })

  test('take the place of the tape that was there, as a whole', async () => {
    const first = await imported({ 'a.csv': table(print(friday, '10:00:00'), print(friday, '10:00:01')) }, { columns })
    const folder = folderWith({ 'a.csv': table(print(friday, '11:00:00', 9)) })
    const again = await take((writer) => importPrints([folder], { ...usual, columns }, writer), { tapes: first.tapes })
    expect(rowsOf(again)?.map(({ size }) => size)).toEqual([9])
  })
})

test('trades of LEAN are prints at the beginning of their minutes, judged by quotes that had ended', async () => {
  const name = (kind: string, series = '') => `20240105_spy_minute_${kind}${series}.csv`
  const call = '_american_call_4700000_20240119'
  const minute = (clock: number) => 34_200_000 + 60_000 * clock
  const quote = (clock: number, bid: number, ask: number) =>
    `${minute(clock)},1,1,1,${bid},1,${ask},${ask},${ask},${ask},1`
  const taken = await imported({
    '20240105_trade_american.zip': zipOf({
      [name('trade', call)]: `${minute(1)},52000,52000,52000,52000,3\n${minute(2)},50000,50000,50000,50000,4\n`
    }),
    '20240105_quote_american.zip': zipOf({
      [name('quote', call)]: `${quote(0, 50_000, 52_000)}\n${quote(2, 10_000, 20_000)}\n`
    }),
    '20240105_trade.zip': zipOf({ [name('trade')]: `${minute(1)},1,1,1,4679000,100\n` }),
    '20240105_quote.zip': zipOf({ [name('quote')]: `${quote(0, 4_679_000, 4_680_000)}\n` })
  })
  expect(taken.rejections).toEqual([])
  expect(rowsOf(taken)).toMatchObject([
    { at: '14:31:00.000', price: 5.2, size: 3, side: 'buy', spot: 4_679_500, isKnownThen: true },
    { at: '14:32:00.000', price: 5, size: 4, side: 'sell', bid: 50_000 }
  ])
  expect(rowsOf(taken, 'stock')).toMatchObject([{ at: '14:31:00.000', price: 467.9, size: 100, side: 'sell' }])
})

test('trades of LEAN on an index are read as they stand', async () => {
  const name = (kind: string, series = '') => `20240105_spx_minute_${kind}${series}.csv`
  const call = '_european_call_47000000_20240119'
  const minute = (clock: number) => 34_200_000 + 60_000 * clock
  const taken = await imported({
    '20240105_trade_european.zip': zipOf({ [name('trade', call)]: `${minute(1)},31.2,31.2,31.2,31.2,3\n` }),
    '20240105_quote_european.zip': zipOf({ [name('quote', call)]: `${minute(0)},30,30,30,30,1,31,31,31,31.2,2\n` }),
    '20240105_quote.zip': zipOf({ [name('quote')]: `${minute(0)},4700,4700,4700,4700,0,4701,4701,4701,4701,0\n` })
  })
  expect(taken.rejections).toEqual([])
  expect(rowsOf(taken, 'option', friday, 'SPX' as Ticker)).toMatchObject([
    { price: 31.2, size: 3, side: 'buy', spot: 47_005_000, bid: 300_000 }
  ])
})

test.each([
  ['2016-06-01 13:57:58.175', false, '2016-06-01T17:57:58.175Z'],
  ['2024-01-05T09:30:00', false, '2024-01-05T14:30:00.000Z'],
  ['20240105 09:30:00.25', false, '2024-01-05T14:30:00.250Z'],
  ['2024-01-05 09:30:00', true, '2024-01-05T09:30:00.000Z'],
  ['2024-01-05T09:30:00Z', false, '2024-01-05T09:30:00.000Z'],
  ['2024-01-05T09:30:00-05:00', false, '2024-01-05T14:30:00.000Z'],
  ['1704465000', false, '2024-01-05T14:30:00.000Z'],
  ['1704465000.5', false, '2024-01-05T14:30:00.500Z'],
  ['1704465000123', false, '2024-01-05T14:30:00.123Z'],
  ['1704465000123456', false, '2024-01-05T14:30:00.123Z'],
  ['1704465000123456789', false, '2024-01-05T14:30:00.123Z']
] as const)('%s is read as a moment', (text, isUtc, moment) => {
  expect(new Date(Math.floor(printTime(text, isUtc)!)).toISOString()).toBe(moment)
})

test('a moment keeps its microseconds, and what is none is refused', () => {
  expect(printTime('1704465000123456789', false)! % 1).toBeCloseTo(0.456789, 3)
  expect(printTime('2024-01-05 09:30:00.123456', false)! % 1).toBeCloseTo(0.456, 3)
  for (const text of ['', 'noon', '2024-01-05', '2024-01-05 24:00:00', '2024-13-05 09:30:00']) {
    expect(printTime(text, false)).toBeUndefined()
  }
})

test('conditions of options are known by letter and by the numbers of vendors', () => {
  const meaning = (text: string) => conditionsIn(text, 'option', undefined)
  for (const text of ['', ' ', 'I', 'a', '0', '13', '18', '35', '209']) expect(meaning(text), text).toBe(0)
  for (const text of ['S', 'b', '95', '126', '219']) expect(meaning(text), text).toBe(INTERMARKET_SWEEP)
  for (const text of ['f', 't', '106', '130', '232']) expect(meaning(text), text).toBe(MULTI_LEG)
  for (const text of ['k', '143', '245']) expect(meaning(text), text).toBe(STOCK_TIED)
  for (const text of ['c', '127', '229']) expect(meaning(text), text).toBe(CROSS)
  for (const text of ['B', '2', '204']) expect(meaning(text), text).toBe(LATE)
  for (const text of ['A', 'G', '40', '201']) expect(meaning(text), text).toBe('cancel')
  expect(meaning('u')).toBe('exclude')
  expect(meaning('v')).toBe(EXTENDED)
  expect(meaning('[219, 204]')).toBe(INTERMARKET_SWEEP | LATE)
  expect(meaning('999')).toBeUndefined()
  expect(conditionsIn('@FTI', 'stock', undefined)).toBe(INTERMARKET_SWEEP | EXTENDED | SETS_NO_PRICE)
})

test('a map of conditions goes before what is known, and names what is wrong with it', () => {
  const map = parseConditionMap('13=late, 999=sweep')
  expect(conditionsIn('13', 'option', map)).toBe(LATE)
  expect(conditionsIn('999', 'option', map)).toBe(INTERMARKET_SWEEP)
  expect(() => parseConditionMap('13=later,7')).toThrow('the conditions cannot be used: 13=later, 7. Give code=meaning')
})
