import { describe, expect, test } from 'vitest'
import type { Account } from '../../../src/accounts/accounts.ts'
import type { DataRequest } from '../../../src/api/market-source.ts'
import { perRequestLines, sharedLines } from '../../../src/server/answers/answer-headers.ts'
import type { KeptAnswer } from '../../../src/server/answers/kept-answer.ts'
import type { FoundAnswer } from '../../../src/server/answers/send.ts'
import type { Exchange } from '../../../src/server/http/exchange.ts'
import { headerPairs } from '../../../src/server/http/headers.ts'

const asOf = Date.parse('2026-07-29T15:00:00Z')
const exchange = { id: 'abc-1', secure: false, headers: {}, account: undefined } as unknown as Exchange
const account = (dailyLimit: number | undefined) => ({ plan: { dailyLimit } }) as unknown as Account
const asking = (age: number, isStale: boolean) =>
  ({
    source: {
      now: () => asOf + age,
      clock: (step: number) => step * Math.floor((asOf + age) / step),
      isStale: () => isStale
    }
  }) as unknown as DataRequest
const chain = { symbol: 'SPY', asOf }
const rated = { symbol: 'SPY', asOf, delay: 0, pace: 1000, deducted: 7 }
const found = (age: number, isStale: boolean, served: object = {}, lines = '') =>
  ({
    served: { answer: {}, chains: [chain], quality: rated, ...served },
    asking: asking(age, isStale),
    lines
  }) as unknown as FoundAnswer
const quota = { resetsAt: () => Date.parse('2026-07-30T00:00:00Z') } as never

/** The headers of a request as an object. */
function headersOf(sent: Exchange, answer: FoundAnswer, corsOrigin: '*' | readonly string[] = '*') {
  const pairs = headerPairs(perRequestLines(sent, 3, answer, { quota, wallNow: () => asOf, corsOrigin }))
  return Object.fromEntries(Array.from({ length: pairs.length / 2 }, (_, k) => [pairs[2 * k], pairs[2 * k + 1]]))
}

describe('the headers of one request', () => {
  test('say how old the data is, and how good', () => {
    expect(headersOf(exchange, found(1234, false))).toEqual({
      'x-request-id': 'abc-1',
      'x-data-age': '1.2',
      'x-data-quality': '93'
    })
  })

  test.each([
    ['its source fails', found(1234, true), '1.2'],
    ['it lies in the future', found(-1000, false), '-1.0']
  ])('say that it is stale where %s', (_, answer, age) => {
    expect(headersOf(exchange, answer)).toMatchObject({ 'x-data-age': age, 'x-data-stale': 'true' })
  })

  test('never say it of a past session', () => {
    const answer = found(1234, true, { answer: { session: '2026-07-28' } })
    expect(headersOf(exchange, answer)).not.toHaveProperty('x-data-stale')
  })

  test('count the oldest of several chains', () => {
    const chains = [chain, { symbol: 'KO', asOf: asOf - 5000 }]
    expect(headersOf(exchange, found(0, false, { chains }))).toMatchObject({ 'x-data-age': '5.0' })
  })

  test('say nothing of it without a chain, and no quality of another chain', () => {
    expect(Object.keys(headersOf(exchange, found(0, false, { chains: [] })))).toEqual(['x-request-id'])
    const other = { ...rated, symbol: 'SPX' }
    expect(headersOf(exchange, found(0, false, { quality: other }))).not.toHaveProperty('x-data-quality')
  })

  test('state what is left of a limit, and when it begins again', () => {
    const reset = { 'x-ratelimit-reset': `${Date.parse('2026-07-30T00:00:00Z') / 1000}` }
    const limited = headersOf({ ...exchange, account: account(100) }, found(0, false))
    expect(limited).toMatchObject({ ...reset, 'x-ratelimit-remaining': '97', ratelimit: '"daily";r=97;t=32400' })
    const unlimited = headersOf({ ...exchange, account: account(undefined) }, found(0, false))
    expect(unlimited).toMatchObject(reset)
    expect(unlimited).not.toHaveProperty('ratelimit')
  })

  test('permit pages of allowed origins alone, and remember TLS', () => {
    const sent = { ...exchange, secure: true, headers: { origin: 'https://a.example' } } as Exchange
    const allowed = { 'access-control-allow-origin': 'https://a.example' }
    expect(headersOf(sent, found(0, false), ['https://a.example'])).toMatchObject(allowed)
    expect(headersOf(sent, found(0, false))).toMatchObject({ 'access-control-allow-origin': '*' })
    expect(headersOf(sent, found(0, false), [])).not.toHaveProperty('access-control-allow-origin')
    expect(headersOf(sent, found(0, false), [])).toHaveProperty('strict-transport-security')
  })

  test('end with those of the moment that was asked for', () => {
    const answer = found(0, false, {}, 'x-ignored-parameters: a: b, c\r\n')
    expect(headersOf(exchange, answer)).toMatchObject({ 'x-ignored-parameters': 'a: b, c' })
  })
})

test('the headers that requests share are written once for a plan, and anew for another source', () => {
  const payload = { bytes: Buffer.from('{}'), encoding: undefined, text: '{}', heads: new Map() }
  const answer = { etag: 'W/"x"', form: undefined, hasForms: false, flowSource: undefined } as unknown as KeptAnswer
  const limited = account(100)
  const one = sharedLines(answer, payload, limited, 'synthetic')
  expect(headerPairs(one)).toEqual(
    [
      ['x-content-type-options', 'nosniff'],
      ['content-type', 'application/json; charset=utf-8'],
      ['cache-control', 'private, no-cache'],
      ['etag', 'W/"x"'],
      ['vary', 'accept-encoding, origin'],
      ['x-data-source', 'synthetic'],
      ['x-ratelimit-limit', '100'],
      ['ratelimit-policy', '"daily";q=100;w=86400'],
      ['content-length', '2']
    ].flat()
  )
  expect(sharedLines(answer, payload, limited, 'synthetic')).toBe(one)
  expect(payload.heads.size).toBe(1)
  expect(sharedLines(answer, payload, limited, 'cboe')).toContain('x-data-source: cboe')
  expect(sharedLines(answer, payload, undefined, 'cboe')).toContain(
    'vary: accept-encoding, origin, x-api-key, authorization, cookie'
  )
})
