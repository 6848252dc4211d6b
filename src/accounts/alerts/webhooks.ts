import { randomUUID } from 'node:crypto'
import { type Instant, isoInstant, MILLISECONDS_PER_DAY } from '../../market/units.ts'
import type { WebhookRow } from '../accounts-schema.ts'
import type { Changes, Database, Queries } from '../database.ts'

/** Keys of a browser for messages to it, base64url: its public key on P-256, and a secret of 16 bytes. */
export interface BrowserKeys {
  readonly p256dh: string
  readonly auth: string
}

/**
 * A URL that receives a user's firings. All rules of the user with that URL share the webhook. That of a browser is at a
 * push service and receives the firings of all rules.
 */
export interface Webhook {
  readonly id: string
  readonly userId: string
  readonly url: string
  /** The secrets that sign the webhook's messages: the newest first, then for a day the secret it replaced. */
  readonly secrets: readonly string[]
  readonly createdAt: Instant
  /** Undefined for a webhook that the user runs. */
  readonly pushKeys: BrowserKeys | undefined
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
    const none = { previous_secret: null, rotated_at: null, push_keys: null }
    const row = { id: randomUUID(), user_id: userId, url, secret, created_at, ...none }
    await tx.insertInto('alert_webhooks').values(row).execute()
    return this.#webhookOf(row)
  }

  /** Browsers of a user, in the order in which they were added. */
  async browsersOf(userId: string, read: Queries = this.#database.read): Promise<Webhook[]> {
    const all = read.selectFrom('alert_webhooks').selectAll().where('push_keys', 'is not', null)
    const ofUser = all.where('user_id', '=', userId).orderBy('created_at').orderBy('id')
    return (await ofUser.execute()).map((row) => this.#webhookOf(row))
  }

  /** Adds a browser. It takes the place of the one at the same address, whoever was signed in there before. */
  async addBrowser(userId: string, url: string, keys: BrowserKeys, tx: Changes): Promise<Webhook> {
    const before = tx.selectFrom('alert_webhooks').select('id').where('url', '=', url)
    for (const { id } of await before.where('push_keys', 'is not', null).execute()) await this.removeBrowser(id, tx)
    const { id } = await this.add(userId, url, '', tx)
    const fields = { push_keys: JSON.stringify(keys) }
    await tx.updateTable('alert_webhooks').set(fields).where('id', '=', id).execute()
    const row = await tx.selectFrom('alert_webhooks').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    return this.#webhookOf(row)
  }

  /** Removes a browser that its push service no longer knows. */
  async forgetBrowser(id: string): Promise<void> {
    await this.#database.batch((tx) => this.removeBrowser(id, tx))
  }

  /** Removes a browser with all that was to be sent there. */
  async removeBrowser(id: string, tx: Changes): Promise<void> {
    await tx.deleteFrom('alert_firings').where('webhook_id', '=', id).execute()
    await tx.deleteFrom('alert_webhooks').where('id', '=', id).execute()
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
    const ownRun = tx.deleteFrom('alert_webhooks').where('user_id', '=', userId).where('push_keys', 'is', null)
    await ownRun.where('id', 'not in', ofRules).where('id', 'not in', ofFirings).execute()
  }

  #webhookOf(row: WebhookRow): Webhook {
    const { id, user_id: userId, url, secret, previous_secret, rotated_at, push_keys } = row
    const isRecent = rotated_at !== null && this.#now() - Date.parse(rotated_at) < MILLISECONDS_PER_DAY
    const secrets = previous_secret !== null && isRecent ? [secret, previous_secret] : [secret]
    const pushKeys = push_keys === null ? undefined : (JSON.parse(push_keys) as BrowserKeys) // written by addBrowser
    return { id, userId, url, secrets, createdAt: Date.parse(row.created_at), pushKeys }
  }
}
