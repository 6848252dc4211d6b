import { mkdirSync, readdirSync, renameSync, rmSync, statfsSync, statSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { type IsoDate, parseTicker, type Ticker } from '../../market/units.ts'
import { SessionFile, writeSessionFile } from './session-file.ts'

/** A symbol and a New York day. */
export interface SymbolSession {
  readonly symbol: Ticker
  readonly session: IsoDate
}

export interface SessionContent {
  readonly digest: string
  readonly count: number
}

const MAX_OPEN_FILES = 64
/** Disk space, bytes, that is left free for data that has no other copy. Session files are deleted to keep it free. */
const DISK_RESERVE = 2 ** 30
const fileName = /^(\d{4}-\d{2}-\d{2})-([0-9a-f]{32})\.img$/
/** Names of files to delete: files of earlier versions, and half-written files of a killed process. */
const garbage = /\.img(\.new)?$/

export interface SessionFolderOptions {
  readonly folder: string
  readonly maxBytes: number
  readonly roomOf?: (folder: string) => number
}

interface FoundFile {
  readonly digest: string
  readonly bytes: number
}

export function sessionName({ symbol, session }: SymbolSession): string {
  return `${symbol} ${session}`
}

function sessionOf(name: string): SymbolSession {
  const [symbol, session] = name.split(' ')
  return { symbol: symbol as Ticker, session: session as IsoDate }
}

/**
 * A folder of session files, `<symbol>/<session>-<digest>.img`, one for each session. A file is written under a
 * temporary name and then renamed, so a file with the right digest is complete; any other is deleted. If the files
 * exceed a total size, the least recently used are deleted. The folder is a cache and may be deleted while no service
 * runs.
 */
export class SessionFolder {
  readonly #folder: string
  readonly #maxBytes: number
  readonly #roomOf: (folder: string) => number
  /** Files by session, least recently used first. */
  readonly #files = new Map<string, FoundFile>()
  readonly #open = new LRUCache<string, Promise<SessionFile>>({
    max: MAX_OPEN_FILES,
    dispose: (opened) => void closeFile(opened)
  })
  #bytes = 0

  constructor({ folder, maxBytes, roomOf = roomOnDisk }: SessionFolderOptions) {
    this.#folder = folder
    this.#maxBytes = maxBytes
    this.#roomOf = roomOf
    for (const { name, file } of filesIn(folder)) this.#setFile(name, file)
  }

  get bytes(): number {
    return this.#bytes
  }

  has(id: SymbolSession): boolean {
    return this.#files.has(sessionName(id))
  }

  sessions(): readonly SymbolSession[] {
    return [...this.#files.keys()].map(sessionOf)
  }

  /** Opens the session's file if it has this content; a file with other content is deleted. */
  async file(id: SymbolSession, { digest, count }: SessionContent): Promise<SessionFile | undefined> {
    const name = sessionName(id)
    if (!this.keepIf(id, digest)) return undefined
    const file = this.#files.get(name)!
    this.#files.delete(name)
    this.#files.set(name, file)
    let opened = this.#open.get(name)
    if (opened === undefined) {
      const path = this.#pathOf(name, digest)
      touch(path)
      opened = SessionFile.open(path, `${name} ${digest}`, count)
      this.#open.set(name, opened)
    }
    return opened.catch(() => {
      this.drop(id)
      return undefined
    })
  }

  /** Deletes the file of a session unless it has this digest. Returns whether the session still has a file. */
  keepIf(id: SymbolSession, digest: string): boolean {
    const file = this.#files.get(sessionName(id))
    if (file?.digest === digest) return true
    this.drop(id)
    return false
  }

  /** Writes the file of a session. If that fails, rejects and leaves no file behind. */
  async write(
    id: SymbolSession,
    { digest, count }: SessionContent,
    snapshots: AsyncIterable<Uint8Array>
  ): Promise<void> {
    if (!/[^.]/.test(id.symbol)) throw new Error(`${id.symbol} cannot be the name of a folder`)
    const name = sessionName(id)
    const path = this.#pathOf(name, digest)
    const half = `${path}.new`
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    this.#makeRoomOnDisk(id)
    try {
      const bytes = await writeSessionFile(half, `${name} ${digest}`, count, snapshots)
      this.drop(id)
      renameSync(half, path)
      this.#setFile(name, { digest, bytes })
    } catch (error) {
      deleteFile(half)
      throw error
    }
    this.#dropUnused(this.#maxBytes)
  }

  drop(id: SymbolSession): void {
    const name = sessionName(id)
    const file = this.#files.get(name)
    if (file === undefined) return
    this.#open.delete(name)
    deleteFile(this.#pathOf(name, file.digest))
    this.#files.delete(name)
    this.#bytes -= file.bytes
  }

  async close(): Promise<void> {
    const opened = [...this.#open.values()]
    this.#open.clear()
    await Promise.all(opened.map(closeFile))
  }

  /**
   * Deletes files to free disk space before a new file is written. Freed bytes are counted here, because the disk frees
   * the bytes of an open file only when it is closed.
   */
  #makeRoomOnDisk(id: SymbolSession): void {
    const lacking = DISK_RESERVE - this.#roomOf(this.#folder)
    const before = this.#bytes
    this.drop(id)
    this.#dropUnused(before - lacking)
    if (before - this.#bytes < lacking) throw new Error('the disk has less than 1 GB left')
  }

  /** Deletes the least recently used files until the total size is at most `maxBytes`. */
  #dropUnused(maxBytes: number): void {
    for (const name of this.#files.keys()) {
      if (this.#bytes <= maxBytes) return
      this.drop(sessionOf(name))
    }
  }

  #setFile(name: string, file: FoundFile): void {
    this.drop(sessionOf(name))
    this.#files.set(name, file)
    this.#bytes += file.bytes
  }

  #pathOf(name: string, digest: string): string {
    const { symbol, session } = sessionOf(name)
    return join(this.#folder, symbol, `${session}-${digest}.img`)
  }
}

function roomOnDisk(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

async function closeFile(opened: Promise<SessionFile>): Promise<void> {
  await opened.then((file) => file.close()).catch(() => {})
}

/** The files of a folder, least recently used first; none if the folder is missing. Deletes garbage. */
function filesIn(folder: string): readonly { readonly name: string; readonly file: FoundFile }[] {
  const found: { name: string; file: FoundFile; used: number }[] = []
  for (const symbol of listed(folder)) {
    if (parseTicker(symbol) !== symbol) continue
    for (const entry of listed(join(folder, symbol))) {
      const path = join(folder, symbol, entry)
      const [, session, digest] = fileName.exec(entry) ?? []
      const state = session && statSync(path, { throwIfNoEntry: false })
      if (state) found.push({ name: `${symbol} ${session}`, file: { digest, bytes: state.size }, used: state.mtimeMs })
      else if (garbage.test(entry)) deleteFile(path)
    }
  }
  return found.sort((a, b) => a.used - b.used)
}

function listed(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function deleteFile(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // The disk cannot be written. The next start deletes the file as garbage.
  }
}

/** Sets the file's time to now. After a restart these times tell which files were used last. */
function touch(path: string): void {
  try {
    const now = new Date()
    utimesSync(path, now, now)
  } catch {
    // The file is gone; opening it will fail.
  }
}
