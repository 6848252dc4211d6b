import type { Instant, IsoDate } from '../../market/units.ts'
import type { DatabaseStore } from '../clickhouse/store.ts'
import type { PackedSnapshot } from '../codec/decode.ts'
import { nameInSnapshotBytes } from '../codec/snapshot-bytes.ts'
import type { StoredSnapshot } from '../store.ts'
import { CheckedSessions, type CheckedSessionsOptions } from './checked-sessions.ts'
import { SessionFills, type SessionFillsOptions } from './session-fills.ts'
import type { SessionId } from './session-folder.ts'

export interface SessionSnapshotsOptions extends CheckedSessionsOptions, Omit<SessionFillsOptions, 'sessions'> {
  readonly store: Pick<DatabaseStore, 'heldSnapshots' | 'snapshotRows' | 'contractList'>
}

/** Snapshots read out of files, and those that were asked of the database, since the start. */
export interface SessionFileReads {
  readonly hit: number
  readonly miss: number
}

/** So many snapshots of a session asked of the database have its file made. */
const MISSES_BEFORE_FILL = 2

/**
 * The snapshots of past sessions in files beside the database, which stays the only truth: a file is made of its rows and
 * of nothing else (`SessionFills`), and compared with it before it is believed (`CheckedSessions`). What a file cannot
 * answer is asked of the database.
 */
export class SessionSnapshots {
  readonly #options: SessionSnapshotsOptions
  readonly #sessions: CheckedSessions
  readonly #fills: SessionFills
  #hits = 0
  #misses = 0

  constructor(options: SessionSnapshotsOptions) {
    this.#options = options
    this.#sessions = new CheckedSessions(options)
    this.#fills = new SessionFills({ ...options, sessions: this.#sessions })
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
    if (this.#sessions.isClosed) return undefined
    const found = await this.#find(id, at).catch(() => undefined)
    if (found !== undefined) {
      this.#hits++
      return found
    }
    this.#misses++
    if (fills && ++this.#sessions.stateOf(id).misses >= MISSES_BEFORE_FILL) this.#fills.soon(id)
    return undefined
  }

  /**
   * Snapshots of a session from a moment on are about to be written. What this resolves to is called once the write has
   * ended, whatever came of it.
   */
  async beginWrite(id: SessionId, from: Instant): Promise<() => void> {
    const state = this.#sessions.stateOf(id)
    const ended = await this.#sessions.beginWrite(id, from)
    return () => {
      ended()
      // A file that is in use stays in step with what is recorded; one that went to make room is not made again.
      if (state.through !== undefined && this.#options.folder.has(id)) this.#fills.soon(id)
    }
  }

  /** Some snapshots of sessions up to a date are about to be deleted: see `CheckedSessions`. */
  beginForget(last: IsoDate): () => Promise<void> {
    return this.#sessions.beginForget(last)
  }

  /** Resolves once no file is being made. */
  settled(): Promise<void> {
    return this.#fills.settled()
  }

  async close(): Promise<void> {
    this.#sessions.close()
    await this.#fills.close()
    await this.#options.folder.close()
  }

  async #find(id: SessionId, at: Instant): Promise<StoredSnapshot | undefined> {
    const state = this.#sessions.stateOf(id)
    const file = await this.#sessions.believed(id)
    if (file === undefined || !(state.whole || at <= (state.through ?? Number.NEGATIVE_INFINITY))) return undefined
    const found = await file.newest(at)
    if (found === undefined) return undefined
    if (found.body === undefined) {
      this.#sessions.drop(id) // it is damaged, and made anew where it is asked for again
      return undefined
    }
    const { fidelity, series } = nameInSnapshotBytes(found.body)
    const contracts = await this.#options.store.contractList(id.symbol, id.session, series)
    const packed: PackedSnapshot = { contracts, columns: found.body }
    return { symbol: id.symbol, asOf: found.moment, fidelity, packed }
  }
}
