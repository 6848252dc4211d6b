import { expect, test } from 'vitest'
import type { Note } from '../../src/imports/import-writer.ts'
import type { ImportJob } from '../../src/jobs/job.ts'
import { runJob } from '../../src/jobs/run-job.ts'
import { session } from '../../src/market/calendar.ts'
import { buildChain, type Chain } from '../../src/market/chain.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { folderWith } from '../imports/take.ts'
import { jobStore } from '../support/job-store.ts'
import { madeUpAssumptions } from '../support/made-up.ts'
import { memoryStore } from '../support/memory-store.ts'

const SPY = 'SPY' as Ticker
const friday = session('2024-01-05' as IsoDate)!
const table = [
  'date,symbol,expiration,strike,right,bid,ask,underlying_price',
  '2024-01-05,SPY,2024-01-19,470,C,5,5.2,467.92',
  '2024-01-08,SPY,2024-01-19,470,P,3,3.2,474.6',
  ''
].join('\n')

/** Imports the table where the close of the Friday in it was recorded at another price. */
async function imported(more: Partial<ImportJob> = {}, replayFrom?: string) {
  const memory = memoryStore()
  const quote = { bid: undefined, ask: undefined, last: 1, time: friday.close }
  const chain = buildChain({ symbol: SPY, asOf: friday.close, delay: 0, spot: 467, quote }, [])
  await memory.writeSnapshots([{ chain, fidelity: 'recorded', missing: [] }])
  const notes: Note[] = []
  const job: ImportJob = { work: 'import', format: 'csv', paths: [folderWith({ 'a.csv': table })], ...more }
  const context = {
    store: { ...jobStore(memory), closingSnapshot: async () => undefined }, // no records: they need rows of the database
    seed: 1,
    assumptions: madeUpAssumptions,
    now: friday.close,
    replayFrom: replayFrom as IsoDate | undefined
  }
  const listener = { onNote: (note: Note) => void notes.push(note), signal: new AbortController().signal }
  const { tally } = await runJob(job, context, listener)
  const spotOn = async (date: string) =>
    ((await memory.closingSnapshot(SPY, date as IsoDate))?.packed as Chain | undefined)?.spot
  return { tally, spots: [await spotOn('2024-01-05'), await spotOn('2024-01-08')], notes }
}

test('an import that meets a recorded snapshot of the same moment leaves it and counts it', async () => {
  const { tally, spots } = await imported()
  expect(spots).toEqual([467, 474.6])
  expect(tally).toMatchObject({ snapshots: 1, kept: 1 })
})

test('with --replace it writes over what was recorded', async () => {
  const { tally, spots } = await imported({ replace: true })
  expect(spots).toEqual([467.92, 474.6])
  expect(tally).toMatchObject({ snapshots: 2, kept: 0 })
})

test('an import of days before replay begins says so at once, and once', async () => {
  const { notes, tally } = await imported({}, '2024-02-01')
  const warnings = notes.filter(({ kind }) => kind === 'warning')
  expect(warnings).toEqual([
    {
      kind: 'warning',
      text:
        'SPY on 2024-01-05 lies before 2024-02-01, where replay begins: ' +
        'start the service with --replay-from 2024-01-05 or earlier to be answered for it'
    }
  ])
  expect(notes.find(({ kind }) => kind !== 'progress' && kind !== 'understood')?.kind).toBe('warning')
  expect(tally.snapshots).toBe(1)
  expect((await imported({}, '2024-01-05')).notes.filter(({ kind }) => kind === 'warning')).toEqual([])
})
