import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openInterestAfter, openInterestDelta } from '../../../src/flow/open-interest/simulator.ts'

const contracts = fc.integer({ min: 0, max: 20_000_000 })

/** Scales a net volume exactly, in whole numbers of any size. */
function exactly(net: number, millionths: number): number {
  const size = BigInt(Math.abs(net)) * BigInt(millionths)
  const [whole, rest] = [size / 1_000_000n, size % 1_000_000n]
  const rounded = Number(rest * 2n >= 1_000_000n ? whole + 1n : whole)
  return net < 0 ? 0 - rounded : rounded
}

test('the change of open interest is rounded as a decimal, for every confidence of six decimals', () => {
  fc.assert(
    fc.property(contracts, contracts, fc.integer({ min: 1, max: 1_000_000 }), (bought, sold, millionths) => {
      expect(openInterestDelta(bought, sold, millionths / 1e6)).toBe(exactly(bought - sold, millionths))
    }),
    { numRuns: 2000 }
  )
})

test('every half is rounded away from zero, where products of doubles would miss it', () => {
  for (const [confidence, millionths] of [
    [0.35, 350_000],
    [0.43, 430_000],
    [0.57, 570_000]
  ] as const) {
    for (let net = -20_000; net <= 20_000; net++) {
      const [bought, sold] = net < 0 ? [0, -net] : [net, 0]
      if (openInterestDelta(bought, sold, confidence) !== exactly(net, millionths))
        throw new Error(`${net} of ${confidence}`)
    }
  }
})

test('no fewer than no contracts are open', () => {
  expect(openInterestAfter(100, -130)).toBe(0)
  expect(openInterestAfter(100, -30)).toBe(70)
})
