import type { Instant } from '../../market/units.ts'
import type { SessionFile } from './session-file.ts'

/** A look at the database. `reached`: the earliest moment of writes that were under way meanwhile, which it may have missed. */
export interface Look {
  reached: Instant
}

/** What is known of a session in this process. */
export interface SessionState {
  /** Snapshots that were asked of the database. */
  misses: number
  /** How often its file was deleted. */
  drops: number
  /** The earliest moment of each write under way. */
  readonly writes: Set<{ readonly from: Instant }>
  readonly looks: Set<Look>
  /** The moment up to which the file has every snapshot; undefined: it was not compared with the database yet. */
  through: Instant | undefined
  /** Nothing of the session is later. */
  whole: boolean
  comparedAt: number
  comparing: Promise<SessionFile | undefined> | undefined
}

/** A session of which nothing is known. */
export function unreadSession(): SessionState {
  const unread = { misses: 0, drops: 0, through: undefined, whole: false, comparedAt: 0, comparing: undefined }
  return { ...unread, writes: new Set(), looks: new Set() }
}

/** From now on the file of a session is believed up to a moment; `whole`: nothing is later. */
export function believe(state: SessionState, through: Instant, whole: boolean): void {
  Object.assign(state, { through, whole, comparedAt: performance.now() })
}

/** From now on the file of a session is compared with the database before it is believed. */
export function disbelieve(state: SessionState): void {
  Object.assign(state, { through: undefined, whole: false })
}
