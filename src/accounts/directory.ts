import type { Compilable } from 'kysely'
import type { BundleRow, KeyRow, UserRow } from './accounts-schema.ts'
import type { Queries } from './database.ts'

/** A key that is not revoked, with its user. */
export type HeldKey = Pick<KeyRow, 'id' | 'hint' | 'role' | 'ends_at'> &
  Pick<UserRow, 'email' | 'plan' | 'subscribed_on'> & { readonly user_id: string }

export type HeldBundle = BundleRow & Pick<UserRow, 'email'>

/** A change of a key, or of the user or bundle that it belongs to. */
export interface AccountChange {
  readonly userId: string
  /** Undefined if the change is about the user or the bundle alone. */
  readonly key: { readonly id: string; readonly hash: string } | undefined
}

/** What every request looks up without waiting: in the file of the accounts, or in memory where they lie elsewhere. */
export interface Directory {
  /** The unrevoked key with this hash or id. */
  key(by: 'hash' | 'id', value: string): HeldKey | undefined
  user(id: string): UserRow | undefined
  /** The bundle of a user, ended or not. */
  bundle(userId: string): HeldBundle | undefined
  /** Requests of a user on a day, yyyy-MM-dd, as they were stored when they were first asked for. */
  count(userId: string, day: string): number
  /** Changes since the last call; undefined if there were too many to tell them apart. */
  changes(): readonly AccountChange[] | undefined
  /** Milliseconds for which the database has not answered; 0 for a file. */
  age(): number
  /** Learns what changed in the database, also by other processes; only afterwards `changes` has it. */
  follow(): Promise<void>
}

/** Changes that are remembered. Whoever missed more must read everything anew. */
const KEPT = 10_000
/** How many changes are read at most, before reading everything anew is cheaper. */
const MAX_READ = 1000

/** Forgets the oldest changes. Belongs into a transaction that made some. */
export const FORGET_CHANGES = `DELETE FROM account_changes
WHERE number <= (SELECT max(number) FROM account_changes) - ${KEPT}`

/** Query of the changes after number `last`: two more than are told apart, the first of which the reader may know. */
export function changesAfter(read: Queries, last: number) {
  const query = read.selectFrom('account_changes').selectAll().where('number', '>', last)
  return query.orderBy('number').limit(MAX_READ + 2)
}

/** Query of the number of the newest change. */
export function newestChange(read: Queries) {
  return read.selectFrom('account_changes').select(({ fn }) => fn.max<number | null>('number').as('newest'))
}

interface Numbered {
  readonly number: number
  readonly user_id: string
  readonly key_id: string | null
  readonly key_hash: string | null
}

/** Whether rows of `changesAfter` are all changes after number `last`, and not too many. */
export function isWithoutGap(rows: readonly Numbered[], last: number): boolean {
  return rows.length === 0 || (rows[0]!.number === last + 1 && rows.length <= MAX_READ)
}

export function accountChange({ user_id: userId, key_id: id, key_hash: hash }: Numbered): AccountChange {
  return { userId, key: id === null || hash === null ? undefined : { id, hash } }
}

/** Query of the unrevoked keys with their users. */
export function heldKeys(read: Queries) {
  return read
    .selectFrom('keys')
    .innerJoin('users', 'users.id', 'keys.user_id')
    .select(['keys.id', 'keys.hint', 'keys.role', 'keys.ends_at', 'keys.user_id'])
    .select(['users.email', 'users.plan', 'users.subscribed_on'])
    .where('keys.revoked_at', 'is', null)
}

/** Query of all bundles with the emails of their users. */
export function heldBundles(read: Queries) {
  return read
    .selectFrom('bundles')
    .innerJoin('users', 'users.id', 'bundles.user_id')
    .selectAll('bundles')
    .select('users.email')
}

/** The directory of a file: every look-up reads it, at once and on this thread. */
export class FileDirectory implements Directory {
  readonly #read: Queries
  readonly #rows: <Row>(query: Compilable<Row>) => Row[]
  #last: number

  constructor(read: Queries, rows: <Row>(query: Compilable<Row>) => Row[]) {
    this.#read = read
    this.#rows = rows
    this.#last = this.#newest()
  }

  key(by: 'hash' | 'id', value: string): HeldKey | undefined {
    return this.#rows(heldKeys(this.#read).where(`keys.${by}`, '=', value))[0]
  }

  user(id: string): UserRow | undefined {
    return this.#rows(this.#read.selectFrom('users').selectAll().where('id', '=', id))[0]
  }

  bundle(userId: string): HeldBundle | undefined {
    return this.#rows(heldBundles(this.#read).where('bundles.user_id', '=', userId))[0]
  }

  count(userId: string, day: string): number {
    const query = this.#read.selectFrom('usage').select('count').where('user_id', '=', userId).where('day', '=', day)
    return this.#rows(query)[0]?.count ?? 0
  }

  changes(): readonly AccountChange[] | undefined {
    const rows = this.#rows(changesAfter(this.#read, this.#last))
    const whole = isWithoutGap(rows, this.#last)
    this.#last = whole ? (rows.at(-1)?.number ?? this.#last) : this.#newest()
    return whole ? rows.map(accountChange) : undefined
  }

  age(): number {
    return 0
  }

  async follow(): Promise<void> {}

  #newest(): number {
    return this.#rows(newestChange(this.#read))[0]?.newest ?? 0
  }
}
