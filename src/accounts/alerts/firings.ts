import { type Instant, isoInstant } from '../../market/units.ts'
import type { FiringRow } from '../accounts-schema.ts'
import type { Changes, Database, Queries } from '../database.ts'

/** Delivery states of a firing; `none` if its rule had no webhook. */
export const deliveryStates = ['none', 'waiting', 'delivered', 'given_up'] as const
export type DeliveryState = (typeof deliveryStates)[number]

export interface Firing {
  /** Id of the firing and of its message; every delivery attempt carries it. */
  readonly id: string
  /** The firing that this one brings to a browser. Such copies are queued, and neither listed nor counted. */
  readonly copyOf?: string | undefined
  readonly alertId: string
  readonly userId: string
  readonly at: Instant
  /** JSON text of the message. */
  readonly body: string
  readonly webhookId: string | undefined
  readonly delivery: DeliveryState
  readonly attempts: number
  readonly attemptedAt: Instant | undefined
  /** Time of the next delivery attempt; undefined if there will be none. */
  readonly nextAttemptAt: Instant | undefined
  readonly failure: string | undefined
}

/** A webhook with undelivered firings. */
export interface WaitingWebhook {
  readonly webhookId: string
  readonly userId: string
  readonly url: string
  readonly nextAttemptAt: Instant
}

export type Attempt = Pick<Firing, 'id' | 'delivery' | 'attempts' | 'attemptedAt' | 'nextAttemptAt' | 'failure'>

/** Firings kept per rule, in addition to those still to be delivered. */
export const KEPT_FIRINGS = 1000

/** All firings, including the queue of those still to be delivered. */
export class Firings {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** Adds a firing and drops the oldest firings of its rule if there are too many. */
  async add(firing: Firing, tx: Changes): Promise<void> {
    await tx.insertInto('alert_firings').values(rowOf(firing)).execute()
    if (firing.copyOf !== undefined) return
    const all = tx.selectFrom('alert_firings').select('at').where('alert_id', '=', firing.alertId)
    const ofRule = all.where('copy_of', 'is', null)
    const oldestKept = ofRule
      .orderBy('at', 'desc')
      .limit(1)
      .offset(KEPT_FIRINGS - 1)
    const older = tx.deleteFrom('alert_firings').where('alert_id', '=', firing.alertId).where('at', '<', oldestKept)
    await older.where('delivery', '!=', 'waiting').execute()
  }

  /** Firings of a user, or of one rule of the user, newest first. */
  async page(
    userId: string,
    { alertId, limit, offset }: { alertId?: string; limit: number; offset: number }
  ): Promise<Firing[]> {
    const all = this.#database.read.selectFrom('alert_firings').selectAll().where('copy_of', 'is', null)
    let query = all.where('user_id', '=', userId)
    if (alertId !== undefined) query = query.where('alert_id', '=', alertId)
    const page = query.orderBy('at', 'desc').orderBy('id').limit(limit).offset(offset)
    return (await page.execute()).map(firingOf)
  }

  /** Number of times a rule has fired since a moment. */
  async countSince(alertId: string, since: Instant, read: Queries = this.#database.read): Promise<number> {
    const query = read.selectFrom('alert_firings').select(({ fn }) => fn.countAll<number>().as('count'))
    const ofRule = query.where('alert_id', '=', alertId).where('copy_of', 'is', null)
    return (await ofRule.where('at', '>=', isoInstant(since)).executeTakeFirstOrThrow()).count
  }

  /**
   * Webhooks with undelivered firings and the time when the next attempt of each is due, the earliest first. Goes from webhook
   * to webhook through an index, since one of them may have a hundred thousand firings.
   */
  async waiting(): Promise<WaitingWebhook[]> {
    const query = this.#database.read
      .withRecursive('found', (db) =>
        db
          .selectFrom('alert_firings')
          .where('delivery', '=', 'waiting')
          .select(({ fn }) => fn.min<string | null>('webhook_id').as('id'))
          .unionAll(
            db
              .selectFrom('found')
              .where('found.id', 'is not', null)
              .select(({ selectFrom }) =>
                selectFrom('alert_firings')
                  .where('delivery', '=', 'waiting')
                  .whereRef('webhook_id', '>', 'found.id')
                  .select(({ fn }) => fn.min<string | null>('webhook_id').as('next'))
                  .as('id')
              )
          )
      )
      .selectFrom('found')
      .innerJoin('alert_webhooks', 'alert_webhooks.id', 'found.id')
      .select(['alert_webhooks.id', 'alert_webhooks.user_id', 'alert_webhooks.url'])
      .select(({ selectFrom }) =>
        selectFrom('alert_firings')
          .where('delivery', '=', 'waiting')
          .whereRef('webhook_id', '=', 'alert_webhooks.id')
          .select(({ fn }) => fn.min<string>('next_attempt_at').as('earliest'))
          .as('first')
      )
      .orderBy('first')
      .orderBy('alert_webhooks.id')
    return (await query.execute()).map((row) => ({
      webhookId: row.id,
      userId: row.user_id,
      url: row.url,
      nextAttemptAt: Date.parse(row.first!)
    }))
  }

  /** Whether other services send firings too. */
  get areShared(): boolean {
    return this.#database.sharing !== undefined
  }

  /**
   * The firing of a webhook that is due for delivery and waits longest, save those that this service sends already. No
   * other service sends it meanwhile.
   */
  async nextDue(webhookId: string, now: Instant, underWay: ReadonlySet<string>): Promise<Firing | undefined> {
    const { read, sharing } = this.#database
    if (sharing !== undefined) return (await sharing.claimFirings(webhookId, now, 1)).map(firingOf)[0]
    const query = read
      .selectFrom('alert_firings')
      .selectAll()
      .where('delivery', '=', 'waiting')
      .where('webhook_id', '=', webhookId)
      .where('next_attempt_at', '<=', isoInstant(now))
    const due = await query
      .orderBy('next_attempt_at')
      .orderBy('at')
      .limit(underWay.size + 1)
      .execute()
    const next = due.find(({ id }) => !underWay.has(id))
    return next && firingOf(next)
  }

  /** Lets other services send a firing at once that this one claimed and did not try to send. */
  async release({ id }: Pick<Firing, 'id'>): Promise<void> {
    const { sharing } = this.#database
    if (sharing === undefined) return
    const fields = { claimed_by: null, claimed_until: null }
    await this.#database.batch((tx) => this.#own(tx.updateTable('alert_firings').set(fields), id).execute())
  }

  /** A statement about one firing, unless another service has claimed it meanwhile. */
  #own<Statement extends Claimable<Statement>>(statement: Statement, id: string): Statement {
    const ofId = statement.where('id', '=', id)
    const { sharing } = this.#database
    return sharing === undefined ? ofId : ofId.where('claimed_by', '=', sharing.name)
  }

  /** Writes the outcome of an attempt, unless another service took the firing over because this one took too long. */
  async attempted({ id, delivery, attempts, attemptedAt, nextAttemptAt, failure }: Attempt): Promise<void> {
    const fields = {
      delivery,
      attempts,
      attempted_at: textOf(attemptedAt),
      next_attempt_at: textOf(nextAttemptAt),
      failure: failure ?? null,
      claimed_by: null,
      claimed_until: null
    }
    await this.#database.batch((tx) => this.#own(tx.updateTable('alert_firings').set(fields), id).execute())
  }

  /** Moves the next attempts of all undelivered firings by some milliseconds, for a wall clock that was set. */
  async moveAttempts(milliseconds: number): Promise<void> {
    await this.#database.batch(async (tx) => {
      const waiting = tx.selectFrom('alert_firings').select(['id', 'next_attempt_at']).where('delivery', '=', 'waiting')
      for (const { id, next_attempt_at } of await waiting.execute()) {
        const fields = { next_attempt_at: textOf(Date.parse(next_attempt_at!) + milliseconds) }
        await tx.updateTable('alert_firings').set(fields).where('id', '=', id).execute()
      }
    })
  }

  /** Drops firings before a moment, except those still to be delivered. */
  async forgetBefore(moment: Instant, tx: Changes): Promise<void> {
    const query = tx.deleteFrom('alert_firings').where('at', '<', isoInstant(moment))
    await query.where('delivery', '!=', 'waiting').execute()
  }
}

interface Claimable<Statement> {
  where(column: 'id' | 'claimed_by', is: '=', value: string): Statement
}

const textOf = (at: Instant | undefined) => (at === undefined ? null : isoInstant(at))
const instantOf = (text: string | null) => (text === null ? undefined : Date.parse(text))

function rowOf(firing: Firing): FiringRow {
  return {
    id: firing.id,
    copy_of: firing.copyOf ?? null,
    alert_id: firing.alertId,
    user_id: firing.userId,
    at: isoInstant(firing.at),
    body: firing.body,
    webhook_id: firing.webhookId ?? null,
    delivery: firing.delivery,
    attempts: firing.attempts,
    attempted_at: textOf(firing.attemptedAt),
    next_attempt_at: textOf(firing.nextAttemptAt),
    failure: firing.failure ?? null,
    claimed_by: null,
    claimed_until: null
  }
}

function firingOf(row: FiringRow): Firing {
  return {
    id: row.id,
    copyOf: row.copy_of ?? undefined,
    alertId: row.alert_id,
    userId: row.user_id,
    at: Date.parse(row.at),
    body: row.body,
    webhookId: row.webhook_id ?? undefined,
    delivery: row.delivery as DeliveryState,
    attempts: row.attempts,
    attemptedAt: instantOf(row.attempted_at),
    nextAttemptAt: instantOf(row.next_attempt_at),
    failure: row.failure ?? undefined
  }
}
