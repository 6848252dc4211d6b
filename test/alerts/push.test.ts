import { createECDH } from 'node:crypto'
import { expect, test } from 'vitest'
import { arePushKeys, encryptPush, MAX_TEXT_BYTES } from '../../src/alerts/push/encrypt.ts'
import { newServiceKey, serviceKeyOf, vapidHeader } from '../../src/alerts/push/vapid.ts'
import { published } from '../support/published-push.ts'
import { authorized, pushService } from '../support/push-service.ts'

const bytes = (text: string) => Buffer.from(text, 'base64url')
const keys = { p256dh: published.receiver, auth: published.auth }

test('the message of RFC 8291, section 5, is encrypted byte for byte as it is there', () => {
  const sender = createECDH('prime256v1')
  sender.setPrivateKey(bytes(published.senderPrivate))
  expect(sender.getPublicKey('base64url')).toBe(published.senderPublic)
  const body = encryptPush(Buffer.from(published.text), keys, { salt: bytes(published.salt), sender })
  expect(body.toString('base64url')).toBe(published.body)
})

test('two messages of one text have neither salt nor key in common', () => {
  const [one, other] = [1, 2].map(() => encryptPush(Buffer.from('same'), keys))
  expect(one!.subarray(0, 16)).not.toEqual(other!.subarray(0, 16))
  expect(one!.subarray(21, 86)).not.toEqual(other!.subarray(21, 86))
})

test('the longest text fills the 4096 bytes that push services must take, and a longer one is none', () => {
  expect(encryptPush(Buffer.alloc(MAX_TEXT_BYTES), keys)).toHaveLength(4096)
  expect(() => encryptPush(Buffer.alloc(MAX_TEXT_BYTES + 1), keys)).toThrow(RangeError)
})

test.each([
  ['a point that is not of the curve', { ...keys, p256dh: Buffer.alloc(65, 4).toString('base64url') }],
  ['a compressed point', { ...keys, p256dh: Buffer.alloc(33, 2).toString('base64url') }],
  ['a short secret', { ...keys, auth: 'BTBZMqHH6r4Tts7J' }]
])('%s is no key of a browser', (_, wrong) => {
  expect(arePushKeys(keys)).toBe(true)
  expect(arePushKeys(wrong)).toBe(false)
})

test('the authorization is a token of ES256 for the origin of the push service, for half a day', () => {
  const key = serviceKeyOf(newServiceKey())
  const now = Date.parse('2026-07-29T15:00:00Z')
  const endpoint = 'https://push.example.net:8443/p/abc?x=1'
  const header = vapidHeader(endpoint, key, { now, contact: 'https://desk.example' })
  const read = authorized(header)
  expect(read.token).toBeDefined()
  expect(read.key).toBe(key.publicKey)
  expect(read.head).toEqual({ typ: 'JWT', alg: 'ES256' })
  expect(read.claims).toEqual({
    aud: 'https://push.example.net:8443',
    exp: now / 1000 + 43_200,
    sub: 'https://desk.example'
  })
  expect(authorized(vapidHeader(endpoint, key, { now, contact: undefined })).claims).not.toHaveProperty('sub')
  const [kind, token, named] = header.split(' ') as [string, string, string]
  const other = `${kind} ${token.slice(0, -10)}AAAAAAAAA, ${named}`
  expect(authorized(other).token).toBeUndefined()
})

test('a private key with leading zeros keeps its 32 bytes', () => {
  const short = Buffer.concat([Buffer.alloc(31), Buffer.from([7])]).toString('base64url')
  const { publicKey, signing } = serviceKeyOf(short)
  expect(bytes(publicKey)).toHaveLength(65)
  expect(signing.asymmetricKeyType).toBe('ec')
  for (let k = 0; k < 300; k++) expect(newServiceKey()).toHaveLength(43)
})

test('the stand-in of the push service reads the published message', () => {
  const service = pushService()
  const { endpoint, keys: own } = service.subscribe('https://push.example.net/1')
  const headers = {
    authorization: vapidHeader(endpoint, serviceKeyOf(newServiceKey()), { now: 0, contact: undefined })
  }
  expect(service.take(endpoint, headers, encryptPush(Buffer.from(published.text), own)).status).toBe(201)
  expect(service.received[0]!.text).toBe(published.text)
})
