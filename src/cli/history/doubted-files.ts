import { type FileHandle, open } from 'node:fs/promises'
import { parse } from 'node:path'
import { reasonOf } from '../../imports/import-writer.ts'
import { JobError } from '../../jobs/job.ts'

/** CSV files for the rows that an import set aside: one for each heading that they have. */
export interface DoubtedFiles {
  /** Paths of the files that were written. */
  readonly paths: readonly string[]
  add(heading: string, lines: readonly string[]): Promise<void>
  close(): Promise<void>
}

/**
 * Creates the files when their first rows come: the one at `path`, and beside it `-2` and so on for further headings.
 * Throws a JobError if a file cannot be written.
 */
export function createDoubtedFiles(path: string | undefined): DoubtedFiles {
  const files = new Map<string, FileHandle>()
  const paths: string[] = []

  async function fileOf(path: string, heading: string): Promise<FileHandle> {
    const known = files.get(heading)
    if (known !== undefined) return known
    const { dir, name, ext } = parse(path)
    const own = files.size === 0 ? path : `${dir}/${name}-${files.size + 1}${ext}`
    const file = await open(own, 'w', 0o600)
    files.set(heading, file)
    paths.push(own)
    await file.appendFile(`${heading}\n`)
    return file
  }

  return {
    paths,
    async add(heading, lines) {
      if (path === undefined) return
      try {
        const file = await fileOf(path, heading)
        await file.appendFile(`${lines.join('\n')}\n`)
      } catch (error) {
        throw new JobError(`the file of doubted rows cannot be written: ${reasonOf(error)}`)
      }
    },
    async close() {
      for (const file of files.values()) await file.close()
    }
  }
}
