import { expect, test } from 'vitest'
import type { Ticker } from '../../src/market/units.ts'
import { ageCheck, scoreAt } from '../../src/quality/chain-assessment.ts'
import { wholePoints } from '../../src/quality/quality-check.ts'
import { eastern } from '../support/hand-made.ts'

const asOf = eastern('2026-07-29', '11:00')
const of = (seconds: number, delay = 0) => ageCheck({ asOf, delay, pace: 5000 }, asOf + 1000 * seconds)

test('a chain grows old by intervals of its source', () => {
  expect([0, 15, 15.1, 100, 100.1].map((seconds) => of(seconds).deduction)).toEqual([0, 0, 10, 10, 30])
  expect(of(100.1).value).toBeCloseTo(100.1, 9)
})

test('the delay that the source states makes nothing old, and a clock that is behind makes nothing young', () => {
  expect([of(915, 900), of(916, 900), of(-3)]).toEqual([
    { id: 'age', value: 15, deduction: 0, state: 'passed' },
    { id: 'age', value: 16, deduction: 10, state: 'failed' },
    { id: 'age', value: 0, deduction: 0, state: 'passed' }
  ])
})

test('a close stays new until the next session opens, and no other moment of its session does', () => {
  const deduction = (time: string, date: string, now: string, delay = 0) =>
    ageCheck({ asOf: eastern('2026-07-29', time), delay, pace: 5000 }, eastern(date, now)).deduction
  expect(deduction('16:00', '2026-07-29', '23:00')).toBe(0)
  expect(deduction('15:55', '2026-07-30', '09:30')).toBe(0)
  expect(deduction('15:54', '2026-07-29', '16:30')).toBe(30)
  expect(deduction('11:00', '2026-07-29', '16:00')).toBe(30)
  expect(deduction('16:00', '2026-07-30', '09:32')).toBe(30)
  expect(deduction('16:00', '2026-07-30', '09:45', 900)).toBe(0)
})

test('no delay is believed beyond twenty minutes', () => {
  const halfADay = 4 * 3600
  expect(of(halfADay, halfADay)).toEqual({ id: 'age', value: 0, deduction: 30, state: 'failed' })
  expect(of(1200, 1200).deduction).toBe(0)
})

test('a score is what is left of 100, and never less than nothing', () => {
  const assessment = {
    symbol: 'SPY' as Ticker,
    asOf,
    delay: 0,
    pace: 5000,
    floor: 40,
    deducted: 12,
    costliest: undefined
  }
  expect([scoreAt(assessment, asOf), scoreAt(assessment, asOf + 60_000)]).toEqual([88, 78])
  expect(scoreAt({ ...assessment, deducted: 90 }, asOf + 600_000)).toBe(0)
})

test('points are whole, half of one rounded up', () => {
  expect([0, 0.49, 0.5, 1.5, 2.49].map(wholePoints)).toEqual([0, 0, 1, 2, 2])
})
