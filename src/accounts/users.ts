import { randomUUID } from 'node:crypto'
import type { Plans } from '../api/plan.ts'
import { parseIsoDate } from '../market/units.ts'
import { audit } from './audit.ts'
import type { Database } from './database.ts'

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

  list(): User[] {
    return this.#database.rows(this.#database.build.selectFrom('users').selectAll().orderBy('email')).map(userOf)
  }

  find(emailOrId: string): User | undefined {
    const query = this.#database.build.selectFrom('users').selectAll()
    const wanted = emailOrId.trim()
    const row = this.#database.rows(
      query.where((where) => where.or([where('email', '=', wanted.toLowerCase()), where('id', '=', wanted)]))
    )[0]
    return row && userOf(row)
  }

  /** Like `find`, but throws if there is no such user. */
  get(emailOrId: string): User {
    const user = this.find(emailOrId)
    if (user === undefined) throw new AccountError(`there is no user ${emailOrId}`)
    return user
  }

  create(wanted: NewUser, actor: string): User {
    const email = checkedEmail(wanted.email)
    const plan = this.#checkedPlan(wanted.plan)
    const createdAt = new Date(this.#now()).toISOString()
    const subscribedOn = checkedDate(wanted.subscribedOn ?? createdAt.slice(0, 10))
    return this.#database.durably(() => {
      if (this.find(email) !== undefined) throw new AccountError(`the user ${email} exists already`)
      const id = randomUUID()
      const row = { id, email, plan, subscribed_on: subscribedOn, created_at: createdAt }
      this.#database.run(this.#database.build.insertInto('users').values(row))
      audit(this.#database, this.#now(), {
        actor,
        action: 'user.create',
        target: email,
        detail: { plan, subscribedOn }
      })
      return userOf(row)
    })
  }

  setPlan(emailOrId: string, planId: string, actor: string): User {
    const plan = this.#checkedPlan(planId)
    return this.#database.durably(() => {
      const user = this.get(emailOrId)
      this.#database.run(this.#database.build.updateTable('users').set({ plan }).where('id', '=', user.id))
      const detail = { from: user.plan, to: plan }
      audit(this.#database, this.#now(), { actor, action: 'user.set_plan', target: user.email, detail })
      return { ...user, plan }
    })
  }

  /**
   * Changes the first day of a subscription, which decides about access to same-day expirations (interface
   * specification, "Authentication" 6). Plan and first day are both terms of a subscription, so both are audited as
   * user.set_plan.
   */
  setSubscribedOn(emailOrId: string, day: string, actor: string): User {
    const subscribedOn = checkedDate(day)
    return this.#database.durably(() => {
      const user = this.get(emailOrId)
      const change = this.#database.build.updateTable('users').set({ subscribed_on: subscribedOn })
      this.#database.run(change.where('id', '=', user.id))
      const detail = { plan: user.plan, subscribedFrom: user.subscribedOn, subscribedTo: subscribedOn }
      audit(this.#database, this.#now(), { actor, action: 'user.set_plan', target: user.email, detail })
      return { ...user, subscribedOn }
    })
  }

  /** Removes the user with all keys, request counts, bundles and alerts. The audit trail remains. */
  remove(emailOrId: string, actor: string): User {
    return this.#database.durably(() => {
      const user = this.get(emailOrId)
      const { build } = this.#database
      this.#database.run(build.deleteFrom('alert_firings').where('user_id', '=', user.id))
      this.#database.run(build.deleteFrom('alerts').where('user_id', '=', user.id))
      this.#database.run(build.deleteFrom('alert_webhooks').where('user_id', '=', user.id))
      this.#database.run(build.deleteFrom('keys').where('user_id', '=', user.id))
      this.#database.run(build.deleteFrom('bundles').where('user_id', '=', user.id))
      this.#database.run(build.deleteFrom('usage').where('user_id', '=', user.id))
      this.#database.run(build.deleteFrom('users').where('id', '=', user.id))
      const detail = { plan: user.plan }
      audit(this.#database, this.#now(), { actor, action: 'user.remove', target: user.email, detail })
      return user
    })
  }

  /**
   * Requests of each user today, by user id. Requests of the last second may be missing, because a running service has
   * not written their counts yet.
   */
  usageToday(): ReadonlyMap<string, number> {
    const day = new Date(this.#now()).toISOString().slice(0, 10)
    const query = this.#database.build.selectFrom('usage').select(['user_id', 'count']).where('day', '=', day)
    return new Map(this.#database.rows(query).map((row) => [row.user_id, Math.max(0, row.count)]))
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
