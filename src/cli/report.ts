import { type FileHandle, open } from 'node:fs/promises'
import { type Rejection, reasonOf } from '../imports/import-writer.ts'
import { JobError } from '../jobs/job.ts'

/** The list of what an import could not use: a CSV file that is there only if there is something to say. */
export interface Report {
  readonly first: Rejection | undefined
  add(rejections: readonly Rejection[]): Promise<void>
  close(): Promise<void>
}

/** Throws a JobError where the file cannot be written. */
export function createReport(path: string | undefined): Report {
  let file: FileHandle | undefined
  let first: Rejection | undefined
  return {
    get first() {
      return first
    },
    async add(rejections) {
      first ??= rejections[0]
      if (path === undefined) return
      const lines = rejections.map(({ file, line, reason }) => `${cell(file)},${line ?? ''},${cell(reason)}\n`)
      try {
        if (file === undefined) {
          file = await open(path, 'w')
          await file.appendFile('file,line,reason\n')
        }
        await file.appendFile(lines.join(''))
      } catch (error) {
        throw new JobError(`the report of what could not be used cannot be written: ${reasonOf(error)}`)
      }
    },
    async close() {
      await file?.close()
    }
  }
}

/** Source: RFC 4180. */
function cell(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
