import { FilesError } from '../import-files.ts'
import { reasonOf } from '../import-writer.ts'
import { cutLine, emptyLine, type Line } from './csv-line.ts'
import { dialectOf } from './dialect.ts'
import { lineBlocks } from './line-blocks.ts'
import { headingAgain, isBlank, isRemark, type Opening, openingOf, type TableSample } from './table-opening.ts'
import type { TextPlace } from './unpacked-bytes.ts'

/** Why a row is not used: something in it is wrong, or a rule skips it. */
export type UnusedRow = { readonly wrong: string } | { readonly leftOut: true; readonly because?: string }

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
  leaveOut(count: number, because?: string): void
}

/** Makes the reader of the rows below a heading. It may throw a `FilesError` instead of stating a problem. */
export type HeadingReader<Value> = (heading: Line, sample: TableSample) => RowReader<Value>

/** Reading stops if this many rows were wrong and none was usable. */
const MAX_USELESS_ROWS = 1000

/**
 * Reads a table with a heading, which may follow some lines of other text. Delimiter and decimal sign are recognized;
 * `decimal` is the sign that the operator stated. Unusable rows are reported, and reading continues. If the file itself
 * cannot be used, one reason is reported. Resolves to true if the table was read to its end.
 */
export async function readTable<Value extends object>(
  text: TextPlace,
  heading: HeadingReader<Value>,
  consumer: RowConsumer<Value>,
  report: TableReport,
  decimal?: string
): Promise<boolean> {
  let line = emptyLine()
  let opening: Opening<RowReader<Value>> | undefined
  let headingLine: number | undefined
  let taken = 0
  let wrong = 0
  let hasRows = false
  try {
    for await (const { bytes, firstLine, done } of lineBlocks(text)) {
      let at = 0
      let number = firstLine
      if (opening === undefined) {
        headingLine = firstLine
        line = emptyLine(dialectOf(bytes, decimal))
        opening = openingOf(bytes, line.dialect, (first, sample) => checked(heading, first, sample))
        if (opening === undefined) continue
        headingLine = firstLine + opening.lines - 1
        if (opening.reader.problem !== undefined) throw new FilesError(opening.reader.problem)
        headingLine = undefined
        at = opening.end
        number += opening.lines
      }
      for (; at < bytes.length; number++) {
        at = cutLine(line, bytes, at)
        if (line.count === 0 || isBlank(line)) continue
        hasRows = true
        const value = opening.reader.read(line)
        if ('wrong' in value) {
          const again = headingAgain(line, opening.names)
          if (isRemark(line) || again === 'same') continue
          if (again === 'other') {
            headingLine = number
            throw new FilesError('another heading begins here: the rows below it belong into a file of their own')
          }
          report.reject(number, value.wrong)
          if (++wrong >= MAX_USELESS_ROWS && taken === 0) {
            throw new FilesError(`not one of its first ${MAX_USELESS_ROWS} rows can be used: the rest is not read`)
          }
        } else if ('leftOut' in value) report.leaveOut(1, value.because)
        else {
          taken++
          const waiting = consumer.row(value, number)
          if (waiting !== undefined) await waiting
        }
      }
      if (!(await consumer.pause(done))) return false
    }
    if (opening === undefined) throw new FilesError('it is empty')
    if (!hasRows) throw new FilesError('it has no row below its heading')
    return true
  } catch (error) {
    if (!(error instanceof FilesError) && !isUnreadable(error)) throw error
    report.reject(headingLine, reasonOf(error))
    return false
  }
}

function checked<Value>(reader: HeadingReader<Value>, heading: Line, sample: TableSample): RowReader<Value> {
  try {
    return reader(heading, sample)
  } catch (error) {
    if (!(error instanceof FilesError)) throw error
    return { problem: error.message, read: () => ({ wrong: error.message }) }
  }
}

/** Whether an error means that the file cannot be opened or that its compression is damaged. */
function isUnreadable(error: unknown): boolean {
  const code = (error as { readonly code?: unknown } | undefined)?.code
  return typeof code === 'string' && /^(E[A-Z]+|Z_[A-Z_]+)$/.test(code)
}
