import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { CALL, PUT } from '../../src/market/chain.ts'
import { price, type Right } from '../../src/pricing/bsm.ts'
import { impliedVolatilities } from '../../src/pricing/implied-volatility.ts'
import { attainableError, type ForwardOption, impliedBy, ulp, vega } from './attainable.ts'
import { testRecorded } from './recorded.ts'

/** The error of an answer in units of what the inputs can decide. */
function errorInAttainable(option: ForwardOption, quoted: number, sigma: number): number {
  return Math.abs(impliedBy(option, quoted) - sigma) / attainableError(option, quoted, sigma)
}

const black = ({ forward, discount, ...rest }: ForwardOption, sigma: number) =>
  discount * price({ ...rest, spot: forward, sigma, rate: 0, dividendYield: 0 })

const atm: ForwardOption = { right: 'call', forward: 100, strike: 100, discount: 1, t: 1 }

type ReferenceRow = [Right, number, number, number, number, number, number]
const reference = JSON.parse(readFileSync(new URL('../reference/black.json', import.meta.url), 'utf8')) as {
  implied: ReferenceRow[]
}

test('volatilities agree with 60-digit arithmetic within twice what the inputs decide', () => {
  const errors = reference.implied.map(([right, forward, strike, discount, t, quoted, sigma]) =>
    errorInAttainable({ right, forward, strike, discount, t }, quoted, sigma)
  )
  expect(errors.length).toBe(400)
  expect(Math.max(...errors)).toBeLessThan(2)
})

interface LetsBeRational {
  input: { q: number; F: number; K: number; T: number; x: number }[]
  output: {
    black: number
    implied_volatility_from_a_transformed_rational_guess: number
    normalised_black: number
    normalised_implied_volatility_from_a_transformed_rational_guess: number
  }[]
}

testRecorded<LetsBeRational>(
  'py_lets_be_rational_TestValues.json',
  'nearly two thousand random prices give the volatilities that Let’s Be Rational gives',
  ({ input, output }) => {
    let [compared, without] = [0, 0]
    for (const [at, { q, F, K, T, x }] of input.entries()) {
      const theirs = output[at]
      const right = q > 0 ? 'call' : 'put'
      const option: ForwardOption = { right, forward: F, strike: K, discount: 1, t: T }
      const sigma = theirs.implied_volatility_from_a_transformed_rational_guess
      // Their answer is zero if their price has rounded to its lower bound, and nothing without time.
      if (sigma > 0) expect(errorInAttainable(option, theirs.black, sigma), `case ${at}`).toBeLessThan(4)
      else expect(impliedBy(option, theirs.black), `case ${at}`).toBeNaN()
      without += sigma > 0 ? 0 : 1
      const normalised = { right, forward: Math.exp(x / 2), strike: Math.exp(-x / 2), discount: 1, t: 1 } as const
      const s = theirs.normalised_implied_volatility_from_a_transformed_rational_guess
      // Here forward and strike are exponentials, rounded: what is left of a price deep in the money may say nothing.
      compared += 1
      if (attainableError(normalised, theirs.normalised_black, s) > 0.01 * s) continue
      expect(errorInAttainable(normalised, theirs.normalised_black, s), `normalised case ${at}`).toBeLessThan(4)
      compared += 1
    }
    expect(without).toBe(18)
    expect(compared).toBeGreaterThan(1900)
  }
)

testRecorded<{ forward: number; T: number; strikes: number[]; vols: number[]; 'prices[strike][vol]': number[][] }>(
  'strata_black76_prices.json',
  'undiscounted Black-76 prices of Strata give back their volatilities',
  ({ forward, T, strikes, vols, 'prices[strike][vol]': prices }) => {
    for (const [k, strike] of strikes.entries()) {
      for (const [v, sigma] of vols.entries()) {
        const option: ForwardOption = { right: 'call', forward, strike, discount: 1, t: T }
        // Their prices carry rounding of up to 4e-14 USD of their own.
        const allowance = 4e-14 / vega(option, sigma)
        const error = Math.abs(impliedBy(option, prices[k][v]) - sigma)
        expect(error).toBeLessThan(4 * attainableError(option, prices[k][v], sigma) + allowance)
      }
    }
  }
)

testRecorded<{ data: number[][] }>(
  'vollib_test_data.json',
  'the rounded prices of vollib give back their volatility as closely as their digits allow',
  ({ data }) => {
    for (const [spot, strike, rate, t, sigma, call, put] of data) {
      const forward = spot * Math.exp(rate * t)
      for (const [right, quoted] of [['call', call] as const, ['put', put] as const]) {
        const option: ForwardOption = { right, forward, strike, discount: Math.exp(-rate * t), t }
        // Nine significant digits, nine decimals at most.
        const rounding = Math.max(6e-10, quoted * 1e-9) / vega(option, sigma)
        if (quoted > 0 && rounding < 1e-4) expect(Math.abs(impliedBy(option, quoted) - sigma)).toBeLessThan(rounding)
      }
    }
  }
)

describe('on a grid of 270,000 options from one minute to five years', () => {
  const minutes = [1, 7, 60, 390, 1440, 10080, 43200, 129600, 525600, 2628000]
  const sigmas = [0.01, 0.03, 0.08, 0.15, 0.3, 0.6, 1, 2, 5]
  const slices = minutes.flatMap((m) => sigmas.map((sigma) => ({ t: m / 525600, sigma })))
  let seed = 11
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647
  let options = 0
  let found = 0
  let worst = 0
  let worstRepricing = 0
  const silent: string[] = []

  for (const { t, sigma } of slices) {
    const size = 3000
    const terms = { forward: 40 + 6000 * random(), discount: random() < 0.3 ? 1 : 0.75 + 0.3 * random(), t }
    const strike = new Float64Array(size)
    const right = new Uint8Array(size)
    const quoted = new Float64Array(size)
    for (let i = 0; i < size; i++) {
      const spread = i % 3 === 0 ? 0.3 : i % 3 === 1 ? 5 : 36
      strike[i] =
        terms.forward * Math.exp(Math.max(-12, Math.min(12, (2 * random() - 1) * spread * sigma * Math.sqrt(t))))
      right[i] = random() < 0.5 ? CALL : PUT
      quoted[i] = black({ ...terms, right: right[i] === CALL ? 'call' : 'put', strike: strike[i] }, sigma)
    }
    const out = new Float64Array(size)
    impliedVolatilities(terms, strike, right, quoted, 0, size, out)
    for (let i = 0; i < size; i++) {
      options++
      const isCall = right[i] === CALL
      const option: ForwardOption = { ...terms, right: isCall ? 'call' : 'put', strike: strike[i] }
      const intrinsic = terms.discount * Math.max(isCall ? terms.forward - strike[i] : strike[i] - terms.forward, 0)
      const inside = quoted[i] > intrinsic && quoted[i] < terms.discount * (isCall ? terms.forward : strike[i])
      if (inside !== out[i] > 0 || (!inside && !Number.isNaN(out[i])))
        silent.push(`${JSON.stringify(option)} ${quoted[i]}`)
      if (!inside) continue
      found++
      const attainable = attainableError(option, quoted[i], sigma)
      // If one unit in the last place is a tenth of the volatility, only the price can be compared.
      if (attainable < 0.1 * sigma) worst = Math.max(worst, Math.abs(out[i] - sigma) / attainable)
      const grain = ulp(quoted[i]) + terms.discount * (ulp(terms.forward) + ulp(strike[i]))
      const repriced = Math.abs(black(option, out[i]) - quoted[i]) / grain
      worstRepricing = Math.max(worstRepricing, repriced)
    }
  }

  test('every price strictly inside its bounds has a volatility, and no other has', () => {
    expect(options).toBe(270_000)
    expect(found).toBeGreaterThan(200_000)
    expect(silent).toEqual([])
  })

  test('each comes back within four times what the inputs decide', () => {
    expect(worst).toBeLessThan(4)
  })

  test('each prices its option again within a few units in the last place of its terms', () => {
    expect(worstRepricing).toBeLessThan(8)
  })
})

test.each([
  ['a call at its lower bound', { ...atm, strike: 90 }, 10],
  ['a call below its lower bound', { ...atm, strike: 90 }, 9.99],
  ['a call at its upper bound', atm, 100],
  ['a call above its upper bound', atm, 101],
  ['a put at its upper bound', { ...atm, right: 'put', strike: 110 }, 110],
  ['a price of zero', atm, 0],
  ['a negative price', atm, -1],
  ['a missing price', atm, Number.NaN],
  ['an endless price', atm, Number.POSITIVE_INFINITY],
  ['no time left', { ...atm, t: 0 }, 5],
  ['a forward of zero', { ...atm, forward: 0, right: 'put' }, 5],
  ['a forward nobody knows', { ...atm, forward: Number.NaN }, 5]
] as const)('%s has no volatility', (_, option, quoted) => {
  expect(impliedBy(option, quoted)).toBeNaN()
})

test.each([
  ['one cent in a thousand away from the upper bound', { ...atm, strike: 110 }, 99.999],
  ['the largest double below the upper bound', atm, 100 - 2 ** -46],
  ['the smallest double there is', { ...atm, strike: 150 }, 5e-324],
  ['a strike a millionth of the forward', { ...atm, strike: 1e-4, right: 'put' }, 5e-5],
  ['a strike a million times the forward', { ...atm, strike: 1e8 }, 50],
  ['no distance at all and a tiny price', atm, 1e-200]
] as const)('%s has a volatility that prices it again', (_, option, quoted) => {
  const sigma = impliedBy(option, quoted)
  expect(sigma).toBeGreaterThan(0)
  const value = Math.min(quoted, option.forward - quoted)
  expect(Math.abs(black(option, sigma) - quoted)).toBeLessThanOrEqual(2 * ulp(quoted) + 1e-11 * value)
})

test('volatility never falls as the price rises', () => {
  for (const strike of [60, 99, 100, 101, 140]) {
    let last = 0
    for (let step = 1; step < 2000; step++) {
      const intrinsic = Math.max(100 - strike, 0)
      const sigma = impliedBy({ ...atm, strike }, intrinsic + ((100 - intrinsic) * step) / 2000)
      expect(sigma).toBeGreaterThan(last)
      last = sigma
    }
  }
})

test('call and put of a strike give one volatility through parity', () => {
  for (const strike of [80, 95, 100.5, 130]) {
    const call = black({ ...atm, strike, discount: 0.97 }, 0.22)
    const put = call - 0.97 * (100 - strike)
    const other = impliedBy({ ...atm, right: 'put', strike, discount: 0.97 }, put)
    expect(other).toBeCloseTo(impliedBy({ ...atm, strike, discount: 0.97 }, call), 12)
  }
})

test('only the range asked for is written, across blocks too', () => {
  const size = 1000
  const strike = Float64Array.from({ length: size }, (_, i) => 50 + i / 10)
  const right = Uint8Array.from({ length: size }, (_, i) => (strike[i] < 100 ? PUT : CALL))
  const quoted = strike.map((k) => black({ ...atm, right: k < 100 ? 'put' : 'call', strike: k }, 0.25))
  const out = new Float64Array(size).fill(-1)
  impliedVolatilities(atm, strike, right, quoted, 7, 990, out)
  expect([...out.subarray(0, 7), ...out.subarray(990)].every((sigma) => sigma === -1)).toBe(true)
  expect(out.subarray(7, 990).every((sigma) => Math.abs(sigma - 0.25) < 1e-13)).toBe(true)
})
