import { createCipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto'
import type { BrowserKeys } from '../../accounts/alerts/webhooks.ts'

/** Size of the only record, bytes: push services must take a body of 4096 (RFC 8030, section 7.2). */
const RECORD_SIZE = 4096
const SALT_BYTES = 16
const KEY_BYTES = 16
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Length of an uncompressed point of P-256. */
const POINT_BYTES = 65
/** Follows the text of the last record (RFC 8188, section 2). */
const LAST_RECORD = Buffer.from([2])
const HEADER_BYTES = SALT_BYTES + 4 + 1 + POINT_BYTES
/** Longest text of a message, bytes. */
export const MAX_TEXT_BYTES = RECORD_SIZE - HEADER_BYTES - LAST_RECORD.length - TAG_BYTES

/** Parts of a message that are new for each one; tests give those of the published example. */
export interface Randomness {
  readonly salt: Buffer
  readonly sender: ECDH
}

/**
 * Encrypts a message to a browser as the body of a push: header and one record of aes128gcm.
 * Source: RFC 8291, section 3 (keys), and RFC 8188, section 2 (header and record).
 */
export function encryptPush(text: Buffer, { p256dh, auth }: BrowserKeys, { salt, sender } = fresh()): Buffer {
  if (text.length > MAX_TEXT_BYTES) throw new RangeError(`a push holds ${MAX_TEXT_BYTES} bytes of text`)
  const receiver = Buffer.from(p256dh, 'base64url')
  const own = sender.getPublicKey()
  const shared = sender.computeSecret(receiver)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiver, own])
  const secret = derived(shared, Buffer.from(auth, 'base64url'), info, 32)
  const key = derived(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), KEY_BYTES)
  const nonce = derived(secret, salt, Buffer.from('Content-Encoding: nonce\0'), NONCE_BYTES)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const record = Buffer.concat([cipher.update(text), cipher.update(LAST_RECORD), cipher.final(), cipher.getAuthTag()])
  const size = Buffer.alloc(4)
  size.writeUInt32BE(RECORD_SIZE)
  return Buffer.concat([salt, size, Buffer.from([own.length]), own, record])
}

function fresh(): Randomness {
  const sender = createECDH('prime256v1')
  sender.generateKeys()
  return { salt: randomBytes(SALT_BYTES), sender }
}

/** Extract and expand of HKDF with SHA-256 (RFC 5869). */
function derived(secret: Buffer, salt: Buffer, info: Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, length))
}

/** Whether a browser's keys can be used: a point of the curve, and a secret of the size that RFC 8291 asks for. */
export function arePushKeys({ p256dh, auth }: BrowserKeys): boolean {
  const point = Buffer.from(p256dh, 'base64url')
  if (point.length !== POINT_BYTES || Buffer.from(auth, 'base64url').length !== SALT_BYTES) return false
  try {
    fresh().sender.computeSecret(point)
    return true
  } catch {
    return false // no point of the curve
  }
}
