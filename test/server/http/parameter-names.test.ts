import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { endpoints } from '../../../src/endpoints/index.ts'
import { listen } from '../../../src/server/http/listen.ts'
import { service } from '../../support/service.ts'

const { ask, keyOn, close } = service()
const key = keyOn('enterprise')
afterAll(close)

const asked = async (url: string) => {
  const { statusCode, body, headers } = await ask(url, key)
  return { status: statusCode, json: JSON.parse(body), ignored: headers['x-ignored-parameters'] }
}

const scoped = endpoints.filter(({ params }) => 'expiration' in params || 'expiry' in params)

describe('expiry and expiration', () => {
  test.each(scoped)('mean the same to $id', async ({ path, params }) => {
    const url = path.replace(/\{\w+\}/, 'AAPL')
    const [one, other, later] = await Promise.all(
      ['?expiration=2026-08-21', '?expiry=2026-08-21', '?expiry=2026-09-18'].map((query) => ask(url + query, key))
    )
    expect([one.statusCode, other.body]).toEqual([200, one.body])
    expect(one.body).not.toBe(later.body)
    expect(other.headers).not.toHaveProperty('x-ignored-parameters')
    expect((await ask(`${url}?expiry=2026-08-21&expiration=2026-08-21`, key)).body).toBe(one.body)
    const { status, json } = await asked(`${url}?expiry=2026-08-21&expiration=2026-09-18`)
    expect([status, json.error]).toEqual([
      400,
      'expiration' in params && !('expiry' in params) ? 'invalid_expiration' : 'invalid_expiry'
    ])
    expect(json.message).toContain('mean the same')
  })

  test('0dte and the date of today are no contradiction', async () => {
    const { status, json } = await asked('/v1/exposure/gex/AAPL?expiration=0dte&expiry=2026-07-29')
    expect([status === 400, json.message ?? '']).toEqual([false, expect.not.stringContaining('mean the same')])
  })
})

describe('a name that no parameter has', () => {
  test.each([
    ['/v1/exposure/gex/AAPL?expiraton=2026-08-21', 'expiration'],
    ['/v1/exposure/gex/AAPL?EXPIRATION=2026-08-21', 'expiration'],
    ['/v1/exposure/gex/AAPL?expiry_=2026-08-21', 'expiry'],
    ['/v1/exposure/gex/AAPL?minOi=5', 'min_oi'],
    ['/v1/exposure/basket?symbol=AAPL', 'symbols'],
    ['/optionquote/AAPL?tpye=C', 'type'],
    ['/v1/account?api_key=x', 'apiKey']
  ])('%s is refused: did you mean %s?', async (url, meant) => {
    const { status, json } = await asked(url)
    expect([status, json.error]).toEqual([400, 'unknown_parameter'])
    expect(json.message).toMatch(new RegExp(`did you mean ${meant}\\?$`))
  })

  test.each([
    ['_=1753800000', '_'],
    ['t=1', 't'],
    ['_=1&t=2&cache-buster=3', '_, t, cache-buster'],
    ['symbol=KO', 'symbol'],
    ['%C3%A9,%0d%0ax:1=2', '????x?1'],
    [`${'n'.repeat(100)}=1`, `${'n'.repeat(40)}...`]
  ])('%s is ignored and listed', async (query, listed) => {
    const plain = await ask('/v1/exposure/levels/AAPL', key)
    const { status, json, ignored } = await asked(`/v1/exposure/levels/AAPL?${query}`)
    expect([status, json, ignored]).toEqual([200, plain.json(), listed])
  })

  test('is listed with an error too, and at most twenty times', async () => {
    expect(await asked('/v1/exposure/levels/NOPE?foo=1')).toMatchObject({ status: 404, ignored: 'foo' })
    const many = Array.from({ length: 30 }, (_, k) => `name${k}=1`).join('&')
    const { ignored } = await asked(`/v1/exposure/levels/AAPL?${many}`)
    expect((ignored as string).split(', ')).toHaveLength(21)
  })

  test('is listed whenever a remembered address is asked again', async () => {
    const own = service()
    onTestFinished(own.close)
    let throughFramework = 0
    own.app.addHook('onRequest', async () => {
      throughFramework++
    })
    const base = await listen(own.app, '127.0.0.1', 0)
    const headers = { 'x-api-key': own.keyOn('alpha') }
    const get = async () => {
      const answer = await fetch(`${base}/v1/exposure/levels/KO?foo=1&_=2`, { headers })
      return [answer.status, answer.headers.get('x-ignored-parameters')]
    }
    for (let k = 0; k < 3; k++) expect(await get()).toEqual([200, 'foo, _'])
    expect(throughFramework).toBe(1)
  })
})
