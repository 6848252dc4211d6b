import type { HistoryStore } from '../../src/archive/history-store.ts'
import { seriesColumns } from '../../src/endpoints/series/fields.ts'
import type { IsoDate } from '../../src/market/units.ts'
import { bulkArchive } from '../../src/server/bulk/bulk-archive.ts'
import { BulkSlots } from '../../src/server/bulk/bulk-slots.ts'
import { BulkJobs, type BulkJobsOptions } from '../../src/server/bulk/jobs/bulk-jobs.ts'
import { JobFolder } from '../../src/server/bulk/jobs/job-folder.ts'
import { type BulkOptions, mountBulk } from '../../src/server/bulk/mount-bulk.ts'
import type { ReplayService } from './replay.ts'
import { temporaryFolder } from './temporary-folder.ts'

type Given = Pick<BulkOptions, 'onFault'> &
  Partial<Pick<BulkJobsOptions, 'partLimits' | 'maxBytes' | 'program' | 'subscriber'>> & {
    /** Folder of the jobs; by default one that is empty. */
    readonly folder?: string
    /** The archive behind it; undefined for none. */
    readonly history: HistoryStore | undefined
    /** The present; by default New Year after the days that tests record. */
    readonly now?: () => number
  }

/** Hours that jobs are kept. */
export const KEPT_HOURS = 24

const newYear = () => Date.parse('2027-01-01T00:00:00Z')
const firstDay = '2017-01-03' as IsoDate

const hostsOf = (running: ReplayService, { history, now = newYear }: Pick<Given, 'history' | 'now'>) => ({
  ...running.http,
  engine: running.pastEngine,
  past: running.pastHost,
  archive: bulkArchive(history, { reason: undefined, period: () => ({ now: now(), from: firstDay }) }),
  seriesColumns,
  presets: () => ({ drinks: ['T', 'KO'], none: [] }),
  slots: new BulkSlots(4)
})

/** Jobs of a service in process. They are neither mounted nor started. */
export function jobsOver(running: ReplayService, given: Given): BulkJobs {
  const { folder = temporaryFolder(), history, now, ...more } = given
  return new BulkJobs({
    ...hostsOf(running, given),
    folder: new JobFolder(folder),
    program: '1.2.3',
    subscriber: (userId) => running.accounts.subscriber(userId),
    keepFor: KEPT_HOURS * 3_600_000,
    maxBytes: 1e9,
    ...more
  })
}

/** Adds everything of bulk to a service in process. */
export function mountBulkOver(running: ReplayService, given: Given): BulkJobs {
  const jobs = jobsOver(running, given)
  mountBulk(running.app, { ...hostsOf(running, given), jobs, onFault: given.onFault })
  return jobs
}
