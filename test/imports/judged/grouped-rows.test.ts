import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GroupedRows } from '../../../src/imports/judged/grouped-rows.ts'

const anyRows = fc.array(fc.tuple(fc.nat(5), fc.nat(9)), { maxLength: 80 })
const foldersNow = () => readdirSync(tmpdir()).filter((name) => name.startsWith('gammawall-import-'))

function rowsIn(rows: GroupedRows, group: number): readonly (readonly number[])[] {
  const packed = rows.rowsOf(group)
  return Array.from({ length: packed.length / rows.width }, (_, k) => [
    ...packed.subarray(k * rows.width, (k + 1) * rows.width)
  ])
}

test('rows come back by group in the order in which they were added, from memory or from the disk', () => {
  fc.assert(
    fc.property(anyRows, anyRows, fc.integer({ min: 1, max: 100 }), (first, second, held) => {
      const rows = new GroupedRows({ width: 3, content: 1, held })
      try {
        const added: [group: number, row: readonly number[]][] = []
        for (const part of [first, second]) {
          for (const [group, figure] of part) {
            const row = [added.length, figure, Number.NaN]
            added.push([group, row])
            rows.add(group, Float64Array.from(row))
          }
          for (let group = 0; group <= 6; group++) {
            const expected = added.filter(([of]) => of === group).map(([, row]) => row)
            expect(rowsIn(rows, group)).toEqual(expected)
          }
        }
        rows.forget(2)
        rows.compact()
        for (const group of [0, 1, 2, 3]) {
          const expected = added.filter(([of]) => of === group && of !== 2).map(([, row]) => row)
          expect(rowsIn(rows, group)).toEqual(expected)
        }
      } finally {
        rows.close()
      }
    })
  )
})

test('only rows that do not fit into memory lie in a temporary file, which goes with them', () => {
  const before = foldersNow()
  const rows = new GroupedRows({ width: 1, content: 0, held: 4 })
  for (let k = 0; k < 4; k++) rows.add(0, Float64Array.of(k))
  expect([rows.filed, foldersNow()]).toEqual([0, before])
  for (let k = 0; k < 4; k++) rows.add(1, Float64Array.of(k))
  rows.add(0, Float64Array.of(9))
  expect(rows.filed).toBe(8)
  expect([...rows.rowsOf(0)]).toEqual([0, 1, 2, 3, 9])
  rows.close()
  expect(foldersNow().filter((name) => !before.includes(name))).toEqual([])
})

test('rows that a bomb repeats without end are kept once', () => {
  const rows = new GroupedRows({ width: 2, content: 1, held: 70_000 })
  for (let k = 0; k < 280_001; k++) rows.add(0, Float64Array.of(k, 7))
  expect(rows.filed).toBe(4)
  rows.close()
})
