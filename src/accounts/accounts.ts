import { LRUCache } from 'lru-cache'
import type { PageAllowance } from '../api/page-allowance.ts'
import type { Plan, Plans } from '../api/plan.ts'
import type { Instant, Ticker } from '../market/units.ts'
import { entriesUpTo } from '../memory/entries-up-to.ts'
import { type AuditEntry, audit, wasEverUsed } from './audit.ts'
import { Bundles } from './bundles.ts'
import { type Changes, type Database, durably, type Queries } from './database.ts'
import { Identities } from './identities.ts'
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
  /** Set if a page of the dashboard asks, on a plan with an allowance for its pages, for what these may show. */
  readonly page?: PageAllowance
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
  readonly identities: Identities
  readonly #database: Database
  readonly #plans: Plans
  readonly #known = new LRUCache<string, Account>(entriesUpTo(KNOWN_KEYS))
  readonly #knownById = new LRUCache<string, Account>(entriesUpTo(KNOWN_KEYS))
  /** Well-formed keys that no user holds. */
  readonly #unknown = new LRUCache<string, true>(entriesUpTo(UNKNOWN_KEYS))
  /** The last key of each connection, with its hash. */
  readonly #lastKeys = new WeakMap<object, { readonly rawKey: string; readonly hash: string }>()
  readonly #now: () => number
  readonly #grace: number
  readonly #listeners: (() => void)[] = []
  #noticedAt = Number.NEGATIVE_INFINITY

  /** `grace`: milliseconds for which keys are believed while the database of the accounts does not answer. */
  constructor(database: Database, plans: Plans, now: () => number = Date.now, grace = Number.POSITIVE_INFINITY) {
    this.#database = database
    this.#plans = plans
    this.#now = now
    this.#grace = grace
    database.onChange(() => this.#refreshAfterChange())
    this.users = new Users(database, plans, now)
    this.keys = new IssuedKeys(database, now)
    this.identities = new Identities(database, this, now)
    this.bundles = new Bundles(database, this.users, { now, refresh: () => this.#noticeIfDue() })
  }

  /** Whether the database has not answered for so long that its keys are no longer believed. */
  get areOutdated(): boolean {
    return this.#database.directory.age() > this.#grace
  }

  /**
   * The account of a key; undefined if the key is mistyped, unknown, revoked or ended. The hash is cached per
   * connection, since hashing costs more than finding the account.
   */
  find(rawKey: string, connection?: object): Account | undefined {
    if (rawKey.length !== KEY_LENGTH) return undefined
    this.#noticeIfDue()
    const hash = connection === undefined ? hashKey(rawKey) : this.#hashOf(rawKey, connection)
    const known = this.#known.get(hash)
    if (known !== undefined) return this.#unlessOver(known)
    if (!isWellFormed(rawKey) || this.#unknown.has(hash)) return undefined
    const account = this.#read('hash', hash)
    if (account !== undefined) this.#known.set(hash, account)
    else this.#unknown.set(hash, true)
    return account && this.#unlessOver(account)
  }

  /** The account that holds the key with this id; undefined if the key is revoked or ended. */
  findById(keyId: string): Account | undefined {
    this.#noticeIfDue()
    let account = this.#knownById.get(keyId)
    if (account === undefined) {
      account = this.#read('id', keyId)
      if (account !== undefined) this.#knownById.set(keyId, account)
    }
    return account && this.#unlessOver(account)
  }

  /** Rights of a user, regardless of keys; undefined if there is no such user. */
  subscriber(userId: string): Subscriber | undefined {
    const user = this.#database.directory.user(userId)
    return user && this.#subscriber(user.plan, user.subscribed_on)
  }

  /** The plan of a user. Whose plan the operator removed has the lowest one until an operator moves them. */
  planOf({ plan }: { readonly plan: string }): Plan {
    return this.#plans.byId(plan) ?? this.#plans.all[0]!
  }

  #subscriber(plan: string, subscribedOn: string): Pick<Account, 'plan' | 'grandfathered'> {
    return { plan: this.planOf({ plan }), grandfathered: subscribedOn < SAME_DAY_RULE_FROM }
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
  async refresh(): Promise<void> {
    await this.#database.directory.follow()
    this.#notice()
  }

  #notice(): void {
    this.#noticedAt = this.#now()
    const changes = this.#database.directory.changes()
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

  /** Runs `work` in one durable transaction, which it hands to each change: all are stored or none. */
  atomically<Result>(work: (tx: Changes) => Promise<Result>): Promise<Result> {
    return this.#database.durably(work)
  }

  /** Whether there has never been a user. */
  async areNew(read: Queries = this.#database.read): Promise<boolean> {
    return !(await wasEverUsed(read))
  }

  note(entry: AuditEntry, within?: Changes): Promise<void> {
    return durably(this.#database, within, (tx) => audit(tx, this.#now(), entry))
  }

  /** Reads every account anew at its next request, because the plans were replaced. Calls the listeners. */
  plansReplaced(): void {
    this.#known.clear()
    this.#knownById.clear()
    for (const listener of this.#listeners) listener()
  }

  async #refreshAfterChange(): Promise<void> {
    try {
      await this.refresh()
    } catch {
      this.#noticedAt = Number.NEGATIVE_INFINITY // the change itself is stored; the next request reads again
    }
  }

  #noticeIfDue(): void {
    const since = this.#now() - this.#noticedAt
    if (since < 0 || since >= REFRESH_EVERY) this.#notice()
  }

  #read(by: 'hash' | 'id', value: string): Account | undefined {
    const row = this.#database.directory.key(by, value)
    if (row === undefined) return undefined
    const { user_id: userId, email, id: keyId, hint: keyHint, subscribed_on: subscribedOn } = row
    const { plan, grandfathered } = this.#subscriber(row.plan, subscribedOn)
    const endsAt = row.ends_at === null ? undefined : Date.parse(row.ends_at)
    return { userId, email, plan, subscribedOn, grandfathered, keyId, keyHint, role: readRole(row.role), endsAt }
  }
}
