import type { ApiError } from 'gammawall/client'
import { expect, test } from 'vitest'
import { planIds } from '../../src/api/plan.ts'
import { csvOf } from '../src/parts/export.ts'
import { nearest, partWords, sentenceOf } from '../src/parts/sentences.ts'
import { clock, dayOf, momentOf, newYork, shortDate } from '../src/state/day/time.ts'

const refusal = (code: string, status: number, message: string, detail = {}) =>
  ({ code, status, message, detail }) as ApiError

test('a refusal is a sentence with the next step', () => {
  const plans = { current_plan: 'free', required_plan: 'growth' }
  expect(sentenceOf(refusal('tier_restricted', 403, 'a higher plan is needed', plans))).toBe(
    'Needs Growth; this key is Free.'
  )
  expect(sentenceOf(refusal('no_data', 404, 'no data for this day'))).toBe('No data for this day.')
  expect(sentenceOf(refusal('upstream_unavailable', 502, 'x'))).toMatch(/data source is down/)
  const unlisted = 'SPY lists no expiration on 2026-12-25; /v1/options/SPY names those it lists'
  expect(sentenceOf(refusal('no_data', 404, unlisted))).toBe('SPY lists no expiration on 2026-12-25.')
  const alone =
    'no prints were recorded in the session of this moment, and none can be inferred: it has one snapshot by then: ' +
    'no flow within the session; /v1/flow/options/{symbol}/summary has the volume of the day'
  expect(sentenceOf(refusal('no_data', 404, alone))).toBe(
    'No prints of this session were recorded, and one snapshot tells no flow within it. Its open interest and what changed are on the screen Expirations.'
  )
  const noPrints = 'the tape is temporarily unavailable: the source gives no prints'
  expect(sentenceOf(refusal('upstream_unavailable', 502, noPrints))).toBe(
    'This source has no prints: there is no tape, and flow is inferred from volumes.'
  )
  const reading = { loading: 'prints of SPY', share: 0.425, read_to: null }
  expect(sentenceOf(refusal('data_loading', 503, 'x', reading))).toBe(
    'Loading the prints of SPY: 42 % of the session so far; the page keeps asking.'
  )
  expect(sentenceOf(refusal('data_loading', 503, 'x', { loading: 'chain of KO' }))).toBe(
    'Loading the chain of KO; the page keeps asking.'
  )
})

test('figures of a part of the session say what they cover', () => {
  expect(partWords({ share: 0.0312, since: '2026-07-29T19:58:00.000Z' })).toBe(
    'loading: since 15:58, 3 % of the session'
  )
  expect(partWords({ share: 0.4, since: undefined })).toBe('loading: 40 % of the symbols')
})

test.each(planIds)('a refusal names the plan %s as people do', (id) => {
  const plans = { current_plan: id, required_plan: id }
  const name = id[0]!.toUpperCase() + id.slice(1)
  expect(sentenceOf(refusal('tier_restricted', 403, 'a higher plan is needed', plans))).toBe(
    `Needs ${name}; this key is ${name}.`
  )
})

test('the nearest symbols are those with the fewest slips', () => {
  expect(nearest('SPT', ['AAPL', 'QQQ', 'SPX', 'SPY', 'TLT'], 2)).toEqual(['SPX', 'SPY'])
})

test.each([
  ['2026-07-29T11:00:00', '2026-07-29T15:00:00.000Z'],
  ['2026-11-20T09:30:00', '2026-11-20T14:30:00.000Z'],
  ['2026-03-08T09:30:00', '2026-03-08T13:30:00.000Z'],
  ['2026-11-01T16:00:00', '2026-11-01T21:00:00.000Z']
])('New York reads %s at %s', (wall, instant) => {
  expect(new Date(momentOf(wall)).toISOString()).toBe(instant)
  expect(newYork(Date.parse(instant))).toBe(wall)
})

test('dates are short and times are those of New York', () => {
  expect([shortDate('2026-12-18'), dayOf('2026-11-20'), shortDate('2026-09-30')]).toEqual([
    '18 Dec',
    'Fri 20 Nov',
    '30 Sep'
  ])
  expect(clock(Date.parse('2026-07-29T15:04:05Z'))).toBe('11:04:05')
})

test('a table becomes CSV with its origin in a comment', () => {
  const table = {
    columns: ['strike (USD)', 'note'],
    rows: [
      [700, 'a "wall", high'],
      [0.1 + 0.2, null]
    ]
  }
  expect(csvOf({ columns: ['=a', 'b'], rows: [['+x()', -5]] }, 'SPY\r\n=1')).toBe("# SPY =1\n'=a,b\n'+x(),-5\n")
  expect(csvOf(table, 'SPY, Levels, source synthetic')).toBe(
    '# SPY, Levels, source synthetic\nstrike (USD),note\n700,"a ""wall"", high"\n0.30000000000000004,\n'
  )
})
