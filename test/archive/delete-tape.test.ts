import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openEmbedded } from '../../src/archive/clickhouse/embedded.ts'
import { decodeTape } from '../../src/archive/codec/decode-tape.ts'
import { TapeWriter } from '../../src/archive/codec/encode-tape.ts'
import type { TapeText } from '../../src/archive/history-store.ts'
import { enginePath, openHistory } from '../../src/archive/open.ts'
import { createImportWriter } from '../../src/imports/import-writer.ts'
import { importPrints } from '../../src/imports/prints/import-prints.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { SymbolTapes } from '../../src/tape/symbol-tapes.ts'
import { folderWith } from '../imports/take.ts'
import { dataFolder, hasEngine } from '../support/engine.ts'
import { eastern } from '../support/hand-made.ts'
import { printed } from '../tape/messages.ts'

const symbol = 'SPY' as Ticker
const session = '2024-01-05' as IsoDate

/** A recorded tape of some prints of one size. */
function stockTape(date: IsoDate, size: number, count = 2): TapeText {
  const tapes = new SymbolTapes({ symbol })
  const time = eastern(date, '10:00')
  for (let k = 0; k < count; k++) tapes.take(printed({ symbol, contract: undefined, time: time + k, size }), undefined)
  const tape = tapes.tape('stock', date)
  const head = { symbol, kind: 'stock', session: date, source: 'recorded', unit: tape.unit } as const
  const writer = new TapeWriter()
  writer.add({ ...head, ...tape.rowsFrom(0), position: 0, withHead: true, series: tape.series, firstSeries: 0 })
  return writer.take()
}

describe.skipIf(!hasEngine)('a tape in the database', () => {
  test('is replaced as a whole, and those beside it stay', async () => {
    const { store } = await openHistory({ data: dataFolder(), history: 'embedded', recordVersion: 1 })
    const heading = 'time,symbol,occ,price,size'
    const contract = (n: number) => `${symbol}240119C00${470 + n}000`
    const option = (date: string, n: number) => `${date} 10:00:0${n},${symbol},${contract(n)},5.2,${n + 1}`
    const stock = `${session} 10:00:00,${symbol},,467.9,100`
    const imported = async (...lines: readonly string[]) => {
      const folder = folderWith({ 'a.csv': [heading, ...lines].join('\n') })
      const writer = createImportWriter({ store: store!, onNote: () => {}, signal: new AbortController().signal })
      const usual = { columns: undefined, symbol: undefined, conditions: undefined, now: Date.now() }
      await importPrints([folder], { ...usual, archive: store! }, writer)
      return writer.finish()
    }
    const sizes = async (kind: 'option' | 'stock' = 'option', date = session) => {
      const stored = await store!.tape({ symbol, kind, session: date })
      if (stored === undefined) return undefined
      const { prints, series } = decodeTape(stored)
      return { sizes: [...prints.size], series: series.length }
    }
    try {
      await imported(option(session, 0), option(session, 1), option(session, 2), stock, option('2024-01-08', 3))
      expect(await sizes()).toEqual({ sizes: [1, 2, 3], series: 3 })
      expect(await imported(option(session, 8))).toMatchObject({ prints: 1, tapes: 1 })
      expect(await sizes()).toEqual({ sizes: [9], series: 1 })
      expect(await sizes('stock')).toEqual({ sizes: [100], series: 1 })
      expect(await sizes('option', '2024-01-08' as IsoDate)).toEqual({ sizes: [4], series: 1 })
      expect(await store!.tapedSessions(symbol)).toEqual([session, '2024-01-08'])
      const file = join(folderWith({}), 'prints.csv')
      await store!.exportPrints({ symbol, from: session, to: session, format: 'csv' }, file)
      const [heading, ...rows] = readFileSync(file, 'utf8').trim().split('\n')
      const named = (row: string) =>
        Object.fromEntries(heading.split(',').map((name, k) => [name.replaceAll('"', ''), row.split(',')[k]]))
      expect(rows.map(named)).toMatchObject([
        { symbol: '"SPY"', strike: '478', type: '"C"', price: '5.2', size: '9', bid: '', side: '"mid"', flags: '0' }
      ])
      await store!.deleteTape({ symbol, kind: 'stock', session })
      expect(await sizes('stock')).toBeUndefined()
      expect(await store!.tapedSymbols('stock', session)).toEqual([])

      // Old recorded tapes are deleted, imported ones stay.
      const recorded = async (date: string, size: number) => store!.writeTapes(stockTape(date as IsoDate, size))
      for (const date of [session, '2024-01-08', '2024-01-09']) await recorded(date, 5)
      await store!.deleteBefore(eastern('2024-01-09', '12:00'), { keepCloses: true })
      expect(await sizes()).toEqual({ sizes: [9], series: 1 })
      expect(await sizes('stock')).toBeUndefined()
      expect(await sizes('stock', '2024-01-08' as IsoDate)).toBeUndefined()
      expect(await sizes('stock', '2024-01-09' as IsoDate)).toEqual({ sizes: [5, 5], series: 1 })
      await store!.writeTapes(stockTape(session, 6, 1))
      expect(await sizes('stock')).toEqual({ sizes: [6], series: 1 }) // no row of the one before is left
      await store!.deleteBefore(eastern('2024-01-10', '12:00'), { keepCloses: true })
      expect(await store!.tapedSymbols('stock', '2024-01-09' as IsoDate)).toEqual([])
      expect(await sizes()).toEqual({ sizes: [9], series: 1 })
    } finally {
      await store!.close()
    }
  })

  test('comes from Parquet too, its moments read in UTC', async () => {
    const connection = await openEmbedded(join(dataFolder(), 'history'), enginePath)
    const folder = folderWith({})
    try {
      const rows = `SELECT toDateTime64('2024-01-05 15:00:00.000250', 6, 'UTC') AS time_utc, 'SPY' AS symbol,
        'SPY240119C00470000' AS occ, 5.2 AS price, 3 AS size, 4.9 AS bid, 5.2 AS ask, 'S' AS condition`
      await connection.save(rows, 'parquet', join(folder, 'a.parquet'))
      const texts: string[] = []
      const none = async () => {}
      const store = {
        writeSnapshots: none,
        writeBars: none,
        writeDividends: none,
        writeSplits: none,
        writeEarnings: none,
        deleteTape: none,
        writeTapes: async ({ option_tape }: { readonly option_tape?: Uint8Array }) =>
          void texts.push(new TextDecoder().decode(option_tape))
      }
      const writer = createImportWriter({ store, onNote: () => {}, signal: new AbortController().signal })
      const usual = { columns: undefined, symbol: undefined, conditions: undefined, now: Date.now() }
      await importPrints([folder], { ...usual, archive: connection }, writer)
      expect(await writer.finish()).toMatchObject({ prints: 1, rejected: 0 })
      const known = 1000 * Date.parse('2024-01-05T15:00:00Z') + 250
      expect(texts.join('').split('\t').slice(0, 4)).toEqual(['SPY', session, '0', String(known)])
    } finally {
      await connection.close()
    }
  })
})
