import { basename } from 'node:path'
import type { Note, Tally } from '../../imports/import-writer.ts'
import type { Job } from '../../jobs/job.ts'
import type { JobOutcome } from '../../jobs/run-job.ts'
import type { Terminal } from '../terminal.ts'

export interface ProgressLine {
  show(note: ProgressNote): void
  end(): void
}

/** Shortest time between two progress updates, milliseconds: on a terminal, and in a log. */
const WATCHED = 200
const LOGGED = 10_000

/** Shows the progress of a job: one rewritten line on a terminal, otherwise a new line every ten seconds. */
export function createProgress({ rewrite, err }: Pick<Terminal, 'rewrite' | 'err'>, now: () => number): ProgressLine {
  const startedAt = now()
  let shownAt = rewrite === undefined ? startedAt : Number.NEGATIVE_INFINITY
  let stage: Stage & { readonly startedAt: number; readonly total: number } = { ...wholeJob, startedAt, total: 0 }
  return {
    show(note) {
      const at = now()
      const { done, total } = note
      if (total !== stage.total) stage = { done, rows: rowsIn(note), startedAt: at, total }
      if (at - shownAt < (rewrite === undefined ? LOGGED : WATCHED)) return
      shownAt = at
      const text = progressText(note, (at - stage.startedAt) / 1000, stage)
      if (rewrite === undefined) err(text)
      else rewrite(text)
    },
    end() {
      if (rewrite !== undefined && shownAt > startedAt) rewrite('')
    }
  }
}

type ProgressNote = Extract<Note, { kind: 'progress' }>

/** Beginning of a part of a job that is counted in a unit of its own: what had been done and written by then. */
interface Stage {
  readonly done: number
  readonly rows: number
}

const wholeJob: Stage = { done: 0, rows: 0 }

/** Rows written so far; until the first of them, and in a dry run, those read. */
const rowsIn = ({ tally, read = 0 }: ProgressNote) => tally.rows + tally.prints || read

/**
 * Formats the progress as one line: current file, fraction done, speed and time left. `seconds` have passed since the
 * stage began.
 */
export function progressText(note: ProgressNote, seconds: number, stage = wholeJob): string {
  const { what, done, total, tally } = note
  const name = basename(what)
  if (total <= 0) return `${name}  ${megabytes(done)}`
  const share = Math.min(1, done / total)
  const rows = rowsIn(note)
  const parts = [name, `${Math.floor(100 * share)} %`]
  if (rows > 0) parts.push(`${whole(rows)} rows${tally.rows + tally.prints === 0 ? ' read' : ''}`)
  if (rows > stage.rows && seconds >= 1) parts.push(`${whole((rows - stage.rows) / seconds)} rows/s`)
  if (seconds >= 2 && done > stage.done) {
    parts.push(`${duration((seconds * Math.max(0, total - done)) / (done - stage.done))} left`)
  }
  if (tally.rejected > 0) parts.push(`${whole(tally.rejected)} not usable`)
  return parts.join('  ')
}

export function outcomeText(job: Job, { tally, bytes }: JobOutcome): string {
  if (job.work === 'import' && job.dryRun === true) return 'a dry run: nothing was written'
  if (job.work === 'export') return `${megabytes(bytes ?? 0)} written`
  const parts = [...writtenBy(job, tally)]
  const leftOut = job.work === 'backfill' ? 'snapshots were there' : 'rows left out by rule'
  if (tally.kept > 0) parts.push(`${whole(tally.kept)} left as the service recorded them (--replace writes over them)`)
  if (tally.leftOut > 0) parts.push(`${whole(tally.leftOut)} ${leftOut}`)
  return parts.join(', ')
}

function writtenBy(job: Job, tally: Tally): readonly string[] {
  const { snapshots, rows, bars, dividends, splits, earnings, prints, tapes } = tally
  if (job.work === 'import' && job.format === 'splits') return [`${whole(splits)} splits written`]
  if (job.work === 'import' && job.format === 'dividends') return [`${whole(dividends)} dividends written`]
  if (job.work === 'import' && job.format === 'earnings') return [`${whole(earnings)} statements about reports written`]
  if (job.work === 'import' && job.format === 'prints')
    return [`${whole(prints)} prints on ${whole(tapes)} ${tapes === 1 ? 'tape' : 'tapes'} written`]
  const taped = tapes === 0 ? [] : [`${whole(prints)} prints on ${whole(tapes)} tapes`]
  return [`${whole(snapshots)} snapshots of ${whole(rows)} contracts`, ...taped, `${whole(bars)} daily bars written`]
}

export function remainder(job: Job): string {
  if (job.work === 'accuracy') return 'nothing was written'
  return job.work === 'export' ? 'the file is not written' : 'what was written stays; run the same command to continue'
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

function whole(count: number): string {
  return Math.round(count).toLocaleString('en-US')
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}
