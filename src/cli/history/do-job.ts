import type { figuresAlone } from '../../app/past-figures.ts'
import { listenForStop } from '../../app/stop-signal.ts'
import { archiveFolder, rememberSource } from '../../archive/archive-folder.ts'
import { withFormerNames } from '../../archive/former-names.ts'
import { openHistory } from '../../archive/open.ts'
import type { Config } from '../../config/config.ts'
import type { Rejection, RejectionOutcome } from '../../imports/import-writer.ts'
import { exportedFigures as answers, type Job, JobError } from '../../jobs/job.ts'
import type { JobContext, JobListener, JobOutcome } from '../../jobs/run-job.ts'
import { keepLittle } from '../../memory/kept-memory.ts'
import { ratesIndexOf } from '../../pricing/assumptions.ts'
import { RECORD_VERSION } from '../../signals/daily-record-measures.ts'
import { figureVersion } from '../../signals/figure-version.ts'
import { limitHeapGrowth } from '../../workers/heap-growth.ts'
import { runJobOnThread } from '../../workers/job-on-thread.ts'
import type { Terminal } from '../terminal.ts'
import { createDoubtedFiles, type DoubtedFiles } from './doubted-files.ts'
import { runJobInService } from './job-in-service.ts'
import { createProgress, outcomeText, remainder } from './job-progress.ts'
import { createRejectionReport, type RejectionReport } from './rejection-report.ts'

/** Files that an import writes for the operator, besides the archive. */
interface ImportFiles {
  readonly report?: string
  /** File for rows that are set aside. */
  readonly doubted?: string
}

/**
 * Runs a job (such as an import or export) on the configured archive. If a service that uses the data folder is
 * running, the job runs inside it, otherwise in this process. Ctrl-C stops the job cleanly. Throws if the job fails or
 * stops early.
 */
export async function doJob(
  job: Job,
  config: Config,
  terminal: Terminal,
  { report: reportFile, doubted: doubtedFile }: ImportFiles = {}
): Promise<JobOutcome> {
  const report = createRejectionReport(reportFile)
  const isDryRun = isDryRunOf(job)
  const doubted = createDoubtedFiles(isDryRun ? undefined : doubtedFile)
  const progress = createProgress(terminal, () => performance.now())
  const warn = (text: string) => {
    progress.end()
    terminal.err(text)
  }
  const stopping = new AbortController()
  const { requested, dispose } = listenForStop(process)
  requested.then(() => stopping.abort())
  const listener: JobListener = {
    signal: stopping.signal,
    async onNote(note) {
      if (note.kind === 'progress') return progress.show(note)
      if (note.kind === 'warning') return warn(note.text)
      if (note.kind === 'understood') return isDryRun ? terminal.out(note.text) : warn(note.text)
      if (note.kind === 'doubted') return doubted.add(note.heading, note.lines)
      await report.add(note.rejections)
    }
  }
  let outcome: JobOutcome
  try {
    // A service owns only the archive of its data folder; an archive on a server is used directly.
    const byService = config.history === 'embedded' ? await runJobInService(job, config.data, listener) : undefined
    outcome = byService ?? (await runJobHere(job, config, listener))
  } finally {
    progress.end()
    await doubted.close()
    await report.close()
    dispose()
  }
  printOutcome(job, outcome, terminal, { report, reportFile, doubted })
  return outcome
}

async function runJobHere(job: Job, config: Config, listener: JobListener): Promise<JobOutcome> {
  const { data, history, memory } = config
  // A job may run beside other programs, so it takes no more memory than a service.
  if (memory.heapGrowth !== undefined) limitHeapGrowth(memory.heapGrowth)
  keepLittle()
  const { seed } = config.connectorValues
  // Backfills write to the archive of the synthetic market, imports to the archive of the real market.
  const isMadeUp = job.work === 'backfill'
  const folder = isMadeUp ? archiveFolder(data, 'synthetic') : undefined
  const assumptions = isMadeUp ? config.assumptions : config.realAssumptions
  const versions = {
    recordVersion: RECORD_VERSION,
    figureVersion: figureVersion(assumptions, config.flowConfidence),
    ratesIndex: ratesIndexOf(assumptions)
  }
  const opened = await openHistory({ data, folder, history, cacheBytes: memory.engineCaches, ...versions }).catch(
    (error: Error) => {
      throw new JobError(error.message)
    }
  )
  if (opened.store === undefined) throw new JobError(`there is no history to work with: ${opened.reason}`)
  if (folder !== undefined && history === 'embedded') rememberSource(folder, 'synthetic', 'synthetic')
  // The job runs on its own thread, so that it reads files while this thread writes.
  try {
    const confidence = config.flowConfidence
    const figures = needsFigures(job) ? await figuresOf(opened.store, { seed, assumptions, confidence }) : undefined
    const { replayFrom, renames } = config
    const context = {
      store: withFormerNames(opened.store),
      seed,
      assumptions,
      confidence,
      now: Date.now(),
      replayFrom,
      figures,
      renames
    }
    return await runJobOnThread(job, context, listener)
  } finally {
    await opened.store.close()
  }
}

/**
 * Whether a job needs the module that computes responses at past times. Imports and backfills use it to add figures
 * over time, and some exports consist of such responses.
 */
function needsFigures(job: Job): boolean {
  return job.work === 'export' ? answers.some((what) => what === job.what) : job.work !== 'accuracy'
}

/** Loads the module only when it is needed, because it is large. */
async function figuresOf(...args: Parameters<typeof figuresAlone>): Promise<JobContext['figures']> {
  const { figuresAlone } = await import('../../app/past-figures.ts')
  return figuresAlone(...args)
}

interface OutcomeFiles {
  readonly report: RejectionReport
  readonly reportFile: string | undefined
  readonly doubted: DoubtedFiles
}

/** Prints what became of a job. Throws a JobError unless everything was done as asked. */
function printOutcome(
  job: Job,
  outcome: JobOutcome,
  terminal: Terminal,
  { report, reportFile, doubted }: OutcomeFiles
): void {
  const { rejected, doubted: aside, marked, snapshots, bars, dividends, earnings, prints } = outcome.tally
  const hasSummary = job.work !== 'accuracy' && (outcome.complete || job.work !== 'export')
  if (hasSummary) terminal.err(outcomeText(job, outcome))
  const tell = (count: number, what: string, kind: RejectionOutcome, remedy: string) => {
    const first = report.first(kind)
    if (count > 0 && first !== undefined) terminal.err(`${count} ${what}, the first: ${textOf(first)}. ${remedy}`)
  }
  const listed = `All are listed in ${reportFile}`
  const accept = doubted.paths.map((path) => `import ${path} with --accept if they are right`)
  tell(rejected, 'could not be used', 'refused', listed)
  tell(aside, 'rows are doubted and set aside', 'set aside', [listed, ...accept].join('; '))
  tell(marked, 'were written although they are doubtful', 'written', listed)
  if (!outcome.complete) throw new JobError(`stopped before the end: ${remainder(job)}`)
  if (job.work !== 'import' || rejected + aside + marked === 0) return
  const isNothing = snapshots + bars + dividends + earnings + prints === 0
  if (job.dryRun !== true)
    throw new JobError(isNothing ? 'nothing was imported' : 'not everything was imported as it stands')
  throw new JobError('not everything would be imported as it stands')
}

const isDryRunOf = (job: Job) => job.work === 'import' && job.dryRun === true

function textOf({ file, line, reason }: Rejection): string {
  return `${line === undefined ? file : `${file}, line ${line}`}: ${reason}`
}
