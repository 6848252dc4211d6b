import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { gammaMap, HIGH, WIDE } from '../src/charts/gamma-map.ts'
import { matrixOf, tintOf } from '../src/state/screens/matrix.ts'

const answerOf = (name: string) =>
  JSON.parse(readFileSync(new URL(`pages/answers/${name}.json`, import.meta.url), 'utf8'))
const answer = answerOf('matrix')

test('the matrix holds the figures of the answer, highest strike first', () => {
  const { rows, columns, most } = matrixOf(answer, undefined)
  expect(rows.map(({ strike }) => strike)).toEqual([...rows.map(({ strike }) => strike)].sort((a, b) => b - a))
  for (const { strike, total, cells } of rows) {
    const at = answer.strikes.indexOf(strike)
    expect(total).toBe(answer.row_totals[at])
    expect(cells).toEqual(answer.values[at].slice(0, columns.length))
  }
  expect(most).toBe(Math.max(...rows.flatMap(({ cells }) => cells.map((cell) => Math.abs(cell ?? 0)))))
})

test('the net of an expiration counts the strikes that are not shown', () => {
  const { columns } = matrixOf(answer, 1)
  columns.forEach(({ date, net }, i) => {
    expect(date).toBe(answer.columns[i])
    expect(net).toBeCloseTo(answer.column_totals[i] + answer.outside[i], 2)
  })
})

test('no more than sixty strikes by twenty expirations are shown, those nearest to spot', () => {
  const strikes = Array.from({ length: 300 }, (_, i) => 500 + i)
  const columns = Array.from({ length: 40 }, (_, i) => `2027-01-${i}`)
  const wide = {
    ...answer,
    underlying_price: 689.5,
    strikes,
    columns,
    values: strikes.map(() => columns.map(() => 1)),
    row_totals: strikes.map(() => 40),
    column_totals: columns.map(() => 300),
    outside: columns.map(() => 0)
  }
  const { rows, columns: shown } = matrixOf(wide, undefined)
  expect([rows.length, shown.length]).toEqual([60, 20])
  expect(rows[0]!.strike).toBeCloseTo(719, -1)
  expect(rows.at(-1)!.strike).toBeCloseTo(660, -1)
})

test('a tint grows with the root and ends where text would lose its contrast', () => {
  expect([tintOf(0, 100), tintOf(25, 100), tintOf(100, 100), tintOf(-100, 100)]).toEqual([0, 29, 58, 58])
})

const map = answerOf('map')
const [first, last] = [Date.parse(map.columns[0]), Date.parse(map.columns.at(-1))]
const frame = {
  prices: [680, 700] as const,
  times: [first, last + 4 * 3_600_000] as const,
  call: [0, 0, 255] as const,
  put: [255, 0, 0] as const
}
const middle = Date.parse(map.columns[Math.floor(map.columns.length / 2)])

test('the gamma map is blue where calls weigh more and orange where puts do', () => {
  const pixels = gammaMap(map, { ...frame, until: last })!
  expect(pixels).toHaveLength(WIDE * HIGH * 4)
  const wall = Math.round(((700 - 700) / 20) * HIGH)
  expect(pixels[wall * WIDE * 4 + 2]).toBe(255)
})

test('the gamma map gives away nothing of what came later', () => {
  const poisoned = structuredClone(map)
  for (const row of poisoned.values)
    map.columns.forEach((text: string, i: number) => {
      if (Date.parse(text) > middle) row[i] = -1e15
    })
  const until = middle + 1000
  expect(gammaMap(poisoned, { ...frame, until })).toEqual(gammaMap(map, { ...frame, until }))
  expect(gammaMap(map, { ...frame, until: first - 1 })).toBeUndefined()
})

test('the gamma map is empty before its first column', () => {
  const from = first - (last - first)
  const pixels = gammaMap(map, { ...frame, times: [from, last], until: last })!
  const columnAt = (x: number) => Array.from({ length: HIGH }, (_, y) => pixels[(y * WIDE + x) * 4 + 3]!)
  expect(Math.max(...columnAt(WIDE / 2 - 1))).toBe(0)
  expect(Math.max(...columnAt(WIDE / 2))).toBeGreaterThan(0)
})
