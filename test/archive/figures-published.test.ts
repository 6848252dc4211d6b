import { expect, test } from 'vitest'
import { openHistory } from '../../src/archive/open.ts'
import { session } from '../../src/market/calendar.ts'
import type { FigureRow } from '../../src/market/figure-row.ts'
import { PAR_YIELDS, seriesBar } from '../../src/market/macro-series.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { dataFolder, hasEngine } from '../support/engine.ts'
import { sketched } from '../support/hand-made.ts'

const isHere = `${hasEngine ? '' : ' (skipped: the engine is not here)'}`
const symbol = 'KO' as Ticker
const [before, day] = ['2026-07-28', '2026-07-29'] as readonly string[] as readonly IsoDate[]
const asOf = session(day)!.open + 60_000
const series = [{ date: '2026-12-18', strikes: [90, 100, 110] }]
const chain = { ...sketched({ symbol, date: day, time: '12:00', spot: 100, series }), asOf }
const row: FigureRow = { symbol, asOf, figures: { net_gex: 1 } }

test.skipIf(!hasEngine)(`rows wait once yields of a day before them were written${isHere}`, async () => {
  const versions = { recordVersion: 1, figureVersion: 'one', ratesIndex: PAR_YIELDS }
  const { store } = await openHistory({ data: dataFolder(), history: 'embedded', ...versions })
  if (store === undefined) throw new Error('the engine is here')
  try {
    const waiting = async () => (await store.waitingFigures(Number.MAX_SAFE_INTEGER)).map(({ date }) => date)
    const write = (name: string, date: IsoDate) => store.writeBars(name as Ticker, [seriesBar(date, 4)], 'imported')
    const make = async () => store.writeFigures([row], await store.clock())
    await store.writeSnapshots([{ chain, fidelity: 'recorded', missing: [] }])
    expect(await waiting()).toEqual([day])
    await make()
    expect(await waiting()).toEqual([])
    await write('^DGS3MO', before)
    expect(await waiting()).toEqual([day])
    await make()
    await write('^SOFR', before)
    expect(await waiting()).toEqual([day])
    await make()
    await write('^DGS3MO', day) // which is not out before the session
    await write('^MOVE', before) // which is no rate
    expect(await waiting()).toEqual([])
    const request = { symbol, fields: ['net_gex'], from: asOf - 1, to: asOf, until: asOf, closed: before, every: 1000 }
    expect((await store.figures(request)).columns).toEqual([Float64Array.of(1)])
  } finally {
    await store.close()
  }
})
