import { expect, test } from 'vitest'
import { chainExecution, executionLabel } from '../../../src/exposure/liquidity/execution.ts'
import { sketched } from '../../support/hand-made.ts'
import { priced } from '../../support/markets.ts'

test('labels begin at 75, 50 and 20', () => {
  expect([100, 75, 74, 50, 49, 20, 19, 0].map(executionLabel)).toEqual([
    'tight',
    'tight',
    'normal',
    'normal',
    'wide',
    'wide',
    'illiquid',
    'illiquid'
  ])
})

test('a chain has the mean of its expirations by open interest, its best and its worst', () => {
  const series = (date: string, oi: number, ask: number) => {
    return { date, strikes: [100], oi, quote: () => [1, ask] as const }
  }
  const chain = priced(
    sketched({
      date: '2026-07-29',
      time: '11:00',
      spot: 100,
      series: [series('2026-08-05', 2500, 1), series('2026-08-28', 0, 3)]
    })
  )
  // No spread and full depth is 100; a spread as wide as the mid and no depth rounds to 0.
  const { expirations, score, best, worst, thin } = chainExecution(chain)
  expect(expirations.map(({ days, score, label }) => [days, score, label])).toEqual([
    [7, 100, 'tight'],
    [30, 0, 'illiquid']
  ])
  expect([score, best, worst, thin]).toEqual([100, '2026-08-05', '2026-08-28', 1])
})
