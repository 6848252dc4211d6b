import type { FigureMaking } from '../jobs/figure-rows.ts'
import type { JobOutcome, JobStore, RunJob } from '../jobs/run-job.ts'
import { noteReceived } from '../market/chain.ts'
import type { JobArgs } from './job-thread.ts'
import { nextTaskId, Thread } from './thread.ts'
import { threadProgram } from './thread-program.ts'

/**
 * Runs a job on its own thread. The thread reads files and builds chains; only writes come back to the caller, which
 * owns the archive. Chains pass between the two without a copy. Rejects with the reason if the thread dies.
 */
export const runJobOnThread: RunJob = (job, context, listener) =>
  runJobBy(threadProgram('workers/job-thread'), job, context, listener)

/** V8 memory of a job for short-lived objects, MB. */
const YOUNG_GENERATION_MB = 12

/** The same on a thread of another program. */
export async function runJobBy(
  program: URL,
  ...[job, { store, figures, ...context }, { onNote, signal }]: Parameters<RunJob>
): Promise<JobOutcome> {
  const lost = (thrown: Error | undefined, code: number) =>
    thrown ?? new Error(`the thread of the job ended with code ${code}`)
  const thread = new Thread({ program, lost, maxYoungGenerationSizeMb: YOUNG_GENERATION_MB })
  try {
    const args: JobArgs = { job, withFigures: figures !== undefined, ...context }
    const writeSnapshots: JobStore['writeSnapshots'] = (snapshots) => {
      for (const { chain } of snapshots) noteReceived(chain)
      return store.writeSnapshots(snapshots)
    }
    const makeFiguresOf: FigureMaking['makeFiguresOf'] = async (snapshots) => {
      for (const { chain } of snapshots) noteReceived(chain)
      await figures?.makeFiguresOf(snapshots)
    }
    const calls = { ...store, writeSnapshots, ...figures, makeFiguresOf, onNote }
    return (await thread.run(nextTaskId(), 'job', args, { calls, signal })) as JobOutcome
  } finally {
    await thread.close()
  }
}
