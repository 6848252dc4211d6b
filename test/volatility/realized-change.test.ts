import { expect, test } from 'vitest'
import { closeToClose, usableBars } from '../../src/volatility/realized.ts'
import { realizedChange } from '../../src/volatility/realized-change.ts'
import { barsOfCloses } from './made-up-bars.ts'

const closes = Array.from({ length: 40 }, (_, k) => 100 * Math.exp(0.01 * Math.sin(1.7 * k)))

test('is realized volatility now less that of five sessions before', () => {
  const bars = barsOfCloses(closes)
  const expected = closeToClose(usableBars(bars), 20)! - closeToClose(usableBars(bars.slice(0, 35)), 20)!
  expect(realizedChange(usableBars(bars))).toBe(expected)
})

test('needs 26 bars', () => {
  expect(realizedChange(usableBars(barsOfCloses(closes.slice(0, 26))))).toBeDefined()
  expect(realizedChange(usableBars(barsOfCloses(closes.slice(0, 25))))).toBeUndefined()
})
