import { createECDH, createPrivateKey, type KeyObject, sign } from 'node:crypto'
import type { Instant } from '../../market/units.ts'

/** The key pair with which a service names itself to push services. */
export interface ServiceKey {
  /** Uncompressed point of P-256, base64url: what browsers subscribe with. */
  readonly publicKey: string
  readonly signing: KeyObject
}

/** Seconds for which an authorization holds; RFC 8292, section 2, allows a day. */
const HOLDS_FOR = 12 * 3600

/** A new private key, base64url. */
export function newServiceKey(): string {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  // OpenSSL leaves out leading zeros.
  return Buffer.concat([Buffer.alloc(32), pair.getPrivateKey()])
    .subarray(-32)
    .toString('base64url')
}

/** The key pair of a private key of `newServiceKey`. */
export function serviceKeyOf(privateKey: string): ServiceKey {
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(Buffer.from(privateKey, 'base64url'))
  const point = pair.getPublicKey()
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  const jwk = { kty: 'EC', crv: 'P-256', x, y, d: privateKey } as const
  return { publicKey: point.toString('base64url'), signing: createPrivateKey({ key: jwk as never, format: 'jwk' }) }
}

/**
 * Value of the authorization header of a message to an endpoint: a token for the origin of the push service, signed with
 * ES256. `contact`, an https or mailto address, says who sends it.
 * Source: RFC 8292, sections 2 and 3; RFC 7515 for the form of the token.
 */
export function vapidHeader(
  endpoint: string,
  { publicKey, signing }: ServiceKey,
  { now, contact }: { readonly now: Instant; readonly contact: string | undefined }
): string {
  const claims = { aud: new URL(endpoint).origin, exp: Math.floor(now / 1000) + HOLDS_FOR, sub: contact }
  const head = [{ typ: 'JWT', alg: 'ES256' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const signature = sign('sha256', Buffer.from(head), { key: signing, dsaEncoding: 'ieee-p1363' })
  return `vapid t=${head}.${signature.toString('base64url')}, k=${publicKey}`
}
