import { expect, test } from 'vitest'
import { expiringMarks, labelOf, marksOf } from '../src/state/day/level-marks.ts'
import { priceWindow } from '../src/state/day/price-window.ts'

const levels = {
  gamma_flip: 672.25,
  max_positive_gamma: 700,
  max_negative_gamma: 650,
  call_wall: 700,
  put_wall: 700,
  highest_oi_strike: 700,
  zero_dte_magnet: 685
}

test('levels at one price are one mark, the weightiest name first', () => {
  const marks = marksOf(levels, { call_wall: 685, put_wall: 690 })
  expect(marks.map(({ value }) => value)).toEqual([700, 690, 685, 672.25, 650])
  expect(marks[0]!.names).toEqual(['Call wall', 'Put wall', '+γ peak', 'Top OI'])
  expect(marks[2]!.names).toEqual(['0DTE magnet', '0DTE call wall'])
})

test('a level that does not exist has no mark', () => {
  const none = { ...levels, gamma_flip: null, zero_dte_magnet: undefined }
  expect(marksOf(none, undefined).flatMap(({ names }) => names)).not.toContain('Flip')
})

test('the levels of today alone have their plain names, and max pain among them', () => {
  const marks = expiringMarks({ ...levels, magnet: 685, max_pain: 685 })
  expect(marks.map(({ value }) => value)).toEqual([700, 685, 672.25, 650])
  expect(marks[1]!.names).toEqual(['Magnet', 'Max pain'])
})

test('a label names everything where there is room, else how many more', () => {
  const [wall, ...others] = marksOf(levels, { call_wall: 685, put_wall: 690 })
  expect(labelOf(wall!, true)).toBe('Call wall +3')
  expect(labelOf(others[1]!, true)).toBe('0DTE magnet · 0DTE call wall')
  expect(labelOf(others[1]!, false)).toBe('0DTE magnet +1')
})

const strikes = Array.from({ length: 81 }, (_, i) => 650 + i)

test('the window holds spot, every near level and the move', () => {
  const [low, high] = priceWindow({ spot: 689.5, move: 4, levels: [700, 672.25, 650], strikes, range: undefined })
  expect(low).toBeLessThan(672.25)
  expect(low).toBeGreaterThan(650)
  expect(high).toBeGreaterThan(700)
})

test('a cheap symbol shows at least eight strikes each way', () => {
  const few = Array.from({ length: 31 }, (_, i) => 80 + i / 2)
  const [low, high] = priceWindow({ spot: 86.69, move: undefined, levels: [], strikes: few, range: undefined })
  expect(few.filter((strike) => strike > low && strike < 86.69).length).toBeGreaterThanOrEqual(8)
  expect(few.filter((strike) => strike < high && strike > 86.69).length).toBeGreaterThanOrEqual(8)
})

test('the window stands still while spot moves within a step', () => {
  const at = (spot: number) => priceWindow({ spot, move: undefined, levels: [], strikes: [], range: 2.5 })
  expect(at(689.51)[0]).toBeCloseTo(at(689.5)[0], 1)
  const [low, high] = at(689.5)
  expect(high - low).toBeCloseTo(689.5 * 0.05, 6)
})
