import { expect, test } from 'vitest'
import {
  expiryBuckets,
  exposureByBucket,
  exposureByExpiration,
  totalOf
} from '../../../src/exposure/breakdown/exposure-term-structure.ts'
import type { IsoDate } from '../../../src/market/units.ts'
import type { TermStructure } from '../../endpoints/answers.ts'
import { asked } from '../../support/asking.ts'
import { sketched } from '../../support/hand-made.ts'
import { handMade, priced } from '../../support/markets.ts'

/** One expiration at each edge of the buckets, counted from Tuesday 2026-06-16. */
const edges = [
  '2026-06-16',
  '2026-06-23',
  '2026-06-24',
  '2026-07-16',
  '2026-07-17',
  '2026-08-15',
  '2026-08-16',
  '2026-12-13',
  '2026-12-14',
  '2029-01-19'
]
const atTheEdges = priced(
  sketched({
    date: '2026-06-16',
    time: '11:00',
    spot: 100,
    series: edges.map((date) => ({ date, strikes: [95, 100, 105], sigma: 0.2, oi: (_, right) => 100 + 50 * right }))
  })
)
const market = { name: 'edges', chain: atTheEdges, prior: undefined, vix: undefined }

test('buckets hold both of their ends', () => {
  const { by_dte_bucket, by_expiry } = asked<TermStructure>('/v1/exposure/term-structure/{symbol}', market)!
  expect(by_expiry.map(({ dte }) => dte)).toEqual([0, 7, 8, 30, 31, 60, 61, 180, 181, 948])
  expect(by_dte_bucket.map(({ bucket, dte_range, contract_count }) => [bucket, dte_range, contract_count])).toEqual([
    ['0-7d', [0, 7], 12],
    ['8-30d', [8, 30], 12],
    ['31-60d', [31, 60], 12],
    ['61-180d', [61, 180], 12],
    ['180d+', [181, 2_147_483_647], 12]
  ])
})

test('monthly and quarterly expirations carry their flags', () => {
  const listed = ['2026-06-17', '2026-06-18', '2026-06-19', '2026-07-17', '2026-09-18', '2026-12-18', '2027-01-15']
  const chain = priced(
    sketched({ date: '2026-06-16', time: '11:00', spot: 100, series: listed.map((date) => ({ date, strikes: [100] })) })
  )
  const { by_expiry } = asked<TermStructure>('/v1/exposure/term-structure/{symbol}', { ...market, chain })!
  // Friday 2026-06-19 is Juneteenth: the monthly contracts expire on the Thursday before.
  expect(by_expiry.filter((row) => row.is_opex).map((row) => row.expiration)).toEqual([
    '2026-06-18',
    '2026-07-17',
    '2026-09-18',
    '2026-12-18',
    '2027-01-15'
  ])
  expect(by_expiry.filter((row) => row.is_triple_witching).map((row) => row.expiration)).toEqual([
    '2026-06-18',
    '2026-09-18',
    '2026-12-18'
  ])
})

test('expirations without open interest are left out, buckets without contracts too', () => {
  const series = [
    { date: '2026-06-17', strikes: [100], oi: 0 },
    { date: '2026-06-19', strikes: [100], oi: -1 },
    { date: '2026-09-18', strikes: [100, 110], oi: (strike: number, right: number) => (strike === 100 ? 5 + right : 0) }
  ]
  const chain = priced(sketched({ date: '2026-06-16', time: '11:00', spot: 100, series }))
  const rows = exposureByExpiration(chain)
  expect(rows.map(({ date, contracts }) => [date, contracts])).toEqual([['2026-09-18', 2]])
  const answer = asked<TermStructure>('/v1/exposure/term-structure/{symbol}', { ...market, chain })!
  expect(answer.by_dte_bucket.map(({ bucket }) => bucket)).toEqual(['61-180d'])
  expect(answer.by_expiry[0].pct_of_chain_gex).toBe(100)
})

test('AM and PM series of a date add up to one row', () => {
  const { chain } = handMade('AM and PM series on one date')
  const rows = exposureByExpiration(chain)
  expect(rows.map(({ date }) => date)).toEqual(['2026-09-18', '2026-09-25'])
  const held = chain.expirations
    .slice(0, 2)
    .map(({ start, end }) => chain.openInterest.subarray(start, end).filter((oi) => oi > 0).length)
  expect(rows[0].contracts).toBe(held[0] + held[1])
  expect(totalOf(rows).contracts).toBe(chain.openInterest.filter((oi) => oi > 0).length)
  expect(expiryBuckets.map(({ range }) => range[0])).toEqual([0, 8, 31, 61, 181])
})

const row = (days: number, gex: number) => {
  return { date: '2026-08-05' as IsoDate, days, contracts: 2, gex, dex: 1, vex: 0, chex: -1 }
}

test('expirations of a bucket add up, its last day included, and empty buckets are left out', () => {
  expect(exposureByBucket([row(0, 5), row(7, -2), row(31, 4)])).toEqual([
    { bucket: '0-7d', range: [0, 7], total: { gex: 3, dex: 2, vex: 0, chex: -2, contracts: 4 } },
    { bucket: '31-60d', range: [31, 60], total: { gex: 4, dex: 1, vex: 0, chex: -1, contracts: 2 } }
  ])
})
