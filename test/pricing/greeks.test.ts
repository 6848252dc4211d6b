import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CALL, PUT } from '../../src/market/chain.ts'
import { type Greeks, greeks, type Option, type Right } from '../../src/pricing/bsm.ts'
import { type AllGreekColumns, fillAllGreeks, fillGreeks } from '../../src/pricing/greeks.ts'
import { testRecorded } from './recorded.ts'

/** Away from the wings, where a difference of doubles still says something. */
const anyOption: fc.Arbitrary<Option> = fc
  .record({
    right: fc.constantFrom<Right[]>('call', 'put'),
    spot: fc.double({ min: 50, max: 200, noNaN: true }),
    deviations: fc.double({ min: -2, max: 2, noNaN: true }),
    t: fc.double({ min: 0.05, max: 2, noNaN: true }),
    sigma: fc.double({ min: 0.1, max: 1, noNaN: true }),
    rate: fc.double({ min: -0.05, max: 0.12, noNaN: true }),
    dividendYield: fc.double({ min: -0.05, max: 0.1, noNaN: true })
  })
  .map(({ deviations, ...rest }) => ({
    ...rest,
    strike: rest.spot * Math.exp(deviations * rest.sigma * Math.sqrt(rest.t))
  }))

/** How far a term must move for an option to become a different one: the yardstick of a bump. */
function reach(along: 'spot' | 'strike' | 't' | 'sigma' | 'rate', at: Option): number {
  if (along === 'rate') return 0.02
  return along === 'spot' || along === 'strike' ? at[along] * at.sigma * Math.sqrt(at.t) : 0.1 * at[along]
}

/** Slope of one greek in one term, by the five-point rule. */
function slope(of: keyof Greeks, along: 'spot' | 'strike' | 't' | 'sigma' | 'rate', at: Option): number {
  const step = 0.01 * reach(along, at)
  const value = (steps: number) => greeks({ ...at, [along]: at[along] + steps * step })[of]
  return (8 * (value(1) - value(-1)) - (value(2) - value(-2))) / (12 * step)
}

test.each([
  ['delta', 'price', 'spot', 1],
  ['dualDelta', 'price', 'strike', 1],
  ['theta', 'price', 't', -1],
  ['vega', 'price', 'sigma', 1],
  ['rho', 'price', 'rate', 1],
  ['gamma', 'delta', 'spot', 1],
  ['vanna', 'delta', 'sigma', 1],
  ['vanna', 'vega', 'spot', 1],
  ['charm', 'delta', 't', -1],
  ['charm', 'theta', 'spot', 1],
  ['vomma', 'vega', 'sigma', 1],
  ['veta', 'vega', 't', 1],
  ['speed', 'gamma', 'spot', 1],
  ['zomma', 'gamma', 'sigma', 1],
  ['zomma', 'vanna', 'spot', 1],
  ['color', 'gamma', 't', 1],
  ['ultima', 'vomma', 'sigma', 1]
] as const)('%s is the slope of %s in %s, times %s', (name, of, along, sign) => {
  fc.assert(
    fc.property(anyOption, (terms) => {
      const ours = greeks(terms)
      const bumped = sign * slope(of, along, terms)
      // The size of the bumped greek limits what a bump can resolve.
      const natural = Math.abs(ours[of]) / reach(along, terms)
      expect(Math.abs(ours[name] - bumped)).toBeLessThan(1e-7 * (Math.abs(bumped) + natural) + 1e-10)
    }),
    { numRuns: 300, seed: 5 }
  )
})

test('what moves with the density is the same for a call and a put', () => {
  fc.assert(
    fc.property(anyOption, (terms) => {
      const call = greeks({ ...terms, right: 'call' })
      const put = greeks({ ...terms, right: 'put' })
      for (const name of ['gamma', 'vega', 'vanna', 'vomma', 'speed', 'zomma', 'color', 'ultima', 'veta'] as const) {
        expect(call[name]).toBe(put[name])
      }
    })
  )
})

test('call and put differ by the forward in every measure', () => {
  fc.assert(
    fc.property(anyOption, (terms) => {
      const { spot, strike, t, rate, dividendYield } = terms
      const call = greeks({ ...terms, right: 'call' })
      const put = greeks({ ...terms, right: 'put' })
      const [carried, discount] = [Math.exp(-dividendYield * t), Math.exp(-rate * t)]
      expect(call.price - put.price).toBeCloseTo(spot * carried - strike * discount, 10)
      expect(call.delta - put.delta).toBeCloseTo(carried, 13)
      expect(call.rho - put.rho).toBeCloseTo(t * strike * discount, 10)
      expect(call.dualDelta - put.dualDelta).toBeCloseTo(-discount, 13)
      expect(call.charm - put.charm).toBeCloseTo(dividendYield * carried, 12)
      expect(call.theta - put.theta).toBeCloseTo(dividendYield * spot * carried - rate * strike * discount, 10)
    })
  )
})

test('price, theta, delta and gamma satisfy the Black-Scholes equation', () => {
  fc.assert(
    fc.property(anyOption, (terms) => {
      const { spot, sigma, rate, dividendYield } = terms
      const { price, delta, gamma, theta } = greeks(terms)
      const drift = (rate - dividendYield) * spot * delta
      expect(theta + drift + 0.5 * (sigma * spot) ** 2 * gamma - rate * price).toBeCloseTo(0, 9)
    })
  )
})

interface AllGreeks {
  inputs: { S: number; K: number; T: number; r: number; sigma: number; q: number }
  call: Record<string, number>
  put: Record<string, number>
}

testRecorded<AllGreeks>(
  'blackscholes_all_greeks.json',
  'fourteen greeks agree with the library blackscholes to 1e-12',
  ({ inputs, ...theirs }) => {
    const { S: spot, K: strike, T: t, r: rate, sigma, q: dividendYield } = inputs
    for (const right of ['call', 'put'] as const) {
      const ours = greeks({ right, spot, strike, t, sigma, rate, dividendYield })
      const { vanna, charm, vomma, veta, speed, zomma, color, ultima, delta, gamma, theta, vega, rho } = theirs[right]
      // Charm per year passing, veta and color per year to expiry, as here; their dual delta of a call has no sign.
      const expected = { delta, gamma, theta, vega, rho, vanna, charm, vomma, veta, speed, zomma, color, ultima }
      for (const [name, value] of Object.entries(expected)) {
        expect(Math.abs(ours[name as keyof Greeks] / value - 1), `${right} ${name}`).toBeLessThan(1e-12)
      }
      const dualDelta = theirs[right].dual_delta * (right === 'call' ? -1 : 1)
      expect(Math.abs(ours.dualDelta / dualDelta - 1)).toBeLessThan(1e-12)
    }
  }
)

describe('columns', () => {
  const size = 700
  const terms = { spot: 580, t: 30 / 365, rate: 0.045, dividendYield: 0.013 }
  const strike = Float64Array.from({ length: size }, (_, i) => 300 + (i >> 1))
  const right = Uint8Array.from({ length: size }, (_, i) => (i % 2 === 0 ? CALL : PUT))
  const sigma = Float64Array.from({ length: size }, (_, i) => (i % 7 === 3 ? Number.NaN : 0.1 + i / 2000))
  const columns = (): AllGreekColumns => {
    const column = () => new Float64Array(size).fill(-777)
    return {
      ...{ price: column(), delta: column(), gamma: column(), theta: column(), vega: column(), rho: column() },
      ...{ vanna: column(), charm: column(), vomma: column(), dualDelta: column(), speed: column() },
      ...{ zomma: column(), color: column(), ultima: column(), veta: column() }
    }
  }
  const names = Object.keys(columns()) as (keyof AllGreekColumns)[]
  const desk: Partial<Record<keyof Greeks, number>> = { theta: 1 / 365, charm: 1 / 365, vega: 0.01, rho: 0.01 }

  test('hold what the single option has, in desk units, and NaN where there is no volatility', () => {
    const out = columns()
    fillAllGreeks(terms, strike, right, sigma, 5, 690, out)
    for (let i = 5; i < 690; i++) {
      if (Number.isNaN(sigma[i])) {
        expect(names.every((name) => Number.isNaN(out[name][i]))).toBe(true)
        continue
      }
      const one = greeks({ ...terms, right: i % 2 === 0 ? 'call' : 'put', strike: strike[i], sigma: sigma[i] })
      for (const name of names) {
        const expected = one[name] * (desk[name] ?? 1)
        const grain = name === 'price' ? 1e-15 * terms.spot + 1e-11 * expected : 1e-15 * Math.abs(expected)
        expect(Math.abs(out[name][i] - expected), `${name} of contract ${i}`).toBeLessThanOrEqual(grain)
      }
    }
    expect(names.every((name) => out[name][4] === -777 && out[name][690] === -777)).toBe(true)
  })

  test('of a chain hold the same seven greeks', () => {
    const [all, seven] = [columns(), columns()]
    fillAllGreeks(terms, strike, right, sigma, 0, size, all)
    fillGreeks(terms, strike, right, sigma, 0, size, seven)
    for (const name of ['delta', 'gamma', 'theta', 'vega', 'rho', 'vanna', 'charm'] as const) {
      expect(seven[name]).toEqual(all[name])
    }
    expect(seven.vomma.every((value) => value === -777)).toBe(true)
  })

  test('have no greeks without time or volatility', () => {
    const none = new Float64Array(size)
    for (const [t, volatility] of [[0, sigma] as const, [-0.1, sigma] as const, [0.1, none] as const]) {
      const out = columns()
      fillAllGreeks({ ...terms, t }, strike, right, volatility, 0, size, out)
      expect(names.every((name) => out[name].every(Number.isNaN))).toBe(true)
    }
  })

  test('stay finite in the last minute and in the farthest wings', () => {
    const out = columns()
    const wide = strike.map((_, i) => 580 * Math.exp((i - 350) / 40))
    const steady = new Float64Array(size).fill(0.01)
    fillAllGreeks({ ...terms, t: 1 / 525600 }, wide, right, steady, 0, size, out)
    expect(names.every((name) => out[name].every(Number.isFinite))).toBe(true)
    expect(out.price.every((value) => value >= 0)).toBe(true)
  })
})

test('the worked example of the interface comes out', () => {
  const { price, delta, gamma, theta, vega, rho, vanna, charm, ...higher } = greeks({
    ...{ right: 'call', spot: 580, strike: 580, t: 30 / 365, sigma: 0.18, rate: 0.045, dividendYield: 0.013 }
  })
  expect([price, delta, gamma].map((x) => x.toFixed(6))).toEqual(['12.687211', '0.530030', '0.013276'])
  expect([theta / 365, vega / 100, rho].map((x) => x.toFixed(6))).toEqual(['-0.223599', '0.660706', '24.224395'])
  expect([vanna, -charm / 365, higher.vomma].map((x) => x.toFixed(6))).toEqual(['-0.055551', '0.000490', '0.709126'])
  expect([higher.dualDelta, higher.ultima].map((x) => x.toFixed(6))).toEqual(['-0.508155', '-17.241619'])
  expect([higher.speed, higher.zomma].map((x) => x.toFixed(8))).toEqual(['-0.00005694', '-0.07361041'])
  expect([higher.color / 365, higher.veta / 365].map((x) => x.toPrecision(5))).toEqual(['-0.00022304', '1.0923'])
})
