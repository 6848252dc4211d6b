import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import type { Posted } from '../../src/alerts/webhook/post.ts'

interface Pushed {
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  /** The text that the browser reads. */
  readonly text: string
  readonly claims: { readonly aud: string; readonly exp: number; readonly sub?: string }
}

/**
 * A stand-in for browsers and their push service. It checks the authorization by the key with which the browser subscribed
 * and decrypts, written from RFC 8291, 8188 and 8292 apart from the code that encrypts.
 */
export function pushService() {
  const browsers = new Map<string, { keys: { p256dh: string; auth: string }; read(body: Buffer): string }>()
  const received: Pushed[] = []
  const answers: number[] = []

  /** Subscribes a new browser. Gives what `PushSubscription.toJSON()` gives. */
  function subscribe(endpoint: string) {
    const pair = createECDH('prime256v1')
    const point = pair.generateKeys()
    const auth = randomBytes(16)
    const keys = { p256dh: point.toString('base64url'), auth: auth.toString('base64url') }
    const hkdf = (secret: Buffer, salt: Buffer, info: Buffer | string, size: number) =>
      Buffer.from(hkdfSync('sha256', secret, salt, Buffer.from(info), size))
    const read = (body: Buffer) => {
      const [salt, size, length] = [body.subarray(0, 16), body.readUInt32BE(16), body[20]!]
      const sender = body.subarray(21, 21 + length)
      const record = body.subarray(21 + length)
      if (record.length > size) throw new Error('more than one record')
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), point, sender])
      const secret = hkdf(pair.computeSecret(sender), auth, info, 32)
      const key = hkdf(secret, salt, 'Content-Encoding: aes128gcm\0', 16)
      const decipher = createDecipheriv('aes-128-gcm', key, hkdf(secret, salt, 'Content-Encoding: nonce\0', 12))
      decipher.setAuthTag(record.subarray(-16))
      const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
      const end = padded.findLastIndex((byte) => byte !== 0)
      if (padded[end] !== 2) throw new Error('no delimiter of the last record')
      return padded.subarray(0, end).toString()
    }
    browsers.set(endpoint, { keys, read })
    return { endpoint, expirationTime: null, keys }
  }

  /** Takes a message as a push service does. Answers 201, or the next status of `answers`. */
  function take(url: string, headers: Readonly<Record<string, string>>, body: Buffer): Posted {
    const status = browsers.has(url) ? (answers.shift() ?? 201) : 410
    if (status === 201) {
      const { token, claims } = authorized(headers['authorization']!)
      if (token === undefined || claims.aud !== new URL(url).origin) return failed(403)
      received.push({ endpoint: url, headers, text: browsers.get(url)!.read(body), claims })
    }
    return status < 300 ? { delivered: true, status, failure: undefined } : failed(status)
  }
  return { subscribe, take, received, answers, forget: (endpoint: string) => browsers.delete(endpoint) }
}

const failed = (status: number): Posted => ({ delivered: false, status, failure: `it answered ${status}` })

/** The claims of an authorization if its signature is that of the key it names. */
export function authorized(header: string) {
  const [, token, key] = /^vapid t=([\w.-]+), k=([\w-]{87})$/.exec(header) ?? []
  if (token === undefined) throw new Error(`no authorization: ${header}`)
  const [head, claims, signature] = token.split('.') as [string, string, string]
  const point = Buffer.from(key!, 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url')
  }
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url')
  )
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  return { token: isSigned ? token : undefined, key: key!, head: read(head), claims: read(claims) }
}
