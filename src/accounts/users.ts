import { randomUUID } from 'node:crypto'
import type { Plans } from '../api/plan.ts'
import { parseIsoDate } from '../market/units.ts'
import { audit } from './audit.ts'
import { type Changes, type Database, durably, type Queries } from './database.ts'

/** An operator's command that cannot be carried out; the message says why and what to change. */
export class AccountError extends Error {
  override readonly name = 'AccountError'
}

export interface User {
  readonly id: string
  readonly email: string
  readonly plan: string
  /** First day of the subscription, yyyy-MM-dd, UTC. */
  readonly subscribedOn: string
  readonly createdAt: string
}

export interface NewUser {
  readonly email: string
  readonly plan: string
  /** First day of the subscription; default: today. An earlier day carries over a subscription that began elsewhere. */
  readonly subscribedOn?: string
}

/** Tables with rows of users, in an order in which these may be deleted. */
const tablesOfUsers = ['identities', 'alert_firings', 'alerts', 'alert_webhooks', 'keys', 'bundles', 'usage'] as const

/** The people and programs that hold keys. `actor`, the person who makes a change, is written to the audit trail. */
export class Users {
  readonly #database: Database
  readonly #plans: Plans
  readonly #now: () => number

  constructor(database: Database, plans: Plans, now: () => number) {
    this.#database = database
    this.#plans = plans
    this.#now = now
  }

  async list(): Promise<User[]> {
    return (await this.#database.read.selectFrom('users').selectAll().orderBy('email').execute()).map(userOf)
  }

  async find(emailOrId: string, read: Queries = this.#database.read): Promise<User | undefined> {
    const wanted = emailOrId.trim()
    const row = await read
      .selectFrom('users')
      .selectAll()
      .where((where) => where.or([where('email', '=', wanted.toLowerCase()), where('id', '=', wanted)]))
      .executeTakeFirst()
    return row && userOf(row)
  }

  /** Like `find`, but fails if there is no such user. */
  async get(emailOrId: string, read?: Queries): Promise<User> {
    const user = await this.find(emailOrId, read)
    if (user === undefined) throw new AccountError(`there is no user ${emailOrId}`)
    return user
  }

  async create(wanted: NewUser, actor: string, within?: Changes): Promise<User> {
    const email = checkedEmail(wanted.email)
    const plan = this.#checkedPlan(wanted.plan)
    const createdAt = new Date(this.#now()).toISOString()
    const subscribedOn = checkedDate(wanted.subscribedOn ?? createdAt.slice(0, 10))
    return durably(this.#database, within, async (tx) => {
      if ((await this.find(email, tx)) !== undefined) throw new AccountError(`the user ${email} exists already`)
      const id = randomUUID()
      const row = { id, email, plan, subscribed_on: subscribedOn, created_at: createdAt }
      await tx.insertInto('users').values(row).execute()
      await audit(tx, this.#now(), { actor, action: 'user.create', target: email, detail: { plan, subscribedOn } })
      return userOf(row)
    })
  }

  async setPlan(emailOrId: string, planId: string, actor: string, within?: Changes): Promise<User> {
    const plan = this.#checkedPlan(planId)
    return durably(this.#database, within, async (tx) => {
      const user = await this.get(emailOrId, tx)
      await tx.updateTable('users').set({ plan }).where('id', '=', user.id).execute()
      const detail = { from: user.plan, to: plan }
      await audit(tx, this.#now(), { actor, action: 'user.set_plan', target: user.email, detail })
      return { ...user, plan }
    })
  }

  /**
   * Changes the first day of a subscription, which decides about access to same-day expirations (interface
   * specification, "Authentication" 6). Plan and first day are both terms of a subscription, so both are audited as
   * user.set_plan.
   */
  async setSubscribedOn(emailOrId: string, day: string, actor: string, within?: Changes): Promise<User> {
    const subscribedOn = checkedDate(day)
    return durably(this.#database, within, async (tx) => {
      const user = await this.get(emailOrId, tx)
      await tx.updateTable('users').set({ subscribed_on: subscribedOn }).where('id', '=', user.id).execute()
      const detail = { plan: user.plan, subscribedFrom: user.subscribedOn, subscribedTo: subscribedOn }
      await audit(tx, this.#now(), { actor, action: 'user.set_plan', target: user.email, detail })
      return { ...user, subscribedOn }
    })
  }

  /** Removes the user with all keys, request counts, bundles and alerts. The audit trail remains. */
  async remove(emailOrId: string, actor: string, within?: Changes): Promise<User> {
    return durably(this.#database, within, async (tx) => {
      const user = await this.get(emailOrId, tx)
      for (const table of tablesOfUsers) await tx.deleteFrom(table).where('user_id', '=', user.id).execute()
      await tx.deleteFrom('users').where('id', '=', user.id).execute()
      const detail = { plan: user.plan }
      await audit(tx, this.#now(), { actor, action: 'user.remove', target: user.email, detail })
      return user
    })
  }

  /**
   * Requests of each user today, by user id. Requests of the last second may be missing, because a running service has
   * not written their counts yet.
   */
  async usageToday(): Promise<ReadonlyMap<string, number>> {
    const day = new Date(this.#now()).toISOString().slice(0, 10)
    const query = this.#database.read.selectFrom('usage').select(['user_id', 'count']).where('day', '=', day)
    return new Map((await query.execute()).map((row) => [row.user_id, Math.max(0, row.count)]))
  }

  #checkedPlan(id: string): string {
    if (this.#plans.byId(id) !== undefined) return id
    throw new AccountError(`there is no plan ${id}: choose one of ${this.#plans.all.map((plan) => plan.id).join(', ')}`)
  }
}

function userOf(row: { id: string; email: string; plan: string; subscribed_on: string; created_at: string }): User {
  const { id, email, plan, subscribed_on, created_at } = row
  return { id, email, plan, subscribedOn: subscribed_on, createdAt: created_at }
}

function checkedEmail(text: string): string {
  const email = text.trim().toLowerCase()
  if (email.length <= 254 && /^[^\s@\p{C}"<>]+@[^\s@\p{C}"<>]+$/u.test(email)) return email
  throw new AccountError('an email address has the form name@host')
}

function checkedDate(text: string): string {
  const date = parseIsoDate(text)
  if (date !== undefined) return date
  throw new AccountError('a subscription date must be a date, yyyy-MM-dd')
}
