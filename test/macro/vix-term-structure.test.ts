import { expect, test } from 'vitest'
import { vixTermSlope, vixTermStructure } from '../../src/macro/vix-term-structure.ts'
import type { Macro, MacroIndex } from '../../src/market/macro.ts'

const levels = (values: Partial<Record<MacroIndex, number>>): Macro => ({
  levels: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value, previous: undefined }])),
  tenYear: undefined,
  highYieldSpread: undefined,
  fedFunds: undefined,
  fearAndGreed: undefined
})

test('the family of the VIX has slopes, a basis and a shape', () => {
  expect(vixTermStructure(levels({ vix9d: 16, vix: 20, vix3m: 22 }))).toEqual({
    vix9d: 16,
    vix: 20,
    vix3m: 22,
    vix6m: undefined,
    nearSlope: 25,
    spread: 2,
    basis: 10,
    shape: 'contango'
  })
  expect(vixTermSlope(levels({ vix: 20, vix3m: 22 }))).toBe(1.1)
})

test('a VIX above its three-month index is backwardation; level with it is contango', () => {
  const shapeOf = (vix: number, vix3m: number) => vixTermStructure(levels({ vix, vix3m }))?.shape
  expect([shapeOf(25, 20), shapeOf(20, 20)]).toEqual(['backwardation', 'contango'])
})

test('without the VIX or its three-month index there is neither a structure nor a slope', () => {
  for (const macro of [levels({ vix: 20 }), levels({ vix3m: 20, vix9d: 18 })]) {
    expect([vixTermStructure(macro), vixTermSlope(macro)]).toEqual([undefined, undefined])
  }
  expect(vixTermSlope(levels({ vix: 0, vix3m: 20 }))).toBeUndefined()
})
