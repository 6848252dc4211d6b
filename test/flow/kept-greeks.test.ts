import { expect, test } from 'vitest'
import type { TapeGreeks } from '../../src/flow/fold.ts'
import { GREEKS, greeksAt, type KeptGreeks, keepGreeks, rowOf } from '../../src/flow/kept-greeks.ts'

const MINUTE = 60_000_000

const image = (minute: number, series: number): TapeGreeks => {
  const column = (of: number) => Float64Array.from({ length: series }, (_, k) => of + minute + k / 100)
  return { since: minute * MINUTE, delta: column(0), gamma: column(1000), vega: column(2000), next: undefined }
}

const deltas = ({ greeks }: KeptGreeks) => [...greeks.filter((_, at) => at % GREEKS === 0)]

/** Counts a print of a series at a row, as a fold does. */
function count(kept: KeptGreeks[], minute: number, instrument: number, row: number): void {
  const found = greeksAt(kept, (minute + 0.5) * MINUTE)!
  found.used[rowOf(found, instrument)] = 1
  found.newestRow = row
}

test('a print finds the newest greeks before its time, also of series that came later in the minute', () => {
  const kept: KeptGreeks[] = []
  keepGreeks(kept, image(0, 2), 2, 0)
  keepGreeks(kept, image(1, 3), 2, 0)
  keepGreeks(kept, image(1, 3), 3, 0)
  expect(greeksAt(kept, 0)).toBeUndefined()
  expect(deltas(greeksAt(kept, MINUTE)!)).toEqual([0, 0.01].map(Math.fround))
  expect(deltas(greeksAt(kept, MINUTE + 1)!)).toEqual([1, 1.01, 1.02].map(Math.fround))
})

test('old greeks shrink to the series that were counted with them, and go with the last of their prints', () => {
  const kept: KeptGreeks[] = []
  for (let minute = 0; minute < 30; minute++) {
    keepGreeks(kept, image(minute, 100), 100, 0)
    count(kept, minute, 7 + minute, minute)
  }
  const old = greeksAt(kept, 3.5 * MINUTE)!
  expect([old.since, [...old.series!]]).toEqual([3 * MINUTE, [10]])
  expect([...old.greeks]).toEqual([3.1, 1003.1, 2003.1].map(Math.fround))
  expect([rowOf(old, 10), rowOf(old, 11)]).toEqual([0, -1])
  expect(greeksAt(kept, 28.5 * MINUTE)!.series).toBeUndefined()
  keepGreeks(kept, image(30, 100), 100, 5) // the tape has dropped rows 0 to 4
  expect(kept[0].since).toBe(5 * MINUTE)
  keepGreeks(kept, image(31, 100), 100, 1000)
  expect(kept.map(({ since }) => since / MINUTE)).toEqual([28, 29, 30, 31])
})

test('of thirteen thousand prints of a quiet symbol that can all be taken back, no more than their own greeks are kept', () => {
  const kept: KeptGreeks[] = []
  let row = 0
  for (let minute = 0; minute < 390; minute++) {
    keepGreeks(kept, image(minute, 1500), 1500, 0)
    for (let print = 0; print < 33; print++) count(kept, minute, (31 * row) % 1500, row++)
  }
  const bytes = kept.flatMap(({ series, greeks, used }) => [series, greeks, used])
  expect(bytes.reduce((sum, column) => sum + (column?.byteLength ?? 0), 0)).toBeLessThan(400_000)
})
