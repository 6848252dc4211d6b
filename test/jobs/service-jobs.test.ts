import { expect, test } from 'vitest'
import { emptyTally } from '../../src/imports/import-writer.ts'
import type { JobContext, JobStore } from '../../src/jobs/run-job.ts'
import { serviceJobs } from '../../src/jobs/service-jobs.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { type Assumptions, defaultAssumptions, flatRate } from '../../src/pricing/assumptions.ts'
import { jobStore } from '../support/job-store.ts'
import { recordOf } from '../support/made-up-records.ts'
import { memoryStore } from '../support/memory-store.ts'

const store: JobStore = jobStore(memoryStore())
const listener = { onNote: () => {}, signal: new AbortController().signal }
const backfill = { work: 'backfill', days: 1, symbols: ['SPY'], every: 60_000 }

function given(
  contexts: JobContext[],
  more: { synthetic?: boolean; off?: boolean; days?: string[]; assumptions?: Assumptions } = {}
) {
  return serviceJobs({
    runJob: async (_job, context) => {
      contexts.push(context)
      return { complete: true, tally: emptyTally, bytes: undefined }
    },
    history: more.off ? { store: undefined, reason: 'history is switched off' } : { store },
    synthetic: more.synthetic ?? true,
    seed: 7,
    assumptions: more.assumptions ?? defaultAssumptions,
    now: () => 42,
    onDays: (symbol, written) => more.days?.push(`${written} of ${symbol}`)
  })
}

test('a job is done with the archive and the market of the service', async () => {
  const contexts: JobContext[] = []
  await given(contexts)(backfill)(listener)
  expect(contexts).toMatchObject([{ seed: 7, assumptions: defaultAssumptions, now: 42 }])
  expect(contexts[0].store.closingSnapshot).toBe(store.closingSnapshot)
})

test('whose days a job has written is told once they are there', async () => {
  const [contexts, days]: [JobContext[], string[]] = [[], []]
  await given(contexts, { days })(backfill)(listener)
  const date = '2026-07-28' as IsoDate
  const bar = { date, open: 1, high: 1, low: 1, close: 1, volume: 1 }
  const writing = contexts[0].store.writeBars('KO' as Ticker, [bar], 'imported')
  expect(days).toEqual([])
  await writing
  await contexts[0].store.writeRecords('T' as Ticker, [recordOf(date, { close: 1 })])
  expect(days).toEqual(['bars of KO', 'records of T'])
  expect(await store.bars('KO' as Ticker, Number.POSITIVE_INFINITY, 9)).toEqual([bar])
})

test('a service without history says why', () => {
  expect(() => given([], { off: true })(backfill)).toThrow('the service keeps no history: history is switched off')
})

test('made-up days are not put among real ones', () => {
  expect(() => given([], { synthetic: false })(backfill)).toThrow('synthetic days cannot be mixed with them')
  expect(() => given([], { synthetic: false })({ work: 'import', format: 'cboe', paths: ['/a'] })).not.toThrow()
})

test('a service makes its own market and no other', () => {
  const market = { seed: 7, assumptions: defaultAssumptions }
  expect(() => given([])({ ...backfill, ...market })).not.toThrow()
  const other = 'the service that has the data folder makes another market: leave --seed'
  expect(() => given([])({ ...backfill, seed: 8 })).toThrow(other)
  expect(() => given([])({ ...backfill, assumptions: { ...defaultAssumptions, dividendYield: 0.02 } })).toThrow(other)
})

test('what was not said of the market is left to the service, and yields count in any order', () => {
  const own = { ...defaultAssumptions, dividendYields: { SPY: 0.012, QQQ: 0.006 } }
  const prepared = (assumptions: unknown) => () => given([], { assumptions: own })({ ...backfill, assumptions })
  expect(prepared({})).not.toThrow()
  expect(prepared({ rates: defaultAssumptions.rates })).not.toThrow()
  expect(prepared({ dividendYields: { QQQ: 0.006, SPY: 0.012 } })).not.toThrow()
  const other = 'makes another market'
  expect(prepared({ rates: flatRate(0.01) })).toThrow(other)
  expect(prepared({ dividendYield: 0.013, dividendYields: {} })).toThrow(other)
  for (const none of [null, 'none', 5, { unheardOf: 1 }]) expect(prepared(none)).toThrow(other)
})

test('an order that is none is refused', () => {
  expect(() => given([])({ work: 'dance' })).toThrow('work must be import, backfill, export or accuracy')
})
