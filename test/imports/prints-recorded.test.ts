import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { decodeTape } from '../../src/archive/codec/decode-tape.ts'
import { importLean } from '../../src/imports/lean/import-lean.ts'
import { importPrints } from '../../src/imports/prints/import-prints.ts'
import { printFields } from '../../src/imports/prints/print-table.ts'
import { parseColumnMap } from '../../src/imports/tables/column-map.ts'
import { CANCEL, deciderOf, MARKED, type Prints, sideOf, sides, type TapeKind } from '../../src/market/print.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { testRecorded, timeOf } from '../flow/recorded-tapes.ts'
import { memoryStore } from '../support/memory-store.ts'
import type { MemoryTapes } from '../support/memory-tapes.ts'
import { replayService } from '../support/replay.ts'
import { noParquet, take } from './take.ts'

const data = join(resolve(import.meta.dirname, '../..'), '../shared/data')
const now = Date.parse('2026-07-29T20:00:00Z')

/** The maps of the documentation for tables of prints. */
const [, , , datashop, thetadata] = [
  ...readFileSync(join(import.meta.dirname, '../../docs/import-tables.md'), 'utf8').matchAll(/```json\n([\s\S]*?)```/g)
].map(([, map]) => (map.includes('"condition"') ? parseColumnMap(map, printFields) : undefined))
const days = {
  vix: { symbol: 'VIX', session: '2016-06-01', paths: ['trades'], columns: datashop, cancels: 1 },
  goog: { symbol: 'GOOG', session: '2015-12-24', paths: ['minute'], columns: undefined, cancels: 0 }
} as const
type Day = (typeof days)[keyof typeof days]

function imported({ paths, columns }: Day, tapes?: MemoryTapes) {
  const options = { columns, symbol: undefined, conditions: undefined, archive: { writeTableText: noParquet }, now }
  const folders = paths.map((path) => join(data, path))
  return take((writer) => importPrints(folders, options, writer), tapes === undefined ? {} : { tapes })
}

function tapeOf(tapes: MemoryTapes, { symbol, session }: Day, kind: TapeKind = 'option') {
  return tapes.stored({ symbol: symbol as Ticker, kind, session: session as IsoDate })
}

/** A letter for the side of each print, cancels left out. */
const sidesOf = ({ length, flags, judged }: Prints) =>
  Array.from({ length }, (_, at) => ((flags[at] & CANCEL) === 0 ? sides[sideOf(judged[at])][0] : '')).join('')

testRecorded('recorded days become the tapes that other code made of them', async (_, results) => {
  for (const [name, day] of Object.entries(days)) {
    const { tapes, tally, rejections } = await imported(day)
    expect(rejections).toEqual([])
    const stored = tapeOf(tapes, day)!
    expect(stored).toMatchObject({ source: 'recorded', unit: 1e-4 })
    const { prints } = decodeTape(stored)
    const { length, flags, judged, size, known, ts } = prints
    expect(sidesOf(prints)).toBe(results.get(`${name}.sides`))
    const count: Record<string, number> = {}
    const volume: Record<string, number> = {}
    const steps: Record<string, number> = {}
    for (let at = 0; at < length; at++) {
      if ((flags[at] & CANCEL) !== 0) continue
      expect(known[at]).toBe(ts[at])
      const side = sides[sideOf(judged[at])]
      const step = (flags[at] & MARKED) !== 0 ? 'marked' : ['none', 'quote', 'locked', 'tick'][deciderOf(judged[at])]
      count[side] = (count[side] ?? 0) + 1
      volume[side] = (volume[side] ?? 0) + size[at]
      steps[step] = (steps[step] ?? 0) + 1
    }
    expect(count).toEqual(results.get(`${name}.side_prints`))
    expect(volume).toEqual(results.get(`${name}.side_volume`))
    expect(steps).toEqual(results.get(`${name}.steps`))
    const cancels = flags.filter((bits) => (bits & CANCEL) !== 0).length
    expect(cancels).toBe(day.cancels)
    const stock = tapeOf(tapes, day, 'stock')
    expect(stock === undefined).toBe(name === 'vix')
    expect(tally.prints).toBe(length + (stock === undefined ? 0 : decodeTape(stock).prints.length))
  }
})

testRecorded('an import again leaves the same tape', async () => {
  const { tapes } = await imported(days.vix)
  const first = decodeTape(tapeOf(tapes, days.vix)!)
  await imported(days.vix, tapes)
  expect(decodeTape(tapeOf(tapes, days.vix)!)).toEqual(first)
})

testRecorded('the replay host answers on an imported tape at every moment of the day', async (_, results) => {
  for (const [name, day] of Object.entries(days)) {
    const { tapes } = await imported(day)
    const { snapshots } =
      name === 'vix' ? { snapshots: [] } : await take((writer) => importLean([join(data, 'minute')], writer))
    const history = memoryStore({ snapshots, bars: [], records: [] }, tapes)
    const { past, close } = replayService({ history, from: '2015-01-02' })
    const body = async (path: string, at: string) => {
      const { statusCode, body } = await past(`${path}${path.includes('?') ? '&' : '?'}at=${day.session}T${at}`)
      expect(statusCode, `${path} at ${at}: ${body}`).toBe(200)
      return JSON.parse(body)
    }
    try {
      let moments = 0
      for (const [id, expected] of results) {
        const [, at] = /\.totals@(\d\d:\d\d:\d\d)\.000$/.exec(id) ?? []
        if (!id.startsWith(`${name}.`) || at === undefined) continue
        moments++
        const path = `/v1/flow/options/${day.symbol}`
        expect(await body(`${path}/summary`, at)).toMatchObject(expected as object)
        const { trades } = await body(`${path}/recent?limit=5`, at)
        expect(trades).toHaveLength(5)
        for (const { ts } of trades) expect(Date.parse(ts)).toBeLessThanOrEqual(timeOf(day.session as IsoDate, at))
      }
      expect(moments).toBeGreaterThan(3)
      if (name === 'goog') expect(await body('/v1/flow/levels/GOOG', '12:00:00')).toMatchObject({ symbol: 'GOOG' })
      const without = await past(`/v1/flow/options/SPY/summary?at=${day.session}T12:00:00`)
      expect(without.statusCode).toBe(404)
    } finally {
      await close()
    }
  }
})

const sample = join(data, 'vendor-samples/thetadata/history-trade-quote.csv')

test.skipIf(!existsSync(sample))('prints of another vendor come with the quotes they were made against', async () => {
  const options = {
    columns: thetadata,
    symbol: undefined,
    conditions: undefined,
    archive: { writeTableText: noParquet }
  }
  const { tapes, rejections } = await take((writer) => importPrints([sample], { ...options, now }, writer))
  expect(rejections).toEqual([])
  const stored = tapes.stored({ symbol: 'SPY' as Ticker, kind: 'option', session: '2024-06-14' as IsoDate })!
  const { prints } = decodeTape(stored)
  expect(prints.length).toBeGreaterThan(0)
  expect(prints.sequence.every((sequence) => sequence < 0)).toBe(true)
  expect(prints.bid.every((bid, at) => bid > 0 && prints.ask[at] > bid)).toBe(true)
  expect((prints.flags[0] & MARKED) !== 0).toBe(true) // an electronic multi-leg trade
})
