import { answerEndpoint } from './answer-endpoint.ts'
import { readUnderlying, restoreChain, restoreTape, sumStrikes } from './archive-tasks.ts'
import { assessChain, assessPastChain } from './assess-chain.ts'
import { makePastRecords, makeRecord } from './daily-record-tasks.ts'
import { makeEventRecord, makePastEventRecords, readImpliedMove } from './event-record-tasks.ts'
import { inferPrints } from './infer-prints.ts'
import { makeFigureRow, makeScreenerRow, priceFigureRow, sampleZeroDte } from './row-tasks.ts'
import { settledVolumes } from './settled-volumes.ts'
import { askSource, packShelved } from './shelf-tasks.ts'
import {
  loadBars,
  loadChain,
  loadClosingChain,
  loadEarnings,
  makeMinutePrices,
  readImpliedRates
} from './source-tasks.ts'
import type { Task } from './task.ts'
import { viewTape } from './view-tape.ts'
import { writeQuotes } from './write-quotes.ts'

/** All tasks of the engine. To add a kind of work, add a file and a line here. */
export const tasks = {
  loadChain,
  loadClosingChain,
  loadBars,
  makeMinutePrices,
  makePastRecords,
  makeRecord,
  restoreChain,
  readUnderlying,
  sumStrikes,
  restoreTape,
  inferPrints,
  settledVolumes,
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
  answerEndpoint,
  writeQuotes,
  packShelved,
  askSource
}

export type Tasks = typeof tasks
export type TaskName = keyof Tasks
export type ArgsOf<Name extends TaskName> = Tasks[Name] extends Task<infer Args, unknown> ? Args : never
export type ResultOf<Name extends TaskName> = Awaited<ReturnType<Tasks[Name]['run']>>

export function taskNamed(name: TaskName): Task<unknown, unknown> {
  return tasks[name] as unknown as Task<unknown, unknown>
}
