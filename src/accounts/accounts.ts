import { LRUCache } from 'lru-cache'
import type { Plan, Plans } from '../api/plan.ts'
import type { Instant, Ticker } from '../market/units.ts'
import { type AuditEntry, audit, wasEverUsed } from './audit.ts'
import { Bundles } from './bundles.ts'
import { ChangeWatch } from './changes.ts'
import type { Database } from './database.ts'
import { IssuedKeys, type KeyRole, readRole } from './issued-keys.ts'
import { hashKey, isWellFormed, KEY_LENGTH } from './key.ts'
import { Users } from './users.ts'

/** The user and the plan behind a valid key. */
export interface Account {
  readonly userId: string
  readonly email: string
  readonly plan: Plan
  /** yyyy-MM-dd. */
  readonly subscribedOn: string
  /** Subscribed before the same-day rule, so it keeps same-day expirations on any plan. */
  readonly grandfathered: boolean
  readonly keyId: string
  /** The last four characters of the key. */
  readonly keyHint: string
  readonly role: KeyRole
  /** The first moment at which the key does not work any more; undefined: it does not end. */
  readonly endsAt: Instant | undefined
  /**
   * What of its requests is not counted, where they rest on the session of a browser: answers that the browser holds
   * already, or all of them.
   */
  readonly uncounted?: 'held' | 'all'
  /** The one symbol that may be asked about, where the request comes from an embedded panel. */
  readonly only?: Ticker
}

/** What of a user decides what may be seen. */
export type Subscriber = Pick<Account, 'plan' | 'grandfathered' | 'only'>

/** Interface specification, "Authentication" 6: accounts subscribed before this day keep 0DTE access on their plan. */
const SAME_DAY_RULE_FROM = '2026-03-20'

const KNOWN_KEYS = 50_000
const UNKNOWN_KEYS = 10_000

/** Keys, the users behind them, and the one hot question of every request: whose key is this? */
export class Accounts {
  readonly users: Users
  readonly keys: IssuedKeys
  readonly bundles: Bundles
  readonly #database: Database
  readonly #plans: Plans
  // Counted as sizes of one: for a `max` the memory of all entries is taken at once, which delays a start.
  readonly #known = new LRUCache<string, Account>({ maxSize: KNOWN_KEYS, sizeCalculation: () => 1 })
  readonly #knownById = new LRUCache<string, Account>({ maxSize: KNOWN_KEYS, sizeCalculation: () => 1 })
  /** Well-formed keys that no user holds. */
  readonly #unknown = new LRUCache<string, true>({ max: UNKNOWN_KEYS })
  /** The key each connection came with last. */
  readonly #lastKeys = new WeakMap<object, { readonly rawKey: string; readonly hash: string }>()
  readonly #now: () => number
  readonly #changes: ChangeWatch

  constructor(database: Database, plans: Plans, now: () => number = Date.now) {
    this.#database = database
    this.#plans = plans
    this.#now = now
    this.#changes = new ChangeWatch(database, now)
    this.users = new Users(database, plans, now)
    this.keys = new IssuedKeys(database, now)
    this.bundles = new Bundles(database, this.users, now)
  }

  /**
   * The account behind a key, or undefined for a key that is mistyped, unknown, revoked or over. With the connection it came
   * by, its hash is remembered for as long as that lives: to hash it again would cost more than to find its account.
   */
  find(rawKey: string, connection?: object): Account | undefined {
    if (rawKey.length !== KEY_LENGTH) return undefined
    this.#forgetWhatChanged()
    const hash = connection === undefined ? hashKey(rawKey) : this.#hashOf(rawKey, connection)
    const known = this.#known.get(hash)
    if (known !== undefined) return this.#unlessOver(known)
    if (!isWellFormed(rawKey) || this.#unknown.has(hash)) return undefined
    const account = this.#read('keys.hash', hash)
    if (account !== undefined) this.#known.set(hash, account)
    else this.#unknown.set(hash, true)
    return account && this.#unlessOver(account)
  }

  /** The account behind the id of a key that was valid; undefined once that is revoked or over. */
  findById(keyId: string): Account | undefined {
    this.#forgetWhatChanged()
    let account = this.#knownById.get(keyId)
    if (account === undefined) {
      account = this.#read('keys.id', keyId)
      if (account !== undefined) this.#knownById.set(keyId, account)
    }
    return account && this.#unlessOver(account)
  }

  /** What decides what a user may see, whatever keys there are; undefined: there is no such user. */
  subscriber(userId: string): Subscriber | undefined {
    const user = this.users.find(userId)
    return user && this.#subscriber(user.plan, user.subscribedOn)
  }

  #subscriber(planId: string, subscribedOn: string): Pick<Account, 'plan' | 'grandfathered'> {
    // An operator may drop a plan that users still hold: they get the lowest plan until an operator moves them.
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

  /** Several changes to users and keys, all of them or none. */
  atomically<Result>(work: () => Result): Result {
    return this.#database.durably(work)
  }

  /** Whether nothing was ever done to these accounts: there were no users, and none were removed. */
  areNew(): boolean {
    return !wasEverUsed(this.#database)
  }

  /** Notes in the audit trail what was done to many users at once. */
  note(entry: AuditEntry): void {
    audit(this.#database, this.#now(), entry)
  }

  #forgetWhatChanged(): void {
    if (!this.#changes.changed()) return
    this.#unknown.clear()
    this.#known.clear()
    this.#knownById.clear()
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
