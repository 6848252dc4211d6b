import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DatabaseStore } from '../../src/archive/clickhouse/database-store.ts'
import { TapeWriter } from '../../src/archive/codec/encode-tape.ts'
import type { HistoryStore } from '../../src/archive/history-store.ts'
import { openHistory } from '../../src/archive/open.ts'
import { session } from '../../src/market/calendar.ts'
import type { FigureRequest, FigureRow } from '../../src/market/figure-row.ts'
import { emptyPrints } from '../../src/market/print.ts'
import type { Instant, IsoDate, Ticker } from '../../src/market/units.ts'
import { madeUpSeries } from '../flow/made-up-tape.ts'
import { dataFolder, hasEngine } from '../support/engine.ts'
import { sketched } from '../support/hand-made.ts'
import { memoryStore } from '../support/memory-store.ts'

const symbol = 'SPY' as Ticker
const minute = 60_000
/** A half day, the next trading day, which ends early for the recorder, and one on the other clock of New York. */
const [half, short, spring] = ['2026-11-27', '2026-11-30', '2026-03-10'].map((date) => session(date as IsoDate)!)
const { open, close } = half

/** Before the open, within a minute, over two buckets, in the last minutes, at the close and after it. */
const momentsOfHalf = [
  open - minute,
  open,
  open + 1,
  open + 59_999,
  open + minute,
  open + 5 * minute - 1,
  open + 5 * minute,
  open + 61 * minute,
  close - 6 * minute,
  close - 31_000,
  close,
  close + 1000,
  close + 10 * minute
]
const momentsOfShort = [short.open + minute, short.close - 6 * minute]
const momentsOfSpring = [spring.open, spring.close - 4 * minute]
const moments = [...momentsOfSpring, ...momentsOfHalf, ...momentsOfShort]

const series = [{ date: '2026-12-18', strikes: [90, 100, 110] }]
const snapshotAt = (asOf: Instant, of: Ticker = symbol) => {
  const chain = { ...sketched({ symbol: of, date: '2026-11-27', time: '12:00', spot: 100, series }), asOf }
  return { chain, fidelity: 'imported', missing: [] } as const
}
const rowAt = (asOf: Instant, of: Ticker = symbol, of2 = 0): FigureRow => ({
  symbol: of,
  asOf,
  figures: {
    underlying_price: 100 + (asOf % 7919),
    net_gex: (asOf % 1e9) / 7 + of2,
    gamma_flip: asOf % 2 === 0 ? undefined : -0.1,
    'zero_dte.magnet': 0
  }
})

const fields = ['gamma_flip', 'net_gex', 'zero_dte.magnet', 'never']
const steps = [minute, 5 * minute, 60 * minute, 'session'] as const

const request = (more: Partial<FigureRequest>): FigureRequest => ({
  symbol,
  fields,
  from: spring.open - 1e9,
  to: short.close + 1e9,
  until: short.close + 1e9,
  closed: short.date,
  every: minute,
  ...more
})

const versions = { recordVersion: 1, figureVersion: "['one']" }
const isHere = `${hasEngine ? '' : ' (skipped: the engine is not here)'}`

describe.skipIf(!hasEngine)(`figures over time in the database${isHere}`, () => {
  const data = dataFolder()
  let store: DatabaseStore
  const slow = memoryStore()

  beforeAll(async () => {
    store = (await openHistory({ data, history: 'embedded', ...versions })).store!
    for (const archive of [store, slow]) {
      await archive.writeSnapshots(moments.map((at) => snapshotAt(at)))
      await archive.writeSnapshots([snapshotAt(open, 'QQQ' as Ticker)])
      await archive.writeFigures(
        moments.map((at) => rowAt(at, symbol, 1)),
        await archive.clock()
      ) // replaced by the next
      await archive.writeFigures(
        [...moments.map((at) => rowAt(at)), rowAt(open, 'QQQ' as Ticker)],
        await archive.clock()
      )
    }
  })
  afterAll(() => store.close())

  test.each(steps)('are thinned as a slow reading of the rules thins them, every %s', async (every) => {
    const ends = [spring.open + 1, open, open + 30_000, open + 5 * minute - 1, close - 31_000, close + 1, short.close]
    for (const from of ends) {
      for (const to of ends.filter((end) => end >= from)) {
        for (const until of [to, short.close + 1e9]) {
          const asked = request({ from, to, until, every, closed: until >= short.close ? short.date : half.date })
          expect(await store.figures(asked), JSON.stringify(asked)).toEqual(await slow.figures(asked))
        }
      }
    }
  })

  test.each(steps)('are sampled for bars as a slow reading of the rules samples them, every %s', async (every) => {
    const sampled = { fields: ['net_gex', 'underlying_price'], every, sampled: true } as const
    const ends = [spring.open + 1, open, close - 31_000, close + 1, short.close]
    for (const from of ends) {
      for (const to of ends.filter((end) => end >= from)) {
        for (const closed of [short.date, half.date]) {
          const asked = request({ ...sampled, from, to, until: to, closed })
          expect(await store.figures(asked), JSON.stringify(asked)).toEqual(await slow.figures(asked))
        }
      }
    }
  })

  test('come back to the last bit, in the order of the fields that are asked for', async () => {
    const { t, columns, waiting } = await store.figures(request({ from: open, to: open + 1 }))
    expect([...t]).toEqual([open + 1])
    expect(columns.map(([figure]) => figure)).toEqual([-0.1, ((open + 1) % 1e9) / 7, 0, Number.NaN])
    expect(waiting).toEqual([])
  })

  test('hold what was recorded after the close in the last part of the session, and no half session for a whole one', async () => {
    const minutes = await store.figures(request({ from: close - 7 * minute, to: close + 1e7 }))
    expect([...minutes.t]).toEqual([close - 6 * minute, close - 31_000, close + 10 * minute])
    const days = await store.figures(request({ every: 'session' }))
    expect([...days.t]).toEqual([spring.close - 4 * minute, close + 10 * minute])
    const before = await store.figures(request({ every: 'session', until: close + 1000, to: close + 1000 }))
    expect([...before.t]).toEqual([spring.close - 4 * minute, close + 1000])
    const during = await store.figures(request({ every: 'session', until: close - 31_000, closed: spring.date }))
    expect([...during.t]).toEqual([spring.close - 4 * minute])
  })

  test('are waited for where the formulas have changed, a snapshot came anew or a tape came later', async () => {
    const other = await openAgain(data, "['two']", store)
    try {
      const found = await other.figures(request({}))
      expect([...found.t]).toEqual([])
      expect(found.waiting).toEqual([
        { from: spring.open, to: spring.close - 4 * minute },
        { from: open - minute, to: close + 10 * minute },
        { from: momentsOfShort[0], to: momentsOfShort[1] }
      ])
      const days = await other.waitingFigures(close, symbol)
      expect(days).toEqual([
        { symbol, date: half.date, moments: momentsOfHalf.filter((at) => at < close) },
        { symbol, date: spring.date, moments: momentsOfSpring }
      ])
      expect((await other.waitingFigures(Number.MAX_SAFE_INTEGER)).map((day) => `${day.symbol} ${day.date}`)).toEqual([
        `SPY ${short.date}`,
        `QQQ ${half.date}`,
        `SPY ${half.date}`,
        `SPY ${spring.date}`
      ])
      await other.writeFigures([rowAt(momentsOfShort[0])], await other.clock())
      await other.writeSnapshots([snapshotAt(momentsOfShort[0])])
      const anew = await other.figures(request({ from: short.open }))
      expect([[...anew.t], anew.waiting]).toEqual([[], [{ from: momentsOfShort[0], to: momentsOfShort[1] }]])
      await other.writeFigures([rowAt(momentsOfShort[0])], await other.clock())
      const made = await other.figures(request({ from: short.open }))
      expect([[...made.t], made.waiting]).toEqual([
        [momentsOfShort[0]],
        [{ from: momentsOfShort[1], to: momentsOfShort[1] }]
      ])
    } finally {
      await other.close()
      store = (await openHistory({ data, history: 'embedded', ...versions })).store!
      await store.writeFigures([rowAt(momentsOfShort[0])], await store.clock())
    }
  })

  test('are shown, newest of a part, beside those of the part that lack what is made of prints, and these are waited for', async () => {
    const of = 'DIA' as Ticker
    const [lacking, whole, later, last] = [open, open + 1000, open + minute, open + minute + 1000]
    const writer = new TapeWriter()
    const tape = { symbol: of, kind: 'option', session: half.date, source: 'recorded', unit: 0.01 } as const
    const rows = { prints: emptyPrints(1), from: 0, to: 1, position: 0 }
    writer.add({ ...tape, ...rows, series: madeUpSeries, withHead: true, firstSeries: 0 })
    const text = writer.take()
    for (const archive of [store, slow]) {
      await archive.writeSnapshots([lacking, whole, later, last].map((at) => snapshotAt(at, of)))
      await archive.writeTapes(text)
      const made = [lacking, whole, later, last].map((at) => {
        const row = rowAt(at, of)
        const ofPrints = at === lacking || at === last ? {} : { 'flow.net_premium': at % 1e9 }
        return { ...row, figures: { ...row.figures, ...ofPrints } }
      })
      await archive.writeFigures(made, await archive.clock())
      const asked = request({ symbol: of, fields: ['net_gex', 'flow.net_premium'] })
      const { t, columns, waiting } = await archive.figures(asked)
      expect([...t]).toEqual([whole, last])
      expect(columns.map((column) => [...column])).toEqual([
        [whole, last].map((at) => (at % 1e9) / 7),
        [whole % 1e9, Number.NaN]
      ])
      expect(waiting).toEqual([{ from: lacking, to: last }])
      // Fields that are computed without prints wait for none.
      expect((await archive.figures({ ...asked, fields: ['net_gex'] })).waiting).toEqual([])
    }
  })

  test.each(['csv', 'arrow', 'parquet'] as const)('are written into a file of the format %s', async (format) => {
    const path = join(data, `figures.${format}`)
    const span = { symbol, from: half.open - 1e7, to: close + 1e7 }
    await store.exportFigures({ ...span, fields: ['net_gex', 'gamma_flip', 'zero_dte.magnet'], format }, path)
    if (format === 'csv') {
      const [heading, first, second] = readFileSync(path, 'utf8').split('\n')
      expect(heading).toBe('"symbol","ts","net_gex","gamma_flip","zero_dte.magnet"')
      expect(first).toBe(`"SPY","2026-11-27 14:30:00.000",${(open % 1e9) / 7},,0`)
      expect(second).toContain(',-0.1,0')
    } else expect(readFileSync(path).length).toBeGreaterThan(500)
    rmSync(path)
  })

  test('go with their snapshots', async () => {
    const rows = async () => (await store.figures(request({ symbol: 'IWM' as Ticker }))).t.length
    const recorded = { ...snapshotAt(half.open, 'IWM' as Ticker), fidelity: 'recorded' } as const
    await store.writeSnapshots([recorded])
    await store.writeFigures([rowAt(half.open, 'IWM' as Ticker)], await store.clock())
    expect(await rows()).toBe(1)
    await store.deleteBefore(half.close, { keepCloses: false })
    expect(await rows()).toBe(0)
  })
})

/** Reopens the archive as a program with other formulas would. A folder belongs to one process at a time. */
async function openAgain(data: string, figureVersion: string, open: HistoryStore): Promise<DatabaseStore> {
  await open.close()
  return (await openHistory({ data, history: 'embedded', ...versions, figureVersion })).store!
}
