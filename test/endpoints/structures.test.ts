import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pricingGreeks } from '../../src/endpoints/pricing/greeks.ts'
import { structuresGreeks } from '../../src/endpoints/structures/greeks.ts'
import { structuresPnl } from '../../src/endpoints/structures/pnl.ts'
import { answerText, ask, refusalOf } from '../support/wire.ts'

type Leg = Record<string, unknown>
interface Point {
  readonly pnl: number
  readonly days_forward: number
  readonly vol_shock: number
  readonly spot_shock_pct: number
  readonly underlying: number
}
interface PnlAnswer {
  readonly legs: readonly Leg[]
  readonly pnl_curve: readonly { readonly underlying: number; readonly pnl: number }[]
  readonly breakevens: readonly number[]
  readonly max_profit: number | null
  readonly max_loss: number | null
  readonly scenario_grid?: {
    readonly valuation_date: string
    readonly entry_cost: number
    readonly base_value: number
    readonly rate: number
    readonly axes: Record<'days_forward' | 'vol_shocks' | 'spot_shocks_pct' | 'underlying', readonly number[]>
    readonly pnl: readonly (readonly (readonly number[])[])[]
    readonly best: Point
    readonly worst: Point
  }
}
const names = ['delta', 'gamma', 'theta', 'vega', 'rho', 'vanna', 'charm'] as const
interface GreeksAnswer {
  readonly as_of: string
  readonly valuation_date: string
  readonly legs: readonly Leg[]
  readonly position_greeks: Record<(typeof names)[number], number>
}

const briefly = { numRuns: 100, endOnFailure: true }
const pnlExample = structuresPnl.body?.example as { legs: Leg[] }
const greeksExample = structuresGreeks.body?.example as { legs: Leg[]; spot: number; today: string }
const datedLegs = [
  { action: 'buy', type: 'call', strike: 100, premium: 3.2, quantity: 1, expiry: '2026-07-17', impliedVol: 0.28 },
  { action: 'sell', type: 'call', strike: 110, premium: 1.1, quantity: 1, expiry: '2026-07-17', impliedVol: 0.25 }
]

const pnl = (body: unknown) => ask<PnlAnswer>(structuresPnl, { body })
const greeks = (body: unknown) => ask<GreeksAnswer>(structuresGreeks, { body })
const refusedPnl = (body: unknown) => refusalOf(structuresPnl, { body })
const refusedGreeks = (body: unknown) => refusalOf(structuresGreeks, { body })

const anyLeg = fc.record({
  action: fc.constantFrom('buy', 'SELL', 'Long', 'short'),
  type: fc.constantFrom('call', 'PUT', 'c', 'P'),
  strike: fc.integer({ min: 1, max: 400 }).map((n) => n / 2),
  premium: fc.integer({ min: 0, max: 3000 }).map((n) => n / 100),
  quantity: fc.integer({ min: 1, max: 200 })
})
const anyLegs = fc.array(anyLeg, { minLength: 1, maxLength: 6 })
const anyDatedLegs = fc.array(
  fc
    .tuple(anyLeg, fc.integer({ min: 1, max: 28 }), fc.double({ min: 0.05, max: 2, noNaN: true }))
    .map(([leg, day, impliedVol]) => ({ ...leg, expiry: `2026-06-${`${day}`.padStart(2, '0')}`, impliedVol })),
  { minLength: 1, maxLength: 4 }
)

function profitAt(legs: readonly Leg[], spot: number): number {
  let sum = 0
  for (const { action, type, strike, premium, quantity } of legs as Record<string, never>[]) {
    const side = /buy|long/i.test(action) ? 1 : -1
    const intrinsic = Math.max(/^c/i.test(type) ? spot - strike : strike - spot, 0)
    sum += side * quantity * (intrinsic - premium)
  }
  return sum
}

describe('POST /v1/structures/pnl at expiry', () => {
  test('answers the worked example of the interface', () => {
    const answer = pnl(pnlExample)
    expect(answer).toMatchObject({ legs: pnlExample.legs, breakevens: [102.1], max_profit: 7.9, max_loss: -2.1 })
    expect(answer.pnl_curve).toHaveLength(81)
    expect(answer.pnl_curve[0]).toEqual({ underlying: 80, pnl: -2.1 })
    expect(answer.pnl_curve[1].underlying).toBe(80.625)
    expect(answer.pnl_curve[80]).toEqual({ underlying: 130, pnl: 7.9 })
    expect(answer).not.toHaveProperty('scenario_grid')
  })

  test('every answer keeps the promises of the interface', () => {
    const points = fc.integer({ min: -5, max: 2500 })
    fc.assert(
      fc.property(anyLegs, points, (legs, count) => {
        const answer = pnl({ legs, points: count })
        const curve = answer.pnl_curve
        expect(curve).toHaveLength(Math.min(2001, Math.max(2, count)))
        const step = (curve[curve.length - 1].underlying - curve[0].underlying) / (curve.length - 1)
        for (let i = 1; i < curve.length; i++) {
          expect(curve[i].underlying).toBeGreaterThan(curve[i - 1].underlying)
          expect(Math.abs(curve[i].underlying - curve[i - 1].underlying - step)).toBeLessThan(1e-9)
        }
        for (const point of curve) {
          expect(Math.abs(point.pnl - profitAt(legs, point.underlying))).toBeLessThan(1e-6)
          if (answer.max_profit !== null) expect(point.pnl).toBeLessThanOrEqual(answer.max_profit + 1e-6)
          if (answer.max_loss !== null) expect(point.pnl).toBeGreaterThanOrEqual(answer.max_loss - 1e-6)
        }
        answer.breakevens.forEach((zero, i) => {
          expect(Math.abs(profitAt(legs, zero))).toBeLessThan(1e-6)
          if (i > 0) expect(zero).toBeGreaterThan(answer.breakevens[i - 1])
        })
      }),
      { numRuns: 40, endOnFailure: true }
    )
  })

  test('the range follows the strikes unless both ends are given in order', () => {
    const range = (ends: object) => {
      const { pnl_curve } = pnl({ legs: pnlExample.legs, ...ends })
      return [pnl_curve[0].underlying, pnl_curve[pnl_curve.length - 1].underlying]
    }
    const ownRange = [70, 143]
    for (const ends of [{}, { minUnderlying: 80 }, { maxUnderlying: 90 }]) expect(range(ends)).toEqual(ownRange)
    expect(range({ minUnderlying: 90, maxUnderlying: 90 })).toEqual(ownRange)
    expect(range({ minUnderlying: 90, maxUnderlying: 90.00000000000001 })).toEqual(ownRange)
    expect(range({ minUnderlying: -5, maxUnderlying: -1 })).toEqual(ownRange)
    expect(range({ minUnderlying: -1e308, maxUnderlying: 90 })).toEqual([0, 90])
  })

  test('points are moved into 2 to 2001', () => {
    for (const [points, count] of [
      [-3, 2],
      [0, 2],
      [2, 2],
      [2001, 2001],
      [1e308, 2001]
    ]) {
      expect(pnl({ ...pnlExample, points }).pnl_curve).toHaveLength(count)
    }
  })

  test('repeats the legs as they were sent, unknown fields and all', () => {
    const legs = [{ Note: { deep: ['é"', null] }, premium: 1.123456789012, strike: 100, action: 'LONG', type: 'p' }]
    expect(answerText(structuresPnl, { body: { legs } })).toContain(`{"legs":${JSON.stringify(legs)},`)
  })

  test('a missing action, type or quantity counts as buy, call, 1', () => {
    const bare = pnl({ legs: [{ strike: 100, premium: 2 }] })
    expect(bare).toMatchObject({ breakevens: [102], max_profit: null, max_loss: -2 })
  })
})

describe('POST /v1/structures/pnl with scenarios', () => {
  const scenarios = { spot: 102.5, today: '2026-06-05' }

  test('fills in the default axes and the date of the request', () => {
    const grid = pnl({ legs: datedLegs, scenarios: { spot: 102.5 } }).scenario_grid!
    expect(grid.valuation_date).toBe('2026-06-05')
    expect(grid.axes).toMatchObject({
      days_forward: [0],
      vol_shocks: [-0.05, 0, 0.05],
      spot_shocks_pct: [-10, -5, -2, -1, 0, 1, 2, 5, 10]
    })
    expect(grid.axes.underlying).toEqual([92.25, 97.375, 100.45, 101.475, 102.5, 103.525, 104.55, 107.625, 112.75])
    expect(grid).toMatchObject({ entry_cost: 2.1, rate: 0.045, spot: 102.5, dividend_yield: 0.013 })
    const call = (strike: number, sigma: number) =>
      ask<{ theoretical_price: number }>(pricingGreeks, { query: { spot: 102.5, strike, dte: 42, sigma } })
        .theoretical_price
    expect(grid.base_value).toBeCloseTo(call(100, 0.28) - call(110, 0.25), 5)
  })

  test('axes are echoed ascending without duplicates', () => {
    const { axes } = pnl({
      legs: datedLegs,
      scenarios: { ...scenarios, spotShocksPct: [5, -5, 5, 0], volShocks: [0.1, 0.1], daysForward: [10, 0.5, 0] }
    }).scenario_grid!
    expect(axes).toMatchObject({ spot_shocks_pct: [-5, 0, 5], vol_shocks: [0.1], days_forward: [0, 0.5, 10] })
  })

  test('every grid keeps the promises of the interface', () => {
    const shocks = { spotShocksPct: [-30, 0, 12.5], volShocks: [-0.3, 0, 0.2], daysForward: [0, 5, 40] }
    fc.assert(
      fc.property(anyDatedLegs, (legs) => {
        const {
          axes,
          pnl: cells,
          best,
          worst,
          base_value,
          entry_cost
        } = pnl({
          legs,
          scenarios: { ...scenarios, ...shocks }
        }).scenario_grid!
        expect([cells.length, cells[0].length, cells[0][0].length]).toEqual([3, 3, 3])
        expect(Math.abs(cells[0][1][1] - (base_value - entry_cost))).toBeLessThan(1e-5)
        for (const row of cells[2]) {
          row.forEach((cell, s) => {
            expect(Math.abs(cell - profitAt(legs, axes.underlying[s]))).toBeLessThan(1e-6)
          })
        }
        const at = (point: Point) =>
          cells[axes.days_forward.indexOf(point.days_forward)][axes.vol_shocks.indexOf(point.vol_shock)][
            axes.spot_shocks_pct.indexOf(point.spot_shock_pct)
          ]
        expect(best.pnl).toBe(Math.max(...cells.flat(2)))
        expect(worst.pnl).toBe(Math.min(...cells.flat(2)))
        expect([at(best), at(worst)]).toEqual([best.pnl, worst.pnl])
      }),
      briefly
    )
  })

  test('the largest grid with the most legs is answered', () => {
    const legs = Array.from({ length: 100 }, (_, i) => ({ ...datedLegs[i % 2], strike: 80 + i / 2 }))
    const spread = (count: number, from: number, step: number) =>
      Array.from({ length: count }, (_, i) => from + i * step)
    const grid = pnl({
      legs,
      scenarios: {
        ...scenarios,
        spotShocksPct: spread(50, -25, 1),
        volShocks: spread(20, -0.1, 0.01),
        daysForward: spread(10, 0, 5)
      }
    }).scenario_grid!
    expect(grid.pnl.flat(2)).toHaveLength(10_000)
  })

  test.each([
    ['a leg without expiry', 'invalid_expiry', [{ ...datedLegs[0] }, { ...datedLegs[1], expiry: undefined }], {}],
    [
      'a leg whose expiry does not exist',
      'invalid_expiry',
      [datedLegs[0], { ...datedLegs[1], expiry: '2026-02-30' }],
      {}
    ],
    ['a leg without volatility', 'invalid_iv', [datedLegs[0], { ...datedLegs[1], impliedVol: undefined }], {}],
    ['a leg with a volatility of 0', 'invalid_iv', [datedLegs[0], { ...datedLegs[1], impliedVol: 0 }], {}]
  ] as const)('%s is %s and names the leg', (_, code, legs, more) => {
    const refusal = refusedPnl({ legs, scenarios: { ...scenarios, ...more } })
    expect(refusal).toMatchObject({ code, status: 400 })
    expect(refusal.message).toContain('legs[1].')
  })

  const many = (count: number) => Array.from({ length: count }, (_, i) => i / 1000)
  test.each([
    ['no spot', 'invalid_spot', { spot: undefined }],
    ['a spot of 0', 'invalid_spot', { spot: 0 }],
    ['an infinite spot', 'invalid_spot', { spot: Number.POSITIVE_INFINITY }],
    ['an empty axis', 'invalid_scenarios', { volShocks: [] }],
    ['too many spot shocks', 'invalid_scenarios', { spotShocksPct: many(102) }],
    ['too many volatility shocks', 'invalid_scenarios', { volShocks: many(22) }],
    ['too many days', 'invalid_scenarios', { daysForward: many(32) }],
    ['a spot shock of -100 %', 'invalid_scenarios', { spotShocksPct: [-100] }],
    ['a spot shock above 1000 %', 'invalid_scenarios', { spotShocksPct: [1000.1] }],
    ['a volatility shock above 5', 'invalid_scenarios', { volShocks: [5.1] }],
    ['an infinite volatility shock', 'invalid_scenarios', { volShocks: [Number.POSITIVE_INFINITY] }],
    ['a day in the past', 'invalid_scenarios', { daysForward: [-1] }],
    [
      'more than 10,000 cells',
      'invalid_scenarios',
      { spotShocksPct: many(101), volShocks: many(20), daysForward: many(5) }
    ],
    ['a date that does not exist', 'invalid_scenarios', { today: '2026-13-01' }],
    ['a rate above 1', 'invalid_scenarios', { rate: 1.1 }],
    ['a dividend yield below -1', 'invalid_scenarios', { dividendYield: -1.1 }],
    ['a text as spot', 'invalid_body', { spot: '102.5' }],
    ['a text in an axis', 'invalid_body', { volShocks: [0, '0.1'] }],
    ['a nested axis', 'invalid_body', { volShocks: [[0]] }],
    ['null as an axis', 'invalid_body', { volShocks: null }],
    ['a number as date', 'invalid_body', { today: 20260605 }]
  ] as const)('%s is %s and names what to change', (_, code, change) => {
    const refusal = refusedPnl({ legs: datedLegs, scenarios: { ...scenarios, ...change } })
    expect(refusal).toMatchObject({ code, status: 400 })
    expect(refusal.message).toMatch(/^scenarios/)
  })
})

describe('POST /v1/structures/greeks', () => {
  test('answers the worked example of the interface', () => {
    const { position_greeks, as_of, valuation_date, legs } = greeks(greeksExample)
    const expected = {
      delta: 0.407241,
      gamma: 0.003864,
      theta: -0.01542,
      vega: 0.025654,
      rho: 4.305607,
      vanna: -1.339302,
      charm: -0.004086
    }
    for (const name of names) expect(Math.abs(position_greeks[name] - expected[name])).toBeLessThanOrEqual(2e-6)
    expect({ as_of, valuation_date, legs }).toEqual({
      as_of: '2026-06-05T14:30:00.123Z',
      valuation_date: '2026-06-05',
      legs: greeksExample.legs
    })
  })

  test('today is the UTC date of the request unless given', () => {
    const { today: _, ...rest } = greeksExample
    expect(greeks(rest)).toEqual(greeks(greeksExample))
    expect(greeks({ ...greeksExample, today: '2026-06-06' }).valuation_date).toBe('2026-06-06')
  })

  test('one bought leg has the greeks of the pricing endpoint', () => {
    const leg = { strike: 100, expiry: '2026-07-17', impliedVol: 0.28 }
    for (const type of ['call', 'put']) {
      const query = { spot: 102.5, strike: 100, dte: 42, sigma: 0.28, type }
      const one = ask<{ first_order: Record<string, number>; second_order: Record<string, number> }>(pricingGreeks, {
        query
      })
      const printed = { ...one.first_order, ...one.second_order }
      const { position_greeks } = greeks({ ...greeksExample, legs: [{ ...leg, type }] })
      for (const name of names) expect(Math.abs(position_greeks[name] - printed[name])).toBeLessThanOrEqual(2e-6)
    }
  })

  test('flipping every action negates every greek and doubling every quantity doubles it', () => {
    fc.assert(
      fc.property(anyDatedLegs, (legs) => {
        const once = greeks({ ...greeksExample, legs }).position_greeks
        const flipped = legs.map((leg) => ({ ...leg, action: /buy|long/i.test(leg.action) ? 'sell' : 'buy' }))
        const negated = greeks({ ...greeksExample, legs: flipped }).position_greeks
        const larger = legs.map((leg) => ({ ...leg, quantity: 2 * leg.quantity }))
        const doubled = greeks({ ...greeksExample, legs: larger }).position_greeks
        for (const name of names) {
          expect(negated[name] + once[name]).toBe(0)
          expect(Math.abs(doubled[name] - 2 * once[name])).toBeLessThan(1.6e-6)
        }
      }),
      briefly
    )
  })

  test('expired legs add nothing', () => {
    const { position_greeks } = greeks({ ...greeksExample, today: '2026-07-18' })
    expect(Object.values(position_greeks)).toEqual([0, 0, 0, 0, 0, 0, 0])
    const last = greeks({ ...greeksExample, today: '2026-07-17' }).position_greeks
    const query = { spot: 102.5, dte: 0.5 }
    const delta = (strike: number, sigma: number) =>
      ask<{ first_order: { delta: number } }>(pricingGreeks, { query: { ...query, strike, sigma } }).first_order.delta
    expect(last.delta).toBeCloseTo(delta(100, 0.28) - delta(110, 0.25), 5)
  })

  test('every accepted body is answered in finite figures', () => {
    const extreme = fc.record({
      strike: fc.constantFrom(1e-6, 0.01, 100, 1e12),
      impliedVol: fc.constantFrom(1e-6, 0.2, 100),
      type: fc.constantFrom('c', 'p'),
      expiry: fc.constantFrom('2026-06-05', '2026-06-06', '2199-12-31'),
      quantity: fc.constantFrom(1, 1e9),
      premium: fc.constantFrom(0, 1, 1e12)
    })
    const rate = fc.constantFrom(-1, 0, 1)
    const spot = fc.constantFrom(1e-6, 100, 1e12)
    fc.assert(
      fc.property(fc.array(extreme, { minLength: 1, maxLength: 3 }), spot, rate, rate, (legs, at, r, q) => {
        const terms = { spot: at, rate: r, dividendYield: q, today: '1900-01-01' }
        for (const today of ['1900-01-01', '2026-06-05']) {
          greeks({ legs, ...terms, today })
          pnl({ legs, scenarios: { ...terms, today, volShocks: [-5, 0, 5], spotShocksPct: [-99.999999, 0, 1000] } })
        }
      }),
      { numRuns: 200, endOnFailure: true }
    )
  })

  test.each([
    ['no spot', 'invalid_spot', { spot: undefined }],
    ['a negative spot', 'invalid_spot', { spot: -1 }],
    ['a date that does not exist', 'invalid_today', { today: '2026-02-29' }],
    ['a date in another form', 'invalid_today', { today: '06/05/2026' }],
    ['a text as spot', 'invalid_body', { spot: '100' }],
    ['a number as date', 'invalid_body', { today: 20260605 }],
    ['a rate out of range', 'invalid_body', { rate: 4.5 }],
    ['an infinite dividend yield', 'invalid_body', { dividendYield: Number.POSITIVE_INFINITY }]
  ] as const)('%s is %s', (_, code, change) => {
    const refusal = refusedGreeks({ ...greeksExample, ...change })
    expect(refusal).toMatchObject({ code, status: 400 })
    expect(refusal.message).toContain(Object.keys(change)[0])
  })

  test('a structure of american options has the greeks of its legs with early exercise', () => {
    const put = { type: 'put', strike: 106.5, expiry: '2027-06-05', impliedVol: 0.15 }
    const terms = { spot: 100, today: '2026-06-05', rate: 0.1, dividendYield: 0, legs: [put] }
    const american = greeks({ ...terms, exercise: 'american' }).position_greeks
    // The row of docs/methods/early-exercise.md.
    expect(american.delta).toBeCloseTo(-0.744435, 5)
    expect(american.gamma).toBeCloseTo(0.0752125, 5)
    expect(greeks({ ...terms, exercise: 'european' })).toEqual(greeks(terms))
    const two = greeks({ ...terms, exercise: 'american', legs: [put, { ...put, action: 'sell' }] }).position_greeks
    for (const name of names) expect(Math.abs(two[name])).toBe(0)
    expect(refusedGreeks({ ...terms, exercise: 'bermudan' })).toMatchObject({ status: 400, code: 'invalid_body' })
    const both = { ...terms, rate: -0.01, dividendYield: -0.02, exercise: 'american' }
    expect(refusedGreeks(both)).toMatchObject({ status: 400, code: 'invalid_body' })
  })

  test('the spot is judged before the legs, and a volatility before an expiry', () => {
    const bad = { ...greeksExample.legs[0], impliedVol: -1, expiry: 'soon', quantity: 0 }
    expect(refusedGreeks({ ...greeksExample, spot: 0, legs: [bad] }).code).toBe('invalid_spot')
    expect(refusedGreeks({ ...greeksExample, legs: [bad] }).code).toBe('invalid_iv')
    expect(refusedGreeks({ ...greeksExample, legs: [{ ...bad, impliedVol: 1 }] }).code).toBe('invalid_expiry')
    expect(
      refusedGreeks({ ...greeksExample, today: 'x', legs: [{ ...bad, impliedVol: 1, expiry: '2026-07-17' }] }).code
    ).toBe('invalid_quantity')
  })
})

describe.each([
  ['pnl', refusedPnl, pnlExample],
  ['greeks', refusedGreeks, greeksExample]
] as const)('the legs of /v1/structures/%s', (_, refused, example) => {
  test.each([
    ['word nobody knows', 'invalid_action', 'action', 'hold'],
    ['empty action', 'invalid_action', 'action', ''],
    ['inherited word', 'invalid_action', 'action', 'constructor'],
    ['strange type', 'invalid_type', 'type', 'straddle'],
    ['strike of 0', 'invalid_strike', 'strike', 0],
    ['strike of -0', 'invalid_strike', 'strike', -0],
    ['negative strike', 'invalid_strike', 'strike', -5],
    ['missing strike', 'invalid_strike', 'strike', undefined],
    ['strike of 1e308', 'invalid_strike', 'strike', 1e308],
    ['infinite strike', 'invalid_strike', 'strike', Number.POSITIVE_INFINITY],
    ['quantity of 0', 'invalid_quantity', 'quantity', 0],
    ['negative quantity', 'invalid_quantity', 'quantity', -1],
    ['fractional quantity', 'invalid_quantity', 'quantity', 1.5],
    ['quantity of 1e308', 'invalid_quantity', 'quantity', 1e308],
    ['text as strike', 'invalid_body', 'strike', '100'],
    ['text as quantity', 'invalid_body', 'quantity', '1'],
    ['number as action', 'invalid_body', 'action', 1],
    ['null as type', 'invalid_body', 'type', null],
    ['null as quantity', 'invalid_body', 'quantity', null],
    ['object as strike', 'invalid_body', 'strike', { valueOf: 1 }],
    ['list as action', 'invalid_body', 'action', ['buy']],
    ['expiry that is no date', 'invalid_expiry', 'expiry', '2026-02-30'],
    ['negative volatility', 'invalid_iv', 'impliedVol', -0.2]
  ])('a %s is %s and names the leg', (_name, code, field, value) => {
    const legs = [example.legs[0], { ...example.legs[1], [field]: value }]
    const refusal = refused({ ...example, legs })
    expect(refusal).toMatchObject({ code, status: 400 })
    expect(refusal.message).toMatch(new RegExp(`^legs\\[1\\]\\.${field} must be `))
  })

  test('none, too many, or something else in their place are refused', () => {
    expect(refused({ ...example, legs: [] }).code).toBe('empty_legs')
    expect(refused({ ...example, legs: undefined }).code).toBe('empty_legs')
    expect(refused({ ...example, legs: Array(101).fill(example.legs[0]) }).code).toBe('too_many_legs')
    for (const legs of [null, 'legs', {}, 1])
      expect(refused({ ...example, legs })).toMatchObject({ code: 'invalid_body' })
    for (const leg of [null, 'leg', [], 1, [[example.legs[0]]]]) {
      expect(refused({ ...example, legs: [example.legs[0], leg] })).toMatchObject({
        code: 'invalid_body',
        message: 'legs[1] must be a JSON object'
      })
    }
  })

  test('a body that is no object is refused', () => {
    for (const body of [null, undefined, 'text', 1, [], [example]]) expect(refused(body).code).toBe('invalid_body')
  })

  test('the first fault of the first faulty leg is the one that is named', () => {
    const legs = [
      { ...example.legs[0], quantity: 0 },
      { ...example.legs[1], action: 'hold' }
    ]
    expect(refused({ ...example, legs })).toMatchObject({ code: 'invalid_quantity' })
    expect(refused({ ...example, legs: [{ action: 'hold', type: 'x', strike: -1 }] })).toMatchObject({
      code: 'invalid_action'
    })
    expect(refused({ ...example, legs: [{ type: 'x', strike: -1 }] })).toMatchObject({ code: 'invalid_type' })
  })
})

describe('the premium and the range of POST /v1/structures/pnl', () => {
  test.each([undefined, -0.01, 1e308])('a premium of %s is refused before the quantity', (premium) => {
    expect(refusedPnl({ legs: [{ strike: 100, premium, quantity: 0 }] })).toMatchObject({ code: 'invalid_premium' })
  })

  test.each([
    ['minUnderlying', '80'],
    ['maxUnderlying', null],
    ['maxUnderlying', 1e308],
    ['points', 80.5],
    ['points', '81'],
    ['points', Number.POSITIVE_INFINITY],
    ['scenarios', []],
    ['scenarios', null],
    ['scenarios', 'all']
  ])('%s of %j is invalid_body', (name, value) => {
    const refusal = refusedPnl({ ...pnlExample, [name]: value })
    expect(refusal).toMatchObject({ code: 'invalid_body', status: 400 })
    expect(refusal.message).toMatch(new RegExp(`^${name} must be `))
  })
})
