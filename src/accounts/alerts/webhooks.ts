import { randomUUID } from 'node:crypto'
import { type Instant, isoInstant, MILLISECONDS_PER_DAY } from '../../market/units.ts'
import type { WebhookRow } from '../accounts-schema.ts'
import type { Changes, Database, Queries } from '../database.ts'

/** A URL that receives a user's firings. All rules of the user with that URL share the webhook. */
export interface Webhook {
  readonly id: string
  readonly userId: string
  readonly url: string
  /** The secrets that sign the webhook's messages: the newest first, then for a day the secret it replaced. */
  readonly secrets: readonly string[]
}

/**
 * Webhooks of all users and their signing secrets. Secrets are stored in plain text, since signing needs them; only the
 * owner of the file may read it.
 */
export class Webhooks {
  readonly #database: Database
  readonly #now: () => Instant

  constructor(database: Database, now: () => Instant) {
    this.#database = database
    this.#now = now
  }

  async ofUser(userId: string, read: Queries = this.#database.read): Promise<ReadonlyMap<string, Webhook>> {
    const rows = await read.selectFrom('alert_webhooks').selectAll().where('user_id', '=', userId).execute()
    return new Map(rows.map((row) => [row.id, this.#webhookOf(row)]))
  }

  async find(id: string): Promise<Webhook | undefined> {
    const query = this.#database.read.selectFrom('alert_webhooks').selectAll().where('id', '=', id)
    const row = await query.executeTakeFirst()
    return row && this.#webhookOf(row)
  }

  /** Adds a webhook for a URL that the user does not use yet. */
  async add(userId: string, url: string, secret: string, tx: Changes): Promise<Webhook> {
    const created_at = isoInstant(this.#now())
    const row = { id: randomUUID(), user_id: userId, url, secret, previous_secret: null, rotated_at: null, created_at }
    await tx.insertInto('alert_webhooks').values(row).execute()
    return this.#webhookOf(row)
  }

  /** Replaces the newest secret of a webhook; the old secret signs for another day. */
  async rotate({ id, secrets: [previous_secret] }: Webhook, secret: string, tx: Changes): Promise<void> {
    const fields = { secret, previous_secret, rotated_at: isoInstant(this.#now()) }
    await tx.updateTable('alert_webhooks').set(fields).where('id', '=', id).execute()
  }

  /** Removes the webhooks of a user that no rule and no firing refers to. */
  async removeUnused(userId: string, tx: Changes): Promise<void> {
    const ofRules = tx.selectFrom('alerts').select('webhook_id').where('webhook_id', 'is not', null)
    const ofFirings = tx.selectFrom('alert_firings').select('webhook_id').where('webhook_id', 'is not', null)
    const unused = tx.deleteFrom('alert_webhooks').where('user_id', '=', userId).where('id', 'not in', ofRules)
    await unused.where('id', 'not in', ofFirings).execute()
  }

  #webhookOf({ id, user_id: userId, url, secret, previous_secret, rotated_at }: WebhookRow): Webhook {
    const isRecent = rotated_at !== null && this.#now() - Date.parse(rotated_at) < MILLISECONDS_PER_DAY
    const secrets = previous_secret !== null && isRecent ? [secret, previous_secret] : [secret]
    return { id, userId, url, secrets }
  }
}
