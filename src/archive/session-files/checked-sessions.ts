import { crc32 } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import type { Instant, IsoDate } from '../../market/units.ts'
import type { HeldSnapshot } from '../clickhouse/snapshots.ts'
import type { DatabaseStore } from '../clickhouse/store.ts'
import type { SessionFile } from './session-file.ts'
import { idOf, nameOf, type SessionFolder, type SessionId } from './session-folder.ts'
import { believe, disbelieve, type Look, type SessionState, unreadSession } from './session-state.ts'
import { written } from './unwritable-file.ts'

export interface CheckedSessionsOptions {
  readonly store: Pick<DatabaseStore, 'heldSnapshots'>
  readonly folder: SessionFolder
  /** Whether others may write into the database: then a file is compared with it again every second. */
  readonly shared: boolean
}

/** How long a file is believed where others write into the database, milliseconds. */
const COMPARE_EVERY = 1000
const MAX_SESSIONS = 20_000

/**
 * Which session files hold the very rows that the database holds: a file is compared with it before it is believed, and
 * deleted where the two differ. Writes and deletions under way are no surprise: nothing they may reach is believed meanwhile.
 */
export class CheckedSessions {
  readonly #options: CheckedSessionsOptions
  readonly #states = new LRUCache<string, SessionState>({ max: MAX_SESSIONS })
  /** The last session of each deletion under way. */
  readonly #deletions = new Set<{ readonly last: IsoDate }>()
  #closed = false

  constructor(options: CheckedSessionsOptions) {
    this.#options = options
  }

  get isClosed(): boolean {
    return this.#closed
  }

  close(): void {
    this.#closed = true
  }

  stateOf(id: SessionId): SessionState {
    const name = nameOf(id)
    let state = this.#states.get(name)
    if (state === undefined) {
      state = unreadSession()
      this.#states.set(name, state)
    }
    return state
  }

  /** The file of a session, compared with the database; undefined where there is none to be believed. */
  async believed(id: SessionId): Promise<SessionFile | undefined> {
    if (this.isForgotten(id)) return undefined
    const state = this.stateOf(id)
    const file = await this.#options.folder.file(id)
    if (file?.completeness === undefined) return undefined
    const isFresh = !this.#options.shared || performance.now() - state.comparedAt < COMPARE_EVERY
    if (state.through === file.completeness.through && isFresh) return file
    state.comparing ??= this.compare(id, file).finally(() => {
      state.comparing = undefined
    })
    return state.comparing
  }

  /** A file that agrees with the database up to its mark; undefined where it does not, and it is deleted then. */
  async compare(id: SessionId, file: SessionFile): Promise<SessionFile | undefined> {
    const state = this.stateOf(id)
    const { held, look } = await this.#look(id, state)
    state.looks.delete(look)
    if (file.completeness === undefined || look.reached <= file.completeness.through) return undefined
    const { through, count, digest } = file.completeness
    const before = held.filter(({ asOf }) => asOf <= through)
    if (before.length !== count || digestOf(before) !== digest) {
      this.drop(id)
      return undefined
    }
    believe(state, through, before.length === held.length && look.reached === Number.POSITIVE_INFINITY)
    return file
  }

  /** Marks a file where the database holds the very rows it was made of, by now and until the mark is written. */
  async markComplete(id: SessionId, file: SessionFile, digest: number): Promise<boolean> {
    const state = this.stateOf(id)
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

  /**
   * Snapshots of a session from a moment on are about to be written. Where some of its file may be among them, it is deleted.
   * What this resolves to is called once the write has ended, whatever came of it.
   */
  async beginWrite(id: SessionId, from: Instant): Promise<() => void> {
    const state = this.stateOf(id)
    const write = { from }
    state.writes.add(write)
    state.misses = Math.max(0, state.misses)
    for (const look of state.looks) look.reached = Math.min(look.reached, from)
    state.whole = false
    const file = await this.#options.folder.file(id)
    if (from <= (file?.completeness?.through ?? Number.NEGATIVE_INFINITY)) this.drop(id)
    return () => {
      state.writes.delete(write)
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
        if (file?.completeness !== undefined) await this.compare(id, file).catch(() => undefined)
      }
    }
  }

  /** Whether a deletion under way may reach a session. */
  isForgotten({ session }: SessionId): boolean {
    for (const { last } of this.#deletions) if (session <= last) return true
    return false
  }

  /** Gives up what was appended: what was complete before stays, and is compared before it is believed again. */
  async giveUp(id: SessionId): Promise<void> {
    const { folder } = this.#options
    if ((await folder.file(id))?.completeness === undefined) return this.drop(id)
    disbelieve(this.stateOf(id))
    await folder.release(id)
  }

  drop(id: SessionId): void {
    const state = this.stateOf(id)
    disbelieve(state)
    Object.assign(state, { misses: 0, drops: state.drops + 1 })
    for (const look of state.looks) look.reached = Number.NEGATIVE_INFINITY
    this.#options.folder.drop(id)
  }

  /** Which snapshots the database holds. The caller deletes the look once what follows from it is done. */
  async #look(
    id: SessionId,
    state: SessionState
  ): Promise<{ readonly held: readonly HeldSnapshot[]; readonly look: Look }> {
    const earliest = Math.min(...[...state.writes].map(({ from }) => from))
    const look: Look = { reached: this.isForgotten(id) ? Number.NEGATIVE_INFINITY : earliest }
    state.looks.add(look)
    try {
      return { held: await this.#options.store.heldSnapshots(id.symbol, id.session), look }
    } catch (error) {
      state.looks.delete(look)
      throw error
    }
  }
}

/** CRC-32 of the moments of rows and of when each was written, in their order, behind those of a digest. */
export function digestOf(rows: readonly HeldSnapshot[], before = 0): number {
  const figures = Float64Array.from(rows.flatMap(({ asOf, written }) => [asOf, written]))
  return crc32(new Uint8Array(figures.buffer), before)
}
