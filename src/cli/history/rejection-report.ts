import { type FileHandle, open } from 'node:fs/promises'
import { type Rejection, reasonOf } from '../../imports/import-writer.ts'
import { JobError } from '../../jobs/job.ts'
import { csvCell } from '../command.ts'

/** CSV file that lists the rows an import could not use. It is created when the first such row is found. */
export interface RejectionReport {
  readonly first: Rejection | undefined
  add(rejections: readonly Rejection[]): Promise<void>
  close(): Promise<void>
}

/** Creates the report. Its `add` throws a JobError if the file cannot be written. */
export function createRejectionReport(path: string | undefined): RejectionReport {
  let file: FileHandle | undefined
  let first: Rejection | undefined
  return {
    get first() {
      return first
    },
    async add(rejections) {
      first ??= rejections[0]
      if (path === undefined) return
      const lines = rejections.map(({ file, line, reason }) => `${csvCell(file)},${line ?? ''},${csvCell(reason)}\n`)
      try {
        if (file === undefined) {
          file = await open(path, 'w')
          await file.appendFile('file,line,reason\n')
        }
        await file.appendFile(lines.join(''))
      } catch (error) {
        throw new JobError(`the report of unusable rows cannot be written: ${reasonOf(error)}`)
      }
    },
    async close() {
      await file?.close()
    }
  }
}
