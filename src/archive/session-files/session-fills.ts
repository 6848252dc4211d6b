import type { DatabaseStore } from '../clickhouse/store.ts'
import { toSnapshotBytes } from '../codec/snapshot-bytes.ts'
import { type CheckedSessions, digestOf } from './checked-sessions.ts'
import { nameOf, type SessionFolder, type SessionId } from './session-folder.ts'
import { UnwritableFile, written } from './unwritable-file.ts'

export interface SessionFillsOptions {
  readonly store: Pick<DatabaseStore, 'heldSnapshots' | 'snapshotRows'>
  readonly folder: SessionFolder
  readonly sessions: CheckedSessions
  /** A file cannot be made or continued, be it for the disk or the database: told once until one can be. */
  readonly onError: (error: unknown) => void
}

/** A session of which there is nothing is looked for again after so many further misses. */
const MISSES_OF_NOTHING = 100
/** Snapshots that one query of a fill reads: answers wait for one such query at most. */
const CHUNK = 8
/** Sessions that wait for their file; others come when they are asked for again. */
const MAX_WAITING = 16

/** Makes the files of sessions out of the rows of the database, one after the other, beside the answers. */
export class SessionFills {
  readonly #options: SessionFillsOptions
  readonly #waiting = new Map<string, SessionId>()
  #filling: Promise<void> | undefined
  #failed = false

  constructor(options: SessionFillsOptions) {
    this.#options = options
  }

  /** Has the file of a session made, or continued, in its turn. */
  soon(id: SessionId): void {
    const { sessions } = this.#options
    if (sessions.isClosed || this.#waiting.size >= MAX_WAITING) return
    sessions.stateOf(id).misses = 0
    this.#waiting.set(nameOf(id), id)
    this.#filling ??= this.#fillWaiting()
  }

  /** Resolves once no file is being made. */
  async settled(): Promise<void> {
    await this.#filling
  }

  /** Begins no other file, and resolves once none is being made. */
  async close(): Promise<void> {
    this.#waiting.clear()
    await this.#filling
  }

  async #fillWaiting(): Promise<void> {
    const { folder, sessions, onError } = this.#options
    for (const [name, id] of this.#waiting) {
      this.#waiting.delete(name)
      const state = sessions.stateOf(id)
      const { drops } = state
      folder.pin(id)
      try {
        await this.#fill(id)
        this.#failed = false
      } catch (error) {
        const wasDropped = state.drops !== drops // under the hands of the fill, which is begun again where it is asked for
        if (error instanceof UnwritableFile) sessions.drop(id)
        else await sessions.giveUp(id)
        if (wasDropped || sessions.isClosed) continue
        if (!this.#failed) onError(error instanceof UnwritableFile ? error.cause : error)
        this.#failed = true
      }
    }
    folder.pin(undefined)
    this.#filling = undefined
  }

  /** Appends what the database has beyond the file, or makes the file, and marks it where the database still is the same. */
  async #fill(id: SessionId): Promise<void> {
    const { store, folder, sessions } = this.#options
    if (sessions.isForgotten(id)) return
    const begun = await sessions.believed(id)
    // What was written or deleted meanwhile kept it from being compared: it is tried again where it is asked for.
    if (begun === undefined && (await folder.file(id))?.completeness !== undefined) return
    const through = begun?.completeness?.through ?? Number.NEGATIVE_INFINITY
    const held = await store.heldSnapshots(id.symbol, id.session)
    const missing = held.filter(({ asOf }) => asOf > through)
    if (missing.length === 0) {
      if (begun === undefined) sessions.stateOf(id).misses = -MISSES_OF_NOTHING
      else await sessions.compare(id, begun)
      return
    }
    const file = begun ?? (await written(folder.create(id)))
    let digest = begun?.completeness?.digest ?? 0
    for (let at = 0; at < missing.length && !sessions.isClosed; at += CHUNK) {
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
    if (sessions.isClosed) return
    if (await sessions.markComplete(id, file, digest)) folder.settle(id, file)
    else await sessions.giveUp(id)
  }
}
