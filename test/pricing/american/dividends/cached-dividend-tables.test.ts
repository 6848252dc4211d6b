import { describe, expect, test } from 'vitest'
import { CALL, PUT } from '../../../../src/market/chain.ts'
import {
  cachedDividendTables,
  type ExpirationTerms
} from '../../../../src/pricing/american/dividends/cached-dividend-tables.ts'
import {
  boundaryAt,
  dividendPremiumAt,
  dividendTable
} from '../../../../src/pricing/american/dividends/dividend-table.ts'
import { leastValue, yieldOfDividends } from '../../../../src/pricing/american/dividends/dividend-terms.ts'
import { earlyExercisePremium } from '../../../../src/pricing/american/dividends/finite-differences.ts'
import { price } from '../../../../src/pricing/bsm.ts'
import { fillGreeksOf } from '../../../../src/pricing/by-exercise.ts'
import type { Carry } from '../../../../src/pricing/carry.ts'
import { exactIntegral } from '../support.ts'

const day = 1 / 365
const rate = 0.045
const out = new Float64Array(6)

/** Terms some time later, at another spot: the ex-dates come nearer, the dividends are another share of it. */
function moved({ t, dividends, ...terms }: ExpirationTerms, later: number, scale: number): ExpirationTerms {
  const nearer = dividends.map((one) => ({ t: one.t - later, fraction: one.fraction / scale }))
  return { ...terms, t: t - later, dividends: nearer }
}

function european(right: number, spot: number, strike: number, sigma: number, terms: ExpirationTerms): number {
  const dividendYield = terms.dividendYield + yieldOfDividends(terms.dividends, terms.t)
  const name = right === CALL ? ('call' as const) : ('put' as const)
  return price({ right: name, spot, strike, t: terms.t, sigma, rate, dividendYield })
}

describe('between its nodes a table has the premiums of finite differences there', () => {
  const cases = [
    { name: 'a fund ex in 10 of 12 days', t: 12, paid: [[10, 0.0025]] },
    { name: 'a fund ex in 30 of 60 days', t: 60, paid: [[30, 0.0025]] },
    { name: 'a fund ex overnight', t: 5, paid: [[0.73, 0.0025]] },
    { name: 'a stock ex overnight', t: 60, paid: [[0.73, 0.01]] },
    {
      name: 'a stock with two',
      t: 180,
      paid: [
        [30, 0.01],
        [121, 0.01]
      ]
    },
    { name: 'a twentieth of the price', t: 100, paid: [[20, 0.05]] }
  ] as const

  test.each(cases)('$name', ({ t, paid }) => {
    let worst = 0
    const dividends = paid.map(([days, fraction]) => ({ t: days * day, fraction }))
    for (let k = 0; k < 8; k++) {
      const even = (ratio: number) => ((0.5 + k * ratio) % 1) - 0.5
      const whole = { t: t * day, rate, dividendYield: 0.04 * even(0.7548), dividends }
      const terms = moved(whole, 0.1 * even(0.618) * dividends[0].t, 1 + 0.08 * even(0.5698))
      const tables = cachedDividendTables(terms, 0.08, 1)
      for (const right of [CALL, PUT]) {
        for (const sigma of [0.1, 0.15, 0.25, 0.4, 0.8]) {
          const fine = earlyExercisePremium({ right, ...terms }, sigma, { nodes: 800, steps: 200 })
          for (let node = 0; node < fine.premium.length; node += 5) {
            const x = fine.start + node * fine.step
            const [spot, strike] = right === CALL ? [1, Math.exp(x)] : [Math.exp(x), 1]
            const value = fine.premium[node] + european(right, spot, strike, sigma, terms)
            if (Math.abs(x) > 0.3 || value - leastValue({ right, ...terms })(spot, strike) < 5e-4) continue
            dividendPremiumAt(right === CALL ? tables.call : tables.put, x, sigma, out)
            worst = Math.max(worst, Math.abs(out[0] - fine.premium[node]))
          }
        }
      }
    }
    expect(worst).toBeLessThan(4e-5)
  })
})

test('terms that are the same have the same tables, and those a tick later differ by next to nothing', () => {
  const dividends = [{ t: 20 * day, fraction: 0.01 }]
  const terms = { t: 50 * day, rate, dividendYield: 0.003, dividends }
  const here = cachedDividendTables(terms, 0.15, 0.5)
  expect(cachedDividendTables({ ...terms, dividends: [...dividends] }, 0.15, 0.5)).toBe(here)
  const next = cachedDividendTables(moved(terms, 1e-6, 1.0001), 0.15, 0.5)
  dividendPremiumAt(here.call, -0.05, 0.3, out)
  const [before] = out
  dividendPremiumAt(next.call, -0.05, 0.3, out)
  expect(Math.abs(out[0] - before)).toBeLessThan(1e-6)
  expect(out[0]).not.toBe(before)
})

describe('the boundary', () => {
  test('is that of the integral equation where nothing is paid, within half a node', () => {
    const terms = { t: 0.4, rate, dividendYield: 0.01, dividends: [] }
    const table = dividendTable({ right: PUT, ...terms }, { low: 0.1, high: 0.8, count: 9 })
    for (const sigma of [0.11, 0.2, 0.33, 0.6, 0.79]) {
      const { logBoundary } = exactIntegral(terms, sigma)
      expect(Math.abs(boundaryAt(table, sigma) - logBoundary) / (sigma * Math.sqrt(terms.t)), `${sigma}`).toBeLessThan(
        0.02
      )
    }
  })

  test('is nowhere for a call whose stock yields nothing until the ex-date', () => {
    const call = { right: CALL, t: 0.2, rate, dividendYield: 0, dividends: [{ t: 0.1, fraction: 0.01 }] }
    const table = dividendTable(call, { low: 0.1, high: 0.8, count: 9 })
    expect(Math.max(...table.boundary)).toBeLessThan(-table.width + 1e-9)
  })

  test('of a put before its ex-date is where interest on the strike earns what the dividend brings', () => {
    // A strike of 1 earns 1 - e^(-r t) until then, the spot loses a hundredth.
    const put = { right: PUT, t: 0.3, rate, dividendYield: 0, dividends: [{ t: 0.1, fraction: 0.01 }] }
    const table = dividendTable(put, { low: 0.3, high: 0.8, count: 5 })
    const even = Math.log((1 - Math.exp(-rate * 0.1)) / 0.01)
    expect(Math.abs(boundaryAt(table, 0.3) - even)).toBeLessThan(0.02)
  })
})

describe.each([
  ['well before', { t: 60 * day, rate, dividendYield: 0.004, dividends: [{ t: 25 * day, fraction: 0.006 }] }],
  ['a few days before', { t: 30 * day, rate, dividendYield: -0.01, dividends: [{ t: 4 * day, fraction: 0.01 }] }]
])('greeks %s an ex-date are bumped values', (_, terms) => {
  const sigma = 0.28
  const strikes = [88, 92, 96, 100, 104, 108, 112]
  const fine = (at: ExpirationTerms, right: number) =>
    dividendTable({ right, ...at }, { low: 0.24, high: 0.33, count: 6 }, { nodes: 1200, steps: 240 })
  const table = [fine(terms, CALL), fine(terms, PUT)]
  const hour = 1 / 24 / 365
  const later = moved(terms, hour, 1)
  const laterTable = [fine(later, CALL), fine(later, PUT)]

  /** Value of an option, its dividends staying the same shares of the spot. */
  function value(right: number, spot: number, strike: number, volatility: number, isLater = false): number {
    const [at, tables] = isLater ? [later, laterTable] : [terms, table]
    dividendPremiumAt(
      tables[right],
      right === CALL ? Math.log(strike / spot) : Math.log(spot / strike),
      volatility,
      out
    )
    return european(right, spot, strike, volatility, at) + (right === CALL ? spot : strike) * out[0]
  }

  const dividendYield = terms.dividendYield + yieldOfDividends(terms.dividends, terms.t)
  const carry = { ...terms, spot: 100, dividendYield, american: { low: 0.2, high: 0.4 } } as unknown as Carry
  const strike = Float64Array.from([...strikes, ...strikes])
  const right = Uint8Array.from(strike, (_, i) => (i < strikes.length ? CALL : PUT))
  const names = ['delta', 'gamma', 'theta', 'vega', 'rho', 'vanna', 'charm'] as const
  const columns = Object.fromEntries(names.map((name) => [name, new Float64Array(strike.length)])) as Record<
    (typeof names)[number],
    Float64Array
  >
  fillGreeksOf(carry, strike, right, new Float64Array(strike.length).fill(sigma), 0, strike.length, columns)

  test.each(
    strikes.flatMap((one, k) => [[`call ${one}`, k] as const, [`put ${one}`, k + strikes.length] as const])
  )('%s', (_name, i) => {
    const at = (spot: number, volatility = sigma, isLater = false) =>
      value(right[i], spot, strike[i], volatility, isLater)
    const delta = (volatility = sigma, isLater = false) =>
      (at(100.2, volatility, isLater) - at(99.8, volatility, isLater)) / 0.4
    expect(Math.abs(columns.delta[i] - delta())).toBeLessThan(1e-3)
    expect(Math.abs(columns.gamma[i] - (at(100.5) - 2 * at(100) + at(99.5)) / 0.25)).toBeLessThan(2e-3)
    expect(Math.abs(columns.vega[i] - (at(100, sigma + 0.005) - at(100, sigma - 0.005)))).toBeLessThan(2e-3)
    expect(Math.abs(columns.vanna[i] - (delta(sigma + 0.005) - delta(sigma - 0.005)) / 0.01)).toBeLessThan(0.03)
    expect(Math.abs(columns.theta[i] - 24 * (at(100, sigma, true) - at(100)))).toBeLessThan(1.5e-3)
    expect(Math.abs(columns.charm[i] - 24 * (delta(sigma, true) - delta()))).toBeLessThan(2e-3)
  })
})
