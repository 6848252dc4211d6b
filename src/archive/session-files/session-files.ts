import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Instant, IsoDate } from '../../market/units.ts'
import { entriesUpTo } from '../../memory/entries-up-to.ts'
import type { DatabaseStore } from '../clickhouse/database-store.ts'
import type { HeldSnapshot } from '../clickhouse/snapshots.ts'
import { lastClosed } from '../closing.ts'
import type { PackedSnapshot } from '../codec/decode-snapshot.ts'
import { nameInSnapshotBytes, packedLayout, toSnapshotBytes } from '../codec/snapshot-bytes.ts'
import type { StoredSnapshot } from '../history-store.ts'
import type { SessionContent, SessionFolder, SymbolSession } from './session-folder.ts'
import { sessionName } from './session-folder.ts'

export interface SessionFilesOptions {
  readonly store: Pick<DatabaseStore, 'heldSnapshots' | 'snapshotRows' | 'contractList'>
  readonly folder: SessionFolder
  /** Whether other processes write into the database. If so, lists of snapshots expire after a second. */
  readonly shared: boolean
  /**
   * Called when a file could not be written, or its rows could not be read. Not called again until a file has been
   * written.
   */
  readonly onError: (error: unknown) => void
  readonly now?: (() => Instant) | undefined
}

/** Number of reads since the start: snapshots found in files (`hit`), and snapshots left to the database (`miss`). */
export interface SessionFileReads {
  readonly hit: number
  readonly miss: number
}

interface SessionListing extends SessionContent {
  readonly moments: readonly Instant[]
  readonly writtenAt: Instant
}

/** How long a session's list of snapshots stays valid if other processes write into the database, milliseconds. */
const SHARED_LISTING_TTL = 1000
const MAX_LISTINGS = 1000
const MAX_COUNTED_SESSIONS = 20_000
/** A session's file is written after this many reads of the session had to use the database. */
const QUESTIONS_BEFORE_FILE = 2
/** A session counts as finished only if nothing has been written into it for this long, milliseconds. */
const SETTLED_AFTER = 60_000
/** Number of snapshots that one query reads while a file is written. A request waits for at most one such query. */
const ROWS_PER_QUERY = 8
const MAX_QUEUED_SESSIONS = 16

/**
 * Copies of finished sessions in files. The database stays authoritative: a file's name has a digest of the snapshots
 * that the database lists for the session. A file whose name matches the listing is valid; any other is deleted.
 */
export class SessionFiles {
  readonly #options: SessionFilesOptions
  readonly #folder: SessionFolder
  readonly #now: () => Instant
  readonly #listings: LRUCache<string, Promise<SessionListing>>
  /** Number of reads per session that no file could serve. */
  readonly #questions = new LRUCache<string, number>(entriesUpTo(MAX_COUNTED_SESSIONS))
  readonly #queue = new Map<string, SymbolSession>()
  #working: Promise<void> | undefined
  #hasFailed = false
  #isClosed = false
  #hits = 0
  #misses = 0

  constructor({ now = Date.now, ...options }: SessionFilesOptions) {
    this.#options = options
    this.#folder = options.folder
    this.#now = now
    const ttl = options.shared ? SHARED_LISTING_TTL : 0 // 0 means for ever
    this.#listings = new LRUCache<string, Promise<SessionListing>>({ max: MAX_LISTINGS, ttl })
  }

  get reads(): SessionFileReads {
    return { hit: this.#hits, miss: this.#misses }
  }

  get bytes(): number {
    return this.#folder.bytes
  }

  /**
   * Reads from a file the newest snapshot of a session at or before `at`; undefined if the database must be read
   * instead. With `writesFile`, the read counts as a reason to write the session's file, which pays off if more of its
   * snapshots will be read.
   */
  async newest(
    id: SymbolSession,
    at: Instant,
    { writesFile }: { readonly writesFile: boolean }
  ): Promise<StoredSnapshot | undefined> {
    if (this.#isClosed) return undefined
    const found = await this.#find(id, at).catch(() => undefined)
    if (found !== undefined) {
      this.#hits++
      return found
    }
    this.#misses++
    if (writesFile) this.#countQuestion(id)
    return undefined
  }

  /** Runs a change to snapshots of sessions. Lists of snapshots read before or during the change are dropped. */
  async changing<Result>(ids: readonly SymbolSession[], change: () => Promise<Result>): Promise<Result> {
    const dropListings = () => {
      for (const id of ids) this.#listings.delete(sessionName(id))
    }
    dropListings()
    try {
      return await change()
    } finally {
      dropListings()
    }
  }

  /** Runs a deletion of snapshots of sessions up to a date, then deletes the files that no longer match. */
  async deleting(last: IsoDate, deletion: () => Promise<void>): Promise<void> {
    this.#listings.clear()
    try {
      await deletion()
    } finally {
      this.#listings.clear()
      for (const id of this.#folder.sessions()) {
        if (this.#isClosed) break
        // If a session cannot be listed now, its file is checked at the next read.
        if (id.session <= last) await this.#dropMisfit(id).catch(() => {})
      }
    }
  }

  /** Resolves when no file is being written. */
  async settled(): Promise<void> {
    await this.#working
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#queue.clear()
    await this.#working
    await this.#folder.close()
  }

  async #find(id: SymbolSession, at: Instant): Promise<StoredSnapshot | undefined> {
    if (!this.#folder.has(id)) return undefined
    const listing = await this.#listing(id)
    const file = await this.#folder.file(id, listing)
    const k = lastAtOrBefore(listing.moments, at)
    if (file === undefined || k < 0) return undefined
    const columns = await file.read(k)
    if (columns === undefined) {
      this.#folder.drop(id)
      return undefined
    }
    const { fidelity, series } = nameInSnapshotBytes(columns)
    const contracts = await this.#options.store.contractList(id.symbol, id.session, series)
    const packed: PackedSnapshot = { contracts, columns }
    return { symbol: id.symbol, asOf: listing.moments[k], fidelity, packed }
  }

  /** Returns the list of a session's snapshots, cached. A failed query is not cached. */
  #listing(id: SymbolSession): Promise<SessionListing> {
    const name = sessionName(id)
    const held = this.#listings.get(name)
    if (held !== undefined) return held
    const { store } = this.#options
    const listing = store.heldSnapshots(id.symbol, id.session).then((rows) => listingOf(id, rows))
    this.#listings.set(name, listing)
    listing.catch(() => {
      if (this.#listings.peek(name) === listing) this.#listings.delete(name)
    })
    return listing
  }

  async #dropMisfit(id: SymbolSession): Promise<void> {
    const { digest } = await this.#listing(id)
    this.#folder.keepIf(id, digest)
  }

  /** Counts a read. Queues the session for writing its file if it was read often enough and is over. */
  #countQuestion(id: SymbolSession): void {
    const name = sessionName(id)
    const questions = (this.#questions.get(name) ?? 0) + 1
    this.#questions.set(name, questions)
    if (questions < QUESTIONS_BEFORE_FILE || this.#queue.size >= MAX_QUEUED_SESSIONS) return
    if (id.session > lastClosed(this.#now())) return
    this.#queue.set(name, id)
    this.#working ??= this.#writeQueued()
  }

  async #writeQueued(): Promise<void> {
    for (const [name, id] of this.#queue) {
      this.#queue.delete(name)
      this.#questions.delete(name)
      try {
        const listing = await this.#listing(id)
        if (listing.count === 0 || listing.writtenAt > this.#now() - SETTLED_AFTER) continue
        // The session may have been queued again while its file was being written.
        if (this.#folder.keepIf(id, listing.digest)) continue
        await this.#folder.write(id, listing, this.#packed(id, listing))
        this.#hasFailed = false
      } catch (error) {
        if (error instanceof SessionChanged || this.#isClosed) continue
        if (!this.#hasFailed) this.#options.onError(error)
        this.#hasFailed = true
      }
    }
    this.#working = undefined
  }

  /**
   * Yields the packed snapshots of a session's list. Throws SessionChanged if the database has other snapshots by now.
   */
  async *#packed({ symbol, session }: SymbolSession, { moments, digest }: SessionListing): AsyncGenerator<Uint8Array> {
    const packed: HeldSnapshot[] = []
    for (let at = 0; at < moments.length; at += ROWS_PER_QUERY) {
      if (this.#isClosed) throw new SessionChanged()
      const startedAt = performance.now()
      const last = moments[Math.min(at + ROWS_PER_QUERY, moments.length) - 1]
      for (const row of await this.#options.store.snapshotRows(symbol, session, moments[at], last)) {
        packed.push(row)
        if (packed.length > moments.length) throw new SessionChanged()
        yield await toSnapshotBytes(row)
      }
      // Leave half of the time for requests.
      await new Promise((resolve) => setTimeout(resolve, performance.now() - startedAt))
    }
    if (digestOf({ symbol, session }, packed) !== digest) throw new SessionChanged()
  }
}

/** The session changed, or the service stopped, while a file was being written. */
class SessionChanged extends Error {}

function listingOf(id: SymbolSession, rows: readonly HeldSnapshot[]): SessionListing {
  return {
    digest: digestOf(id, rows),
    count: rows.length,
    moments: rows.map(({ asOf }) => asOf),
    writtenAt: rows.reduce((newest, { written }) => Math.max(newest, written / 1000), 0)
  }
}

/** Digest of everything a file's content depends on: the byte layout, the session, and the rows of the database. */
function digestOf({ symbol, session }: SymbolSession, rows: readonly HeldSnapshot[]): string {
  const figures = Float64Array.from(rows.flatMap(({ asOf, written }) => [asOf, written]))
  const digest = createHash('sha256').update(`${packedLayout} ${symbol} ${session} `)
  return digest.update(new Uint8Array(figures.buffer)).digest('hex').slice(0, 32)
}

/** Index of the last moment at or before `at`, -1 if there is none. `moments` must be ascending. */
function lastAtOrBefore(moments: readonly Instant[], at: Instant): number {
  let low = 0
  let high = moments.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (moments[middle] <= at) low = middle + 1
    else high = middle
  }
  return low - 1
}
