import { type FileHandle, open } from 'node:fs/promises'
import { csvLine } from '../../formats/written-csv.ts'
import { type Rejection, type RejectionOutcome, reasonOf } from '../../imports/import-writer.ts'
import { JobError } from '../../jobs/job.ts'

/**
 * CSV file that lists what an import could not use or doubted: one line for each file and kind of reason, with the first
 * place and a count. The file is created when the first of them is found, and filled by `close`.
 */
export interface RejectionReport {
  /** The first rejection with an outcome; undefined if there is none. */
  first(outcome: RejectionOutcome): Rejection | undefined
  add(rejections: readonly Rejection[]): Promise<void>
  close(): Promise<void>
}

interface Listed {
  readonly first: Rejection
  count: number
}

/** Most lines of a report; further kinds of reasons are counted in one line. */
const MAX_LISTED = 10_000

/** Creates the report. Its `add` and `close` throw a JobError if the file cannot be written. */
export function createRejectionReport(path: string | undefined, maxListed = MAX_LISTED): RejectionReport {
  let file: FileHandle | undefined
  let further = 0
  const listed = new Map<string, Listed>()
  const firsts = new Map<RejectionOutcome, Rejection>()

  async function written(write: () => Promise<void>): Promise<void> {
    try {
      await write()
    } catch (error) {
      throw new JobError(`the report of unusable rows cannot be written: ${reasonOf(error)}`)
    }
  }

  return {
    first: (outcome) => firsts.get(outcome),
    async add(rejections) {
      for (const rejection of rejections) {
        if (!firsts.has(rejection.outcome)) firsts.set(rejection.outcome, rejection)
        const name = nameOf(rejection)
        const known = listed.get(name)
        if (known !== undefined) known.count++
        else if (listed.size < maxListed) listed.set(name, { first: rejection, count: 1 })
        else further++
      }
      if (path === undefined || file !== undefined || rejections.length === 0) return
      await written(async () => {
        file = await open(path, 'w', 0o600)
        await file.appendFile('file,line,reason,count,outcome\n')
      })
    },
    async close() {
      const opened = file
      if (opened === undefined) return
      file = undefined
      const lines = [...listed.values()].map(({ first, count }) => {
        return csvLine([first.file, first.line, first.reason, count, first.outcome])
      })
      if (further > 0) lines.push(csvLine(['', '', 'further reasons, which are not listed', further, '']))
      await written(() => opened.appendFile(`${lines.join('\n')}\n`)).finally(() => opened.close())
    }
  }
}

/** Name that reasons of one kind share: figures and quoted texts in them do not count. */
function nameOf({ outcome, file, kind, reason }: Rejection): string {
  return `${outcome}\n${file}\n${kind ?? reason.replaceAll(/"(?:[^"\\]|\\.)*"|\d+/g, '#')}`
}
