import { expect, test } from 'vitest'
import { termStructureSignal } from '../../../src/signals/strategies/term-structure-signal.ts'
import { chainOf, series } from '../../volatility/chains.ts'
import { read } from './reading.ts'

/** Flat smiles of so many percent, by date. */
const curve = (volatilities: Readonly<Record<string, number>>) =>
  chainOf(Object.entries(volatilities).map(([date, percent]) => series(date, { sigma: percent / 100 })))
const signal = (volatilities: Readonly<Record<string, number>>) => read(termStructureSignal(curve(volatilities)))

test('runs from the first expiration a day away to the last within a year', () => {
  const found = signal({ '2026-07-29': 40, '2026-08-07': 20, '2026-11-20': 22, '2027-07-29': 23, '2028-01-21': 30 })
  expect(found.figures.points.map(({ days }) => days)).toEqual([0, 9, 114, 365, 541])
  expect(found.figures.front).toBeCloseTo(20, 1)
  expect(found.figures.back).toBeCloseTo(23, 1)
  expect([found.regime, found.score]).toEqual(['contango', 50]) // 3 / 20 / 0.30
  expect(found.sample).toBe(5 / 8)
})

test('falls in backwardation, and a slope below three percent is flat', () => {
  expect(signal({ '2026-08-07': 25, '2026-11-20': 20 })).toMatchObject({ regime: 'backwardation', score: 67 })
  expect(signal({ '2026-08-07': 20, '2026-11-20': 20.5 }).regime).toBe('flat_term')
})

test('a single point has no slope, and one of today is better than none', () => {
  expect(signal({ '2026-07-29': 20 })).toMatchObject({ regime: 'flat_term', score: 0, figures: { slope: 0 } })
})

test('nothing is said without a volatility at the money', () => {
  const unquoted = chainOf([series('2026-08-07', { quote: () => [Number.NaN, Number.NaN] })])
  expect(termStructureSignal(unquoted)).toMatchObject({ missing: 'volatility', regime: 'no_term_structure_data' })
})
