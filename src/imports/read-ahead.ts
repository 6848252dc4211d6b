import type { FoundFile } from './import-files.ts'

export interface OpenedFile extends FoundFile {
  /** Content of the file. Rejects with the reason if the file cannot be read. */
  readonly bytes: Promise<Buffer>
}

export interface ReadAheadLimits {
  /** Number of files to read while another one is being processed. */
  readonly files: number
  /**
   * Limit on the bytes in memory: if more are waiting, no other file is opened. A file that is still being read counts
   * with its size on disk.
   */
  readonly bytes: number
}

interface Waiting {
  readonly opened: OpenedFile
  weight: number
}

/** Yields the files in order, and reads the next few while the caller processes one. */
export async function* readAhead(
  files: readonly FoundFile[],
  read: (path: string) => Promise<Buffer>,
  limits: ReadAheadLimits
): AsyncGenerator<OpenedFile> {
  const waiting: Waiting[] = []
  let next = 0
  while (next < files.length || waiting.length > 0) {
    while (next < files.length && hasRoom(waiting, limits)) waiting.push(open(files[next++], read))
    yield waiting.shift()!.opened
  }
}

/** Whether another file may be opened. Always true if no file is waiting. */
function hasRoom(waiting: readonly Waiting[], limits: ReadAheadLimits): boolean {
  const bytes = waiting.reduce((sum, { weight }) => sum + weight, 0)
  return waiting.length === 0 || (waiting.length <= limits.files && bytes <= limits.bytes)
}

function open(file: FoundFile, read: (path: string) => Promise<Buffer>): Waiting {
  const bytes = read(file.path)
  const waiting = { opened: { ...file, bytes }, weight: file.size }
  bytes.then(
    ({ length }) => void (waiting.weight = length),
    () => {} // the rejection surfaces where `bytes` is awaited
  )
  return waiting
}
