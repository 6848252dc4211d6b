import type { FigureMaking } from '../jobs/figure-rows.ts'
import type { JobOutcome, JobStore, RunJob } from '../jobs/run-job.ts'
import { noteReceived } from '../market/chain.ts'
import type { JobArgs } from './job-thread.ts'
import { nextTaskId, Thread } from './thread.ts'
import { threadProgram } from './thread-program.ts'

/**
 * Runs a job on its own thread. The thread reads files and builds chains; only writes come back to the caller, which
 * owns the archive. Chains pass between the two without a copy.
 */
export const runJobOnThread: RunJob = async (job, { store, figures, ...context }, { onNote, signal }) => {
  const program = threadProgram('workers/job-thread')
  const lost = (thrown: Error | undefined, code: number) =>
    thrown ?? new Error(`the thread of the job ended with code ${code}`)
  const thread = new Thread({ program, lost })
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
