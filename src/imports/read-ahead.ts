import type { FoundFile } from './import-files.ts'

export interface OpenedFile extends FoundFile {
  /** Rejects with the reason if the file cannot be read. */
  readonly bytes: Promise<Buffer>
}

export interface ReadAheadLimits {
  /** Number of files to read while one is being processed. */
  readonly files: number
  /**
   * Limit on the bytes waiting in memory before another file is opened. A file still being read counts with its size on
   * disk.
   */
  readonly bytes: number
}

interface Waiting {
  readonly opened: OpenedFile
  weight: number
}

/** Yields the files in order and reads the next few meanwhile. */
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

/** Whether another file may be opened; true if no file is waiting. */
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
