import { expect, test } from 'vitest'
import type { DailyRecord } from '../../../src/market/daily-record.ts'
import { ivRank } from '../../../src/volatility/term/implied-rank.ts'

const records = (...volatilities: readonly (number | undefined)[]) =>
  volatilities.map((atmIv) => ({ atmIv })) as unknown as readonly DailyRecord[]
const ten = [12, 14, 16, 18, 20, 22, 21, 19, 17, 15]

test('is the place between lowest and highest, cut to its ends', () => {
  expect(ivRank(17, records(...ten))).toBe(50)
  expect([ivRank(11, records(...ten)), ivRank(30, records(...ten))]).toEqual([0, 100])
})

test('looks back on 30 records and needs ten that differ', () => {
  expect(ivRank(17, records(...ten.slice(1)))).toBeUndefined()
  expect(ivRank(17, records(...ten.slice(1), undefined))).toBeUndefined()
  expect(ivRank(17, records(...ten.map(() => 17)))).toBeUndefined()
  expect(ivRank(17, records(90, ...Array.from({ length: 20 }, () => 13), ...ten))).toBe(50)
})
