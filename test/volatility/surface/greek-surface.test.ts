import { expect, test } from 'vitest'
import { greekSurface } from '../../../src/volatility/surface/greek-surface.ts'
import { ladder } from '../../support/hand-made.ts'
import { chainOf, quotedWhere, series } from '../chains.ts'

test('the grid holds the listed strikes within 15 percent of spot, and a figure for each', () => {
  const { strikes, rows } = greekSurface(chainOf([series('2026-08-05'), series('2026-08-28')]))
  // 1.15 times 100 is a little below 115 in doubles.
  expect(Array.from(strikes)).toEqual(ladder(85, 114, 1))
  expect(rows.map(({ date }) => date)).toEqual(['2026-08-05', '2026-08-28'])
  for (const { greeks } of rows) {
    for (const column of Object.values(greeks) as Float64Array[]) {
      expect(column).toHaveLength(strikes.length)
      expect(column.some(Number.isNaN)).toBe(false)
    }
  }
})

test('of too many strikes every other one is taken, the nearest to spot among them', () => {
  const { strikes } = greekSurface(chainOf([series('2026-08-28', { strikes: ladder(70, 130, 0.25) })]))
  expect(strikes).toHaveLength(60)
  expect(strikes[1] - strikes[0]).toBe(0.5)
  expect(strikes).toContain(100)
})

test('an expiration without a volatility somewhere is left out', () => {
  const silent = series('2026-08-05', { quote: quotedWhere(() => false) })
  expect(greekSurface(chainOf([silent, series('2026-08-28')])).rows.map(({ date }) => date)).toEqual(['2026-08-28'])
})
