import { LRUCache } from 'lru-cache'
import type { Plan, Plans } from '../api/plan.ts'
import type { Instant, Ticker } from '../market/units.ts'
import { type AuditEntry, audit, wasEverUsed } from './audit.ts'
import { Bundles } from './bundles.ts'
import { AccountChanges } from './changes.ts'
import type { Database } from './database.ts'
import { IssuedKeys, type KeyRole, readRole } from './issued-keys.ts'
import { hashKey, isWellFormed, KEY_LENGTH } from './key.ts'
import { Users } from './users.ts'

export interface Account {
  readonly userId: string
  readonly email: string
  readonly plan: Plan
  /** First day of the subscription, yyyy-MM-dd. */
  readonly subscribedOn: string
  /** Whether the subscription began before the same-day rule, so that same-day expirations are included in any plan. */
  readonly grandfathered: boolean
  readonly keyId: string
  readonly keyHint: string
  readonly role: KeyRole
  /** The first moment at which the key no longer works; undefined if the key has no end. */
  readonly endsAt: Instant | undefined
  /**
   * Requests of a browser session that do not count against the quota: `held` for responses that the browser already
   * has, `all` for every request.
   */
  readonly uncounted?: 'held' | 'all'
  /** Set if the request comes from an embedded panel. */
  readonly panel?: PanelUse
}

/** The use of a key by the viewers of an embedded panel. */
export interface PanelUse {
  /** The only symbol that may be requested. */
  readonly symbol: Ticker
  /** Identifies the token among those of all panels. */
  readonly token: string
}

export type Subscriber = Pick<Account, 'plan' | 'grandfathered' | 'panel'>

/** Users who subscribed before this day keep 0DTE access on any plan. Interface specification, "Authentication" 6. */
const SAME_DAY_RULE_FROM = '2026-03-20'

/** How long a change by another process may go unnoticed while nobody calls `refresh`, milliseconds. */
const REFRESH_EVERY = 500
const KNOWN_KEYS = 50_000
const UNKNOWN_KEYS = 10_000

/** Users and their keys. Finds the account of a key, as every request requires. */
export class Accounts {
  readonly users: Users
  readonly keys: IssuedKeys
  readonly bundles: Bundles
  readonly #database: Database
  readonly #plans: Plans
  // Every entry has size 1, because LRUCache, if given a `max`, allocates memory for all entries at once, which delays
  // the start.
  readonly #known = new LRUCache<string, Account>({ maxSize: KNOWN_KEYS, sizeCalculation: () => 1 })
  readonly #knownById = new LRUCache<string, Account>({ maxSize: KNOWN_KEYS, sizeCalculation: () => 1 })
  /** Well-formed keys that no user holds. */
  readonly #unknown = new LRUCache<string, true>({ max: UNKNOWN_KEYS })
  /** The last key of each connection, with its hash. */
  readonly #lastKeys = new WeakMap<object, { readonly rawKey: string; readonly hash: string }>()
  readonly #now: () => number
  readonly #changes: AccountChanges
  readonly #listeners: (() => void)[] = []
  #refreshedAt = Number.NEGATIVE_INFINITY

  constructor(database: Database, plans: Plans, now: () => number = Date.now) {
    this.#database = database
    this.#plans = plans
    this.#now = now
    this.#changes = new AccountChanges(database)
    database.onChange(() => this.#refreshAfterChange())
    this.users = new Users(database, plans, now)
    this.keys = new IssuedKeys(database, now)
    this.bundles = new Bundles(database, this.users, { now, refresh: () => this.#refreshIfDue() })
  }

  /**
   * The account of a key; undefined if the key is mistyped, unknown, revoked or ended. The hash is cached per
   * connection, since hashing costs more than finding the account.
   */
  find(rawKey: string, connection?: object): Account | undefined {
    if (rawKey.length !== KEY_LENGTH) return undefined
    this.#refreshIfDue()
    const hash = connection === undefined ? hashKey(rawKey) : this.#hashOf(rawKey, connection)
    const known = this.#known.get(hash)
    if (known !== undefined) return this.#unlessOver(known)
    if (!isWellFormed(rawKey) || this.#unknown.has(hash)) return undefined
    const account = this.#read('keys.hash', hash)
    if (account !== undefined) this.#known.set(hash, account)
    else this.#unknown.set(hash, true)
    return account && this.#unlessOver(account)
  }

  /** The account that holds the key with this id; undefined if the key is revoked or ended. */
  findById(keyId: string): Account | undefined {
    this.#refreshIfDue()
    let account = this.#knownById.get(keyId)
    if (account === undefined) {
      account = this.#read('keys.id', keyId)
      if (account !== undefined) this.#knownById.set(keyId, account)
    }
    return account && this.#unlessOver(account)
  }

  /** Rights of a user, regardless of keys; undefined if there is no such user. */
  subscriber(userId: string): Subscriber | undefined {
    const user = this.users.find(userId)
    return user && this.#subscriber(user.plan, user.subscribedOn)
  }

  #subscriber(planId: string, subscribedOn: string): Pick<Account, 'plan' | 'grandfathered'> {
    // An operator may remove a plan that users still have: they get the lowest plan until an operator moves them.
    const plan = this.#plans.byId(planId) ?? this.#plans.all[0]!
    return { plan, grandfathered: subscribedOn < SAME_DAY_RULE_FROM }
  }

  #unlessOver(account: Account): Account | undefined {
    return account.endsAt === undefined || account.endsAt > this.#now() ? account : undefined
  }

  #hashOf(rawKey: string, connection: object): string {
    let last = this.#lastKeys.get(connection)
    if (last?.rawKey !== rawKey) {
      last = { rawKey, hash: hashKey(rawKey) }
      this.#lastKeys.set(connection, last)
    }
    return last.hash
  }

  /**
   * Learns what changed since the last call, also by other processes, and forgets those accounts alone. Calls the
   * listeners if there was a change. Costs some 10 µs.
   */
  refresh(): void {
    this.#refreshedAt = this.#now()
    const changes = this.#changes.read()
    if (changes?.length === 0) return
    if (changes === undefined) {
      this.#unknown.clear()
      this.#known.clear()
      this.#knownById.clear()
      this.bundles.forget()
    }
    for (const { userId, key } of changes ?? []) {
      this.bundles.forget(userId)
      if (key === undefined) continue
      this.#unknown.delete(key.hash)
      this.#known.delete(key.hash)
      this.#knownById.delete(key.id)
    }
    for (const listener of this.#listeners) listener()
  }

  /** Calls `listener` after each change of a user, key or bundle, once it is noticed. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener)
  }

  atomically<Result>(work: () => Result): Result {
    return this.#database.durably(work)
  }

  /** Whether there has never been a user. */
  areNew(): boolean {
    return !wasEverUsed(this.#database)
  }

  note(entry: AuditEntry): void {
    audit(this.#database, this.#now(), entry)
  }

  /** Reads every account anew at its next request, because the plans were replaced. Calls the listeners. */
  plansReplaced(): void {
    this.#known.clear()
    this.#knownById.clear()
    for (const listener of this.#listeners) listener()
  }

  #refreshAfterChange(): void {
    try {
      this.refresh()
    } catch {
      this.#refreshedAt = Number.NEGATIVE_INFINITY // the change itself is stored; the next request reads again
    }
  }

  #refreshIfDue(): void {
    const since = this.#now() - this.#refreshedAt
    if (since < 0 || since >= REFRESH_EVERY) this.refresh()
  }

  #read(column: 'keys.hash' | 'keys.id', value: string): Account | undefined {
    const query = this.#database.build
      .selectFrom('keys')
      .innerJoin('users', 'users.id', 'keys.user_id')
      .select(['keys.id as keyId', 'keys.hint as keyHint', 'keys.role', 'keys.ends_at'])
      .select(['users.id as userId', 'users.email', 'users.plan', 'users.subscribed_on'])
      .where(column, '=', value)
      .where('keys.revoked_at', 'is', null)
    const row = this.#database.rows(query)[0]
    if (row === undefined) return undefined
    const { userId, email, keyId, keyHint, subscribed_on: subscribedOn } = row
    const { plan, grandfathered } = this.#subscriber(row.plan, subscribedOn)
    const endsAt = row.ends_at === null ? undefined : Date.parse(row.ends_at)
    return { userId, email, plan, subscribedOn, grandfathered, keyId, keyHint, role: readRole(row.role), endsAt }
  }
}
