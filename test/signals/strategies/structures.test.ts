import { describe, expect, test } from 'vitest'
import type { IsoDate } from '../../../src/market/units.ts'
import { incomeFrom, ironCondor, ironFly, shortVertical } from '../../../src/signals/strategies/structures.ts'
import {
  nearestDelta,
  outOfTheMoney,
  type Tradable,
  type TradableContract,
  tradableOn,
  widestWithin
} from '../../../src/signals/strategies/tradable-contracts.ts'
import { ladder } from '../../support/hand-made.ts'
import { chainOf, series } from '../../volatility/chains.ts'

const contract = (right: 'put' | 'call', strike: number, delta: number, mid: number): TradableContract => ({
  right,
  strike,
  delta,
  mid,
  spread: 4,
  openInterest: 500,
  sigma: 0.2
})

/** Spot 100, forward 100.4: puts 85 to 100 and calls 100 to 115, five apart. */
const on: Tradable = {
  expiry: '2026-08-28' as IsoDate,
  days: 30,
  t: 0.08,
  forward: 100.4,
  spot: 100,
  puts: [
    contract('put', 85, -0.05, 0.2),
    contract('put', 90, -0.14, 0.6),
    contract('put', 95, -0.27, 1.5),
    contract('put', 100, -0.48, 3.2)
  ],
  calls: [
    contract('call', 100, 0.53, 3.5),
    contract('call', 105, 0.3, 1.6),
    contract('call', 110, 0.15, 0.7),
    contract('call', 115, 0.06, 0.25)
  ],
  strikeStep: 5
}
const strikesOf = (structure: { legs: readonly { action: string; right: string; strike: number }[] } | undefined) =>
  structure?.legs.map(({ action, right, strike }) => `${action} ${right} ${strike}`)

describe('what can be traded', () => {
  const date = '2026-08-28'
  const tradable = (change: object, minimum?: number) =>
    tradableOn(chainOf([series(date, { strikes: ladder(90, 110, 5), oi: 250, ...change })]), date as IsoDate, minimum)
  const strikes = (found: Tradable | undefined) => found?.puts.map(({ strike }) => strike)

  test('has two sides no wider than half its mid, a volatility and enough open interest', () => {
    expect(strikes(tradable({}))).toEqual([90, 95, 100, 105, 110])
    expect(strikes(tradable({ oi: (strike: number) => (strike === 95 ? 249 : 250) }))).toEqual([90, 100, 105, 110])
    expect(strikes(tradable({ oi: 249 }, 249))).toHaveLength(5)
    // 0.75 to 1.25 is half of 1.00 wide, a cent more is too wide.
    const quoted = (ask: number) => (strike: number, right: number) =>
      strike === 95 && right === 1 ? ([2 - ask, ask] as const) : undefined
    expect(strikes(tradable({ quote: quoted(1.25) }))).toContain(95)
    expect(strikes(tradable({ quote: quoted(1.26) }))).not.toContain(95)
    const oneSided = (strike: number) => (strike === 95 ? ([0, 1] as const) : undefined)
    expect(strikes(tradable({ quote: oneSided }))).not.toContain(95)
  })

  test('is nothing on a date that is not live', () => {
    expect(tradable({ date: '2026-07-28' })).toBeUndefined()
    expect(tradable({})!.strikeStep).toBe(5)
  })

  test('is of one listing where AM and PM series share the date', () => {
    const am = series(date, { root: 'AM', settlement: 'am', strikes: ladder(90, 110, 10), oi: 250 })
    const pm = series(date, { root: 'PM', strikes: ladder(70, 130, 1), oi: 250 })
    expect(tradableOn(chainOf([am, pm]), date as IsoDate)!.puts).toHaveLength(61)
  })
})

describe('a leg', () => {
  test('is the nearest delta within a tenth, the smaller of two as near', () => {
    const puts = outOfTheMoney(on, 'put')
    expect(nearestDelta(puts, 0.25)!.strike).toBe(95)
    expect(nearestDelta(puts, 0.095)!.strike).toBe(85) // 0.05 and 0.14 are as near
    expect(nearestDelta(puts, 0.7)).toBeUndefined()
    expect(nearestDelta([contract('put', 90, -0.15, 1)], 0.25)!.strike).toBe(90) // the end of the reach counts
  })

  test('is out of the money by the forward', () => {
    expect(outOfTheMoney(on, 'put').map(({ strike }) => strike)).toEqual([85, 90, 95, 100])
    expect(outOfTheMoney(on, 'call').map(({ strike }) => strike)).toEqual([105, 110, 115])
  })

  test('that is bought lies as far out as the width allows', () => {
    expect(widestWithin(on.puts, 95, 9.9)!.strike).toBe(90)
    expect(widestWithin(on.puts, 95, 10)!.strike).toBe(85)
    expect(widestWithin(on.calls, 105, 4)).toBeUndefined()
  })
})

describe('structures at the mids', () => {
  test('a put spread: 95/90 for 0.90', () => {
    const found = shortVertical(on, 'put', 0.25)! // width of one step: 5, more than 2 % of spot
    expect(strikesOf(found)).toEqual(['sell put 95', 'buy put 90'])
    expect(found.credit).toBeCloseTo(0.9, 12)
    expect(found.maxLoss).toBeCloseTo(4.1, 12)
    expect(found.breakevens[0]).toBeCloseTo(94.1, 12)
  })

  test('a call spread: 105/115 for 1.35 where the width is asked for', () => {
    const found = shortVertical(on, 'call', 0.25, { maxWidth: 12 })!
    expect(strikesOf(found)).toEqual(['sell call 105', 'buy call 115'])
    expect([found.credit, found.maxLoss, found.breakevens[0]].map((x) => x.toFixed(2))).toEqual([
      '1.35',
      '8.65',
      '106.35'
    ])
  })

  test('a credit that is too small, or no smaller than the width, makes none', () => {
    expect(shortVertical(on, 'put', 0.25, { minCredit: 0.91 })).toBeUndefined()
    const dear = { ...on, puts: [contract('put', 90, -0.14, 0.6), contract('put', 95, -0.27, 5.7)] }
    expect(shortVertical(dear, 'put', 0.25)).toBeUndefined()
    const free = { ...on, puts: [contract('put', 90, -0.14, 1.5), contract('put', 95, -0.27, 1.5)] }
    expect(shortVertical(free, 'put', 0.25)).toBeUndefined()
  })

  test('an iron condor loses on one side only, the wider one', () => {
    const found = ironCondor(on, 0.2, { maxWidth: 10 })! // 95/85 puts for 1.3, 110/115 calls for 0.45
    expect(strikesOf(found)).toEqual(['sell put 90', 'buy put 85', 'sell call 110', 'buy call 115'])
    expect([found.credit, found.maxLoss].map((x) => x.toFixed(2))).toEqual(['0.85', '4.15'])
    expect(found.breakevens.map((x) => x.toFixed(2))).toEqual(['89.15', '110.85'])
    const walls = ironCondor(on, 0.2, { maxWidth: 10 }, { put: 95, call: 999 })!
    expect(strikesOf(walls)).toEqual(['sell put 95', 'buy put 85', 'sell call 110', 'buy call 115'])
    expect([walls.credit, walls.width, walls.maxLoss].map((x) => x!.toFixed(2))).toEqual(['1.75', '10.00', '8.25'])
  })

  test('an iron fly has its wings nearest to the width, the outer of two as near', () => {
    const found = ironFly(on, 100, 7.5)! // 5 and 10 are as near
    expect(strikesOf(found)).toEqual(['sell put 100', 'buy put 90', 'sell call 100', 'buy call 110'])
    expect([found.credit, found.maxLoss].map((x) => x.toFixed(2))).toEqual(['5.40', '4.60'])
    expect(found.breakevens.map((x) => x.toFixed(2))).toEqual(['94.60', '105.40'])
    expect(strikesOf(ironFly(on, 100, 0.5))).toEqual(['sell put 100', 'buy put 95', 'sell call 100', 'buy call 105'])
    expect(ironFly(on, 105, 5)).toBeUndefined() // no put is listed there
  })

  test('a side whose wing is narrower than the credit loses nowhere', () => {
    const puts = [contract('put', 98, -0.4, 2.6), contract('put', 100, -0.48, 3.2)]
    const found = ironFly({ ...on, puts }, 100, 10)! // put wing 2, call wing 10, credit 0.6 + 2.8
    expect(found.credit).toBeCloseTo(3.4, 12)
    expect(found.maxLoss).toBeCloseTo(6.6, 12)
    expect(found.breakevens.map((x) => x.toFixed(2))).toEqual(['103.40'])
  })

  test('a covered call and a cash-secured put', () => {
    const call = incomeFrom(on, 'covered_call', on.calls[1])
    expect([call.maxProfit, call.maxLoss, call.breakevens[0]].map((x) => x.toFixed(2))).toEqual([
      '6.60',
      '98.40',
      '98.40'
    ])
    expect(call.annualYield).toBeCloseTo((1.6 / 100) * (365 / 30) * 100, 10)
    const put = incomeFrom(on, 'cash_secured_put', on.puts[2])
    expect([put.maxProfit, put.maxLoss, put.breakevens[0]].map((x) => x.toFixed(2))).toEqual(['1.50', '93.50', '93.50'])
    expect(put.annualYield).toBeCloseTo((1.5 / 95) * (365 / 30) * 100, 10)
  })
})
