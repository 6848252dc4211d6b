import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpoints } from '../../../src/endpoints/index.ts'
import { macroSeries, macroSeriesOf, seriesBar } from '../../../src/market/macro-series.ts'
import type { IsoDate } from '../../../src/market/units.ts'
import type { ArchiveRows } from '../../support/archive-rows.ts'
import { type MemoryStore, memoryStore } from '../../support/memory-store.ts'
import { recordedDay } from '../../support/recorded-days.ts'
import { type ReplayService, replayService } from '../../support/replay.ts'

let rows: ArchiveRows
let history: MemoryStore
let service: ReplayService

/** Values that say of which day they are: 28 of 2026-07-28. */
const imported = ['2026-07-24', '2026-07-27', '2026-07-28', '2026-07-29', '2026-07-30'].map((date) =>
  seriesBar(date as IsoDate, Number(date.slice(-2)))
)

beforeAll(async () => {
  const day = await recordedDay('2026-07-29')
  rows = { ...day, bars: day.bars.filter(({ symbol }) => macroSeriesOf(symbol) === undefined) }
  history = memoryStore(rows)
  for (const { symbol } of Object.values(macroSeries)) await history.writeBars(symbol, imported, 'imported')
  service = replayService({ history, endpoints })
})
afterAll(() => service.close())

async function macroAt(moment: string, asked = service) {
  const [vrp, summary] = await Promise.all(
    ['/v1/vrp/KO', '/v1/stock/KO/summary'].map((path) => asked.past(`${path}?at=2026-07-29T${moment}`))
  )
  const { dgs10, hy_spread, fed_funds } = vrp.json().macro
  const { move, fear_and_greed } = summary.json().macro
  return { dgs10, hy_spread, fed_funds, move: move?.value, change: move?.change, mood: fear_and_greed?.score }
}

test.each([
  ['09:31:00', 27, 28, 1],
  ['15:59:30', 27, 28, 1],
  ['16:00:00', 27, 28, 1],
  ['16:14:59', 27, 28, 1],
  ['16:15:00', 27, 29, 1],
  ['17:59:59', 27, 29, 1],
  ['18:00:00', 28, 29, 1]
])('at %s an imported rate is that of July %i and the MOVE index that of July %i', async (at, rate, index, change) => {
  expect(await macroAt(at)).toEqual({
    dgs10: rate,
    hy_spread: rate,
    fed_funds: rate,
    move: index,
    change,
    mood: rate
  })
})

test('where nothing was imported they are null, and never a filler', async () => {
  const bare = replayService({ history: memoryStore(rows), endpoints })
  const nothing = { dgs10: null, hy_spread: null, fed_funds: null, move: undefined, change: undefined, mood: undefined }
  expect(await macroAt('12:00:00', bare)).toEqual(nothing)
  await bare.close()
})
