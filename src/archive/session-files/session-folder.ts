import { mkdirSync, readdirSync, rmSync, statfsSync, statSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { type IsoDate, parseIsoDate, parseTicker, type Ticker } from '../../market/units.ts'
import { SessionFile } from './session-file.ts'

/** Which session file: the images of a symbol on one New York day. */
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
  readonly #open = new LRUCache<string, Opened>({ max: MAX_OPEN, dispose: (opened) => void closeOf(opened) })
  #bytes = 0

  constructor({ folder, maxBytes, roomOf = roomOnDisk }: SessionFolderOptions) {
    this.#folder = folder
    this.#maxBytes = maxBytes
    this.#roomOf = roomOf
    for (const { name, bytes } of filesIn(folder)) this.#setSize(name, bytes)
  }

  /** Bytes of all files. */
  get bytes(): number {
    return this.#bytes
  }

  /** The file of a session; undefined where there is none, or it cannot be opened. */
  file(id: SessionId): Promise<SessionFile | undefined> {
    const name = nameOf(id)
    const bytes = this.#sizes.get(name)
    if (bytes === undefined) return Promise.resolve(undefined)
    this.#setSize(name, bytes) // it was used last
    return (this.#open.get(name) ?? this.#start(id, false)).file
  }

  /** An empty file for a session, in the place of the one that it has. Rejects where none can be made. */
  async create(id: SessionId): Promise<SessionFile> {
    if (!/[^.]/.test(id.symbol)) throw new Error(`${id.symbol} is no name of a folder`)
    this.drop(id)
    mkdirSync(dirname(this.#pathOf(id)), { recursive: true, mode: 0o700 })
    this.#dropUnused(() => this.#roomOf(this.#folder) < RESERVE)
    if (this.#roomOf(this.#folder) < RESERVE) throw new Error('the disk has less than 1 GB left')
    const file = await this.#start(id, true).file
    if (file === undefined) throw new Error(`no file can be made for ${nameOf(id)}`)
    return file
  }

  /** Deletes the file of a session. One that cannot be deleted is none until the next start, which compares it. */
  drop(id: SessionId): void {
    const name = nameOf(id)
    const opened = this.#open.get(name)
    if (opened !== undefined) opened.dropped = true
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

  /** The sessions of which there is a file. */
  sessions(): readonly SessionId[] {
    return [...this.#sizes.keys()].map(idOf)
  }

  /** Notes what a file takes, and makes room where all of them take too much. */
  settle(id: SessionId, { bytes }: SessionFile): void {
    this.#setSize(nameOf(id), bytes)
    this.#dropUnused(() => this.#bytes > this.#maxBytes)
  }

  async close(): Promise<void> {
    const opened = [...this.#open.values()]
    this.#open.clear() // closes them, too: closing twice does nothing
    await Promise.all(opened.map(closeOf))
  }

  /** Deletes files while there is no room, the one used longest ago first. */
  #dropUnused(lacksRoom: () => boolean): void {
    for (const name of this.#sizes.keys()) {
      if (!lacksRoom()) return
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
          if (!opened.dropped) return file
          await file.close()
          return undefined
        },
        () => undefined
      )
    }
    if (create) this.#setSize(name, 0)
    else touch(path)
    this.#open.set(name, opened)
    return opened
  }

  #setSize(name: string, bytes: number): void {
    this.#bytes += bytes - (this.#sizes.get(name) ?? 0)
    this.#sizes.delete(name)
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
