import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromBytePlanes, toBytePlanes } from '../../src/archive/codec/byte-planes.ts'
import { ABSENT, ODD } from '../../src/archive/codec/prices.ts'
import {
  fromSnapshotBytes,
  headerInSnapshotBytes,
  nameInSnapshotBytes,
  toSnapshotBytes
} from '../../src/archive/codec/snapshot-bytes.ts'
import { contractNumbers } from '../../src/archive/codec/snapshot-columns.ts'
import type { SnapshotColumns } from '../../src/archive/codec/snapshot-row.ts'

const edges = [0, 1, -1, 32_765, 32_766, 32_767, 32_768, 65_532, 65_533, 65_534, 65_535, 2 ** 31 - 1]
const anyNumber = fc.oneof(
  fc.integer({ min: -300, max: 300 }),
  fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  fc.constantFrom(ABSENT, ODD, ...edges, ...edges.map((edge) => -edge))
)

const anySnapshot = fc.nat(60).chain((size) => {
  const column = fc.array(anyNumber, { minLength: size, maxLength: size }).map((values) => Int32Array.from(values))
  const header = fc.array(fc.double(), { maxLength: 9 }).map((values) => Float64Array.from(values))
  const odd = fc.array(fc.tuple(fc.nat(2 ** 31), fc.double()), { maxLength: 9 })
  return fc.tuple(header, fc.tuple(...contractNumbers.map(() => column)), odd).map(
    ([figures, numbers, prices]): SnapshotColumns => ({
      header: figures,
      numbers,
      oddSlot: Uint32Array.from(prices, ([slot]) => slot),
      oddPrice: Float64Array.from(prices, ([, price]) => price)
    })
  )
})

test('the header is read of a snapshot of any size, the first bytes of which hold it', async () => {
  const many = Float64Array.from({ length: 3000 }, (_, k) => Math.sin(k))
  const column = Int32Array.from({ length: 20_000 }, (_, k) => Math.trunc(30_000 * Math.sin(k)))
  for (const header of [many.subarray(0, 8), many]) {
    const numbers = contractNumbers.map(() => column)
    const columns = { header, numbers, oddSlot: new Uint32Array(0), oddPrice: new Float64Array(0) }
    const its = { columns, series: 'its', fidelity: 'recorded' } as const
    expect([...headerInSnapshotBytes(await toSnapshotBytes(its))]).toEqual([...header])
  }
})

test('byte planes give back any whole numbers', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anyNumber, anyNumber, anyNumber)), (rows) => {
      const columns = [0, 1, 2].map((k) => Int32Array.from(rows, (row) => row[k]))
      expect(fromBytePlanes(toBytePlanes(columns), 3, rows.length)).toStrictEqual(columns)
    })
  )
})

test('byte planes of another number of columns are refused', () => {
  const made = toBytePlanes([0, 1, 2].map((k) => Int32Array.of(k, k)))
  expect(() => fromBytePlanes(made, 4, 2)).toThrow('12 bytes are not 4 columns of 2 numbers')
})

test('small numbers of either sign take one byte that is not zero, and wide ones stand apart', () => {
  const { planes, wide } = toBytePlanes([Int32Array.of(0, -1, 1, -128, 127, 40_000)])
  expect([...planes.subarray(0, 5)]).toEqual([0, 1, 2, 255, 254])
  expect([...planes.subarray(6, 11)]).toEqual([0, 0, 0, 0, 0])
  expect([...wide]).toEqual([40_000])
})

test('a snapshot is unpacked to the last bit, its name without unpacking', async () => {
  await fc.assert(
    fc.asyncProperty(anySnapshot, fc.constantFrom('recorded', 'imported'), async (columns, fidelity) => {
      const series = '00c0ffee'.repeat(3)
      const packed = await toSnapshotBytes({ columns, series, fidelity })
      expect(nameInSnapshotBytes(packed)).toEqual({ series, fidelity })
      expect(fromSnapshotBytes(packed)).toStrictEqual(columns)
      expect(fromSnapshotBytes(structuredClone(packed))).toStrictEqual(columns)
      expect(headerInSnapshotBytes(packed)).toStrictEqual(columns.header)
    })
  )
})
