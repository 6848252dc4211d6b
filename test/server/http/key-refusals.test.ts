import { afterEach, expect, test } from 'vitest'
import { keyRefusalRate } from '../../../src/server/http/address-limit.ts'
import { listen } from '../../../src/server/http/listen.ts'
import { type Service, service } from '../../support/service.ts'

let at: Service
const opening = (...options: Parameters<typeof service>) => (at = service(...options))
afterEach(() => at.close())

const times = async <Result>(count: number, work: (k: number) => Promise<Result>) => {
  const results: Result[] = []
  for (let k = 0; k < count; k++) results.push(await work(k))
  return results
}

test('an address is told twenty times a minute that its key is wrong, then to wait', async () => {
  const { ask, clock } = opening({ wrongKeys: keyRefusalRate })
  const wrong = async (k: number) => (await ask('/v1/account', k % 2 === 0 ? undefined : `gw_live_${k}`)).statusCode
  expect(await times(25, wrong)).toEqual([...Array(20).fill(401), ...Array(5).fill(429)])
  const refused = await ask('/v1/exposure/gex/AAPL', 'nope')
  expect(refused.headers['retry-after']).toBe('3')
  expect(refused.json()).toEqual({
    status: 'ERROR',
    error: 'too_many_requests',
    message: 'too many requests with a wrong key or none from this address; try again in 3 s'
  })
  clock.pass(3000)
  expect([await wrong(1), await wrong(2)]).toEqual([401, 429])
  clock.pass(60_000)
  expect((await times(21, wrong)).filter((status) => status === 401)).toHaveLength(20)
})

test('good keys behind the same address are not touched, and forgive a slip of others', async () => {
  const { ask, keyOn } = opening({ wrongKeys: keyRefusalRate })
  const key = keyOn('alpha')
  await times(30, () => ask('/v1/account', 'nope'))
  expect((await ask('/v1/account', 'nope')).statusCode).toBe(429)
  for (const path of ['/v1/account', '/v1/exposure/levels/AAPL']) {
    expect((await ask(path, key)).statusCode).toBe(200)
  }
  expect((await ask('/v1/account', 'nope')).statusCode).toBe(401)
})

test('a remembered address is limited like any other, by the address that a trusted proxy saw', async () => {
  const own = opening({ wrongKeys: { burst: 2, perMinute: 1 }, trustProxy: true })
  const base = await listen(own.app, '127.0.0.1', 0)
  const key = own.keyOn('alpha')
  const ask = async (sent: string, from: string) => {
    const headers = { 'x-api-key': sent, 'x-forwarded-for': from }
    return (await fetch(`${base}/v1/exposure/levels/AAPL`, { headers })).status
  }
  expect(await ask(key, '10.0.0.1')).toBe(200)
  expect(await times(3, () => ask('nope', '10.0.0.2'))).toEqual([401, 401, 429])
  expect([await ask('nope', '10.0.0.3'), await ask(key, '10.0.0.1')]).toEqual([401, 200])
  expect(await ask('nope', '10.0.0.2')).toBe(429)
})
