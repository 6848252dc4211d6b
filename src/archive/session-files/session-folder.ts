import { mkdirSync, readdirSync, rmSync, statfsSync, statSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type IsoDate, parseIsoDate, parseTicker, type Ticker } from '../../market/units.ts'
import { SessionFile } from './session-file.ts'

/** Which session file: the snapshots of a symbol on one New York day. */
export interface SessionId {
  readonly symbol: Ticker
  readonly session: IsoDate
}

/** Files that are open at once. */
const MAX_OPEN = 64
/** Room that is left on the disk for what there is no copy of, bytes: files go before it is taken. */
const RESERVE = 2 ** 30
const ENDING = '.img'

export interface SessionFolderOptions {
  readonly folder: string
  readonly maxBytes: number
  /** Room on the disk of a folder, bytes. */
  readonly roomOf?: (folder: string) => number
}

interface Opened {
  readonly file: Promise<SessionFile | undefined>
  dropped: boolean
}

/** A name for what belongs to a session. */
export function nameOf({ symbol, session }: SessionId): string {
  return `${symbol} ${session}`
}

/** The session of such a name. */
export function idOf(name: string): SessionId {
  const [symbol, session] = name.split(' ')
  return { symbol: symbol as Ticker, session: session as IsoDate }
}

/**
 * A folder of session files, `<symbol>/<session>.img`, with a bound on its bytes: past it the files go whose last use is
 * the longest ago. All of it may be deleted while no service runs.
 */
export class SessionFolder {
  readonly #folder: string
  readonly #maxBytes: number
  readonly #roomOf: (folder: string) => number
  /** Bytes of every file, the one used longest ago first. */
  readonly #sizes = new Map<string, number>()
  /** Open files, the one used longest ago first. */
  readonly #open = new Map<string, Opened>()
  #pinned: string | undefined
  #bytes = 0

  constructor({ folder, maxBytes, roomOf = roomOnDisk }: SessionFolderOptions) {
    this.#folder = folder
    this.#maxBytes = maxBytes
    this.#roomOf = roomOf
    for (const { name, bytes } of filesIn(folder)) this.#noteSize(name, bytes)
  }

  /** Bytes of all files. */
  get bytes(): number {
    return this.#bytes
  }

  /** Whether a session has a file. */
  has(id: SessionId): boolean {
    return this.#sizes.has(nameOf(id))
  }

  /** The file of a session, used last from now on; undefined where there is none, or it cannot be opened. */
  file(id: SessionId): Promise<SessionFile | undefined> {
    const name = nameOf(id)
    if (!this.has(id)) return Promise.resolve(undefined)
    this.#noteUse(name)
    const opened = this.#open.get(name)
    if (opened === undefined) touch(this.#pathOf(id))
    else this.#setOpen(name, opened)
    return (opened ?? this.#start(id, false)).file
  }

  /** The same file for a look at it that is no use: files are deleted in the same order afterwards. */
  unused(id: SessionId): Promise<SessionFile | undefined> {
    if (!this.has(id)) return Promise.resolve(undefined)
    return (this.#open.get(nameOf(id)) ?? this.#start(id, false)).file
  }

  /** Has the file of one session stay open, however many others are opened, until another one or none is named. */
  pin(id: SessionId | undefined): void {
    this.#pinned = id && nameOf(id)
  }

  /** An empty file for a session, in the place of the one that it has. Rejects where none can be made. */
  async create(id: SessionId): Promise<SessionFile> {
    if (!/[^.]/.test(id.symbol)) throw new Error(`${id.symbol} is no name of a folder`)
    mkdirSync(dirname(this.#pathOf(id)), { recursive: true, mode: 0o700 })
    // The disk tells of what is deleted only once nobody has it open: the bytes of the files are counted instead.
    const wanted = RESERVE - this.#roomOf(this.#folder)
    const before = this.#bytes
    this.drop(id)
    this.#dropUnused(before - wanted)
    if (before - this.#bytes < wanted) throw new Error('the disk has less than 1 GB left')
    const file = await this.#start(id, true).file
    if (file === undefined) throw new Error(`no file can be made for ${nameOf(id)}`)
    return file
  }

  /** Deletes the file of a session. One that cannot be deleted is none until the next start, which compares it. */
  drop(id: SessionId): void {
    const name = nameOf(id)
    const opened = this.#open.get(name)
    if (opened !== undefined) {
      opened.dropped = true
      void closeOf(opened)
    }
    if (opened === undefined && !this.#sizes.has(name)) return
    try {
      rmSync(this.#pathOf(id), { force: true })
    } catch {
      // The disk takes no changes.
    }
    this.#open.delete(name)
    this.#bytes -= this.#sizes.get(name) ?? 0
    this.#sizes.delete(name)
  }

  /** Closes the file of a session: what was appended behind its last mark is cut off where it is opened again. */
  async release(id: SessionId): Promise<void> {
    const name = nameOf(id)
    const opened = this.#open.get(name)
    this.#open.delete(name)
    if (opened !== undefined) await closeOf(opened)
  }

  /** The sessions of which there is a file. */
  sessions(): readonly SessionId[] {
    return [...this.#sizes.keys()].map(idOf)
  }

  /** Notes what a file takes, and makes room where all of them take too much. */
  settle(id: SessionId, { bytes }: SessionFile): void {
    this.#noteSize(nameOf(id), bytes)
    this.#noteUse(nameOf(id))
    this.#dropUnused(this.#maxBytes)
  }

  async close(): Promise<void> {
    const opened = [...this.#open.values()]
    this.#open.clear()
    await Promise.all(opened.map(closeOf))
  }

  /** Deletes files until all of them take at most so many bytes, the one used longest ago first. */
  #dropUnused(atMost: number): void {
    for (const name of this.#sizes.keys()) {
      if (this.#bytes <= atMost) return
      this.drop(idOf(name))
    }
  }

  #start(id: SessionId, create: boolean): Opened {
    const name = nameOf(id)
    const path = this.#pathOf(id)
    const opened: Opened = {
      dropped: false,
      file: SessionFile.open(path, name, { create }).then(
        async (file) => {
          if (opened.dropped) {
            await file.close()
            return undefined
          }
          if (this.has(id)) this.#noteSize(name, file.bytes) // less than it was where opening it cut it
          return file
        },
        () => undefined
      )
    }
    if (create) this.#noteSize(name, 0)
    this.#setOpen(name, opened)
    return opened
  }

  /** Notes that an open file was used last, and closes those past the bound. */
  #setOpen(name: string, opened: Opened): void {
    this.#open.delete(name)
    this.#open.set(name, opened)
    for (const [unused, other] of this.#open) {
      if (this.#open.size <= MAX_OPEN) return
      if (unused === this.#pinned) continue
      this.#open.delete(unused)
      void closeOf(other)
    }
  }

  #noteUse(name: string): void {
    const bytes = this.#sizes.get(name) ?? 0
    this.#sizes.delete(name)
    this.#sizes.set(name, bytes)
  }

  /** A file keeps its place in the order of use; a new one is used last. */
  #noteSize(name: string, bytes: number): void {
    this.#bytes += bytes - (this.#sizes.get(name) ?? 0)
    this.#sizes.set(name, bytes)
  }

  #pathOf({ symbol, session }: SessionId): string {
    return join(this.#folder, symbol, `${session}${ENDING}`)
  }
}

function roomOnDisk(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

async function closeOf({ file }: Opened): Promise<void> {
  await (await file)?.close().catch(() => {})
}

/** The files of a folder, the one used longest ago first; a folder that is not there has none. */
function filesIn(folder: string): readonly { readonly name: string; readonly bytes: number }[] {
  const found: { name: string; bytes: number; used: number }[] = []
  for (const symbol of listed(folder)) {
    if (parseTicker(symbol) !== symbol) continue
    for (const file of listed(join(folder, symbol))) {
      const session = file.endsWith(ENDING) ? parseIsoDate(file.slice(0, -ENDING.length)) : undefined
      const state = session && statSync(join(folder, symbol, file), { throwIfNoEntry: false })
      if (session === undefined || state === undefined) continue
      found.push({ name: nameOf({ symbol: symbol as Ticker, session }), bytes: state.size, used: state.mtimeMs })
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

/** A file that is used is newer than one that is not, also after a restart. */
function touch(path: string): void {
  try {
    const now = new Date()
    utimesSync(path, now, now)
  } catch {
    // It has gone, which opening it finds out.
  }
}
