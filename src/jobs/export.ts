import { access, rename, rm, stat, writeFile } from 'node:fs/promises'
import type { DatabaseStore } from '../archive/clickhouse/store.ts'
import { reasonOf } from '../imports/import-writer.ts'
import { addDays } from '../market/calendar.ts'
import { instantOfEastern } from '../market/eastern.ts'
import type { ExportJob } from './job.ts'
import { JobError } from './job.ts'

/** How often the size of the file is reported, milliseconds. */
const SIZE_EVERY = 500

/**
 * Writes the quotes of a symbol into a file, a row for each contract of each snapshot. The file gets its name only once
 * it is complete. Resolves with its size in bytes, 0 when it was stopped.
 */
export async function exportQuotes(
  { symbol, from, to, format, path }: ExportJob,
  store: Pick<DatabaseStore, 'exportQuotes'>,
  onSize: (bytes: number) => void,
  signal: AbortSignal
): Promise<number> {
  if (await exists(path)) throw new JobError(`${path} is there already: name another file or remove it`)
  const partial = `${path}.part`
  await checkWritable(partial)
  const timer = setInterval(() => void stat(partial).then(({ size }) => onSize(size), ignore), SIZE_EVERY)
  try {
    const span = { from: instantOfEastern(from, 0), to: instantOfEastern(addDays(to, 1), 0) }
    await store.exportQuotes({ symbol, format, ...span }, partial)
    if (signal.aborted) return 0
    const { size } = await stat(partial)
    await rename(partial, path)
    return size
  } finally {
    clearInterval(timer)
    await rm(partial, { force: true })
  }
}

const ignore = () => {}

/** The database writes new files only. Throws a JobError where it cannot write this one. */
async function checkWritable(path: string): Promise<void> {
  try {
    await writeFile(path, '')
    await rm(path)
  } catch (error) {
    throw new JobError(`the file cannot be written: ${reasonOf(error)}`)
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false
  )
}
