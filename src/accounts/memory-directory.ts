import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { type Instant, isoInstant, MILLISECONDS_PER_DAY } from '../market/units.ts'
import type { ChangeRow, UserRow } from './accounts-schema.ts'
import type { Queries } from './database.ts'
import {
  type AccountChange,
  accountChange,
  changesAfter,
  type Directory,
  type HeldBundle,
  type HeldKey,
  heldBundles,
  heldKeys,
  isWithoutGap,
  newestChange
} from './directory.ts'

/** A key as it is read: with its hash, by which requests look it up. */
type HashedKey = HeldKey & { readonly hash: string }

/**
 * The directory of accounts that lie on a server: a copy of all users, working keys and bundles in memory. `follow`
 * brings it up to date, so between two calls it is as it was at the first.
 */
export class MemoryDirectory implements Directory {
  readonly #read: Queries
  readonly #now: () => Instant
  #users = new Map<string, UserRow>()
  #bundles = new Map<string, HeldBundle>()
  #keys = new Keys()
  #counts = new Map<string, number>()
  /** The newest change that the copy has; undefined before the first reading, and if there never was a change. */
  #newest: WrittenChange | undefined
  /** Changes that `changes` has not told yet; undefined: too many. */
  #untold: AccountChange[] | undefined = []
  #reading: Promise<void> | undefined
  /** The reading that begins when the one under way has ended. */
  #next: Promise<void> | undefined
  /** When the database answered last, milliseconds of the steady clock. */
  #answeredAt = performance.now()
  #reloads = 0

  /** `now`: the wall clock, whose day is that of the counts. */
  constructor(read: Queries, now: () => Instant) {
    this.#read = read
    this.#now = now
  }

  key(by: 'hash' | 'id', value: string): HeldKey | undefined {
    return by === 'hash' ? this.#keys.byHash.get(value) : this.#keys.byId.get(value)
  }

  user(id: string): UserRow | undefined {
    return this.#users.get(id)
  }

  bundle(userId: string): HeldBundle | undefined {
    return this.#bundles.get(userId)
  }

  count(userId: string, day: string): number {
    return this.#counts.get(`${day} ${userId}`) ?? 0
  }

  changes(): readonly AccountChange[] | undefined {
    const untold = this.#untold
    this.#untold = []
    return untold
  }

  age(): number {
    return performance.now() - this.#answeredAt
  }

  /** How often everything was read anew, the first time included. */
  get reloads(): number {
    return this.#reloads
  }

  /**
   * Each call begins to read after it was made, so it has what was committed before. However many calls are made while
   * the database is silent, one reading follows.
   */
  follow(): Promise<void> {
    if (this.#reading === undefined) {
      this.#reading = this.#readChanges().finally(() => {
        this.#reading = undefined
      })
      return this.#reading
    }
    this.#next ??= this.#reading
      .catch(() => {})
      .then(() => {
        this.#next = undefined
        return this.follow()
      })
    return this.#next
  }

  async #readChanges(): Promise<void> {
    if (this.#reloads === 0) await this.#readAll()
    else {
      const known = this.#newest
      const rows = await writtenChanges(this.#read, (known?.number ?? 1) - 1)
      const isSameLog = known === undefined || (rows[0] !== undefined && isDeepStrictEqual(rows[0], known))
      const after = known === undefined ? rows : rows.slice(1)
      if (!isSameLog || !isWithoutGap(after, known?.number ?? 0)) {
        await this.#readAll()
        this.#untold = undefined
      } else if (after.length > 0) {
        await this.#readUsers([...new Set(after.map((row) => row.user_id))])
        this.#newest = after.at(-1)
        this.#untold?.push(...after.map(accountChange))
      }
    }
    this.#answeredAt = performance.now()
  }

  async #readUsers(ids: readonly string[]): Promise<void> {
    const users = await this.#read.selectFrom('users').selectAll().where('id', 'in', ids).execute()
    const keys = await heldKeys(this.#read).select('keys.hash').where('keys.user_id', 'in', ids).execute()
    const bundles = await heldBundles(this.#read).where('bundles.user_id', 'in', ids).execute()
    for (const id of ids) {
      this.#users.delete(id)
      this.#bundles.delete(id)
      this.#keys.forget(id)
    }
    this.#hold(users, keys, bundles)
  }

  /** Reads everything as it is at one moment. */
  async #readAll(): Promise<void> {
    const read = async (tx: Queries) => {
      const newest = (await newestChange(tx).executeTakeFirst())?.newest ?? undefined
      const counts = new Map<string, number>()
      for (const day of this.#days()) {
        const ofDay = tx.selectFrom('usage').select(['user_id as id', 'count']).where('day', '=', day)
        const rows = await inPages((last) => ofDay.where('user_id', '>', last).orderBy('user_id'))
        for (const { id, count } of rows) counts.set(`${day} ${id}`, count)
      }
      return {
        newest: newest === undefined ? undefined : (await writtenChanges(tx, newest - 1))[0],
        users: await inPages((last) => tx.selectFrom('users').selectAll().where('id', '>', last).orderBy('id')),
        keys: await inPages((last) => heldKeys(tx).select('keys.hash').where('keys.id', '>', last).orderBy('keys.id')),
        bundles: await inPages((last) => heldBundles(tx).where('bundles.id', '>', last).orderBy('bundles.id')),
        counts
      }
    }
    const all = await this.#read.transaction().setIsolationLevel('repeatable read').execute(read)
    this.#users = new Map()
    this.#bundles = new Map()
    this.#keys = new Keys()
    this.#counts = all.counts
    this.#newest = all.newest
    this.#hold(all.users, all.keys, all.bundles)
    this.#reloads++
  }

  /** The days, yyyy-MM-dd, whose counts may still be asked for, also by a clock that is not quite right. */
  #days(): readonly string[] {
    return [-1, 0, 1].map((k) => isoInstant(this.#now() + k * MILLISECONDS_PER_DAY).slice(0, 10))
  }

  #hold(users: readonly UserRow[], keys: readonly HashedKey[], bundles: readonly HeldBundle[]): void {
    for (const user of users) this.#users.set(user.id, user)
    for (const key of keys) this.#keys.add(key)
    for (const bundle of bundles) this.#bundles.set(bundle.user_id, bundle)
  }
}

/**
 * A change with the transaction that wrote it. A log that was restored from a backup may use a number again, but not
 * for what the same transaction wrote.
 */
type WrittenChange = ChangeRow & { readonly writer: string }

function writtenChanges(read: Queries, last: number): Promise<WrittenChange[]> {
  return changesAfter(read, last).select(sql<string>`xmin::text`.as('writer')).execute()
}

/** Rows that one statement reads at most, so that none takes long. */
const PAGE = 5000

/** Reads the rows of a query that continues behind an id, in the order of ids. */
async function inPages<Row extends { readonly id: string }>(
  behind: (id: string) => { limit(count: number): { execute(): Promise<Row[]> } }
): Promise<Row[]> {
  const rows: Row[] = []
  for (;;) {
    const page = await behind(rows.at(-1)?.id ?? '')
      .limit(PAGE)
      .execute()
    rows.push(...page)
    if (page.length < PAGE) return rows
  }
}

/** Working keys by hash, by id and by user. */
class Keys {
  readonly byHash = new Map<string, HashedKey>()
  readonly byId = new Map<string, HashedKey>()
  readonly #ofUsers = new Map<string, HashedKey[]>()

  add(key: HashedKey): void {
    this.byHash.set(key.hash, key)
    this.byId.set(key.id, key)
    const ofUser = this.#ofUsers.get(key.user_id)
    if (ofUser === undefined) this.#ofUsers.set(key.user_id, [key])
    else ofUser.push(key)
  }

  /** Forgets all keys of a user. */
  forget(userId: string): void {
    for (const { hash, id } of this.#ofUsers.get(userId) ?? []) {
      this.byHash.delete(hash)
      this.byId.delete(id)
    }
    this.#ofUsers.delete(userId)
  }
}
