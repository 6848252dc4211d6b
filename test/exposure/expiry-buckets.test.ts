import { expect, test } from 'vitest'
import { exposureByBucket } from '../../src/exposure/expiry-buckets.ts'
import type { IsoDate } from '../../src/market/units.ts'

const row = (days: number, gex: number) => {
  return { date: '2026-08-05' as IsoDate, days, contracts: 2, gex, dex: 1, vex: 0, chex: -1 }
}

test('expirations of a bucket add up, its last day included, and empty buckets are left out', () => {
  expect(exposureByBucket([row(0, 5), row(7, -2), row(31, 4)])).toEqual([
    { bucket: '0-7d', range: [0, 7], total: { gex: 3, dex: 2, vex: 0, chex: -2, contracts: 4 } },
    { bucket: '31-60d', range: [31, 60], total: { gex: 4, dex: 1, vex: 0, chex: -1, contracts: 2 } }
  ])
})
