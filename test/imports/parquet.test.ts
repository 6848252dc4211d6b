import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openEmbedded } from '../../src/archive/clickhouse/embedded.ts'
import type { ChainSnapshot } from '../../src/archive/history-store.ts'
import { enginePath, openHistory } from '../../src/archive/open.ts'
import { chainTableFields } from '../../src/imports/chains/chain-table.ts'
import { importChains } from '../../src/imports/chains/import-chains.ts'
import { importDividends } from '../../src/imports/import-dividends.ts'
import { earningsFields, importEarnings } from '../../src/imports/import-earnings.ts'
import { parseColumnMap } from '../../src/imports/tables/column-map.ts'
import { session } from '../../src/market/calendar.ts'
import { buildChain, CALL, PUT } from '../../src/market/chain.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { dataFolder, hasEngine } from '../support/engine.ts'
import { eastern } from '../support/hand-made.ts'
import { folderWith, iso, take } from './take.ts'

const SPY = 'SPY' as Ticker
const expiration = '2024-01-19' as IsoDate
const closes = ['2024-01-05', '2024-01-08'].map((date) => session(date as IsoDate)!.close)

function snapshotAt(asOf: number): ChainSnapshot {
  const quote = { bid: undefined, ask: undefined, last: 467.92, time: asOf }
  const figures = { root: 'SPY', expiration, settlement: 'pm', bidSize: 3, askSize: 4, volume: 5 } as const
  const chain = buildChain({ symbol: SPY, asOf, delay: 0, spot: 467.92, quote }, [
    { ...figures, right: CALL, strike: 470, bid: 5, ask: 5.2, last: Number.NaN, openInterest: 11 },
    { ...figures, right: PUT, strike: 470, bid: 6, ask: 6.2, last: 6.1, openInterest: 12 }
  ])
  return { chain, fidelity: 'imported', missing: ['trade_tape', 'macro_intraday'] }
}

describe.skipIf(!hasEngine)('a table in Parquet', () => {
  test('of dividends may lack declarations, and names its columns as vendors do', async () => {
    const connection = await openEmbedded(join(dataFolder(), 'history'), enginePath)
    const folder = folderWith({})
    try {
      const rows = `SELECT * FROM VALUES('ticker String, ex_dividend_date Date, cash_amount Float64, declaration_date Nullable(Date)',
        ('KO', '2026-06-12', 0.53, '2026-04-23'), ('KO', '2026-09-15', 0.53, NULL))`
      await connection.save(rows, 'parquet', join(folder, 'all.parquet'))
      const options = { columns: undefined, symbol: undefined, archive: connection }
      const { dividends, rejections } = await take((writer) => importDividends([folder], options, writer))
      expect(rejections).toEqual([])
      expect(dividends).toEqual([
        ['KO', { exDate: '2026-06-12', amount: 0.53, knownFrom: eastern('2026-04-24', '00:00') }],
        ['KO', { exDate: '2026-09-15', amount: 0.53, knownFrom: eastern('2026-08-16', '00:00') }]
      ])
    } finally {
      await connection.close()
    }
  })

  test('of reports dates them by days and moments of the engine', async () => {
    const connection = await openEmbedded(join(dataFolder(), 'history'), enginePath)
    const folder = folderWith({})
    try {
      const rows = `SELECT * FROM VALUES('code String, report_date Date, before_after_market String, actual Nullable(Float64),
          estimate Nullable(Float64), last_updated Nullable(String)',
        ('KO', '2026-04-21', 'BeforeMarket', 0.73, 0.7, NULL), ('KO', '2026-07-21', '', NULL, 0.8, '2026-06-15T12:00:00Z'))`
      await connection.save(rows, 'parquet', join(folder, 'all.parquet'))
      const now = eastern('2026-07-01', '12:00')
      const columns = parseColumnMap(
        'code=symbol,report_date=date,before_after_market=time,actual=eps_actual,estimate=eps_estimate,last_updated=known_at',
        earningsFields
      )
      const options = { columns, symbol: undefined, archive: connection, now }
      const { earnings, rejections } = await take((writer) => importEarnings([folder], options, writer))
      expect(rejections).toEqual([])
      expect(
        earnings.map(({ date, epsEstimate, epsActual, knownFrom }) => [date, epsEstimate, epsActual, knownFrom])
      ).toEqual([
        ['2026-04-21', 0.7, undefined, eastern('2026-03-22', '00:00')],
        ['2026-04-21', 0.7, 0.73, eastern('2026-04-21', '09:30')],
        ['2026-07-21', 0.8, undefined, Date.parse('2026-06-15T12:00:00Z')]
      ])
    } finally {
      await connection.close()
    }
  })

  test('goes the way of one in CSV, whatever its name, and its errors are told by row', async () => {
    const { store } = await openHistory({ data: dataFolder(), history: 'embedded', recordVersion: 1 })
    const folder = folderWith({ 'b.parquet': 'date,symbol\n' })
    const path = join(folder, 'a {2024} *.parquet')
    try {
      const snapshots = closes.map(snapshotAt)
      await store!.writeSnapshots(snapshots)
      const span = { symbol: SPY, from: closes[0], to: closes[1] + 1 }
      await store!.exportQuotes({ ...span, format: 'parquet' }, join(folder, 'export'))
      renameSync(join(folder, 'export'), path)
      const pairs = ['ts=date', 'bid_size=bid_size', 'ask_size=ask_size', 'open_interest=open_interest', 'last=last']
      const same = ['root', 'expiration', 'strike', 'right', 'bid', 'ask', 'volume'].map((name) => `${name}=${name}`)
      const imported = (spot: string) => {
        const columns = parseColumnMap([...pairs, ...same, `${spot}=underlying_price`].join(), chainTableFields)
        return take((writer) => importChains([folder], { columns, symbol: SPY, archive: store! }, writer))
      }

      const { snapshots: read, rejections, notes } = await imported('spot')
      expect(read.map(({ chain }) => [iso(chain.asOf), chain.spot])).toEqual(
        closes.map((close) => [iso(close), 467.92])
      )
      expect(read.map(({ chain }) => ({ ...chain, quote: undefined }))).toEqual(
        snapshots.map(({ chain }) => ({ ...chain, quote: undefined }))
      )
      expect(rejections).toEqual([
        {
          file: join(folder, 'b.parquet'),
          line: undefined,
          reason: expect.stringMatching(/^it cannot be read as Parquet: [^\n]+$/),
          outcome: 'refused'
        }
      ])
      const shares = notes.flatMap((note) => (note.kind === 'progress' ? [note.done / note.total] : []))
      expect(Math.max(...shares)).toBeLessThanOrEqual(1)

      const named = await imported('fidelity')
      expect(named.rejections.slice(0, 2)).toEqual([
        { file: path, line: 2, reason: 'its underlying_price is "imported"', outcome: 'refused' },
        { file: path, line: 3, reason: 'its underlying_price is "imported"', outcome: 'refused' }
      ])
    } finally {
      await store!.close()
    }
  })
})
