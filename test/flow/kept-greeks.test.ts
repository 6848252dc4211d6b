import { expect, test } from 'vitest'
import type { TapeGreeks } from '../../src/flow/fold.ts'
import { copyOfGreeks, type KeptGreeks, keepGreeks, noGreeks, readGreeks } from '../../src/flow/kept-greeks.ts'
import { viewBytes } from '../../src/flow/view-bytes.ts'

const MINUTE = 60_000_000

const image = (minute: number, series: number): TapeGreeks => ({
  since: minute * MINUTE,
  values: Float64Array.from({ length: 3 * series }, (_, k) => 1000 * (k % 3) + minute + Math.floor(k / 3) / 100),
  next: undefined
})

const single = () => noGreeks(Float32Array, MINUTE)

function keep(kept: KeptGreeks, minute: number, series: number, dropped = 0): void {
  keepGreeks(kept, image(minute, series), series, dropped)
}

/** Delta, gamma and vega that a print finds in the middle of a minute, counted at a row, as a fold uses them. */
function found(kept: KeptGreeks, minute: number, place: number, row = 0): readonly number[] | undefined {
  const into = new Float64Array(3)
  return readGreeks(kept, (minute + 0.5) * MINUTE, place, row, into) ? [...kept.precision.from(into)] : undefined
}

const inSingle = (minute: number, place: number) => [0, 1000, 2000].map((of) => Math.fround(of + minute + place / 100))

test('a print finds the newest greeks before its time, also of series that came later in the minute', () => {
  const kept = single()
  keep(kept, 0, 2)
  keep(kept, 1, 2)
  keep(kept, 1, 3)
  expect(found(kept, -1, 0)).toBeUndefined()
  expect([0, 1, 2].map((place) => found(kept, 0, place))).toEqual([inSingle(0, 0), inSingle(0, 1), undefined])
  expect([0, 1, 2].map((place) => found(kept, 1, place))).toEqual([0, 1, 2].map((place) => inSingle(1, place)))
})

test('places have the greeks of their instruments, in the wanted precision', () => {
  const kept = noGreeks(Float64Array, MINUTE)
  keepGreeks(kept, image(0, 9), 2, 0, [7, 3])
  expect(found(kept, 0, 0)).toEqual([0.07, 1000.07, 2000.07])
  expect(found(kept, 0, 1)).toEqual([0.03, 1000.03, 2000.03])
})

test('old greeks shrink to the places that were counted with them, and go with the last of their prints', () => {
  const kept = single()
  for (let minute = 0; minute < 30; minute++) {
    keep(kept, minute, 100)
    expect(found(kept, minute, 7 + minute, minute)).toEqual(inSingle(minute, 7 + minute))
  }
  expect(kept.whole.map(({ since }) => since / MINUTE)).toEqual([27, 28, 29])
  const known = () =>
    Array.from({ length: 30 }, (_, minute) => minute).filter((m) => found(kept, m, 7 + m, m) !== undefined)
  expect(known()).toHaveLength(30)
  expect(found(kept, 3, 10, 3)).toEqual(inSingle(3, 10))
  expect(found(kept, 3, 11, 3)).toBeUndefined()
  const before = copyOfGreeks(kept)
  keep(kept, 30, 100, 20) // the tape has dropped rows 0 to 19
  expect(known()[0]).toBe(20)
  expect(found(kept, 23, 30, 23)).toEqual(inSingle(23, 30))
  keep(kept, 31, 100, 1000)
  expect(known()).toEqual([29])
  expect(found(before, 3, 10, 3)).toEqual(inSingle(3, 10))
})

test('a print that is taken back does not hide that a later one was counted with the same greeks', () => {
  const kept = single()
  keep(kept, 0, 5)
  for (const row of [0, 7, 3]) expect(found(kept, 0, 2, row)).toEqual(inSingle(0, 2))
  for (let minute = 1; minute <= 4; minute++) keep(kept, minute, 5, 5) // the tape has dropped rows 0 to 4
  expect(found(kept, 0, 2, 7)).toEqual(inSingle(0, 2))
})

test('a print that comes within the limit finds all greeks of its time', () => {
  const kept = noGreeks(Float64Array, 15 * MINUTE)
  for (let minute = 0; minute < 30; minute++) keep(kept, minute, 100)
  expect(found(kept, 14, 50)).toEqual([14.5, 1014.5, 2014.5])
  expect(found(kept, 12, 50)).toBeUndefined()
})

test('of thirteen thousand prints of a quiet symbol that can all be taken back, no more than their own greeks are kept', () => {
  const kept = single()
  let row = 0
  for (let minute = 0; minute < 390; minute++) {
    keep(kept, minute, 1500)
    for (let print = 0; print < 33; print++) found(kept, minute, (31 * row) % 1500, row++)
  }
  expect(viewBytes(kept)).toBeLessThan(400_000)
})
