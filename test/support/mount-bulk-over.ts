import { BulkSlots } from '../../src/server/bulk/bulk-slots.ts'
import { BulkJobs, type BulkJobsOptions } from '../../src/server/bulk/jobs/bulk-jobs.ts'
import { JobFolder } from '../../src/server/bulk/jobs/job-folder.ts'
import { type BulkOptions, mountBulk } from '../../src/server/bulk/mount-bulk.ts'
import type { ReplayService } from './replay.ts'
import { temporaryFolder } from './temporary-folder.ts'

type Given = Pick<BulkOptions, 'recorded' | 'onFault'> &
  Partial<Pick<BulkJobsOptions, 'partLimits' | 'maxBytes' | 'program' | 'subscriber'>> & {
    /** Folder of the jobs; by default one that is empty. */
    readonly folder?: string
  }

/** Hours that jobs are kept. */
export const KEPT_HOURS = 24

/** Jobs of a service in process. They are neither mounted nor started. */
export function jobsOver(running: ReplayService, given: Omit<Given, 'recorded'>): BulkJobs {
  const { folder = temporaryFolder(), ...more } = given
  return new BulkJobs({
    ...running.http,
    past: running.pastHost,
    slots: new BulkSlots(4),
    folder: new JobFolder(folder),
    program: '1.2.3',
    subscriber: (userId) => running.accounts.subscriber(userId),
    keepFor: KEPT_HOURS * 3_600_000,
    maxBytes: 1e9,
    ...more
  })
}

/** Adds everything of bulk to a service in process. */
export function mountBulkOver(running: ReplayService, { recorded, ...given }: Given): BulkJobs {
  const jobs = jobsOver(running, given)
  const { onFault } = given
  mountBulk(running.app, {
    ...running.http,
    past: running.pastHost,
    slots: new BulkSlots(4),
    jobs,
    recorded,
    onFault
  })
  return jobs
}
