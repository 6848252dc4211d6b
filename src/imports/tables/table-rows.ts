import { FilesError } from '../import-files.ts'
import { reasonOf } from '../import-writer.ts'
import { cutLine, emptyLine, type Line } from './csv-line.ts'
import { lineBlocks, type TextPlace } from './line-blocks.ts'

/** Why a row is not used: something in it is wrong, or a rule skips it. */
export type UnusedRow = { readonly wrong: string } | { readonly leftOut: true }

/** Reads the rows below a heading. `problem` states why the heading cannot be used; undefined if it can. */
export interface RowReader<Value> {
  readonly problem: string | undefined
  readonly read: (line: Line) => Value | UnusedRow
}

export interface RowConsumer<Value> {
  /** Receives a row and its line number; the heading counts as a line. Reading waits for the returned promise. */
  readonly row: (value: Value, line: number) => Promise<void> | undefined
  /** Called every few thousand rows with the number of bytes read so far. Returns false to stop the reading. */
  readonly pause: (done: number) => Promise<boolean>
}

/** Receives unusable rows and the number of skipped rows. Lines are counted from 1. */
export interface TableReport {
  reject(line: number | undefined, reason: string): void
  leaveOut(count: number): void
}

/** Reading stops if this many rows were wrong and none was usable. */
const MAX_USELESS_ROWS = 1000

/**
 * Reads a table with a heading. Unusable rows are reported, and reading continues. If the file itself cannot be used,
 * one reason is reported. Resolves to true if the table was read to its end.
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

/** Whether an error means that the file cannot be opened or that its compression is damaged. */
function isUnreadable(error: unknown): boolean {
  const code = (error as { readonly code?: unknown } | undefined)?.code
  return typeof code === 'string' && /^(E[A-Z]+|Z_[A-Z_]+)$/.test(code)
}
