import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { figuresAlone } from '../../src/app/past-figures.ts'
import type { DatabaseStore } from '../../src/archive/clickhouse/database-store.ts'
import { openHistory } from '../../src/archive/open.ts'
import { createSynthetic } from '../../src/connectors/synthetic/synthetic-connector.ts'
import { seriesFieldNames } from '../../src/endpoints/series/fields.ts'
import type { ImportFormat } from '../../src/imports/import-formats.ts'
import type { Job } from '../../src/jobs/job.ts'
import { runJob } from '../../src/jobs/run-job.ts'
import { addDays, session } from '../../src/market/calendar.ts'
import type { FigureColumns } from '../../src/market/figure-row.ts'
import { type HeldStrikes, strikeFigures } from '../../src/market/strike-sums.ts'
import { type IsoDate, MILLISECONDS_PER_DAY, MILLISECONDS_PER_MINUTE, type Ticker } from '../../src/market/units.ts'
import { type Assumptions, defaultAssumptions, ratesIndexOf } from '../../src/pricing/assumptions.ts'
import { folderWith } from '../imports/take.ts'
import { recordedPayloads } from '../support/cboe-payload.ts'
import { dataFolder, hasEngine } from '../support/engine.ts'
import { madeUpAssumptions } from '../support/made-up.ts'

// Rows of figures as jobs make them, of chains in hand and anew, in whatever order things come into the archive.

const [KO, SPX, SPY] = ['KO', 'SPX', 'SPY'] as Ticker[]
const [tuesday, wednesday] = ['2026-07-28', '2026-07-29'].map((date) => session(date as IsoDate)!)
/** Backfills end before it. */
const asOf = wednesday.close + MILLISECONDS_PER_MINUTE
const later = Number.MAX_SAFE_INTEGER
const payloads = recordedPayloads()
const isHere = hasEngine ? '' : ' (skipped: the engine is not here)'

interface Opened {
  readonly store: DatabaseStore
  readonly run: (job: Job) => Promise<void>
  readonly makeAnew: (symbol: Ticker, date: IsoDate) => Promise<number>
}

/** Works with a new archive, which a process has one of at a time. */
async function withArchive<Result>(
  assumptions: Assumptions,
  work: (opened: Opened) => Promise<Result>
): Promise<Result> {
  const ratesIndex = ratesIndexOf(assumptions)
  const versions = { recordVersion: 1, figureVersion: 'one', ratesIndex }
  const { store } = await openHistory({ data: dataFolder(), history: 'embedded', ...versions })
  if (store === undefined) throw new Error('the engine is here')
  try {
    const figures = await figuresAlone(store, { seed: 1, assumptions })
    const context = { store, seed: 1, assumptions, now: asOf + MILLISECONDS_PER_DAY, figures }
    const listener = { onNote: () => {}, signal: new AbortController().signal }
    return await work({
      store,
      run: async (job) => void (await runJob(job, context, listener)),
      async makeAnew(symbol, date) {
        const { open, close } = session(date)!
        const moments = (await store.moments(symbol, open - 1e7, close + 1e7)).map(({ asOf }) => asOf)
        return (await figures.makeFigures({ symbol, date, moments })).made
      }
    })
  } finally {
    await store.close()
  }
}

interface Kept {
  readonly figures: FigureColumns
  readonly strikes: readonly (readonly HeldStrikes[])[]
}

/** Everything that rows hold of a symbol on the two days. */
async function kept(store: DatabaseStore, symbol: Ticker): Promise<Kept> {
  const [from, to] = [tuesday.open - 1e7, wednesday.close + 1e7]
  const request = { symbol, fields: seriesFieldNames, from, to, until: to, closed: wednesday.date, every: 1000 }
  const asked = [tuesday, wednesday].flatMap(({ date }) => strikeFigures.map((figure) => ({ date, figure })))
  return {
    figures: await store.figures(request),
    strikes: await Promise.all(asked.map((what) => store.strikes({ symbol, every: 1000, ...what }, to)))
  }
}

const waitingOf = async (store: DatabaseStore) =>
  (await store.waitingFigures(later)).map(({ symbol, date, moments }) => `${symbol} ${date} ${moments.length}`)

describe.skipIf(!hasEngine)(`rows of chains in hand${isHere}`, () => {
  test('are those that are made of the archive, prints included, and wait for nothing', async () => {
    await withArchive(madeUpAssumptions, async ({ store, run, makeAnew }) => {
      await run({ work: 'backfill', days: 1, symbols: [KO], every: 30 * MILLISECONDS_PER_MINUTE, asOf })
      const inHand = await kept(store, KO)
      expect([inHand.figures.t.length, inHand.figures.waiting, await waitingOf(store)]).toEqual([14, [], []])
      expect(inHand.figures.columns[seriesFieldNames.indexOf('flow.net_gex_live')].every(Number.isFinite)).toBe(true)
      expect(inHand.strikes.at(-1)!.every(({ sums }) => sums!.strikes.length > 10)).toBe(true)
      expect(await makeAnew(KO, wednesday.date)).toBe(14)
      expect(await kept(store, KO)).toEqual(inHand)
    })
  }, 300_000)

  test.skipIf(payloads === undefined)(
    `are so of a recorded import too${payloads === undefined ? ' (skipped: no recorded payloads)' : ''}`,
    async () => {
      await withArchive(defaultAssumptions, async ({ store, run, makeAnew }) => {
        await run({ work: 'import', format: 'cboe', paths: [join(payloads!, 'SPY-2026-07-29.json.gz')] })
        const [day] = (await store.coverage(SPY))!.days
        const { open, close, date } = session(day.date)!
        const request = { symbol: SPY, fields: seriesFieldNames, from: open, to: close, until: close, closed: date }
        const read = async () => [
          await store.figures({ ...request, every: 1000 }),
          await store.strikes({ symbol: SPY, date, figure: 'gex', every: 1000 }, close)
        ]
        const inHand = await read()
        expect(await makeAnew(SPY, date)).toBe(day.snapshots)
        expect(await read()).toEqual(inHand)
      })
    },
    300_000
  )
})

const oneOf = (work: ImportFormat, name: string, text: string): Job => ({
  work: 'import',
  format: work,
  paths: [folderWith({ [name]: text })]
})

/**
 * Jobs that write each kind of input of KO's figure rows, by name. KO and the index whose close gives the rates have
 * two days each.
 */
async function things(): Promise<Readonly<Record<string, readonly Job[]>>> {
  const ends = (symbol: Ticker): Job => ({
    work: 'backfill',
    days: 2,
    symbols: [symbol],
    every: 390 * MILLISECONDS_PER_MINUTE,
    tapes: [],
    asOf
  })
  const chain = (await createSynthetic({ seed: 1 }).chain(KO, wednesday.open, new AbortController().signal))!
  const { date: expiration, start } = chain.expirations[2]
  const print = (time: string, price: number) =>
    `KO,${expiration},${chain.strike[start]},C,${wednesday.date},${time},${price},50,${price - 0.1},${price}`
  const prints = (price: number) =>
    [
      'symbol,expiration,strike,right,date,time,price,size,bid,ask',
      print('10:00:00', price),
      print('12:00:00', price),
      ''
    ].join('\n')
  const bars = ['date,open,high,low,close,volume', '2026-07-27,1,2,0.5,1.5,100', ''].join('\n')
  const dividends = (amount: number, declared: IsoDate) =>
    ['symbol,ex_date,amount,declared', `KO,${addDays(wednesday.date, 15)},${amount},${declared}`, ''].join('\n')
  return {
    chains: [ends(KO)],
    rates: [ends(SPX)],
    // The second says that it was declared a day later: rows of the first day rest on none after all.
    dividends: [
      oneOf('dividends', 'dividends.csv', dividends(0.9, '2026-07-01' as IsoDate)),
      oneOf('dividends', 'dividends.csv', dividends(0.7, '2026-07-28' as IsoDate))
    ],
    prints: [oneOf('prints', 'prints.csv', prints(3)), oneOf('prints', 'prints.csv', prints(5))],
    bars: [oneOf('daily', 'KO.csv', bars), oneOf('daily', 'VIX.csv', bars)]
  }
}

describe.skipIf(!hasEngine)(`what comes after rows were made${isHere}`, () => {
  test('outdates those that rest on it, and they end as if it had been there before', async () => {
    const { chains, rates, dividends, prints, bars } = await things()
    const { after, steps } = await withArchive(defaultAssumptions, async ({ store, run }) => {
      const steps: Kept[] = []
      for (const job of [...chains, ...rates, ...dividends, ...prints]) {
        await run(job)
        expect(await waitingOf(store)).toEqual([])
        steps.push(await kept(store, KO))
      }
      for (const job of bars) await run(job)
      return { after: await kept(store, KO), steps }
    })
    for (const [k, step] of steps.entries()) expect(step, `step ${k}`).not.toEqual(steps[k - 1])
    expect(after, 'bars, on which no row rests').toEqual(steps.at(-1))
    const before = await withArchive(defaultAssumptions, async ({ store, run }) => {
      for (const job of [...bars, ...prints.slice(-1), ...dividends.slice(-1), ...rates, ...chains]) await run(job)
      return kept(store, KO)
    })
    expect(after).toEqual(before)
  }, 600_000)

  test('hides them from answers until they are made', async () => {
    const { chains } = await things()
    await withArchive(defaultAssumptions, async ({ store, run, makeAnew }) => {
      for (const job of chains) await run(job)
      const exDate = addDays(wednesday.date, 15)
      await store.writeDividends(KO, [{ exDate, amount: 0.9, knownFrom: wednesday.open }])
      const found = await kept(store, KO)
      expect([...found.figures.t]).toEqual([tuesday.open, tuesday.close])
      expect(found.figures.waiting).toEqual([{ from: wednesday.open, to: wednesday.close }])
      expect(found.strikes.at(-1)!.map(({ sums }) => sums)).toEqual([undefined, undefined])
      expect(await waitingOf(store)).toEqual([`KO ${wednesday.date} 2`])
      expect(await makeAnew(KO, wednesday.date)).toBe(2)
      expect(await waitingOf(store)).toEqual([])
    })
  }, 300_000)
})
