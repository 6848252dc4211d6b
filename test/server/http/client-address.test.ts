import fc from 'fast-check'
import Fastify, { type FastifyRequest } from 'fastify'
import { afterAll, describe, expect, test } from 'vitest'
import { cameByTls, clientAddress } from '../../../src/server/http/client-address.ts'

/** Reads one request with the framework and with our own code, and returns both results. */
function behind(trustProxy: boolean) {
  const app = Fastify({ trustProxy })
  app.get('/', (request: FastifyRequest) => ({
    theirs: [request.ips?.[1] ?? request.ip, request.protocol === 'https'],
    ours: [clientAddress(request, trustProxy), cameByTls(request, trustProxy)]
  }))
  afterAll(() => app.close())
  return async (headers: Readonly<Record<string, string>>) => {
    const answer = await app.inject({ url: '/', headers, remoteAddress: '10.0.0.1' })
    return answer.json() as { readonly theirs: [string, boolean]; readonly ours: [string, boolean] }
  }
}

const address = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.constantFrom('', 'unknown', '10.0.0.9:4711', '[::1]:80', 'a b', '_id')
)
const space = fc.constantFrom('', ' ', '\t', '  ')
const listOf = (entry: fc.Arbitrary<string>) =>
  fc
    .array(fc.tuple(space, entry, space), { maxLength: 5 })
    .map((entries) => entries.map((parts) => parts.join('')).join(','))
/** Anything that Node lets through in a header and an ASCII proxy writes. */
const noise = fc.string({ unit: fc.constantFrom(...', \t:;.https1a"'), maxLength: 12 })
const headers = fc.record(
  {
    'x-forwarded-for': fc.oneof(listOf(address), noise),
    'x-forwarded-proto': fc.oneof(listOf(fc.constantFrom('https', 'http', 'HTTPS', '', 'wss', 'https x')), noise)
  },
  { requiredKeys: [] }
)

describe.each([true, false])('the client of a request, where proxies are trusted: %s', (trustProxy) => {
  const resolve = behind(trustProxy)

  test('is the one the framework finds, whatever the headers say', async () => {
    await fc.assert(
      fc.asyncProperty(headers, async (given) => {
        const { ours, theirs } = await resolve(given)
        expect(ours).toEqual(theirs)
      }),
      { numRuns: 2000, seed: 7 }
    )
  })

  test.each([
    [{}, '10.0.0.1', false],
    [{ 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' }, '203.0.113.7', true],
    [{ 'x-forwarded-for': '1.1.1.1, 203.0.113.7', 'x-forwarded-proto': 'https, http' }, '203.0.113.7', false],
    [{ 'x-forwarded-for': '203.0.113.7, ', 'x-forwarded-proto': 'http,https' }, '203.0.113.7', true],
    [{ 'x-forwarded-for': ' , ', 'x-forwarded-proto': '' }, '10.0.0.1', false]
  ])('with %j is what the nearest proxy saw', async (given, seen, secure) => {
    const { ours } = await resolve(given)
    expect(ours).toEqual(trustProxy ? [seen, secure] : ['10.0.0.1', false])
  })
})
