import { expect, test } from 'vitest'
import type { TapeGreeks } from '../../src/flow/fold.ts'
import { greeksAt, type KeptGreeks, keepGreeks, readGreeks } from '../../src/flow/kept-greeks.ts'
import { viewBytes } from '../../src/flow/view-bytes.ts'

const MINUTE = 60_000_000

const image = (minute: number, series: number): TapeGreeks => {
  const column = (of: number) => Float64Array.from({ length: series }, (_, k) => of + minute + k / 100)
  return { since: minute * MINUTE, delta: column(0), gamma: column(1000), vega: column(2000), next: undefined }
}

const found = new Float32Array(3)
const deltaOf = (kept: KeptGreeks, instrument: number) => (readGreeks(kept, instrument, found) ? found[0] : undefined)

/** Counts a print of a series at a row, as a fold does. */
function count(kept: KeptGreeks[], minute: number, instrument: number, row: number): void {
  const newest = greeksAt(kept, (minute + 0.5) * MINUTE)!
  expect(deltaOf(newest, instrument)).toBeDefined()
  newest.newestRow = row
}

test('a print finds the newest greeks before its time, also of series that came later in the minute', () => {
  const kept: KeptGreeks[] = []
  keepGreeks(kept, image(0, 2), 2, 0)
  keepGreeks(kept, image(1, 3), 2, 0)
  keepGreeks(kept, image(1, 3), 3, 0)
  expect(greeksAt(kept, 0)).toBeUndefined()
  const first = greeksAt(kept, MINUTE)!
  expect([0, 1, 2].map((k) => deltaOf(first, k))).toEqual([0, Math.fround(0.01), undefined])
  const second = greeksAt(kept, MINUTE + 1)!
  expect([0, 1, 2].map((k) => deltaOf(second, k))).toEqual([1, 1.01, 1.02].map(Math.fround))
})

test('old greeks shrink to the series that were counted with them, and go with the last of their prints', () => {
  const kept: KeptGreeks[] = []
  for (let minute = 0; minute < 30; minute++) {
    keepGreeks(kept, image(minute, 100), 100, 0)
    count(kept, minute, 7 + minute, minute)
  }
  const old = greeksAt(kept, 3.5 * MINUTE)!
  expect([old.since, [...old.series]]).toEqual([3 * MINUTE, [10]])
  expect([...old.greeks]).toEqual([3.1, 1003.1, 2003.1].map(Math.fround))
  expect([deltaOf(old, 10), deltaOf(old, 11)]).toEqual([Math.fround(3.1), undefined])
  expect(greeksAt(kept, 28.5 * MINUTE)!.all).toBeDefined()
  keepGreeks(kept, image(30, 100), 100, 5) // the tape has dropped rows 0 to 4
  expect(kept[0].since).toBe(5 * MINUTE)
  keepGreeks(kept, image(31, 100), 100, 1000)
  expect(kept.map(({ since }) => since / MINUTE)).toEqual([29, 30, 31])
})

test('of thirteen thousand prints of a quiet symbol that can all be taken back, no more than their own greeks are kept', () => {
  const kept: KeptGreeks[] = []
  let row = 0
  for (let minute = 0; minute < 390; minute++) {
    keepGreeks(kept, image(minute, 1500), 1500, 0)
    for (let print = 0; print < 33; print++) count(kept, minute, (31 * row) % 1500, row++)
  }
  expect(viewBytes(kept)).toBeLessThan(400_000)
})
