import type { Database } from './database.ts'

/**
 * How long a change by another process may go unnoticed, milliseconds. A revoked key must stop working within a second.
 */
const CHECK_EVERY = 500

/** Reports whether cached database rows are out of date. Each cache has its own instance. */
export class ChangeWatch {
  readonly #database: Database
  readonly #now: () => number
  #generation = ''
  #lookedAt = Number.NEGATIVE_INFINITY

  constructor(database: Database, now: () => number) {
    this.#database = database
    this.#now = now
  }

  /** Whether anything was written since the last check. Queries the database at most every half second. */
  changed(): boolean {
    const now = this.#now()
    if (now - this.#lookedAt < CHECK_EVERY && now >= this.#lookedAt) return false
    this.#lookedAt = now
    const generation = this.#database.generation()
    if (generation === this.#generation) return false
    this.#generation = generation
    return true
  }
}
