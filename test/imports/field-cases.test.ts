import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openEmbedded } from '../../src/archive/clickhouse/embedded.ts'
import type { ChainSnapshot } from '../../src/archive/history-store.ts'
import { enginePath } from '../../src/archive/open.ts'
import { importChains } from '../../src/imports/chains/import-chains.ts'
import { chainColumnsFrom } from '../../src/imports/chains/vendor-table.ts'
import { dailyFields, importDaily } from '../../src/imports/daily/import-daily.ts'
import { parseColumnMap } from '../../src/imports/tables/column-map.ts'
import type { Ticker } from '../../src/market/units.ts'
import { dataFolder, hasEngine } from '../support/engine.ts'
import { folderWith, iso, noParquet, take } from './take.ts'

// Files as people have them, each with the right values: the spellings of tables that others were asked to read.

const noArchive = { bars: async () => [], writeTableText: noParquet }
const pathOf = (file: string) => join(import.meta.dirname, 'field-cases', file)

interface Said {
  readonly map?: string
  readonly underlyingPrice?: number
}

function imported(
  file: string,
  { map, underlyingPrice }: Said = {},
  archive: Parameters<typeof importChains>[1]['archive'] = noArchive
) {
  const columns = map === undefined ? { columns: undefined } : chainColumnsFrom(map)
  const facts = { underlyingPrice }
  return take((writer) => importChains([pathOf(file)], { ...columns, symbol: undefined, facts, archive }, writer))
}

const shown = ({ chain }: ChainSnapshot) =>
  `${chain.symbol} ${iso(chain.asOf).slice(0, 16)} ${chain.spot} ${chain.size}`

test('the quote table of the exchange says spot and moment above its heading', async () => {
  const { snapshots, rejections } = await imported('01_exchange_quote_table.csv')
  expect(rejections).toEqual([])
  expect(snapshots.map(shown)).toEqual(['ZZZ 2024-03-05T21:00 100 6'])
  expect([...snapshots[0].chain.openInterest]).toEqual([1500, 2500, 1000, 900, 3000, 100])
  expect(snapshots[0].chain.quote).toMatchObject({ bid: 99.99, ask: 100.01 })
})

test('one column fills day and time', async () => {
  const map = [
    'quote_datetime=date,symbol=symbol,expiration=expiration,strike=strike,right=right',
    'bid=bid,ask=ask,open_interest=open_interest,underlying_price=underlying_price'
  ]
  const { snapshots } = await imported('04_intraday_one_column.csv', { map: map.join() })
  const times = snapshots.map(({ chain }) => `${iso(chain.asOf).slice(11, 16)} ${chain.spot}`)
  expect(times).toEqual(['14:31 100', '17:00 103', '20:59 98'])
})

test('a stamp with a zone is a moment, and its session is that of New York', async () => {
  const { snapshots } = await imported('07_date_utc_evening.csv')
  expect(snapshots.map(({ chain }) => iso(chain.asOf))).toEqual(['2024-03-05T21:00:00.000Z'])
  const { snapshots: friday } = await imported('07b_date_utc_friday_evening.csv')
  expect(friday.map(({ chain }) => iso(chain.asOf))).toEqual(['2024-03-08T21:00:00.000Z'])
})

test.each([
  '0',
  '1',
  '2',
  '3',
  '4',
  'occ'
])('every spelling of a class of shares is one company: 12_brk_%s', async (form) => {
  const { snapshots, rejections } = await imported(`12_brk_${form}.csv`)
  expect(rejections).toEqual([])
  expect(snapshots.map(({ chain }) => [chain.symbol, chain.expirations[0].root])).toEqual([['BRK.B', 'BRKB']])
})

test('years of two digits, month first', async () => {
  const { snapshots, rejections } = await imported('13_two_digit_years.csv')
  expect(rejections).toEqual([])
  expect(snapshots.map(({ chain }) => [iso(chain.asOf).slice(0, 10), chain.expirations[0].date])).toEqual([
    ['2024-03-05', '2024-04-19']
  ])
})

test('quoted thousands and a last line that tells the origin', async () => {
  const { snapshots, rejections } = await imported('14_thousands_and_footer.csv')
  expect(rejections).toEqual([])
  expect(new Set(snapshots[0].chain.openInterest)).toEqual(new Set([1000]))
})

test.each([
  undefined,
  'Date=date,Close/Last=close,Open=open,High=high,Low=low,Volume=volume'
])('prices with a dollar sign, map %s', async (map) => {
  const columns = map === undefined ? undefined : parseColumnMap(map, dailyFields)
  const options = { columns, symbol: 'AAPL' as Ticker, archive: noArchive }
  const { bars, rejections } = await take((writer) =>
    importDaily([pathOf('14b_dollar_bars_AAPL.csv')], options, writer)
  )
  expect(rejections).toEqual([])
  expect(bars.map(([, { date, close, low, volume }]) => [date, close, low, volume])).toEqual([
    ['2024-08-28', 101.23, 99.31, 46907480],
    ['2024-08-29', 103.04, 101, 22350570]
  ])
})

test.each(['datashop-1545', undefined])('older end-of-day files have no delivery code, map %s', async (map) => {
  const { snapshots, rejections } = await imported(
    '18_end_of_day_without_delivery_code.csv',
    map === undefined ? {} : { map }
  )
  expect(rejections).toEqual([])
  expect(snapshots.map(shown)).toEqual(['SPX 2016-01-04T20:45 2003.82 2'])
  expect([...snapshots[0].chain.openInterest]).toEqual([350, 420])
})

test('global trading hours of an index are counted apart', async () => {
  const { tally, notes, rejections } = await imported('19_global_hours.csv')
  expect(tally.leftOut).toBe(2)
  expect(notes.flatMap((note) => (note.kind === 'warning' ? [note.text] : []))).toEqual([
    'left out: 2 quotes of global trading hours, from 20:15 to 09:25 New York'
  ])
  expect(rejections.map(({ reason }) => reason)).toEqual(['its time "2024-03-05 09:29:00" is before the opening'])
})

test('a chain that was saved without a date has the date of its file name', async () => {
  const { snapshots, rejections } = await imported('20_yf_SPY_2024-03-05.csv', { underlyingPrice: 507.5 })
  expect(rejections).toEqual([])
  expect(snapshots.map(shown)).toEqual(['SPY 2024-03-05T21:00 507.5 4'])
})

test('a zip that was made on a Mac', async () => {
  const { snapshots, rejections } = await imported('22_zip_made_on_mac.zip')
  expect(rejections).toEqual([])
  expect(snapshots.map(({ chain }) => chain.size)).toEqual([14])
})

test.each(['23_semicolon_decimal_comma.csv', '23b_tab.csv'])('%s is read as it is', async (file) => {
  const { snapshots, rejections } = await imported(file)
  expect(rejections).toEqual([])
  expect(snapshots.map(shown)).toEqual(['KO 2024-03-05T21:00 100 14'])
  expect([snapshots[0].chain.bid[0], snapshots[0].chain.ask[1]]).toEqual([20.37, 0.03])
})

test('clocks with and without seconds, halves of the day, epochs', async () => {
  const { snapshots, rejections } = await imported('24_clock_forms.csv')
  expect(rejections).toEqual([])
  expect(snapshots.map(({ chain }) => `${chain.symbol} ${iso(chain.asOf).slice(11, 19)}`)).toEqual([
    'KOA 15:00:00',
    'KOB 15:00:00',
    'KOC 15:00:00',
    'KOD 15:00:00',
    'KOE 15:00:00',
    'KOF 15:00:00',
    'KOG 15:00:00',
    'KOH 14:45:00'
  ])
})

const rows = `SELECT * FROM VALUES('symbol String, date DateTime64(3, \\'ZONE\\'), expiration Date, strike Float64, right String,
  bid Float64, ask Float64, underlying_price Float64',
  ('KO', toDateTime64('TIME', 3, 'ZONE'), '2024-04-19', 100, 'C', 2.5, 2.6, 100))`

describe.skipIf(!hasEngine)('tables that the engine reads', () => {
  test.each([
    ['arrow', 'Europe/Berlin', '2024-03-05 16:30:00', '2024-03-05T15:30'],
    ['arrow', 'Europe/Berlin', '2024-03-05 00:00:00', '2024-03-05T21:00'],
    ['arrow', 'Asia/Tokyo', '2024-03-06 00:30:00', '2024-03-05T15:30'],
    ['parquet', 'UTC', '2024-03-05 15:30:00', '2024-03-05T15:30'],
    ['parquet', 'UTC', '2024-03-05 00:00:00', '2024-03-05T21:00']
  ] as const)('a moment in %s of %s, %s, is %s', async (format, zone, time, expected) => {
    const connection = await openEmbedded(join(dataFolder(), 'history'), enginePath)
    try {
      const path = join(folderWith({}), `a.${format}`)
      await connection.save(rows.replaceAll('ZONE', zone).replace('TIME', time), format, path)
      const options = {
        columns: undefined,
        symbol: undefined,
        archive: { ...noArchive, writeTableText: connection.writeTableText }
      }
      const { snapshots, rejections } = await take((writer) => importChains([path], options, writer))
      expect(rejections).toEqual([])
      expect(snapshots.map(shown)).toEqual([`KO ${expected} 100 1`])
    } finally {
      await connection.close()
    }
  })

  test('a text packed by zstd is read as it is', async () => {
    const connection = await openEmbedded(join(dataFolder(), 'history'), enginePath)
    try {
      const path = join(folderWith({}), 'a.csv.zst')
      const line = 'KO,2024-03-05,2024-04-19,100,C,2.5,2.6,100'
      const text = `symbol,date,expiration,strike,right,bid,ask,underlying_price\\n${line}`
      await connection.run(
        `INSERT INTO FUNCTION file('${path}', 'LineAsString', 'line String', 'zstd') SELECT '${text}'`
      )
      const options = {
        columns: undefined,
        symbol: undefined,
        archive: { ...noArchive, writeTableText: connection.writeTableText }
      }
      const { snapshots, rejections } = await take((writer) => importChains([path], options, writer))
      expect(rejections).toEqual([])
      expect(snapshots.map(shown)).toEqual(['KO 2024-03-05T21:00 100 1'])
    } finally {
      await connection.close()
    }
  })
})

describe.skipIf(!hasEngine)('times of Parquet', () => {
  test('are moments where their type has a zone, and of New York where it has none', async () => {
    const connection = await openEmbedded(join(dataFolder(), 'history'), enginePath)
    try {
      const archive = { ...noArchive, writeTableText: connection.writeTableText }
      const read = async (file: string) => (await imported(file, {}, archive)).snapshots.map(shown)
      expect(await read('05_time_aware_1000_new_york.parquet')).toEqual(['PQN 2024-03-05T15:00 100 10'])
      expect(await read('05b_time_naive_1000.parquet')).toEqual(['PQP 2024-03-05T15:00 100 10'])
      expect(await read('05c_time_aware_four_moments.parquet')).toEqual([
        'PQS 2024-03-05T15:00 110 10',
        'PQS 2024-03-05T16:30 111 10',
        'PQS 2024-03-05T18:00 113 10',
        'PQS 2024-03-05T20:00 115 10'
      ])
    } finally {
      await connection.close()
    }
  })
})
