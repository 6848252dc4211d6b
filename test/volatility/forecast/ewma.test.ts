import { expect, test } from 'vitest'
import { ewmaVolatility } from '../../../src/volatility/forecast/ewma.ts'
import { normalStream } from '../made-up-bars.ts'

function returnsOf(seed: number, count: number): Float64Array {
  const normal = normalStream(seed)
  return Float64Array.from({ length: count }, () => 0.012 * normal())
}

test('twenty returns give the root of their mean square', () => {
  const returns = Float64Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? 0.01 : -0.02))
  expect(ewmaVolatility(returns)).toBeCloseTo(Math.sqrt(252 * 0.00025), 14)
})

test('the 21st return enters with 6 %', () => {
  const returns = Float64Array.from({ length: 21 }, (_, i) => (i < 20 ? 0.01 : 0.05))
  expect(ewmaVolatility(returns)).toBeCloseTo(Math.sqrt(252 * (0.94 * 0.0001 + 0.06 * 0.0025)), 14)
})

test('is the sum of all squares, each with what is left of its weight', () => {
  const returns = returnsOf(4, 300)
  const seed = returns.slice(0, 20).reduce((sum, r) => sum + r * r, 0) / 20
  let variance = seed * 0.94 ** 280
  for (let i = 20; i < 300; i++) variance += 0.06 * 0.94 ** (299 - i) * returns[i] ** 2
  expect(ewmaVolatility(returns)).toBeCloseTo(Math.sqrt(252 * variance), 13)
})

test('reads the last 504 returns and nothing before', () => {
  const [old, recent] = [returnsOf(1, 700), returnsOf(2, 504)]
  expect(ewmaVolatility(Float64Array.of(...old, ...recent))).toBe(ewmaVolatility(recent))
  expect(ewmaVolatility(Float64Array.of(9, ...recent))).toBe(ewmaVolatility(recent))
})

test('returns are measured from 0 and not from their mean', () => {
  expect(ewmaVolatility(new Float64Array(100).fill(0.01))).toBeCloseTo(0.01 * Math.sqrt(252), 14)
})

test('has no answer with fewer than 20 returns', () => {
  expect(ewmaVolatility(returnsOf(1, 19))).toBeUndefined()
  expect(ewmaVolatility(new Float64Array(0))).toBeUndefined()
})
