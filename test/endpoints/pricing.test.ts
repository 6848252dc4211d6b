import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pricingGreeks } from '../../src/endpoints/pricing/greeks.ts'
import { pricingIv } from '../../src/endpoints/pricing/iv.ts'
import { pricingKelly } from '../../src/endpoints/pricing/kelly.ts'
import { price } from '../../src/pricing/bsm.ts'
import { kelly as kellyOf } from '../../src/pricing/structures/kelly.ts'
import { answerText, ask, refusalOf } from '../support/wire.ts'

interface GreeksAnswer {
  readonly inputs: Record<string, number | string>
  readonly theoretical_price: number
  readonly first_order: Record<'delta' | 'gamma' | 'theta' | 'vega' | 'rho', number>
  readonly second_order: Record<'vanna' | 'charm' | 'vomma' | 'dual_delta', number>
  readonly third_order: Record<'speed' | 'zomma' | 'color' | 'ultima', number>
  readonly additional: { readonly lambda: number | null; readonly veta: number }
}
interface IvAnswer {
  readonly implied_volatility: number
  readonly implied_volatility_pct: number
}
interface KellyAnswer {
  readonly inputs: Record<string, number | string>
  readonly sizing: Record<'kelly_fraction' | 'half_kelly' | 'quarter_kelly' | 'kelly_pct' | 'half_kelly_pct', number>
  readonly analysis: Record<string, number>
  readonly recommendation: string
}

const atTheMoney = { spot: 580, strike: 580, dte: 30, sigma: 0.18, type: 'call' }
const kellyRequest = { ...atTheMoney, premium: 12.69, mu: 0.12 }
const ivRequest = { spot: 580, strike: 580, dte: 30, price: 12.69, type: 'call' }
const briefly = { numRuns: 100, endOnFailure: true }

const between = (min: number, max: number) => fc.double({ min, max, noNaN: true })
const anyOption = fc.record({
  spot: between(20, 800),
  strike: between(20, 800),
  dte: between(0.5, 1000),
  sigma: between(0.05, 3),
  r: between(-0.05, 0.2),
  q: between(-0.05, 0.2)
})
/** Every order of magnitude a calculator accepts. */
const magnitude = (min: number, max: number) => between(Math.log(min), Math.log(max)).map((x) => Math.exp(x))
const extremeOption = fc.record({
  spot: magnitude(1.0001e-6, 9.99e11),
  strike: magnitude(1.0001e-6, 9.99e11),
  dte: magnitude(1.0001e-6, 36499),
  sigma: magnitude(1.0001e-6, 9.99),
  r: between(-1, 1),
  q: between(-1, 1),
  type: fc.constantFrom('call', 'put')
})

describe('/v1/pricing/greeks', () => {
  const greeks = (query: Record<string, string | number>) => ask<GreeksAnswer>(pricingGreeks, { query })

  test('prints the worked example of the interface to its last digit', () => {
    const answer = greeks(atTheMoney)
    expect(answer).toEqual({
      inputs: {
        spot: 580,
        strike: 580,
        dte: 30,
        sigma: 0.18,
        type: 'call',
        risk_free_rate: 0.045,
        dividend_yield: 0.013
      },
      theoretical_price: 12.687211,
      first_order: { delta: 0.53003, gamma: 0.013276, theta: -0.223599, vega: 0.660706, rho: 24.224395 },
      second_order: { vanna: -0.055551, charm: 0.00049, vomma: 0.709126, dual_delta: -0.508155 },
      third_order: { speed: -5.694e-5, zomma: -0.07361041, color: -0.00022304, ultima: -17.241619 },
      additional: { lambda: 24.2305, veta: 1.092334 }
    })
  })

  test('call and put obey parity and share what does not depend on the right', () => {
    fc.assert(
      fc.property(anyOption, (option) => {
        const call = greeks({ ...option, type: 'call' })
        const put = greeks({ ...option, type: 'put' })
        const t = option.dte / 365
        const forward = option.spot * Math.exp(-option.q * t) - option.strike * Math.exp(-option.r * t)
        expect(Math.abs(call.theoretical_price - put.theoretical_price - forward)).toBeLessThan(1e-4)
        expect(Math.abs(call.first_order.delta - put.first_order.delta - Math.exp(-option.q * t))).toBeLessThan(2e-6)
        expect(call.third_order).toEqual(put.third_order)
        expect(call.additional.veta).toBe(put.additional.veta)
        for (const name of ['gamma', 'vega'] as const) expect(call.first_order[name]).toBe(put.first_order[name])
        for (const name of ['vanna', 'vomma'] as const) expect(call.second_order[name]).toBe(put.second_order[name])
      }),
      briefly
    )
  })

  test('bumped prices give the printed greeks in their printed units', () => {
    fc.assert(
      fc.property(anyOption, fc.constantFrom('call' as const, 'put' as const), (option, right) => {
        fc.pre(option.dte > 10)
        const at = (bump: Partial<typeof option>) => {
          const { spot, strike, dte, sigma, r, q } = { ...option, ...bump }
          return price({ right, spot, strike, t: dte / 365, sigma, rate: r, dividendYield: q })
        }
        const { first_order, second_order } = greeks({ ...option, type: right })
        const slope = (name: keyof typeof option, h: number) =>
          (at({ [name]: option[name] + h }) - at({ [name]: option[name] - h })) / (2 * h)
        const near = (printed: number, expected: number) =>
          expect(Math.abs(printed - expected)).toBeLessThan(2e-5 * Math.max(1, Math.abs(expected)))
        near(first_order.delta, slope('spot', 1e-3))
        near(first_order.vega, slope('sigma', 1e-4) / 100)
        near(first_order.rho, slope('r', 1e-5))
        near(first_order.theta, -slope('dte', 1e-3))
        near(second_order.dual_delta, slope('strike', 1e-3))
      }),
      briefly
    )
  })

  test('charm, color and veta are taken in time to expiry, per day', () => {
    const [early, late] = [greeks({ ...atTheMoney, dte: 30.01 }), greeks({ ...atTheMoney, dte: 29.99 })]
    const middle = greeks(atTheMoney)
    expect(middle.second_order.charm).toBeCloseTo((early.first_order.delta - late.first_order.delta) / 0.02, 4)
    expect(middle.third_order.color).toBeCloseTo((early.first_order.gamma - late.first_order.gamma) / 0.02, 3)
    expect(middle.additional.veta).toBeCloseTo((100 * (early.first_order.vega - late.first_order.vega)) / 0.02, 1)
  })

  test('every accepted input gives an answer of finite figures', () => {
    fc.assert(
      fc.property(extremeOption, (option) => {
        expect(greeks(option).theoretical_price).toBeGreaterThanOrEqual(0)
      }),
      { numRuns: 1000, endOnFailure: true }
    )
  })

  test('a worthless option has no lambda', () => {
    expect(greeks({ ...atTheMoney, strike: 5800, dte: 1 }).additional.lambda).toBeNull()
  })

  test.each(['call', 'CALL', 'C', 'c', 'put', 'Put', 'P', 'p'])('type %s is echoed as call or put', (type) => {
    expect(greeks({ ...atTheMoney, type }).inputs.type).toBe(type.toLowerCase().startsWith('c') ? 'call' : 'put')
  })
})

describe('/v1/pricing/iv', () => {
  const iv = (query: Record<string, string | number>) => ask<IvAnswer>(pricingIv, { query })

  test('prints the worked example of the interface', () => {
    expect(answerText(pricingIv, { query: ivRequest })).toBe(
      '{"inputs":{"spot":580,"strike":580,"dte":30,"price":12.69,"type":"call","risk_free_rate":0.045,' +
        '"dividend_yield":0.013},"implied_volatility":0.180042,"implied_volatility_pct":18}'
    )
    expect(iv(ivRequest).implied_volatility).toBe(0.180042)
  })

  test('the greeks endpoint at its answer returns the price', () => {
    fc.assert(
      fc.property(anyOption, fc.constantFrom('call', 'put'), ({ sigma, ...option }, type) => {
        const { theoretical_price } = ask<GreeksAnswer>(pricingGreeks, { query: { ...option, sigma, type } })
        fc.pre(theoretical_price > 0.01 && refused({ ...option, type, price: theoretical_price }) === undefined)
        const answer = iv({ ...option, type, price: theoretical_price })
        const back = ask<GreeksAnswer>(pricingGreeks, { query: { ...option, type, sigma: answer.implied_volatility } })
        const room = 1e-4 + 1e-4 * back.first_order.vega
        expect(Math.abs(back.theoretical_price - theoretical_price)).toBeLessThanOrEqual(room)
        expect(Math.abs(answer.implied_volatility_pct - 100 * answer.implied_volatility)).toBeLessThan(0.0051)
      }),
      briefly
    )
  })

  test('never falls as the price rises', () => {
    let before = 0
    for (let cents = 1; cents < 57_900; cents += 7) {
      const query = { ...ivRequest, strike: 640, price: cents / 100 }
      if (refused(query)) continue
      const { implied_volatility } = iv(query)
      expect(implied_volatility).toBeGreaterThanOrEqual(before)
      before = implied_volatility
    }
    expect(before).toBeGreaterThan(9)
  })

  function refused(query: Record<string, string | number>): string | undefined {
    try {
      answerText(pricingIv, { query })
      return undefined
    } catch (error) {
      return (error as { code?: string }).code
    }
  }

  test.each([
    ['at the upper bound of a call', { ...ivRequest, q: 0, price: 580 }],
    ['above the upper bound of a call', { ...ivRequest, price: 600 }],
    ['at the lower bound of a call', { ...ivRequest, strike: 500, r: 0, q: 0, price: 80 }],
    ['below the lower bound of a put', { ...ivRequest, type: 'put', strike: 700, price: 100 }],
    ['at the upper bound of a put', { ...ivRequest, type: 'put', r: 0, price: 580 }],
    ['that asks for more than 2,000 percent', { ...ivRequest, price: 579 }],
    ['that asks for less than a hundredth of a percent', { ...ivRequest, strike: 580, r: 0, q: 0, price: 0.0001 }]
  ])('a price %s has no volatility', (_, query) => {
    expect(refusalOf(pricingIv, { query })).toMatchObject({ code: 'iv_not_found', status: 422 })
    expect(refusalOf(pricingIv, { query }).message).toMatch(/price/)
  })

  test('both ends of the searched interval are found', () => {
    const option = { right: 'call' as const, spot: 580, strike: 580, t: 30 / 365, rate: 0, dividendYield: 0 }
    for (const sigma of [0.0001, 20]) {
      const query = { ...ivRequest, r: 0, q: 0, price: price({ ...option, sigma }) }
      expect(iv(query).implied_volatility).toBe(sigma)
    }
  })

  test('every accepted input is answered in finite figures or refused', () => {
    fc.assert(
      fc.property(extremeOption, magnitude(1.0001e-6, 9.99e11), ({ sigma: _, ...option }, mid) => {
        const query = { ...option, price: mid }
        if (refused(query) === undefined) iv(query)
        else expect(refused(query)).toBe('iv_not_found')
      }),
      { numRuns: 500, endOnFailure: true }
    )
  })
})

describe('exercise=american', () => {
  const isRefused = (request: Parameters<typeof answerText>[1]) => {
    try {
      answerText(pricingGreeks, request)
      return false
    } catch {
      return true
    }
  }

  const option = { spot: 100, strike: 106.5, dte: 365, sigma: 0.15, type: 'put', r: 0.1, q: 0, exercise: 'american' }

  test('prices early exercise: published to ten digits by an independent method', () => {
    const { theoretical_price, first_order } = ask<GreeksAnswer>(pricingGreeks, { query: option })
    expect(theoretical_price).toBeCloseTo(6.892656, 6)
    expect(first_order.delta).toBeCloseTo(-0.744435, 6)
    expect(first_order.gamma).toBeCloseTo(0.075213, 6)
    const european = ask<GreeksAnswer>(pricingGreeks, { query: { ...option, exercise: 'European' } })
    expect(theoretical_price - european.theoretical_price).toBeCloseTo(2.662632, 6)
  })

  test('gives back the volatility of its price', () => {
    const { sigma, ...rest } = option
    expect(ask<IvAnswer>(pricingIv, { query: { ...rest, price: 6.8926556522 } }).implied_volatility).toBe(sigma)
  })

  test('finds no volatility in a price that exercise brings at once', () => {
    const { sigma: _, ...rest } = option
    expect(refusalOf(pricingIv, { query: { ...rest, price: 6.5 } })).toMatchObject({
      status: 422,
      code: 'iv_not_found'
    })
  })

  test('is refused where both rates are negative and exercise has two boundaries', () => {
    const refused = refusalOf(pricingGreeks, { query: { ...option, r: -0.01, q: -0.03 } })
    expect(refused).toMatchObject({ status: 400, code: 'invalid_input', message: expect.stringContaining('negative') })
    expect(refusalOf(pricingGreeks, { query: { ...option, exercise: 'bermudan' } })).toMatchObject({ status: 400 })
  })

  test('answers every accepted input in finite figures, or refuses it', () => {
    fc.assert(
      fc.property(extremeOption, (query) => {
        const asked = { query: { ...query, exercise: 'american' } }
        if (query.r < 0 && query.q < 0 && isRefused(asked)) return
        expect(ask<GreeksAnswer>(pricingGreeks, asked).theoretical_price).toBeGreaterThanOrEqual(0)
      }),
      { numRuns: 60, endOnFailure: true }
    )
  })
})

describe('/v1/pricing/kelly', () => {
  const kelly = (query: Record<string, string | number>) => ask<KellyAnswer>(pricingKelly, { query })

  test('prints the worked example of the interface', () => {
    const { sizing, analysis, recommendation } = kelly(kellyRequest)
    expect(sizing).toEqual({
      kelly_fraction: 0.07684,
      half_kelly: 0.03842,
      quarter_kelly: 0.01921,
      kelly_pct: 7.68,
      half_kelly_pct: 3.84
    })
    expect(analysis).toMatchObject({
      expected_payoff: 14.7273,
      expected_roi: 0.160543,
      probability_of_profit: 0.391739,
      probability_itm: 0.557494,
      breakeven: 592.69,
      max_loss: 12.69
    })
    expect(Math.abs(analysis.expected_growth_rate - 0.005843)).toBeLessThan(1e-5)
    expect(recommendation).toBe(
      'Half Kelly is 3.84% of capital, with a 39.17% probability of profit and an expected return of 16.05%.'
    )
  })

  const anyBet = fc.record({ ...anyOptionFields(), premium: magnitude(0.01, 500), mu: between(-2, 2) })
  function anyOptionFields() {
    return {
      spot: between(20, 800),
      strike: between(20, 800),
      dte: between(0.5, 1000),
      sigma: between(0.05, 3),
      q: between(-0.05, 0.2),
      type: fc.constantFrom('call', 'put')
    }
  }

  function checkInvariants({ inputs, sizing, analysis, recommendation }: KellyAnswer): void {
    const premium = inputs.premium as number
    const { kelly_fraction: share, half_kelly, quarter_kelly } = sizing
    expect(Math.abs(half_kelly - share / 2)).toBeLessThanOrEqual(1e-6)
    expect(Math.abs(quarter_kelly - share / 4)).toBeLessThanOrEqual(1e-6)
    if (analysis.expected_roi < 0) expect([share, half_kelly, quarter_kelly]).toEqual([0, 0, 0])
    expect(/no position/.test(recommendation)).toBe(share === 0)
    if (share === 0) expect(analysis.expected_growth_rate).toBe(0)
    expect(analysis.max_loss).toBe(premium)
    const roi = analysis.expected_payoff / premium - 1
    expect(Math.abs(analysis.expected_roi - roi)).toBeLessThanOrEqual(1e-6 + 6e-5 / premium + 1e-12 * Math.abs(roi))
    expect(analysis.probability_of_profit).toBeLessThanOrEqual(analysis.probability_itm)
    expect(Math.abs(sizing.kelly_pct - 100 * share)).toBeLessThanOrEqual(0.0051)
    expect(Math.abs(sizing.half_kelly_pct - 100 * half_kelly)).toBeLessThanOrEqual(0.0051)
  }

  test('every answer keeps the promises of the interface', () => {
    fc.assert(
      fc.property(anyBet, (query) => checkInvariants(kelly(query))),
      { numRuns: 300, endOnFailure: true }
    )
  })

  test('so does the answer to every accepted input, in finite figures', () => {
    const extreme = fc.tuple(extremeOption, magnitude(1.0001e-6, 9.99e11), between(-2, 2))
    fc.assert(
      fc.property(extreme, ([option, premium, mu]) => checkInvariants(kelly({ ...option, premium, mu }))),
      { numRuns: 300, endOnFailure: true }
    )
  })

  test('a drift equal to the rate gives no position but the usual analysis', () => {
    const { sizing, analysis, recommendation } = kelly({ ...kellyRequest, premium: 5, mu: 0.045 })
    expect(sizing.kelly_fraction).toBe(0)
    expect(analysis.expected_roi).toBeGreaterThan(0)
    expect(analysis.expected_growth_rate).toBe(0)
    expect(recommendation).toContain('no position')
  })

  test('a share too small to print is no position', () => {
    const terms = { right: 'call', spot: 580, strike: 700, t: 30 / 365, sigma: 0.18 } as const
    const { expectedPayoff } = kellyOf({ ...terms, premium: 1, mu: 0.4, rate: 0.045, dividendYield: 0.013 })
    const premium = expectedPayoff / (1 + 1e-7)
    const { sizing, analysis, recommendation } = kelly({ ...kellyRequest, strike: 700, premium, mu: 0.4 })
    expect(expectedPayoff / premium - 1).toBeGreaterThan(0)
    expect(sizing).toMatchObject({ kelly_fraction: 0, half_kelly: 0, kelly_pct: 0 })
    expect(analysis.expected_growth_rate).toBe(0)
    expect(recommendation).toContain('no position')
  })

  test('mu is accepted from -2 to 2 and nowhere else', () => {
    for (const mu of [-2, 2]) expect(kelly({ ...kellyRequest, mu }).inputs.mu).toBe(mu)
    for (const mu of [-2.0001, 2.0001]) {
      expect(refusalOf(pricingKelly, { query: { ...kellyRequest, mu } })).toMatchObject({ code: 'invalid_input' })
    }
  })
})

describe.each([
  ['greeks', pricingGreeks, atTheMoney],
  ['iv', pricingIv, ivRequest],
  ['kelly', pricingKelly, kellyRequest]
] as const)('a fault in a parameter of /v1/pricing/%s', (_, endpoint, request) => {
  const numbers = Object.keys(endpoint.params).filter((name) => name !== 'type' && name !== 'exercise')
  const optional = ['r', 'q']

  test('is invalid_input and names the parameter', () => {
    for (const name of numbers) {
      const bad: (string | readonly string[])[] = [
        'NaN',
        'Infinity',
        '1e400',
        '0x10',
        '',
        ' ',
        'abc',
        '1,5',
        '1 ',
        '1e999'
      ]
      if (!['mu', ...optional].includes(name)) bad.push('0', '-0', '-1', '1e-400', '1e308', '-1e308')
      for (const value of [...bad, ['1', '2']]) {
        const refusal = refusalOf(endpoint, { query: { ...request, [name]: value } })
        expect(refusal).toMatchObject({ code: 'invalid_input', status: 400 })
        expect(refusal.message).toMatch(new RegExp(`^${name} must be a number from`))
      }
    }
  })

  test('is invalid_input when a required parameter is missing', () => {
    for (const name of numbers.filter((each) => !optional.includes(each))) {
      const { [name]: _gone, ...rest } = request as Record<string, string | number>
      const refusal = refusalOf(endpoint, { query: rest })
      expect(refusal).toMatchObject({ code: 'invalid_input', status: 400 })
      expect(refusal.message).toMatch(new RegExp(`^${name} must be .*; it is missing$`))
    }
  })

  test('is invalid_input for a type that is neither call nor put', () => {
    for (const type of ['straddle', 'constructor', 'toString', '', 'calls', 'c\u0430ll']) {
      const refusal = refusalOf(endpoint, { query: { ...request, type } })
      expect(refusal).toMatchObject({ code: 'invalid_input' })
      expect(refusal.message).toMatch(/^type must be call or put/)
    }
  })
})
