import { expect, test } from 'vitest'
import { createSynthetic } from '../../src/connectors/synthetic/synthetic-connector.ts'
import type { CoarseSessions } from '../../src/jobs/job.ts'
import { type JobListener, type JobOutcome, type JobStore, runJob } from '../../src/jobs/run-job.ts'
import { session } from '../../src/market/calendar.ts'
import type { Chain } from '../../src/market/chain.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { iso } from '../imports/take.ts'
import { jobStore } from '../support/job-store.ts'
import { madeUpAssumptions } from '../support/made-up.ts'
import { memoryStore } from '../support/memory-store.ts'

const AAPL = 'AAPL' as Ticker
const friday = session('2026-11-27' as IsoDate)! // a half day, after Thanksgiving
const wednesday = session('2026-11-25' as IsoDate)!
const minutes = 60_000

function backfilled(
  memory: ReturnType<typeof memoryStore>,
  {
    days = 2,
    symbols = ['AAPL'],
    every = 60 * minutes,
    closes,
    coarse,
    now = friday.close + minutes,
    ...listener
  }: Partial<JobListener> & Record<string, unknown> = {}
): Promise<JobOutcome> {
  const store: JobStore = jobStore(memory)
  const job = {
    work: 'backfill',
    days: Number(days),
    symbols: symbols as readonly Ticker[],
    every: Number(every),
    closes: closes as number | undefined,
    coarse: coarse as CoarseSessions | undefined,
    tapes: [] // test/jobs/past-tapes.test.ts makes some
  } as const
  return runJob(
    job,
    { store, seed: 1, assumptions: madeUpAssumptions, now: Number(now) },
    { onNote: () => {}, signal: new AbortController().signal, ...listener }
  )
}

test('every step of each session is written, its close too, as the live service would have seen it', async () => {
  const store = memoryStore()
  const { tally, complete } = await backfilled(store)
  expect(complete).toBe(true)
  const days = (await store.coverage(AAPL))?.days
  expect(days?.map(({ date, snapshots, fidelity, missing }) => [date, snapshots, fidelity, missing])).toEqual([
    ['2026-11-25', 8, 'recorded', ['trade_tape']], // 09:30 to 15:30, and 16:00
    ['2026-11-27', 5, 'recorded', ['trade_tape']] // 09:30 to 12:30, and 13:00
  ])
  expect(tally.snapshots).toBe(13)
  const noon = wednesday.open + 120 * minutes
  const held = (await store.snapshot(AAPL, noon + 1))?.packed as Chain
  const live = await createSynthetic({ seed: 1 }).chain(AAPL, noon, new AbortController().signal)
  expect(held).toEqual(live)
  expect(iso((await store.closingSnapshot(AAPL, friday.date))!.asOf)).toBe('2026-11-27T18:00:00.000Z')
})

test('bars reach back to the first session, and each day has its record', async () => {
  const store = memoryStore()
  await backfilled(store)
  const bars = await store.bars(AAPL, friday.close, 10_000)
  expect(bars.length).toBeGreaterThan(2400)
  expect(bars.at(-1)?.date).toBe('2026-11-27')
  const records = await store.records(AAPL, '2026-12-01' as IsoDate, 10)
  expect(records.map(({ date }) => date)).toEqual(['2026-11-25', '2026-11-27'])
  expect(records[1]).toMatchObject({ close: bars.at(-1)?.close, atmIv: expect.any(Number), netGex: expect.any(Number) })
})

test('a session that still runs is not made', async () => {
  const store = memoryStore()
  const memory = jobStore(store)
  const job = { work: 'backfill', days: 1, symbols: [AAPL], every: 60 * minutes, tapes: [] } as const
  const context = { store: memory, seed: 1, assumptions: madeUpAssumptions, now: friday.close - 1 }
  await runJob(job, context, { onNote: () => {}, signal: new AbortController().signal })
  expect((await store.coverage(AAPL))?.days.map(({ date }) => date)).toEqual(['2026-11-25'])
})

test('it ends before the moment it is told to stand at, whatever day it is by the clock', async () => {
  const store = memoryStore()
  const job = {
    work: 'backfill',
    days: 1,
    symbols: [AAPL],
    every: 60 * minutes,
    tapes: [],
    asOf: wednesday.close - 1
  } as const
  const context = { store: jobStore(store), seed: 1, assumptions: madeUpAssumptions, now: friday.close }
  await runJob(job, context, { onNote: () => {}, signal: new AbortController().signal })
  expect((await store.coverage(AAPL))?.days.map(({ date }) => date)).toEqual(['2026-11-24'])
})

test('it goes on where it was ended: complete days are passed over and no snapshot is there twice', async () => {
  const store = memoryStore()
  const stopping = new AbortController()
  let written = 0
  const watched = {
    ...store,
    async writeSnapshots(snapshots: Parameters<typeof store.writeSnapshots>[0]) {
      await store.writeSnapshots(snapshots)
      written += snapshots.length
    }
  }
  const onNote: JobListener['onNote'] = (note) => {
    if (note.kind === 'progress' && note.what.endsWith('2026-11-27')) stopping.abort()
  }
  const first = await backfilled(watched, { onNote, signal: stopping.signal })
  expect(first.complete).toBe(false)
  const before = written
  const again = await backfilled(watched)
  expect(again).toMatchObject({ complete: true, tally: { leftOut: 5 } })
  expect(written).toBe(13)
  expect(before).toBe(5)
  expect((await backfilled(watched)).tally).toMatchObject({ snapshots: 0, leftOut: 13 })
})

/** A store, and the moments that are written to it in their order, each with the first letter of its symbol. */
function watchedStore() {
  const store = memoryStore()
  const order: string[] = []
  const watched = {
    ...store,
    async writeSnapshots(snapshots: Parameters<typeof store.writeSnapshots>[0]) {
      order.push(...snapshots.map(({ chain }) => `${chain.symbol[0]} ${iso(chain.asOf).slice(5, 16)}`))
      await store.writeSnapshots(snapshots)
    }
  }
  return { store, watched, order }
}

test('newest sessions come first at large steps, then closes, then every step, each the newest first', async () => {
  const { store, watched, order } = watchedStore()
  const now = friday.open + 90 * minutes
  const job = { days: 1, closes: 3, coarse: { sessions: 2, every: 120 * minutes }, now }
  await backfilled(watched, job)
  expect(order).toEqual(
    [
      ...['11-27T14:30', '11-27T15:30'],
      ...['11-25T14:30', '11-25T16:30', '11-25T18:30', '11-25T20:30'],
      ...['11-25T21:00', '11-24T21:00', '11-23T21:00'], // the day of Thanksgiving has no session
      ...['11-25T15:30', '11-25T17:30', '11-25T19:30']
    ].map((at) => `A ${at}`)
  )
  const records = await store.records(AAPL, '2026-12-01' as IsoDate, 10)
  expect(records.map(({ date }) => date)).toEqual(['2026-11-23', '2026-11-24', '2026-11-25'])
  const alone = memoryStore()
  await backfilled(alone, { days: 3, now })
  expect(records).toEqual(await alone.records(AAPL, '2026-12-01' as IsoDate, 10))
  const before = order.length
  expect((await backfilled(watched, job)).tally.snapshots).toBe(0)
  expect(order).toHaveLength(before)
})

test('progress counts each snapshot once', async () => {
  const told: (readonly [done: number, total: number])[] = []
  const onNote: JobListener['onNote'] = (note) => {
    if (note.kind === 'progress' && note.what.startsWith('AAPL ')) told.push([note.done, note.total])
  }
  const coarse = { sessions: 2, every: 120 * minutes }
  const { tally } = await backfilled(memoryStore(), { days: 2, closes: 3, coarse, onNote })
  expect(tally.snapshots).toBe(14) // 13 of two sessions, and the close of a third
  expect(told.at(-1)).toEqual([14, 14])
  expect(told.map(([done]) => done)).toEqual(told.map(([done]) => done).sort((a, b) => a - b))
})

test('the first symbol is seen whole before anything is made for another', async () => {
  const { store, watched, order } = watchedStore()
  const now = friday.close + 24 * 60 * minutes
  const job = {
    days: 1,
    closes: 2,
    coarse: { sessions: 1, every: 120 * minutes },
    symbols: ['MSFT', 'AAPL'],
    now
  }
  const told: (readonly [early: string, written: number])[] = []
  const stored: number[] = []
  const onNote: JobListener['onNote'] = (note) => {
    if (note.kind !== 'progress' || note.early === undefined) return
    told.push([note.early.join(), order.length])
    if (note.symbol === 'MSFT' && note.early.length < 2) stored.push(note.stored!)
  }
  await backfilled(watched, { ...job, onNote })
  // A symbol is told once all that comes first of it is written, and how much of it is stored at each write.
  expect([...new Set(stored)]).toEqual([0, 3, 5])
  expect(told.find(([early]) => early === 'MSFT')?.[1]).toBe(5)
  expect(told.find(([early]) => early === 'MSFT,AAPL')?.[1]).toBe(10)
  const early = ['11-27T14:30', '11-27T16:30', '11-27T17:30', '11-27T18:00', '11-25T21:00']
  const late = ['11-27T15:30']
  const of = (moments: readonly string[]) => ['M', 'A'].flatMap((symbol) => moments.map((at) => `${symbol} ${at}`))
  expect(order).toEqual([...of(early), ...of(late)])
  for (const symbol of job.symbols as readonly string[] as readonly Ticker[]) {
    const records = await store.records(symbol, '2026-12-01' as IsoDate, 10)
    expect(records.map(({ date }) => date)).toEqual(['2026-11-25', '2026-11-27'])
  }
  expect((await backfilled(watched, job)).tally.snapshots).toBe(0)
})

test('a session of which some moments are held gets the others, and none of it twice', async () => {
  const { watched, order } = watchedStore()
  const now = friday.close - minutes
  await backfilled(watched, { days: 1, every: 240 * minutes, now: friday.close })
  order.length = 0
  const coarse = { sessions: 1, every: 60 * minutes }
  await backfilled(watched, { days: 1, every: 30 * minutes, coarse, now })
  expect(order.filter((at) => at.startsWith('A 11-27'))).toEqual(
    ['15:30', '16:30', '17:30', '15:00', '16:00', '17:00'].map((at) => `A 11-27T${at}`)
  )
})

test('a day that was ended half way is made to its close at larger steps too', async () => {
  const store = memoryStore()
  const stopping = new AbortController()
  const onNote: JobListener['onNote'] = (note) => {
    if (note.kind === 'progress') stopping.abort() // after twenty of its snapshots
  }
  await backfilled(store, { days: 1, every: 5 * minutes, onNote, signal: stopping.signal })
  expect((await store.coverage(AAPL))?.days[0].snapshots).toBe(20)
  await backfilled(store, { days: 1, every: 60 * minutes })
  expect(iso((await store.closingSnapshot(AAPL, friday.date))!.asOf)).toBe('2026-11-27T18:00:00.000Z')
})

test('a symbol that the market does not know is refused before anything is written', async () => {
  const store = memoryStore()
  await expect(backfilled(store, { symbols: ['AAPL', 'NOSUCH'] })).rejects.toThrow(
    'the synthetic market does not know NOSUCH'
  )
  expect(await store.symbols()).toEqual([])
})
