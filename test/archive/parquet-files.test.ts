import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ParquetFiles, type ParquetTable } from '../../src/archive/parquet-files.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { eventually } from '../support/started-service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const asked = (symbol: string, session = '2026-07-29', table: ParquetTable = 'series') => ({
  symbol: symbol as Ticker,
  session: session as IsoDate,
  table
})

/** A database that writes ten bytes for each file, and says what it was asked for. */
function files({ maxBytes = 1000, fails = false } = {}) {
  const made: string[] = []
  let running = 0
  const write = (table: string) => async (request: { readonly symbol: string }, path: string) => {
    expect(++running).toBe(1)
    await new Promise((resolve) => setImmediate(resolve))
    writeFileSync(path, '0123456789')
    running--
    if (fails) throw new Error('no room')
    made.push(`${table} ${request.symbol}`)
  }
  const store = { exportQuotes: write('quotes'), exportPrints: write('prints'), exportFigures: write('series') }
  const folder = join(temporaryFolder(), 'parquet')
  return { folder, made, files: new ParquetFiles({ folder, store, fields: ['net_gex'], maxBytes }) }
}

test('a file is made once for all who ask at the same time, and one at a time', async () => {
  const { files: given, made, folder } = files()
  const found = await Promise.all(
    [asked('SPY'), asked('SPY'), asked('SPY', '2026-07-29', 'quotes')].map((one) => given.file(one))
  )
  expect(made).toEqual(['series SPY', 'quotes SPY'])
  expect(found[0]).toEqual(found[1])
  expect(found.map(({ bytes }) => bytes)).toEqual([10, 10, 10])
  expect(readFileSync(join(folder, found[2].name), 'utf8')).toBe('0123456789')
  await given.file(asked('SPY'))
  expect(made).toHaveLength(2)
})

test('the least lately asked goes first when the room is used up, and what is forgotten is made anew', async () => {
  const { files: given, made, folder } = files({ maxBytes: 20 })
  await given.file(asked('SPY'))
  await given.file(asked('QQQ'))
  const { name: spy } = await given.file(asked('SPY'))
  const { name: iwm } = await given.file(asked('IWM'))
  await eventually('the file of QQQ to go', () => (readdirSync(folder).length === 2 ? true : undefined))
  expect(readdirSync(folder).sort()).toEqual([spy, iwm].sort())
  given.forget('SPY' as Ticker)
  await eventually('the file of SPY to go', () => (existsSync(join(folder, spy)) ? undefined : true))
  await given.file(asked('SPY'))
  expect(made).toEqual(['series SPY', 'series QQQ', 'series IWM', 'series SPY'])
})

test('a file whose rows are rewritten while it is made is made again', async () => {
  const { files: given, made } = files()
  const file = given.file(asked('SPY'))
  await new Promise((resolve) => setImmediate(resolve))
  given.forget('SPY' as Ticker)
  await file
  expect(made).toEqual(['series SPY', 'series SPY'])
})

test('a file that cannot be made leaves nothing behind and is tried again', async () => {
  const { files: given, folder } = files({ fails: true })
  for (const _ of [1, 2]) await expect(given.file(asked('SPY'))).rejects.toThrow('no room')
  expect(readdirSync(folder)).toEqual([])
})

test('files of an earlier run are removed: they may be of rows that changed since', async () => {
  const { files: given, folder } = files()
  mkdirSync(folder)
  writeFileSync(join(folder, 'old.parquet'), 'old')
  const { name } = await given.file(asked('SPY'))
  expect(readdirSync(folder)).toEqual([name])
  await given.close()
  expect(existsSync(folder)).toBe(false)
})
