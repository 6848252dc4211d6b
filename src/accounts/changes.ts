import type { Database } from './database.ts'

/** A change of a key, or of the user or bundle that it belongs to. */
export interface AccountChange {
  readonly userId: string
  /** Undefined if the change is about the user or the bundle alone. */
  readonly key: { readonly id: string; readonly hash: string } | undefined
}

/** Changes that are remembered. Whoever missed more must read everything anew. */
const KEPT = 10_000
/** How many changes are read at most, before reading everything anew is cheaper. */
const MAX_READ = 1000

/**
 * Reads which accounts changed, from a log that triggers of the database write, so that it also has the changes of other
 * processes.
 */
export class AccountChanges {
  readonly #database: Database
  #last: number

  constructor(database: Database) {
    this.#database = database
    this.#last = this.#newest()
  }

  /** Changes since the last call; undefined if there were too many to tell them apart. */
  read(): readonly AccountChange[] | undefined {
    const { build } = this.#database
    const rows = this.#database.rows(
      build
        .selectFrom('account_changes')
        .selectAll()
        .where('number', '>', this.#last)
        .orderBy('number')
        .limit(MAX_READ + 1)
    )
    if (rows.length === 0) return []
    const isWhole = rows[0]!.number === this.#last + 1 && rows.length <= MAX_READ
    this.#last = isWhole ? rows.at(-1)!.number : this.#newest()
    if (!isWhole) return undefined
    return rows.map(({ user_id: userId, key_id: id, key_hash: hash }) => ({
      userId,
      key: id === null || hash === null ? undefined : { id, hash }
    }))
  }

  #newest(): number {
    const { fn } = this.#database.build
    const query = this.#database.build.selectFrom('account_changes').select(fn.max('number').as('newest'))
    return this.#database.rows(query)[0]?.newest ?? 0
  }
}

/** Forgets the oldest changes. Belongs into a transaction that made some. */
export const FORGET_CHANGES = `DELETE FROM account_changes
WHERE number <= (SELECT max(number) FROM account_changes) - ${KEPT}`
