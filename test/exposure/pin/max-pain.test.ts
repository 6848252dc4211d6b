import { beforeAll, describe, expect, test } from 'vitest'
import { levelCandidates } from '../../../src/exposure/levels/level-candidates.ts'
import { maxPain, painBottom, painCurve, painStrikes } from '../../../src/exposure/pin/max-pain.ts'
import { painDistance } from '../../../src/exposure/pin/max-pain-signal.ts'
import { expiringScope, liveScope, type Scope } from '../../../src/exposure/scope.ts'
import { allMarkets } from '../../support/markets.ts'
import { givenScope } from '../given.ts'

let scopes: readonly Scope[]
beforeAll(async () => {
  scopes = (await allMarkets()).flatMap(({ chain }) => [
    liveScope(chain),
    expiringScope(chain, chain.expirations[0].date)
  ])
})

function painAt({ chain, slots }: Scope, settlement: number): { callPain: number; putPain: number } {
  let callPain = 0
  let putPain = 0
  for (const i of slots) {
    const oi = Math.max(0, chain.openInterest[i])
    if (chain.right[i] === 0) callPain += 100 * oi * Math.max(settlement - chain.strike[i], 0)
    else putPain += 100 * oi * Math.max(chain.strike[i] - settlement, 0)
  }
  return { callPain, putPain }
}

test('the pain curve is the intrinsic value of every contract at each strike with open interest', () => {
  for (const scope of scopes) {
    const held = new Set(
      [...scope.slots].filter((i) => scope.chain.openInterest[i] > 0).map((i) => scope.chain.strike[i])
    )
    const curve = painCurve(scope)
    const strike = maxPain(scope)
    if (strike !== undefined) held.add(strike)
    expect(curve.map(({ strike }) => strike)).toEqual([...held].sort((a, b) => a - b))
    for (const point of curve.filter((_, k) => k % Math.ceil(curve.length / 40) === 0)) {
      const { callPain, putPain } = painAt(scope, point.strike)
      expect(Math.abs(point.callPain - callPain)).toBeLessThanOrEqual(1e-9 * callPain)
      expect(Math.abs(point.putPain - putPain)).toBeLessThanOrEqual(1e-9 * putPain)
    }
  }
})

test('no strike pays holders less than max pain', () => {
  let compared = 0
  for (const scope of scopes) {
    const strike = maxPain(scope)
    if (strike === undefined) continue
    compared++
    const paid = (at: number) => painAt(scope, at).callPain + painAt(scope, at).putPain
    const least = paid(strike)
    const { spot } = scope.chain
    const near = painCurve(scope).filter((point) => Math.abs(point.strike / strike - 1) < 0.1)
    for (const point of near.filter((_, k) => k % Math.ceil(near.length / 60) === 0)) {
      expect(paid(point.strike)).toBeGreaterThanOrEqual(least - 1e-9 * least)
    }
    expect(paid(spot)).toBeGreaterThanOrEqual(least - 1e-9 * least)
  }
  expect(compared).toBeGreaterThan(20)
})

describe('in a flat bottom', () => {
  const strikes = [
    { strike: 90, call: { oi: 0 }, put: { oi: 0 } },
    { strike: 95, call: { oi: 10 } },
    { strike: 99, call: { oi: 0, volume: 7 }, put: { oi: 0 } },
    { strike: 101, put: { oi: 0 } },
    { strike: 105, put: { oi: 10 } },
    { strike: 110, put: { oi: 0 } }
  ]
  const at = (spot: number) => givenScope(strikes, { spot })

  test('max pain is the listed strike nearest to spot, held or not, of two the lower', () => {
    expect([80, 95, 97.5, 100, 100.1, 104, 130].map((spot) => maxPain(at(spot)))).toEqual([
      95, 95, 99, 99, 101, 105, 105
    ])
    expect(painBottom(at(100))).toEqual({ low: 95, high: 105 })
  })

  test('the curve has a row of max pain, and it pays no more than any other', () => {
    expect(painCurve(at(99)).map(({ strike }) => strike)).toEqual([95, 99, 105])
    expect(painStrikes(at(99))[1]).toEqual({ strike: 99, callOi: 0, putOi: 0, callVolume: 7, putVolume: 0 })
    expect(levelCandidates(at(99), 'max_pain')[0].strike).toBe(99)
  })

  test('spot is at max pain wherever it stands in the bottom', () => {
    const of = (spot: number) => painDistance(spot, maxPain(at(spot))!, painBottom(at(spot)))
    expect([94, 95, 100, 103, 105, 106].map((spot) => of(spot).direction)).toEqual([
      'below',
      'at',
      'at',
      'at',
      'at',
      'above'
    ])
    expect(of(103)).toMatchObject({ signal: 'neutral', absolute: 2 })
  })

  test('which is where every price pays the least, tried at each', () => {
    for (const scope of scopes) {
      const bottom = painBottom(scope)
      if (bottom === undefined) continue
      const paid = (price: number) => painAt(scope, price).callPain + painAt(scope, price).putPain
      const least = paid(bottom.low)
      expect(Math.abs(paid(bottom.high) - least)).toBeLessThanOrEqual(0.01 + 1e-9 * least)
      expect(paid((bottom.low + bottom.high) / 2)).toBeLessThanOrEqual(least + 0.01 + 1e-9 * least)
      const listed = [...new Set([...scope.slots].map((i) => scope.chain.strike[i]))]
      const inside = listed.filter((strike) => strike >= bottom.low && strike <= bottom.high)
      const { spot } = scope.chain
      inside.sort((a, b) => Math.abs(a - spot) - Math.abs(b - spot) || a - b)
      expect(maxPain(scope)).toBe(inside[0])
    }
  })
})

test('strikes in tenths tie as exactly as whole ones', () => {
  // Added up in doubles, equal pains come out a trillionth apart, and the wrong one would win.
  const rows = (...held: readonly (readonly [number, number, number])[]) =>
    held.map(([strike, calls, puts]) => ({ strike, call: { oi: calls }, put: { oi: puts } }))
  const early = rows([20.3, 5, 0], [20.4, 15, 0], [20.5, 0, 10], [20.9, 5, 10], [21.3, 0, 10])
  expect(maxPain(givenScope(early, { spot: 20.31 }))).toBe(20.5)
  const late = rows([5.4, 15, 0], [5.7, 15, 15], [6.1, 10, 15], [6.2, 15, 15], [6.4, 5, 0])
  expect(maxPain(givenScope(late, { spot: 6.11 }))).toBe(6.1)
  const strikes = [10.1, 10.2, 10.3, 10.4, 10.5, 10.6, 10.7].map((strike) => ({
    strike,
    call: { oi: strike === 10.1 ? 10 : 0 },
    put: { oi: strike === 10.7 ? 10 : 0 }
  }))
  const middle = strikes.map((row) =>
    row.strike > 10.1 && row.strike < 10.7 ? { ...row, call: { oi: 7 }, put: { oi: 7 } } : row
  )
  for (const spot of [10.21, 10.33, 10.44, 10.52, 10.61]) {
    const nearest = strikes.toSorted((a, b) => Math.abs(a.strike - spot) - Math.abs(b.strike - spot))[0].strike
    expect(maxPain(givenScope(strikes, { spot }))).toBe(nearest)
    expect(maxPain(givenScope(middle, { spot }))).toBe(10.4)
  }
  const even = [10.1, 10.2, 10.3, 10.5, 10.6, 10.7].map((strike) => ({ strike, call: { oi: 7 }, put: { oi: 7 } }))
  expect(maxPain(givenScope(even, { spot: 10.31 }))).toBe(10.3)
  expect(maxPain(givenScope(even, { spot: 10.49 }))).toBe(10.5)
  const uneven = [0.3, 0.7, 1.1, 1.9, 2.3, 2.6].map((strike) => ({ strike, call: { oi: 13 }, put: { oi: 13 } }))
  expect(maxPain(givenScope(uneven, { spot: 1.2 }))).toBe(1.1)
  expect(maxPain(givenScope(uneven, { spot: 1.8 }))).toBe(1.9)
})

test('unknown open interest pays nobody, and a chain without any has no max pain', () => {
  expect(maxPain(givenScope([{ strike: 100, call: { oi: -1 }, put: { oi: 0 } }]))).toBeUndefined()
  expect(
    maxPain(
      givenScope([
        { strike: 90, call: { oi: -1 } },
        { strike: 110, put: { oi: 3 } }
      ])
    )
  ).toBe(110)
})
