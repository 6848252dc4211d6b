import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ImportJob } from '../../src/jobs/job.ts'
import type { JobStore } from '../../src/jobs/run-job.ts'
import { defaultAssumptions } from '../../src/pricing/assumptions.ts'
import { runJobBy } from '../../src/workers/job-on-thread.ts'
import { folderWith } from '../imports/take.ts'
import { jobStore } from '../support/job-store.ts'
import { memoryStore } from '../support/memory-store.ts'
import { builtThread } from '../support/started-service.ts'
import { mortalWorker } from './mortal-worker.ts'

const table = [
  'date,symbol,expiration,strike,right,bid,ask,underlying_price',
  '2024-01-05,SPY,2024-01-19,470,C,5,5.2,467.92',
  '2024-01-08,SPY,2024-01-19,470,P,3,3.2,474.6',
  ''
].join('\n')

test('a thread that dies fails its job with the reason, and the next job is done', async () => {
  const mortal = mortalWorker(mkdtempSync(join(tmpdir(), 'gammawall-test-')), await builtThread('workers/job-thread'))
  const job: ImportJob = { work: 'import', format: 'csv', paths: [folderWith({ 'a.csv': table })] }
  const listener = { onNote: () => {}, signal: new AbortController().signal }
  const memory = memoryStore()
  const store: JobStore = { ...jobStore(memory), closingSnapshot: async () => undefined }
  const run = (writeSnapshots: JobStore['writeSnapshots']) =>
    runJobBy(
      mortal.program,
      job,
      { store: { ...store, writeSnapshots }, seed: 1, assumptions: defaultAssumptions, now: Date.UTC(2024, 0, 9) },
      listener
    )
  const never = new Promise<never>(() => {})
  const dying = run(() => {
    mortal.die()
    return never
  })
  await expect(dying).rejects.toThrow('killed by the test')
  expect((await run(store.writeSnapshots)).tally).toMatchObject({ snapshots: 2 })
  mortal.close()
})
