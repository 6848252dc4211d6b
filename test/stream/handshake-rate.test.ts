import type { IncomingHttpHeaders } from 'node:http'
import { expect, test } from 'vitest'
import { Handshakes } from '../../src/server/stream/handshakes.ts'

test('a key is authorized ten times in any ten seconds, however the handshakes are spread', () => {
  let now = 1_000_000
  const account = { keyId: 'k', userId: 'u', plan: { name: 'Alpha' } }
  const bundle = { id: 'b', blocks: 1, endsAt: undefined }
  const options = {
    access: {
      outdated: () => undefined,
      accountOfHeaders: (headers: IncomingHttpHeaders) => (headers['x-api-key'] === 'valid' ? account : undefined)
    },
    bundles: { of: () => bundle },
    server: { isDraining: false, hasRoom: () => true },
    isReady: () => true,
    wallNow: () => now
  }
  const handshakes = new Handshakes(options as unknown as ConstructorParameters<typeof Handshakes>[0])
  const handshake = () => {
    const answer = handshakes.authorize({ 'x-api-key': 'valid' }, new URLSearchParams())
    return 'refusal' in answer ? [answer.refusal.code, answer.retryAfter] : 'in'
  }
  for (let k = 0; k < 10; k++, now += 900) expect(handshake()).toBe('in')
  expect(handshake()).toEqual(['connection_limit', 1])
  now += 999
  expect(handshake()).toEqual(['connection_limit', 1])
  now += 1
  expect(handshake()).toBe('in')
  expect(handshake()).toEqual(['connection_limit', 1])
})
