import { randomUUID } from 'node:crypto'
import type { Firing } from '../../accounts/alerts/firings.ts'
import type { BrowserKeys } from '../../accounts/alerts/webhooks.ts'
import { type Instant, MILLISECONDS_PER_DAY } from '../../market/units.ts'
import type { FiredMessage } from '../webhook/alert-message.ts'
import type { Message } from '../webhook/post.ts'
import { encryptPush, MAX_TEXT_BYTES } from './encrypt.ts'
import { type ServiceKey, vapidHeader } from './vapid.ts'

/** How the service names itself to push services. */
export interface PushSender {
  readonly key: () => Promise<ServiceKey>
  /** An address of who runs the service; undefined if none is known. */
  readonly contact: string | undefined
}

export interface PushTarget {
  readonly url: string
  readonly keys: BrowserKeys
}

/** The firing that brings another one to a browser. It goes the way of firings to webhooks, at its own pace. */
export function copyFor(browser: string, firing: Firing): Firing {
  const { text, data } = JSON.parse(firing.body) as FiredMessage
  return {
    ...firing,
    id: randomUUID(),
    copyOf: firing.id,
    body: JSON.stringify({ id: firing.id, symbol: data.symbol, at: data.at, text: cut(text) }),
    webhookId: browser,
    delivery: 'waiting',
    nextAttemptAt: firing.at
  }
}

/** Text of the message of the "send a test" button. */
export const testText = (at: string) => JSON.stringify({ id: 'test', at, text: 'This is a test of the notifications.' })

/** Notes and names of metrics are short, but each character may take four bytes. */
const MAX_WORDS = Math.floor((MAX_TEXT_BYTES - 200) / 4)
const cut = (text: string) => (text.length <= MAX_WORDS ? text : `${text.slice(0, MAX_WORDS - 1)}…`)

/**
 * The message that brings a firing to a browser. The push service keeps it while the browser is away, as long as the
 * firing would be sent again; a copy that was sent twice takes the place of the first.
 * Source: RFC 8030, section 5.2 to 5.4 (TTL, urgency, topic).
 */
export async function pushMessage(
  { url, keys }: PushTarget,
  { id, at, body }: Pick<Firing, 'id' | 'at' | 'body'>,
  { key, contact }: PushSender,
  now: Instant
): Promise<Message> {
  const left = Math.max(0, Math.round((at + MILLISECONDS_PER_DAY - now) / 1000))
  const headers = {
    'content-type': 'application/octet-stream',
    'content-encoding': 'aes128gcm',
    ttl: String(left),
    urgency: 'high',
    topic: id.replaceAll('-', '').slice(0, 32),
    authorization: vapidHeader(url, await key(), { now, contact })
  }
  return { url, headers, body: encryptPush(Buffer.from(body), keys) }
}
