import { answerEndpoint } from './answer.ts'
import { assessChain, assessPastChain } from './assess-chain.ts'
import { makePastRecords, makeRecord } from './daily-records.ts'
import { makeEventRecord, makePastEventRecords, readImpliedMove } from './event-records.ts'
import { readImpliedRates } from './implied-rates.ts'
import { loadBars } from './load-bars.ts'
import { loadChain, loadClosingChain } from './load-chain.ts'
import { loadEarnings } from './load-earnings.ts'
import { makeFigureRow, priceFigureRow } from './make-figure-row.ts'
import { makeScreenerRow } from './make-screener-row.ts'
import { readUnderlying } from './read-underlying.ts'
import { restoreChain } from './restore-chain.ts'
import { restoreTape } from './restore-tape.ts'
import { sampleZeroDte } from './sample-zero-dte.ts'
import { sumStrikes } from './sum-strikes.ts'
import type { Task } from './task.ts'
import { viewTape } from './view-tape.ts'

/** Everything an engine can be asked to do. A further kind of work is a file and a line here. */
export const tasks = {
  loadChain,
  loadClosingChain,
  loadBars,
  makePastRecords,
  makeRecord,
  restoreChain,
  readUnderlying,
  sumStrikes,
  restoreTape,
  viewTape,
  sampleZeroDte,
  makeScreenerRow,
  makeFigureRow,
  priceFigureRow,
  readImpliedRates,
  loadEarnings,
  makeEventRecord,
  makePastEventRecords,
  readImpliedMove,
  assessChain,
  assessPastChain,
  answerEndpoint
}

export type Tasks = typeof tasks
export type TaskName = keyof Tasks
export type ArgsOf<Name extends TaskName> = Tasks[Name] extends Task<infer Args, unknown> ? Args : never
export type ResultOf<Name extends TaskName> = Awaited<ReturnType<Tasks[Name]['run']>>

/** A task as the code that runs any of them sees it: arguments and result are those of its name. */
export function taskNamed(name: TaskName): Task<unknown, unknown> {
  return tasks[name] as unknown as Task<unknown, unknown>
}
