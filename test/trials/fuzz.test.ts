import { describe, expect, test } from 'vitest'
import { Chance } from '../../trials/chance.ts'
import { fuzz, memoryShown } from '../../trials/fuzz.ts'
import { hostileBytes } from '../../trials/hostile-bytes.ts'
import { InterfaceDocument } from '../../trials/interface-document.ts'

describe('a fuzz run of 10,000 requests', () => {
  test('meets no 5xx but declared ones, no body beside its schema, no silence and no growth of memory', async () => {
    const { tally, asked, operations, memory } = await fuzz({ requests: 10_000, seed: 1 })
    console.log(memoryShown(memory))
    expect(memory).toBeDefined()
    expect(tally.counterexamples.size, tally.report()).toBe(0)
    // Every operation of the three hosts, and refusals of every kind beside answers: the run is worth its name.
    expect(operations.filter((operation) => !asked.has(operation))).toEqual([])
    for (const outcome of ['live: 200', 'live: 400', 'live: 401', 'live: 403', 'live: 404', 'live bytes: 400']) {
      expect(tally.outcomes.get(outcome), outcome).toBeGreaterThan(0)
    }
    for (const outcome of ['replay: 400', 'stream: 200', 'stream frame: ack']) {
      expect(tally.outcomes.get(outcome), outcome).toBeGreaterThan(0)
    }
  }, 600_000)
})

describe('chance', () => {
  test('is the same again for a seed and a part, and another for each of them', () => {
    const drawn = (seed: number, part: number) => {
      const chance = new Chance(seed, part)
      return Array.from({ length: 5 }, () => chance.below(1e6))
    }
    expect(drawn(7, 3)).toEqual(drawn(7, 3))
    expect(new Set([drawn(7, 3), drawn(7, 4), drawn(8, 3)].map(String)).size).toBe(3)
    expect(hostileBytes(new Chance(7, 3), 'k')).toEqual(hostileBytes(new Chance(7, 3), 'k'))
  })
})

describe('an answer', () => {
  const error = { type: 'object', required: ['error'], properties: { error: { type: 'string' } } }
  const ok = { type: 'object', required: ['level'], properties: { level: { type: 'number' } } }
  const json = (schema: object) => ({ content: { 'application/json': { schema } } })
  const responses = { 200: json(ok), 304: { description: 'unchanged' }, 503: json(error) }
  const document = new InterfaceDocument({
    paths: { '/levels': { get: { responses } } },
    components: { schemas: { Error: error, Unauthorized: error, TierRestricted: error, QuotaExceeded: error } }
  })
  const [operation] = document.operations
  const faultOf = (status: number, text: string, contentType = 'application/json; charset=utf-8') =>
    document.faultOf(operation, { status, contentType, text })

  test.each([
    ['that fits its schema', 200, '{"level":1}', undefined],
    ['without a declared body', 304, '', undefined],
    ['that is a declared 503', 503, '{"error":"overloaded"}', undefined],
    ['that HTTP itself refuses', 404, '{"error":"not_found"}', undefined],
    ['with a field of another type', 200, '{"level":"1"}', 'body/level must be number'],
    ['that is no JSON', 200, '{"level":NaN}', 'the body is no JSON'],
    ['with a body where none belongs', 304, '{}', 'a body where none is declared'],
    ['of a status that is not declared', 500, '{"error":"internal_error"}', 'status 500 is not declared'],
    ['that HTTP itself refuses without a word', 400, '', 'no error body: the body is no JSON']
  ])('%s is told from one that is none', (_, status, text, fault) => {
    expect(faultOf(status, text)).toBe(fault)
  })

  test('of another content type is a fault', () => {
    expect(faultOf(200, '{"level":1}', 'text/html')).toMatch(/^content type text\/html/)
  })
})
