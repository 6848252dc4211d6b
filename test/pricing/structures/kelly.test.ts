import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { price } from '../../../src/pricing/bsm.ts'
import { type Bet, kelly } from '../../../src/pricing/structures/kelly.ts'

const bet: Bet = {
  right: 'call',
  spot: 580,
  strike: 580,
  t: 30 / 365,
  sigma: 0.18,
  premium: 12.69,
  mu: 0.12,
  rate: 0.045,
  dividendYield: 0.013
}

/** Expected log growth at a share f, written out by the rule of the interface: 2000 steps from -6 to 6. */
function growthAt(terms: Bet, f: number): number {
  let sum = 0
  for (let i = 0; i <= 2000; i++) {
    const z = -6 + i * 0.006
    const drift = (terms.mu - terms.dividendYield - terms.sigma ** 2 / 2) * terms.t
    const end = terms.spot * Math.exp(drift + terms.sigma * Math.sqrt(terms.t) * z)
    const payoff = Math.max(terms.right === 'call' ? end - terms.strike : terms.strike - end, 0)
    const weight = (i === 0 || i === 2000 ? 0.003 : 0.006) * Math.exp((-z * z) / 2)
    sum += (weight * Math.log(1 + f * (payoff / terms.premium - 1))) / Math.sqrt(2 * Math.PI)
  }
  return sum
}

const briefly = { numRuns: 50, endOnFailure: true }

const anyBet = fc.record({
  right: fc.constantFrom('call' as const, 'put' as const),
  spot: fc.double({ min: 10, max: 1000, noNaN: true }),
  strike: fc.double({ min: 10, max: 1000, noNaN: true }),
  t: fc.double({ min: 0.003, max: 3, noNaN: true }),
  sigma: fc.double({ min: 0.03, max: 2, noNaN: true }),
  premium: fc.double({ min: 0.01, max: 500, noNaN: true }),
  mu: fc.double({ min: -2, max: 2, noNaN: true }),
  rate: fc.constant(0.045),
  dividendYield: fc.double({ min: -0.1, max: 0.1, noNaN: true })
})

describe('kelly', () => {
  test('matches the worked example of the interface', () => {
    const result = kelly(bet)
    expect(result.fraction).toBeCloseTo(0.07684, 5)
    expect(result.expectedPayoff).toBeCloseTo(14.7273, 4)
    expect(result.expectedReturn).toBeCloseTo(0.160543, 6)
    expect(result.probabilityOfProfit).toBeCloseTo(0.391739, 6)
    expect(result.probabilityInTheMoney).toBeCloseTo(0.557494, 6)
    expect(result.breakeven).toBe(592.69)
    expect(result.growth).toBeCloseTo(0.005843, 6)
  })

  test('the expected payoff is the undiscounted price under the real-world drift', () => {
    fc.assert(
      fc.property(anyBet, (terms) => {
        fc.pre(terms.sigma * Math.sqrt(terms.t) < 1)
        const forward = { ...terms, rate: terms.mu }
        const expected = price(forward) * Math.exp(terms.mu * terms.t)
        expect(Math.abs(kelly(terms).expectedPayoff - expected)).toBeLessThan(1e-5 * terms.spot * Math.exp(2 * terms.t))
      }),
      briefly
    )
  })

  test('no other share grows faster', () => {
    fc.assert(
      fc.property(anyBet, fc.double({ min: 0, max: 0.999, noNaN: true }), (terms, other) => {
        const { fraction, growth } = kelly(terms)
        expect(growth).toBeGreaterThanOrEqual(0)
        if (fraction === 0) return
        expect(growth).toBeGreaterThan(growthAt(terms, other) - 1e-9)
        if (fraction < 0.999) expect(growthAt(terms, fraction)).toBeCloseTo(growth, 9)
      }),
      briefly
    )
  })

  test('a premium above the expected payoff deserves no capital', () => {
    const result = kelly({ ...bet, premium: 20 })
    expect(result.expectedReturn).toBeLessThan(0)
    expect(result).toMatchObject({ fraction: 0, growth: 0 })
  })

  test('a drift equal to the rate deserves no capital, however cheap the option', () => {
    const result = kelly({ ...bet, mu: bet.rate, premium: 5 })
    expect(result.expectedReturn).toBeGreaterThan(0)
    expect(result).toMatchObject({ fraction: 0, growth: 0 })
  })

  test.each(['call', 'put'] as const)('at the fair price a %s has an edge on its side of the rate only', (right) => {
    for (const mu of [-0.5, 0, 0.04, 0.05, 0.2, 1]) {
      const fair = price({ ...bet, right }) * Math.exp(bet.rate * bet.t)
      const { expectedReturn, fraction } = kelly({ ...bet, right, mu, premium: fair })
      expect(expectedReturn > 0).toBe(right === 'call' ? mu > bet.rate : mu < bet.rate)
      expect(fraction > 0).toBe(expectedReturn > 0)
    }
  })

  test('an option that cannot lose takes all the capital', () => {
    const { fraction, growth } = kelly({ ...bet, strike: 1, premium: 100 })
    expect(fraction).toBe(1)
    expect(growth).toBeCloseTo(Math.log(5.8), 1)
  })

  test('an option that can expire worthless never takes all of it, and growth stays finite', () => {
    const { fraction, growth } = kelly({ ...bet, strike: 440, sigma: 0.18, premium: 1 })
    expect(fraction).toBeLessThan(1)
    expect(fraction).toBeGreaterThan(0.999)
    expect(Number.isFinite(growth)).toBe(true)
  })

  test('the probabilities are those of the lognormal distribution at both levels', () => {
    const { probabilityOfProfit, probabilityInTheMoney } = kelly({ ...bet, right: 'put', premium: 600 })
    expect(probabilityOfProfit).toBe(0)
    expect(probabilityInTheMoney).toBeCloseTo(1 - 0.557494, 6)
  })
})
