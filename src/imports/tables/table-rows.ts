import { FilesError } from '../import-files.ts'
import { reasonOf } from '../import-writer.ts'
import { cutLine, emptyLine, type Line } from './csv-line.ts'
import { lineBlocks, type TextPlace } from './line-blocks.ts'

/** Why a row is not used: it is wrong, or a rule leaves it out. */
export type UnusedRow = { readonly wrong: string } | { readonly leftOut: true }

/** How the rows of a file are read, once its heading is known; `problem`: what makes that impossible. */
export interface RowReader<Value> {
  readonly problem: string | undefined
  readonly read: (line: Line) => Value | UnusedRow
}

export interface RowConsumer<Value> {
  /** Receives a row with the number of its line, the heading included; reading waits for the promise it returns. */
  readonly row: (value: Value, line: number) => Promise<void> | undefined
  /** Called after some thousand rows with the bytes of the file read so far; false ends the reading. */
  readonly pause: (done: number) => Promise<boolean>
}

/** Takes what cannot be used of a table, and how much was left out by rule. Lines count from 1. */
export interface TableReport {
  reject(line: number | undefined, reason: string): void
  leaveOut(count: number): void
}

/** After so many rows of which not one can be used, the file is not what it is taken for. */
const MAX_USELESS_ROWS = 1000

/**
 * Reads a table with a heading. A row that cannot be used goes to the report and the next one is read; a file that
 * cannot be used at all goes there as a whole. Resolves with whether it was read to its end.
 */
export async function readTable<Value extends object>(
  text: TextPlace,
  heading: (line: Line) => RowReader<Value>,
  consumer: RowConsumer<Value>,
  report: TableReport
): Promise<boolean> {
  const line = emptyLine()
  let reader: RowReader<Value> | undefined
  let headingLine: number | undefined
  let taken = 0
  let wrong = 0
  try {
    for await (const { bytes, firstLine, done } of lineBlocks(text)) {
      for (let at = 0, number = firstLine; at < bytes.length; number++) {
        at = cutLine(line, bytes, at)
        if (line.count === 0) continue
        if (reader === undefined) {
          headingLine = number
          reader = heading(line)
          if (reader.problem !== undefined) throw new FilesError(reader.problem)
          headingLine = undefined
          continue
        }
        const value = reader.read(line)
        if ('wrong' in value) {
          report.reject(number, value.wrong)
          if (++wrong >= MAX_USELESS_ROWS && taken === 0) {
            throw new FilesError(`not one of its first ${MAX_USELESS_ROWS} rows can be used: the rest is not read`)
          }
        } else if ('leftOut' in value) report.leaveOut(1)
        else {
          taken++
          const waiting = consumer.row(value, number)
          if (waiting !== undefined) await waiting
        }
      }
      if (!(await consumer.pause(done))) return false
    }
    if (reader === undefined) throw new FilesError('it is empty')
    return true
  } catch (error) {
    if (!(error instanceof FilesError) && !isUnreadable(error)) throw error
    report.reject(headingLine, reasonOf(error))
    return false
  }
}

/** Whether an error means that the file cannot be used: it cannot be opened, or what it is packed in is damaged. */
function isUnreadable(error: unknown): boolean {
  const code = (error as { readonly code?: unknown } | undefined)?.code
  return typeof code === 'string' && /^(E[A-Z]+|Z_[A-Z_]+)$/.test(code)
}
