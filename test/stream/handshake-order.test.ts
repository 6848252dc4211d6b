import { expect, test } from 'vitest'
import { Handshakes } from '../../src/server/stream/handshake.ts'

test('a key is let in ten times in any ten seconds, however the handshakes are spread', () => {
  let now = 1_000_000
  const account = { keyId: 'k', userId: 'u', plan: { name: 'Alpha' } }
  const bundle = { id: 'b', blocks: 1, endsAt: undefined }
  const options = {
    access: { accountOfKey: (key: unknown) => (key === 'valid' ? account : undefined) },
    bundles: { of: () => bundle },
    channel: { isDraining: false, hasRoom: () => true },
    isReady: () => true,
    wallNow: () => now
  }
  const handshakes = new Handshakes(options as unknown as ConstructorParameters<typeof Handshakes>[0])
  const knock = () => {
    const answer = handshakes.admit({ 'x-api-key': 'valid' }, new URLSearchParams())
    return 'refusal' in answer ? [answer.refusal.code, answer.retryAfter] : 'in'
  }
  for (let k = 0; k < 10; k++, now += 900) expect(knock()).toBe('in')
  expect(knock()).toEqual(['connection_limit', 1])
  now += 999
  expect(knock()).toEqual(['connection_limit', 1])
  now += 1
  expect(knock()).toBe('in')
  expect(knock()).toEqual(['connection_limit', 1])
})
