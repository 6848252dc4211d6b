import { expect, test } from 'vitest'
import { hashOf } from '../../src/math/hash.ts'

test('tickers are spread evenly over places, those that differ in a letter too', () => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const tickers = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)))
  const counts = new Array<number>(16).fill(0)
  for (const ticker of tickers) counts[hashOf(ticker) % 16]++
  const expected = tickers.length / 16
  for (const count of counts) expect(Math.abs(count / expected - 1)).toBeLessThan(0.12)
  const nearest = Math.abs((hashOf('SPX') % 15_000) - (hashOf('SPY') % 15_000))
  expect(nearest).toBeGreaterThan(100)
  expect(hashOf('SPY')).toBe(hashOf('SPY'))
})
