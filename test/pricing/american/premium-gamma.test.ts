import { expect, test } from 'vitest'
import { CALL, PUT } from '../../../src/market/chain.ts'
import { addEarlyExercise } from '../../../src/pricing/american/early-exercise.ts'
import { premiumGammaAt, premiumGammas } from '../../../src/pricing/american/premium-gamma.ts'
import { yieldTables } from '../../../src/pricing/american/yield/yield-table.ts'
import { fillGreeks } from '../../../src/pricing/greeks.ts'
import { randomStream } from './support.ts'

const SIZE = 60
const random = randomStream(9)
const terms = { spot: 100, t: 0.4, rate: 0.05, dividendYield: 0.03 }
const strike = Float64Array.from({ length: SIZE }, () => 60 + 80 * random())
const right = Uint8Array.from({ length: SIZE }, (_, i) => (i % 2 === 0 ? CALL : PUT))
const sigma = Float64Array.from({ length: SIZE }, () => 0.12 + 0.5 * random())
const weight = Float64Array.from({ length: SIZE }, () => 1000 * (random() - 0.5))
const grids = yieldTables(terms, 0.1, 0.8)

/** Weighted S γ at a spot, contract by contract through the greeks of a chain. */
function sumAt(spot: number, american: boolean): number {
  const column = () => new Float64Array(SIZE)
  const out = {
    delta: column(),
    gamma: column(),
    theta: column(),
    vega: column(),
    rho: column(),
    vanna: column(),
    charm: column()
  }
  fillGreeks({ ...terms, spot }, strike, right, sigma, 0, SIZE, out)
  if (american) addEarlyExercise({ ...terms, spot }, grids, strike, right, sigma, 0, SIZE, out)
  return out.gamma.reduce((sum, gamma, i) => sum + weight[i] * spot * gamma, 0)
}

test('at every spot of the window it is what the greeks of the chain say', () => {
  const gammas = premiumGammas(terms, grids, strike, right, sigma, weight, 0, SIZE, 50, 150)
  let largest = 0
  for (let spot = 50; spot <= 150; spot += 0.7) {
    const wanted = sumAt(spot, true) - sumAt(spot, false)
    largest = Math.max(largest, Math.abs(wanted))
    expect(Math.abs(premiumGammaAt(gammas, Math.log(spot)) - wanted)).toBeLessThan(1e-9)
  }
  expect(largest).toBeGreaterThan(100)
})

test('a narrow window leaves out contracts without a premium there, and nothing else', () => {
  const wide = premiumGammas(terms, grids, strike, right, sigma, weight, 0, SIZE, 50, 150)
  const narrow = premiumGammas(terms, grids, strike, right, sigma, weight, 0, SIZE, 95, 105)
  expect(narrow.size).toBeLessThan(wide.size)
  for (const spot of [95, 100, 105]) {
    expect(premiumGammaAt(narrow, Math.log(spot))).toBeCloseTo(premiumGammaAt(wide, Math.log(spot)), 9)
  }
})

test('contracts without weight or volatility, and rights never exercised, add nothing', () => {
  const none = premiumGammas(terms, grids, strike, right, sigma, new Float64Array(SIZE), 0, SIZE, 50, 150)
  const unknown = premiumGammas(
    terms,
    grids,
    strike,
    right,
    sigma.map(() => Number.NaN),
    weight,
    0,
    SIZE,
    50,
    150
  )
  expect([none.size, unknown.size]).toEqual([0, 0])
  const calls = new Uint8Array(SIZE).fill(CALL)
  const unpaid = yieldTables({ ...terms, dividendYield: 0 }, 0.1, 0.8)
  expect(premiumGammas(terms, unpaid, strike, calls, sigma, weight, 0, SIZE, 50, 150).size).toBe(0)
})
