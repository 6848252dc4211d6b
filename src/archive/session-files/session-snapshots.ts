import { crc32 } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import type { Instant, IsoDate } from '../../market/units.ts'
import type { HeldSnapshot } from '../clickhouse/snapshots.ts'
import type { DatabaseStore } from '../clickhouse/store.ts'
import type { PackedSnapshot } from '../codec/decode.ts'
import { nameInSnapshotBytes, toSnapshotBytes } from '../codec/snapshot-bytes.ts'
import type { StoredSnapshot } from '../store.ts'
import type { SessionFile } from './session-file.ts'
import { idOf, nameOf, type SessionFolder, type SessionId } from './session-folder.ts'
import { believe, disbelieve, type Look, type SessionState, unreadSession } from './session-state.ts'
import { UnwritableFile, written } from './unwritable-file.ts'

export interface SessionSnapshotsOptions {
  readonly store: Pick<DatabaseStore, 'heldSnapshots' | 'snapshotRows' | 'contractList'>
  readonly folder: SessionFolder
  /** Whether others may write into the database: then a file is compared with it again every second. */
  readonly shared: boolean
  /** A file cannot be made or continued, be it for the disk or the database: told once until one can be. */
  readonly onError: (error: unknown) => void
}

/** Snapshots read out of files, and those that were asked of the database, since the start. */
export interface SessionFileReads {
  readonly hit: number
  readonly miss: number
}

/** So many snapshots of a session asked of the database have its file made. */
const MISSES_BEFORE_FILL = 2
/** A session of which there is nothing is looked for again after so many further ones. */
const MISSES_OF_NOTHING = 100
/** Snapshots that one query of a fill reads: answers wait for one such query at most. */
const CHUNK = 8
/** Sessions that wait for their file; others come when they are asked for again. */
const MAX_WAITING = 16
/** How long a file is believed where others write into the database, milliseconds. */
const COMPARE_EVERY = 1000
const MAX_SESSIONS = 20_000

/**
 * The snapshots of past sessions in files beside the database, which stays the only truth: a file is made of its rows and
 * of nothing else, compared with it before it is believed, and deleted where the two differ. What a file cannot answer
 * is asked of the database.
 */
export class SessionSnapshots {
  readonly #options: SessionSnapshotsOptions
  readonly #states = new LRUCache<string, SessionState>({ max: MAX_SESSIONS })
  readonly #waiting = new Map<string, SessionId>()
  /** The last session of each deletion under way. */
  readonly #deletions = new Set<{ readonly last: IsoDate }>()
  #filling: Promise<void> | undefined
  #failed = false
  #closed = false
  #hits = 0
  #misses = 0

  constructor(options: SessionSnapshotsOptions) {
    this.#options = options
  }

  get reads(): SessionFileReads {
    return { hit: this.#hits, miss: this.#misses }
  }

  get bytes(): number {
    return this.#options.folder.bytes
  }

  /**
   * The newest snapshot of a session at or before a moment. Undefined: ask the database. `fills`: whether asking often has
   * the file of the session made, which is not worth it where one snapshot of it is wanted and no more.
   */
  async newest(
    id: SessionId,
    at: Instant,
    { fills }: { readonly fills: boolean }
  ): Promise<StoredSnapshot | undefined> {
    if (this.#closed) return undefined
    const found = await this.#find(id, at).catch(() => undefined)
    if (found !== undefined) {
      this.#hits++
      return found
    }
    this.#misses++
    if (fills && ++this.#stateOf(id).misses >= MISSES_BEFORE_FILL) this.#fillSoon(id)
    return undefined
  }

  /**
   * Snapshots of a session from a moment on are about to be written. Where some of its file may be among them, it is deleted.
   * What this resolves to is called once the write has ended, whatever came of it.
   */
  async beginWrite(id: SessionId, from: Instant): Promise<() => void> {
    const state = this.#stateOf(id)
    const write = { from }
    state.writes.add(write)
    state.misses = Math.max(0, state.misses)
    for (const look of state.looks) look.reached = Math.min(look.reached, from)
    state.whole = false
    const file = await this.#options.folder.file(id)
    if (from <= (file?.completeness?.through ?? Number.NEGATIVE_INFINITY)) this.#drop(id)
    return () => {
      state.writes.delete(write)
      // A file that is in use stays in step with what is recorded; one that went to make room is not made again.
      if (state.through !== undefined && this.#options.folder.has(id)) this.#fillSoon(id)
    }
  }

  /**
   * Some snapshots of sessions up to a date are about to be deleted: no file of these is believed meanwhile. What this returns
   * is called once the deletion has ended, whatever came of it, and deletes the files that differ from the database then.
   */
  beginForget(last: IsoDate): () => Promise<void> {
    const deletion = { last }
    this.#deletions.add(deletion)
    for (const [name, state] of this.#states.entries()) {
      if (idOf(name).session > last) continue
      disbelieve(state)
      for (const look of state.looks) look.reached = Number.NEGATIVE_INFINITY
    }
    return async () => {
      this.#deletions.delete(deletion)
      for (const id of this.#options.folder.sessions()) {
        if (this.#closed) return
        if (id.session > last) continue
        const file = await this.#options.folder.unused(id)
        // One that cannot be compared now is compared before it is believed.
        if (file?.completeness !== undefined) await this.#compare(id, this.#stateOf(id), file).catch(() => undefined)
      }
    }
  }

  /** Resolves once no file is being made. */
  async settled(): Promise<void> {
    await this.#filling
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#waiting.clear()
    await this.#filling
    await this.#options.folder.close()
  }

  #stateOf(id: SessionId): SessionState {
    const name = nameOf(id)
    let state = this.#states.get(name)
    if (state === undefined) {
      state = unreadSession()
      this.#states.set(name, state)
    }
    return state
  }

  async #find(id: SessionId, at: Instant): Promise<StoredSnapshot | undefined> {
    const { store } = this.#options
    const state = this.#stateOf(id)
    const file = await this.#believed(id, state)
    if (file === undefined || !(state.whole || at <= (state.through ?? Number.NEGATIVE_INFINITY))) return undefined
    const found = await file.newest(at)
    if (found === undefined) return undefined
    if (found.body === undefined) {
      this.#drop(id) // it is damaged, and made anew where it is asked for again
      return undefined
    }
    const { fidelity, series } = nameInSnapshotBytes(found.body)
    const contracts = await store.contractList(id.symbol, id.session, series)
    const packed: PackedSnapshot = { contracts, columns: found.body }
    return { symbol: id.symbol, asOf: found.moment, fidelity, packed }
  }

  /** The file of a session, compared with the database; undefined where there is none to be believed. */
  async #believed(id: SessionId, state: SessionState): Promise<SessionFile | undefined> {
    if (this.#isForgotten(id)) return undefined
    const file = await this.#options.folder.file(id)
    if (file?.completeness === undefined) return undefined
    const isFresh = !this.#options.shared || performance.now() - state.comparedAt < COMPARE_EVERY
    if (state.through === file.completeness.through && isFresh) return file
    state.comparing ??= this.#compare(id, state, file).finally(() => {
      state.comparing = undefined
    })
    return state.comparing
  }

  async #compare(id: SessionId, state: SessionState, file: SessionFile): Promise<SessionFile | undefined> {
    const { held, look } = await this.#look(id, state)
    state.looks.delete(look)
    if (file.completeness === undefined || look.reached <= file.completeness.through) return undefined
    const { through, count, digest } = file.completeness
    const before = held.filter(({ asOf }) => asOf <= through)
    if (before.length !== count || digestOf(before) !== digest) {
      this.#drop(id)
      return undefined
    }
    believe(state, through, before.length === held.length && look.reached === Number.POSITIVE_INFINITY)
    return file
  }

  /** Which snapshots the database holds. Whoever calls deletes the look once what follows from it is done. */
  async #look(
    id: SessionId,
    state: SessionState
  ): Promise<{ readonly held: readonly HeldSnapshot[]; readonly look: Look }> {
    const earliest = Math.min(...[...state.writes].map(({ from }) => from))
    const look: Look = { reached: this.#isForgotten(id) ? Number.NEGATIVE_INFINITY : earliest }
    state.looks.add(look)
    try {
      return { held: await this.#options.store.heldSnapshots(id.symbol, id.session), look }
    } catch (error) {
      state.looks.delete(look)
      throw error
    }
  }

  /** Whether a deletion under way may reach a session. */
  #isForgotten({ session }: SessionId): boolean {
    for (const { last } of this.#deletions) if (session <= last) return true
    return false
  }

  /** Gives up what a fill appended: what was complete before stays, and is compared before it is believed again. */
  async #giveUp(id: SessionId): Promise<void> {
    const { folder } = this.#options
    if ((await folder.file(id))?.completeness === undefined) return this.#drop(id)
    disbelieve(this.#stateOf(id))
    await folder.release(id)
  }

  #drop(id: SessionId): void {
    const state = this.#stateOf(id)
    disbelieve(state)
    Object.assign(state, { misses: 0, drops: state.drops + 1 })
    for (const look of state.looks) look.reached = Number.NEGATIVE_INFINITY
    this.#options.folder.drop(id)
  }

  #fillSoon(id: SessionId): void {
    if (this.#closed || this.#waiting.size >= MAX_WAITING) return
    this.#stateOf(id).misses = 0
    this.#waiting.set(nameOf(id), id)
    this.#filling ??= this.#fillWaiting()
  }

  async #fillWaiting(): Promise<void> {
    for (const [name, id] of this.#waiting) {
      this.#waiting.delete(name)
      const state = this.#stateOf(id)
      const { drops } = state
      this.#options.folder.pin(id)
      try {
        await this.#fill(id, state)
        this.#failed = false
      } catch (error) {
        const wasDropped = state.drops !== drops // under the hands of the fill, which is begun again where it is asked for
        if (error instanceof UnwritableFile) this.#drop(id)
        else await this.#giveUp(id)
        if (wasDropped || this.#closed) continue
        if (!this.#failed) this.#options.onError(error instanceof UnwritableFile ? error.cause : error)
        this.#failed = true
      }
    }
    this.#options.folder.pin(undefined)
    this.#filling = undefined
  }

  /** Appends what the database has beyond the file, or makes the file, and marks it where the database still is the same. */
  async #fill(id: SessionId, state: SessionState): Promise<void> {
    const { store, folder } = this.#options
    if (this.#isForgotten(id)) return
    const begun = await this.#believed(id, state)
    // What was written or deleted meanwhile kept it from being compared: it is tried again where it is asked for.
    if (begun === undefined && (await folder.file(id))?.completeness !== undefined) return
    const through = begun?.completeness?.through ?? Number.NEGATIVE_INFINITY
    const held = await store.heldSnapshots(id.symbol, id.session)
    const missing = held.filter(({ asOf }) => asOf > through)
    if (missing.length === 0) {
      if (begun === undefined) state.misses = -MISSES_OF_NOTHING
      else await this.#compare(id, state, begun)
      return
    }
    const file = begun ?? (await written(folder.create(id)))
    let digest = begun?.completeness?.digest ?? 0
    for (let at = 0; at < missing.length && !this.#closed; at += CHUNK) {
      const startedAt = performance.now()
      const last = missing[Math.min(at + CHUNK, missing.length) - 1]
      const rows = await store.snapshotRows(id.symbol, id.session, missing[at].asOf, last.asOf)
      for (const row of rows) {
        const body = await toSnapshotBytes(row)
        await written(file.append(row.asOf, body))
      }
      digest = digestOf(rows, digest)
      await new Promise((resolve) => setTimeout(resolve, performance.now() - startedAt)) // half of the time is for answers
    }
    if (this.#closed) return
    if (await this.#markComplete(id, state, file, digest)) folder.settle(id, file)
    else await this.#giveUp(id)
  }

  /** Marks a file where the database holds the very rows it was made of, by now and until the mark is written. */
  async #markComplete(id: SessionId, state: SessionState, file: SessionFile, digest: number): Promise<boolean> {
    const { held, look } = await this.#look(id, state)
    try {
      const before = held.slice(0, file.count)
      const through = before.at(-1)?.asOf
      if (through === undefined || before.length < file.count || digestOf(before) !== digest) return false
      if (look.reached <= through) return false
      await written(file.markComplete(digest))
      if (look.reached <= through) return false
      believe(state, through, before.length === held.length && look.reached === Number.POSITIVE_INFINITY)
      return true
    } finally {
      state.looks.delete(look)
    }
  }
}

/** CRC-32 of the moments of rows and of when each was written, in their order, behind those of a digest. */
function digestOf(rows: readonly HeldSnapshot[], before = 0): number {
  const figures = Float64Array.from(rows.flatMap(({ asOf, written }) => [asOf, written]))
  return crc32(new Uint8Array(figures.buffer), before)
}
