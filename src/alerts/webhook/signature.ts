import { createHmac, randomBytes } from 'node:crypto'
import type { Instant } from '../../market/units.ts'

const PREFIX = 'whsec_'
/** 192 bits, the minimum of the specification. */
const SECRET_BYTES = 24

/** A new secret, as its owner sees it. */
export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

/**
 * Headers of a message: id, time in seconds, and for each secret a signature over both and the body. Source: Standard
 * Webhooks 1.0.0, "Signature scheme" and "Webhook headers".
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
