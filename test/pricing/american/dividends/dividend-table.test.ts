import { describe, expect, test } from 'vitest'
import { CALL, PUT } from '../../../../src/market/chain.ts'
import { dividendPremiumAt, dividendTable } from '../../../../src/pricing/american/dividends/dividend-table.ts'
import { earlyExercisePremium } from '../../../../src/pricing/american/dividends/finite-differences.ts'

const day = 1 / 365
const range = { low: 0.09, high: 1.5, count: 17 }
const stock = {
  t: 90 * day,
  rate: 0.045,
  dividendYield: 0.002,
  dividends: [{ t: 20 * day, fraction: 0.01 }]
}
const tables = [CALL, PUT].map((right) => ({
  name: right === CALL ? 'call' : 'put',
  terms: { right, ...stock },
  table: dividendTable({ right, ...stock }, range)
}))

/** A sequence without chance that fills the unit interval evenly. */
const even = (k: number, ratio: number) => (0.5 + k * ratio) % 1

describe.each(tables)('the table of a $name', ({ terms, table }) => {
  const out = new Float64Array(6)
  const at = (x: number, sigma: number): number[] => {
    dividendPremiumAt(table, x, sigma, out)
    return [...out]
  }

  test('gives between its volatilities what finite differences give there', () => {
    // At strikes four times the spot the boundary of the put crosses the rows of the table aslant.
    let [near, far] = [0, 0]
    for (let k = 0; k < 30; k++) {
      const sigma = 0.09 * (1.5 / 0.09) ** even(k, 0.618034)
      const { start, step, premium } = earlyExercisePremium(terms, sigma, { nodes: 1200, steps: 300 })
      for (let node = 0; node < premium.length; node += 17) {
        const x = start + node * step
        const error = Math.abs(at(x, sigma)[0] - premium[node])
        if (Math.abs(x) < 1) near = Math.max(near, error)
        else far = Math.max(far, error)
      }
    }
    expect(near).toBeLessThan(1.2e-5)
    expect(far).toBeLessThan(1e-4)
  })

  test('has the slopes of its own values', () => {
    for (let k = 0; k < 200; k++) {
      const sigma = 0.1 * 14 ** even(k, 0.618034)
      const x = (10 * even(k, 0.414214) - 5) * sigma * Math.sqrt(terms.t)
      const [p, px, pxx, , psigma, pxsigma] = at(x, sigma)
      const [dx, ds] = [1e-5 * sigma, 1e-5 * sigma]
      const [left, right] = [at(x - dx, sigma), at(x + dx, sigma)]
      const [under, over] = [at(x, sigma - ds), at(x, sigma + ds)]
      expect(Math.abs((right[0] - left[0]) / (2 * dx) - px)).toBeLessThan(1e-7)
      expect(Math.abs((right[1] - left[1]) / (2 * dx) - pxx)).toBeLessThan(1e-3)
      expect(Math.abs((over[0] - under[0]) / (2 * ds) - psigma)).toBeLessThan(1e-7)
      expect(Math.abs((over[1] - under[1]) / (2 * ds) - pxsigma)).toBeLessThan(1e-4)
      expect(p).toBeGreaterThan(-1e-7)
    }
  })

  test('ends without premium out of the money, and in certain exercise far in the money', () => {
    const edge = table.width * 0.3 * Math.sqrt(terms.t)
    expect(at(edge + 1e-9, 0.3)).toEqual([0, 0, 0, 0, 0, 0])
    expect(Math.abs(at(edge - 1e-9, 0.3)[0])).toBeLessThan(1e-9)
    const [inside, beyond] = [at(-edge + 1e-9, 0.3), at(-edge - 1e-9, 0.3)]
    for (const k of [0, 1, 4]) expect(Math.abs(inside[k] - beyond[k]), `${k}`).toBeLessThan(5e-4)
    expect(beyond[0]).toBeGreaterThan(0)
  })

  test('tells nothing of a volatility it was not made for', () => {
    for (const sigma of [0.0899, 1.501, Number.NaN]) expect(at(0, sigma)).toEqual(Array(6).fill(Number.NaN))
    expect(at(0, 0.09)[0]).not.toBeNaN()
    expect(at(0, 1.5)[0]).not.toBeNaN()
  })

  test('passes to another thread as it is', () => {
    const copy = structuredClone(table)
    const there = new Float64Array(6)
    dividendPremiumAt(copy, -0.02, 0.3, there)
    expect([...there]).toEqual(at(-0.02, 0.3))
  })
})
