import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NamedSeries } from '../../src/market/series.ts'

test('a tape has named the series up to the highest one of its rows, in whatever order moments are asked about', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(30)), fc.array(fc.nat(60)), (instruments, asked) => {
      const named = new NamedSeries()
      const column = Int32Array.from(instruments)
      for (const rows of asked.map((row) => Math.min(row, instruments.length))) {
        expect(named.by(rows, column)).toBe(Math.max(0, ...instruments.slice(0, rows).map((highest) => highest + 1)))
      }
    })
  )
})

test('rows that are added later are read then', () => {
  const named = new NamedSeries()
  expect(named.by(2, Int32Array.of(0, 1))).toBe(2)
  expect(named.by(4, Int32Array.of(0, 1, 1, 2))).toBe(3)
  expect(named.by(3, Int32Array.of(0, 1, 1, 2))).toBe(2)
})
