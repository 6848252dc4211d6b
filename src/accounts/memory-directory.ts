import { type Instant, isoInstant, MILLISECONDS_PER_DAY } from '../market/units.ts'
import type { UserRow } from './accounts-schema.ts'
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
  /** Number of the newest change that the copy has; undefined before the first reading. */
  #last: number | undefined
  /** Changes that `changes` has not told yet; undefined: too many. */
  #untold: AccountChange[] | undefined = []
  #following: Promise<void> = Promise.resolve()
  /** When the database answered last, milliseconds of the steady clock. */
  #answeredAt = performance.now()

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

  /** Each call begins to read after it was made, so it has what was committed before. */
  follow(): Promise<void> {
    this.#following = this.#following
      .catch(() => {})
      .then(() => this.#readChanges())
      .then(() => {
        this.#answeredAt = performance.now()
      })
    return this.#following
  }

  async #readChanges(): Promise<void> {
    if (this.#last === undefined) return this.#readAll()
    const rows = await changesAfter(this.#read, this.#last).execute()
    if (rows.length === 0) return
    if (!isWithoutGap(rows, this.#last)) {
      await this.#readAll()
      this.#untold = undefined
      return
    }
    await this.#readUsers([...new Set(rows.map((row) => row.user_id))])
    this.#last = rows.at(-1)!.number
    this.#untold?.push(...rows.map(accountChange))
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
    await this.#read
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (tx) => {
        const newest = (await newestChange(tx).executeTakeFirst())?.newest ?? 0
        const users = await tx.selectFrom('users').selectAll().execute()
        const keys = await heldKeys(tx).select('keys.hash').execute()
        const bundles = await heldBundles(tx).execute()
        const yesterday = isoInstant(this.#now() - MILLISECONDS_PER_DAY).slice(0, 10)
        const counts = await tx.selectFrom('usage').selectAll().where('day', '>=', yesterday).execute()
        this.#users = new Map()
        this.#bundles = new Map()
        this.#keys = new Keys()
        this.#counts = new Map(counts.map(({ user_id, day, count }) => [`${day} ${user_id}`, count]))
        this.#hold(users, keys, bundles)
        this.#last = newest
      })
  }

  #hold(users: readonly UserRow[], keys: readonly HashedKey[], bundles: readonly HeldBundle[]): void {
    for (const user of users) this.#users.set(user.id, user)
    for (const key of keys) this.#keys.add(key)
    for (const bundle of bundles) this.#bundles.set(bundle.user_id, bundle)
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
