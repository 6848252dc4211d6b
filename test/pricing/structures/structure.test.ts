import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { greeks, price } from '../../../src/pricing/bsm.ts'
import {
  entryCost,
  scenarioGrid,
  structureValue,
  type ValuedLeg
} from '../../../src/pricing/structures/scenario-grid.ts'
import {
  breakevens,
  evenlySpaced,
  type Leg,
  pnlAtExpiry,
  pnlExtremes
} from '../../../src/pricing/structures/structure.ts'
import { structureGreeks } from '../../../src/pricing/structures/structure-greeks.ts'

const call = (strike: number, premium: number, quantity = 1): Leg => ({ right: 'call', strike, premium, quantity })
const put = (strike: number, premium: number, quantity = 1): Leg => ({ right: 'put', strike, premium, quantity })

const briefly = { numRuns: 100, endOnFailure: true }
const cents = (max: number) => fc.integer({ min: 0, max: 100 * max }).map((n) => n / 100)
const anyLeg: fc.Arbitrary<Leg> = fc.record({
  right: fc.constantFrom('call' as const, 'put' as const),
  strike: fc.integer({ min: 1, max: 400 }).map((n) => n / 2),
  premium: cents(30),
  quantity: fc.integer({ min: 1, max: 5 }).chain((n) => fc.constantFrom(n, -n))
})
const anyLegs = fc.array(anyLeg, { minLength: 1, maxLength: 6 })

describe('profit at expiry', () => {
  test('a bull call spread has one breakeven between its limits', () => {
    const legs = [call(100, 3.2), call(110, 1.1, -1)]
    expect(breakevens(legs).map((x) => +x.toPrecision(15))).toEqual([102.1])
    expect(pnlExtremes(legs).maxProfit).toBeCloseTo(7.9, 12)
    expect(pnlExtremes(legs).maxLoss).toBeCloseTo(-2.1, 12)
    expect(pnlAtExpiry(legs, 80)).toBeCloseTo(-2.1, 12)
    expect(pnlAtExpiry(legs, 130)).toBeCloseTo(7.9, 12)
  })

  test.each<[string, readonly Leg[], readonly number[], number | undefined, number | undefined]>([
    ['a long call gains without limit', [call(100, 5)], [105], undefined, -5],
    ['a short call loses without limit', [call(100, 5, -1)], [105], 5, undefined],
    ['a long put gains no more than its strike less the premium', [put(100, 5)], [95], 95, -5],
    ['a short straddle has two breakevens', [call(100, 5, -1), put(100, 4, -1)], [91, 109], 9, undefined],
    [
      'an iron butterfly is limited on both sides',
      [put(90, 1), put(100, 4, -1), call(100, 4, -1), call(110, 1)],
      [94, 106],
      6,
      -4
    ],
    [
      'a free risk reversal is flat at 0 between its strikes',
      [call(110, 2.1), put(90, 2.1, -1)],
      [90, 110],
      undefined,
      -90
    ],
    ['legs that cancel are 0 from 0 on', [call(100, 5), call(100, 5, -1)], [0], 0, 0],
    [
      'a flat stretch whose premiums cancel but for rounding is 0 all the same',
      [call(110, 0.1), call(110, 0.2), put(90, 0.3, -1)],
      [90, 110],
      undefined,
      -90
    ],
    [
      'a condor bought for nothing is 0 outside its wings',
      [call(90, 3), call(100, 2, -1), call(110, 2, -1), call(120, 1)],
      [0, 90, 120],
      10,
      0
    ]
  ])('%s', (_, legs, zeros, most, least) => {
    expect(breakevens(legs).map((x) => +x.toPrecision(12))).toEqual(zeros)
    const { maxProfit, maxLoss } = pnlExtremes(legs)
    expect(maxProfit === undefined ? undefined : +maxProfit.toPrecision(12)).toBe(most)
    expect(maxLoss === undefined ? undefined : +maxLoss.toPrecision(12)).toBe(least)
  })

  test('every breakeven is a zero, in ascending order, and no sign changes without one', () => {
    fc.assert(
      fc.property(anyLegs, (legs) => {
        const zeros = breakevens(legs)
        zeros.forEach((zero, i) => {
          expect(Math.abs(pnlAtExpiry(legs, zero))).toBeLessThan(1e-9)
          if (i > 0) expect(zero).toBeGreaterThan(zeros[i - 1])
        })
        const edges = [0, ...zeros, 1000]
        for (let i = 0; i + 1 < edges.length; i++) {
          const signs = new Set<number>()
          for (const spot of evenlySpaced(edges[i], edges[i + 1], 60).slice(1, -1)) {
            const pnl = pnlAtExpiry(legs, spot)
            if (Math.abs(pnl) > 1e-9) signs.add(Math.sign(pnl))
          }
          expect(signs.size).toBeLessThanOrEqual(1)
        }
      }),
      briefly
    )
  })

  test('profit never leaves its extremes, and reaches beyond any bound where it has none', () => {
    fc.assert(
      fc.property(anyLegs, fc.double({ min: 0, max: 1000, noNaN: true }), (legs, spot) => {
        const { maxProfit, maxLoss } = pnlExtremes(legs)
        const pnl = pnlAtExpiry(legs, spot)
        if (maxProfit === undefined) expect(pnlAtExpiry(legs, 1e9)).toBeGreaterThan(1e8)
        else expect(pnl).toBeLessThanOrEqual(maxProfit + 1e-9)
        if (maxLoss === undefined) expect(pnlAtExpiry(legs, 1e9)).toBeLessThan(-1e8)
        else expect(pnl).toBeGreaterThanOrEqual(maxLoss - 1e-9)
      }),
      briefly
    )
  })
})

const market = { spot: 102.5, rate: 0.045, dividendYield: 0.013 }
const spread: readonly ValuedLeg[] = [
  { ...call(100, 3.2), sigma: 0.28, days: 42 },
  { ...call(110, 1.1, -1), sigma: 0.25, days: 42 }
]
const anyValuedLegs = fc.array(
  fc.tuple(anyLeg, fc.double({ min: 0.05, max: 2, noNaN: true }), fc.integer({ min: -3, max: 400 })),
  { minLength: 1, maxLength: 4 }
)
const valued = (legs: readonly (readonly [Leg, number, number])[]): readonly ValuedLeg[] =>
  legs.map(([leg, sigma, days]) => ({ ...leg, sigma, days }))

describe('the scenario grid', () => {
  const axes = { days: [0, 10, 42, 50], volShocks: [-0.5, 0, 0.1], spotShocks: [-10, 0, 5] }

  test('holds the model value less the cost in every cell', () => {
    const { pnl, spots } = scenarioGrid(spread, market, axes)
    expect(spots).toEqual(axes.spotShocks.map((shock) => market.spot * (1 + shock / 100)))
    axes.days.forEach((day, d) => {
      axes.volShocks.forEach((shock, v) => {
        spots.forEach((spot, s) => {
          let value = 0
          for (const leg of spread) {
            const sigma = Math.max(leg.sigma + shock, 0.0001)
            const t = Math.max(0, leg.days - day) / 365
            value += leg.quantity * price({ ...market, spot, right: leg.right, strike: leg.strike, sigma, t })
          }
          expect(pnl[d][v][s]).toBeCloseTo(value - 2.1, 10)
        })
      })
    })
  })

  test('beyond every expiry is the profit at expiry', () => {
    fc.assert(
      fc.property(anyValuedLegs, (list) => {
        const legs = valued(list)
        const { pnl, spots } = scenarioGrid(legs, market, {
          days: [400],
          volShocks: [-1, 0.2],
          spotShocks: [-50, 0, 70]
        })
        for (const row of pnl[0]) {
          row.forEach((cell, s) => {
            expect(cell).toBeCloseTo(pnlAtExpiry(legs, spots[s]), 9)
          })
        }
      }),
      briefly
    )
  })

  test('starts from the value today less what was paid', () => {
    fc.assert(
      fc.property(anyValuedLegs, (list) => {
        const legs = valued(list)
        const { pnl } = scenarioGrid(legs, market, { days: [0], volShocks: [0], spotShocks: [0] })
        const value = structureValue(legs, market, { day: 0, volShock: 0, spotShock: 0 })
        expect(pnl[0][0][0]).toBeCloseTo(value - entryCost(legs), 9)
      }),
      briefly
    )
  })

  test('its best and worst cells are the extremes of all cells', () => {
    fc.assert(
      fc.property(anyValuedLegs, (list) => {
        const { pnl, best, worst } = scenarioGrid(valued(list), market, axes)
        const cells = pnl.flat(2)
        expect(best.pnl).toBeCloseTo(Math.max(...cells), 5)
        expect(worst.pnl).toBeCloseTo(Math.min(...cells), 5)
        const at = ({ day, volShock, spotShock }: typeof best) =>
          pnl[axes.days.indexOf(day)][axes.volShocks.indexOf(volShock)][axes.spotShocks.indexOf(spotShock)]
        expect(best.pnl).toBe(at(best))
        expect(worst.pnl).toBe(at(worst))
      }),
      briefly
    )
  })

  test('among equal cells the earliest day, then the smallest shocks, stand for all', () => {
    const expired = [
      { ...call(50, 1), sigma: 0.2, days: -1 },
      { ...call(60, 1, -1), sigma: 0.2, days: -1 }
    ]
    const { best, worst } = scenarioGrid(expired, market, {
      days: [0, 1],
      volShocks: [-0.2, 0.1],
      spotShocks: [-20, 5, 10]
    })
    expect(best).toMatchObject({ day: 0, volShock: 0.1, spotShock: 5 })
    expect(worst).toMatchObject({ day: 0, volShock: 0.1, spotShock: 5 })
  })
})

describe('the greeks of a structure', () => {
  test('match the worked example of the interface', () => {
    const sum = structureGreeks(spread, market)
    expect(sum.delta).toBeCloseTo(0.407241, 5)
    expect(sum.gamma).toBeCloseTo(0.003864, 5)
    expect(sum.theta / 365).toBeCloseTo(-0.01542, 5)
    expect(sum.vega / 100).toBeCloseTo(0.025654, 5)
    expect(sum.rho).toBeCloseTo(4.305607, 5)
    expect(sum.vanna).toBeCloseTo(-1.339302, 5)
    expect(-sum.charm / 365).toBeCloseTo(-0.004086, 5)
  })

  test('an expired leg adds nothing and one that expires today has half a day left', () => {
    const [leg] = spread
    const none = { delta: 0, gamma: 0, theta: 0, vega: 0, rho: 0, vanna: 0, charm: 0 }
    expect(structureGreeks([{ ...leg, days: -1 }], market)).toEqual(none)
    const { delta, charm } = greeks({ ...market, right: 'call', strike: 100, sigma: 0.28, t: 0.5 / 365 })
    expect(structureGreeks([{ ...leg, days: 0 }], market)).toMatchObject({ delta, charm })
  })

  test('change sign with the side of every leg and double with every quantity', () => {
    fc.assert(
      fc.property(anyValuedLegs, (list) => {
        const times = (factor: number) =>
          structureGreeks(
            valued(list).map((leg) => ({ ...leg, quantity: factor * leg.quantity })),
            market
          )
        const [once, sold, twice] = [times(1), times(-1), times(2)]
        for (const name of ['delta', 'gamma', 'theta', 'vega', 'rho', 'vanna', 'charm'] as const) {
          expect(sold[name] + once[name]).toBe(0)
          expect(twice[name]).toBe(2 * once[name])
        }
      }),
      briefly
    )
  })
})
