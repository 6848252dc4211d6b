import { expect, test } from 'vitest'
import { legsOf, SHAPE_NAMES, shapedLegs, textOfLegs, withLeg } from '../src/state/page/legs.ts'
import { daysForward, halfOf, nearest, PRICES, spotShocks } from '../src/state/screens/scenario-axes.ts'
import { formulasOf, nextSort, sortKeysOf } from '../src/state/screens/screener-columns.ts'

const [bought] = legsOf('+1C700@2026-12-18')

test('a leg that is held already is counted with it, and nothing is left of an even count', () => {
  const two = withLeg([bought!], bought!)
  expect(textOfLegs(two)).toBe('+2C700@2026-12-18')
  expect(withLeg([bought!], { ...bought!, quantity: -1 })).toEqual([])
  expect(withLeg([bought!], { ...bought!, right: 'P' })).toHaveLength(2)
})

test('a structure starts from listed strikes around spot', () => {
  const strikes = Array.from({ length: 41 }, (_, i) => 600 + 5 * i)
  const textOf = (name: (typeof SHAPE_NAMES)[number]) => textOfLegs(shapedLegs(name, '2026-12-18', strikes, 689))
  expect(textOf('Straddle')).toBe('+1C690@2026-12-18,+1P690@2026-12-18')
  expect(textOf('Call spread')).toBe('+1C690@2026-12-18,-1C705@2026-12-18')
  expect(textOf('Iron condor')).toBe('+1P660@2026-12-18,-1P670@2026-12-18,-1C705@2026-12-18,+1C715@2026-12-18')
  for (const name of SHAPE_NAMES)
    for (const { strike } of shapedLegs(name, '2026-12-18', strikes, 689)) expect(strikes).toContain(strike)
})

test('the axes hold the present price and every strike, and no more cells than the service takes', () => {
  const shocks = spotShocks(8)
  expect([shocks[0], shocks[(PRICES - 1) / 2], shocks.at(-1)]).toEqual([-8, 0, 8])
  expect(daysForward(3)).toEqual([0, 1, 2, 3])
  expect(daysForward(0)).toEqual([0, 1])
  const long = daysForward(757)
  expect([long[0], long.at(-1)]).toEqual([0, 757])
  expect(long.length * shocks.length * 3).toBeLessThanOrEqual(10_000)
  expect(halfOf([650, 700], 689)).toBe(10)
  expect(halfOf([689], 689)).toBe(5)
  expect(nearest([0, 7, 14], 11)).toBe(2)
})

test('formulas are told apart by semicolons, and what has no name is left out', () => {
  expect(formulasOf('gap = price - gamma_flip; twice = 2 * gap;;rest')).toEqual([
    { alias: 'gap', expression: 'price - gamma_flip' },
    { alias: 'twice', expression: '2 * gap' }
  ])
  expect(formulasOf(undefined)).toEqual([])
})

test('a column sorts downwards, then upwards, then not at all', () => {
  expect(nextSort(undefined, 'price')).toBe('-price')
  expect(nextSort('-price', 'price')).toBe('price')
  expect(nextSort('price', 'price')).toBeUndefined()
  expect(nextSort('-price', 'atm_iv')).toBe('-atm_iv')
  expect(sortKeysOf('-vrp_20d,symbol')).toEqual([
    { name: 'vrp_20d', isDown: true },
    { name: 'symbol', isDown: false }
  ])
})
