import type { BrowserKeys, Webhook, Webhooks } from '../../accounts/alerts/webhooks.ts'
import { audit } from '../../accounts/audit.ts'
import type { Changes, Database } from '../../accounts/database.ts'
import { apiError } from '../../api/error.ts'
import { type Instant, isoInstant } from '../../market/units.ts'
import type { Message, Posted } from '../webhook/post.ts'
import { readWebhookUrl } from '../webhook/webhook-url.ts'
import { arePushKeys } from './encrypt.ts'
import { type PushSender, pushMessage, testText } from './push-message.ts'

export interface BrowsersOptions {
  readonly webhooks: Webhooks
  readonly database: Pick<Database, 'durably'>
  readonly push: PushSender
  readonly post: (message: Message, signal: AbortSignal) => Promise<Posted>
  readonly wallNow: () => Instant
  readonly allowPrivate: boolean
}

interface Owner {
  readonly userId: string
  readonly email: string
}

/** Browsers that a user may have told of alerts at once. */
export const MAX_BROWSERS = 10

/** Browsers that are told of what fires while no page is open: the operations of their users. */
export class Browsers {
  readonly #options: BrowsersOptions

  constructor(options: BrowsersOptions) {
    this.#options = options
  }

  /** The key with which browsers subscribe. */
  async publicKey(): Promise<string> {
    return (await this.#options.push.key()).publicKey
  }

  list({ userId }: Owner): Promise<Webhook[]> {
    return this.#options.webhooks.browsersOf(userId)
  }

  /** Adds a browser, in place of the one at the same address. */
  async add(owner: Owner, endpoint: string, keys: BrowserKeys): Promise<Webhook> {
    const { webhooks, database, allowPrivate } = this.#options
    const url = readWebhookUrl(endpoint, allowPrivate, 'endpoint').href
    if (!arePushKeys(keys)) throw apiError('invalid_body', 'keys are none of a browser', { parameter: 'keys' })
    return database.durably(async (tx) => {
      const own = [...(await webhooks.ofUser(owner.userId, tx)).values()]
      if (own.some((each) => each.url === url && each.pushKeys === undefined)) {
        throw apiError('invalid_webhook', 'endpoint is the address of a webhook', { parameter: 'endpoint' })
      }
      if (own.filter((each) => each.url !== url && each.pushKeys !== undefined).length >= MAX_BROWSERS) {
        throw apiError('alert_limit', `${MAX_BROWSERS} browsers are told of alerts already: switch one off first`, {
          limit: MAX_BROWSERS
        })
      }
      const added = await webhooks.addBrowser(owner.userId, url, keys, tx)
      await this.#audit(tx, owner, 'browser.add', added)
      return added
    })
  }

  /** Fails with alert_not_found if the owner has no such browser. */
  async remove(owner: Owner, id: string): Promise<Webhook> {
    const removed = await this.#find(owner, id)
    await this.#options.database.durably(async (tx) => {
      await this.#options.webhooks.removeBrowser(id, tx)
      await this.#audit(tx, owner, 'browser.remove', removed)
    })
    return removed
  }

  /** Sends a test now, and says what the push service answered. */
  async test(owner: Owner, id: string): Promise<Posted> {
    const { push, post, wallNow } = this.#options
    const { url, pushKeys } = await this.#find(owner, id)
    const at = wallNow()
    const firing = { id: 'test', at, body: testText(isoInstant(at)) }
    const message = await pushMessage({ url, keys: pushKeys! }, firing, push, at)
    return post(message, new AbortController().signal)
  }

  async #find({ userId }: Owner, id: string): Promise<Webhook> {
    const found = (await this.#options.webhooks.browsersOf(userId)).find((each) => each.id === id)
    if (found === undefined) throw apiError('alert_not_found', 'there is no browser with this id')
    return found
  }

  #audit(tx: Changes, { userId, email }: Owner, action: 'browser.add' | 'browser.remove', { id, url }: Webhook) {
    // The rest of the URL is what lets messages be sent there.
    const detail = { id, host: new URL(url).host }
    return audit(tx, this.#options.wallNow(), {
      actor: email.length <= 100 ? email : userId,
      action,
      target: email,
      detail
    })
  }
}
