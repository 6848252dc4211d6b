import { createHmac, randomBytes } from 'node:crypto'
import type { Instant } from '../../market/units.ts'

const PREFIX = 'whsec_'
/** 192 bits, the minimum that Standard Webhooks requires. */
const SECRET_BYTES = 24

/** A new signing secret in the text form that users copy. */
export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

/**
 * Headers of a webhook message: its id, the time in seconds, and one signature over id, time and body per secret.
 * Source: Standard Webhooks 1.0.0, "Signature scheme" and "Webhook headers".
 */
export function signedHeaders(
  id: string,
  now: Instant,
  body: string,
  secrets: readonly string[]
): Readonly<Record<string, string>> {
  const timestamp = `${Math.floor(now / 1000)}`
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
