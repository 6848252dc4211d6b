import { describe, expect, test } from 'vitest'
import { totalVariance } from '../../src/volatility/svi/svi.ts'
import {
  discreteFairVariance,
  fairVariance,
  outOfTheMoneyValue,
  replicated
} from '../../src/volatility/variance-swap.ts'
import { testRecorded } from '../pricing/recorded.ts'
import { flat } from './generated.ts'

describe('the fair variance', () => {
  test.each([0.001, 0.0004, 0.01, 0.04, 0.09])('of a flat smile is its total variance, %f', (w) => {
    // The steps of the trapezoid are 1/50 of a deviation, or coarser where 0.15 is wider: (step/s)²/6 too much.
    const step = (2 * Math.max(0.15, 5 * Math.sqrt(w))) / 500
    expect(fairVariance(flat(Math.sqrt(w), 1)) / w - step ** 2 / w / 6).toBeCloseTo(1, 5)
  })

  test('of a leaning smile lies above the variance at the forward', () => {
    const svi = { a: 0.002, b: 0.08, rho: -0.6, m: 0.03, sigma: 0.12 }
    expect(fairVariance(svi)).toBeGreaterThan(totalVariance(svi, 0))
  })

  test('grows with every smile that lies above another', () => {
    const svi = { a: 0.002, b: 0.08, rho: -0.6, m: 0.03, sigma: 0.12 }
    expect(fairVariance({ ...svi, a: 0.003 })).toBeGreaterThan(fairVariance(svi))
  })
})

test('the value of an option without variance is 0', () => {
  expect(outOfTheMoneyValue(-0.1, 0)).toBe(0)
  expect(outOfTheMoneyValue(0.1, 0)).toBe(0)
})

interface Example {
  readonly spot: number
  readonly r: number
  readonly T: number
  readonly dk: number
  readonly puts: readonly (readonly [number, number])[]
  readonly calls: readonly (readonly [number, number])[]
  readonly fair_variance: number
}

const name = 'the published example is 0.04189 on its strikes and 0.04019 on ever denser ones'
testRecorded<Example>('quantlib_demeterfi_varswap.json', name, ({ spot, r, T, dk, puts, calls, fair_variance }) => {
  const forward = spot * Math.exp(r * T)
  const discount = Math.exp(-r * T)
  const priced = (isCall: boolean) => (strike: number) => {
    const k = Math.log(strike / forward)
    const sigma = 0.2 - 0.01 * ((strike - 100) / 5)
    const value = outOfTheMoneyValue(k, sigma * sigma * T) * forward
    const intrinsic = Math.max(isCall ? forward - strike : strike - forward, 0)
    return { strike, price: discount * (value + intrinsic) }
  }
  const strikes = (list: Example['puts']) => list.map(([strike]) => strike)
  const terms = { forward, discount, t: T }
  const listed = { puts: strikes(puts).map(priced(false)), calls: strikes(calls).map(priced(true)), step: dk }
  expect(discreteFairVariance({ ...terms, ...listed })).toBeCloseTo(fair_variance, 4)

  const ladder = (from: number, to: number) => Array.from({ length: 50 * (to - from) + 1 }, (_, i) => from + i / 50)
  const dense = { puts: ladder(50, 100).map(priced(false)), calls: ladder(100, 160).map(priced(true)), step: 0.02 }
  const reach = Math.max(0.15, 5 * 0.2 * Math.sqrt(T))
  const smile = (k: number) => (0.2 - 0.01 * ((forward * Math.exp(k) - 100) / 5)) ** 2 * T
  expect(replicated(smile, reach) / T).toBeCloseTo(0.04019, 5)
  expect(discreteFairVariance({ ...terms, ...dense })).toBeCloseTo(0.04019, 5)
})

test('strikes that do not meet, or on one side only, replicate nothing', () => {
  const terms = { forward: 100, discount: 1, t: 0.25, step: 5 }
  const option = { strike: 100, price: 4 }
  expect(discreteFairVariance({ ...terms, puts: [option], calls: [] })).toBeUndefined()
  expect(discreteFairVariance({ ...terms, puts: [option], calls: [{ strike: 105, price: 2 }] })).toBeUndefined()
})
