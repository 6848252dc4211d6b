import type { Note } from '../imports/import-writer.ts'
import type { PastAnswer, PastFigures } from '../jobs/export-figures.ts'
import type { FigureMaking } from '../jobs/figure-rows.ts'
import type { Job } from '../jobs/job.ts'
import { type JobContext, type JobStore, jobStoreMethods, runJob } from '../jobs/run-job.ts'
import { keepLittle } from '../memory/kept-memory.ts'
import { runAfterServing } from './priority.ts'
import { serveTasks } from './serve-tasks.ts'

/**
 * Arguments of a job on its thread: its whole context except the archive and the figures computed from it, which stay
 * with the owner.
 */
export interface JobArgs extends Omit<JobContext, 'store' | 'figures'> {
  readonly job: Job
  /** Whether the owner provides figures computed from the archive. */
  readonly withFigures: boolean
}

runAfterServing('background')
keepLittle()

serveTasks((_task, args, { call, signal }) => {
  const { job, withFigures, ...context } = args as JobArgs
  const store = Object.fromEntries(
    jobStoreMethods.map((method) => [method, (...sent: readonly unknown[]) => call(method, sent)])
  ) as unknown as JobStore
  const onNote = async (note: Note) => void (await call('onNote', [note]))
  const figures: PastFigures & FigureMaking = {
    figureColumns: async (...sent) => (await call('figureColumns', sent)) as readonly string[],
    figuresAt: async (...sent) => (await call('figuresAt', sent)) as PastAnswer,
    makeFiguresOf: async (...sent) => void (await call('makeFiguresOf', sent)),
    makeFigures: async (...sent) =>
      (await call('makeFigures', sent)) as Awaited<ReturnType<FigureMaking['makeFigures']>>
  }
  return runJob(job, { store, figures: withFigures ? figures : undefined, ...context }, { onNote, signal })
})
