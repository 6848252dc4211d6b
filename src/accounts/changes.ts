import type { Database } from './database.ts'

/** How long a change made by another process may go unseen, milliseconds. A revoked key owes less than a second. */
const LOOK_EVERY = 500

/** Says whether cached rows are out of date. Each cache has a watch of its own. */
export class ChangeWatch {
  readonly #database: Database
  readonly #now: () => number
  #generation = ''
  #lookedAt = Number.NEGATIVE_INFINITY

  constructor(database: Database, now: () => number) {
    this.#database = database
    this.#now = now
  }

  /** Whether something was written since the last look. Looks every half second at most, and is cheap in between. */
  changed(): boolean {
    const now = this.#now()
    if (now - this.#lookedAt < LOOK_EVERY && now >= this.#lookedAt) return false
    this.#lookedAt = now
    const generation = this.#database.generation()
    if (generation === this.#generation) return false
    this.#generation = generation
    return true
  }
}
