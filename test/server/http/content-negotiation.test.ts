import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { encoded, encodingFor, encodings } from '../../../src/server/http/content-negotiation.ts'

const body = Buffer.from('a body that says the same again and again. '.repeat(100))
const decode = { br: brotliDecompressSync, gzip: gunzipSync }

describe('a body', () => {
  test.each(encodings)('is compressed once as %s, however many ask together', async (encoding) => {
    const file = { body, compressed: {} }
    const asked = Array.from({ length: 20 }, () => encoded(file, encoding, 'quick'))
    expect(asked[0]).toBeInstanceOf(Promise)
    expect(new Set(asked).size).toBe(1)
    const bytes = await asked[0]
    expect(decode[encoding](bytes).equals(body)).toBe(true)
    expect(encoded(file, encoding, 'quick')).toBe(bytes)
  })
})

describe('the encoding', () => {
  test.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['br;q=0.0,gzip;q=0', undefined],
    ['identity', undefined],
    [undefined, undefined]
  ])('of a client that accepts %s is %s', (accepted, encoding) => {
    expect(encodingFor(accepted, body.length)).toBe(encoding)
  })

  test('of clients that come in turn is that of each', () => {
    for (let k = 0; k < 3; k++) {
      expect(['br', 'gzip', undefined].map((accepted) => encodingFor(accepted, 2000))).toEqual([
        'br',
        'gzip',
        undefined
      ])
      expect(encodingFor('identity', 2000)).toBeUndefined()
    }
  })

  test('of a short body is none', () => {
    expect(encodingFor('br', 1023)).toBeUndefined()
    expect(encodingFor('br', 1024)).toBe('br')
  })
})
