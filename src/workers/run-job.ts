import type { JobOutcome, RunJob } from '../jobs/run-job.ts'
import type { JobArgs } from './job-thread.ts'
import { nextTaskId, Thread } from './thread.ts'

/**
 * Runs a job on a thread of its own: files are read and chains made there, and only the writing comes back, since the
 * archive belongs to the calling thread. Chains pass between the two without a copy.
 */
export const runJobOnThread: RunJob = async (job, { store, figures, ...context }, { onNote, signal }) => {
  const program = new URL('./job-thread.js', import.meta.url)
  const lost = (thrown: Error | undefined, code: number) =>
    thrown ?? new Error(`the thread of the job ended with code ${code}`)
  const thread = new Thread({ program, lost })
  try {
    const args: JobArgs = { job, ...context }
    return (await thread.run(nextTaskId(), 'job', args, {
      calls: { ...store, ...figures, onNote },
      signal
    })) as JobOutcome
  } finally {
    await thread.close()
  }
}
