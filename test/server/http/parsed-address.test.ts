import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newKey } from '../../../src/accounts/key.ts'
import { holdsKey, splitKey } from '../../../src/server/http/parsed-address.ts'

describe('an address with a key in its query', () => {
  test.each([
    ['/v1/x?apiKey=K', '/v1/x'],
    ['/v1/x?apiKey=K&min_oi=10', '/v1/x?min_oi=10'],
    ['/v1/x?min_oi=10&apiKey=K', '/v1/x?min_oi=10'],
    ['/v1/x?min_oi=10&apiKey=K&date=a%20b', '/v1/x?min_oi=10&date=a%20b']
  ])('%s is remembered as %s', (url, address) => {
    expect(splitKey(url)).toEqual({ address, key: 'K' })
  })

  test.each([
    '/v1/x',
    '/v1/x?min_oi=10',
    '/v1/x&apiKey=K',
    '/v1/apiKey=K?min_oi=10',
    '/v1/x?a=1?apiKey=K',
    '/v1/x?apiKey=',
    '/v1/x?apiKey=a%20b',
    '/v1/x?api%4Bey=K',
    '/v1/x?apikey=K',
    '/v1/x?otherapiKey=K',
    '/v1/x?apiKey=K#part'
  ])('%s has none that can be taken out', (url) => {
    expect(splitKey(url)).toEqual({ address: url, key: undefined })
  })

  test('never leaves a key in what is remembered, wherever and however it is written', () => {
    const key = newKey()
    const encoded = [...key].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')
    const value = fc.constantFrom(key, encoded, `x${key}`, key.replaceAll('_', '%5F'))
    const name = fc.constantFrom('apiKey', 'apikey', 'APIKEY', 'api%4Bey', 'key', 'min_oi', '?apiKey', '')
    const pair = fc.tuple(name, value).map((parts) => parts.join('='))
    fc.assert(
      fc.property(
        fc.array(pair, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('?', '&', '#', ';'),
        (pairs, mark) => {
          const { address } = splitKey(`/v1/x${mark}${pairs.join('&')}`)
          const isBare = !decodeURIComponent(address).includes(key)
          expect(isBare || holdsKey(address)).toBe(true)
        }
      )
    )
  })

  test('of 16 KB is read in a moment', () => {
    const startedAt = performance.now()
    for (const end of ['', '#', '%']) splitKey(`/v1/x?${'&apiKey=a'.repeat(1700)}${end}`)
    expect(performance.now() - startedAt).toBeLessThan(50)
  })
})

test.each(['/v1/x?a=%', '/v1/x?a=%zz'])('an address that does not decode, %s, is not remembered', (url) => {
  expect(holdsKey(url)).toBe(true)
})
