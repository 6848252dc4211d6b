import { expect, test } from 'vitest'
import { usableBars } from '../../src/volatility/realized.ts'
import { realizedWindows } from '../../src/volatility/realized-windows.ts'
import { barsOfCloses } from './made-up-bars.ts'

const windowsOf = (closes: readonly number[]) => realizedWindows(usableBars(barsOfCloses(closes)))

test('each window needs one bar more than it has returns', () => {
  expect(windowsOf(Array(11).fill(100))).toEqual({
    rv5: 0,
    rv10: 0,
    rv20: undefined,
    rv30: undefined,
    rv60: undefined
  })
})

test('a price that goes up and down by one percent in turn has the deviation of those returns', () => {
  const closes = Array.from({ length: 61 }, (_, day) => (day % 2 === 0 ? 100 : 100 * Math.exp(0.01)))
  // Sixty returns of ±0.01, their mean 0: the sample variance is 60/59 of a ten-thousandth.
  expect(windowsOf(closes).rv60).toBeCloseTo(100 * Math.sqrt((252 * 0.0001 * 60) / 59), 10)
})
