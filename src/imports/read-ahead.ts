import type { FoundFile } from './import-files.ts'

/** A file and what is in it, on its way from the disk. */
export interface OpenedFile extends FoundFile {
  /** Rejected with the reason where the file cannot be read. */
  readonly bytes: Promise<Buffer>
}

export interface ReadAheadLimits {
  /** Files that are read while one is worked on. */
  readonly files: number
  /** No next file is opened while those that wait hold more bytes. One still being read counts with its size on disk. */
  readonly bytes: number
}

interface Waiting {
  readonly opened: OpenedFile
  weight: number
}

/** The files in turn, the next few being read meanwhile. */
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

/** Room for the file that is worked on next, which always is opened, and for those behind it. */
function hasRoom(waiting: readonly Waiting[], limits: ReadAheadLimits): boolean {
  const bytes = waiting.reduce((sum, { weight }) => sum + weight, 0)
  return waiting.length === 0 || (waiting.length <= limits.files && bytes <= limits.bytes)
}

function open(file: FoundFile, read: (path: string) => Promise<Buffer>): Waiting {
  const bytes = read(file.path)
  const waiting = { opened: { ...file, bytes }, weight: file.size }
  bytes.then(
    ({ length }) => void (waiting.weight = length),
    () => {} // rejects where it is awaited
  )
  return waiting
}
