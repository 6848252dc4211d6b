import { expect, test } from 'vitest'
import type { ChartData } from '../src/charts/time/data.ts'
import { seenBars } from '../src/screens/overview/seen-bars.ts'

const of = (...values: readonly number[]) => Float64Array.from(values)
const MISSING = Number.NaN
const start = Date.parse('2026-11-20T14:30Z')
const data = {
  every: '15m',
  bars: {
    t: of(start, start + 900_000, start + 1_800_000),
    o: of(1, 2, 3),
    h: of(1, 2, 3),
    l: of(1, 2, 3),
    c: of(681.125, 682, 683),
    v: of(MISSING, 1200, 3)
  },
  lines: [{ name: 'Flip', tone: 'flip', dash: [], isStep: false, values: of(MISSING, 680, 680.5) }],
  panes: [{ id: 'atm_iv', title: 'At-the-money IV', shape: 'line', values: of(12, 13, 14), write: String }],
  compared: [{ symbol: 'QQQ', values: of(600, MISSING, 601) }]
} as unknown as ChartData

test('the seen bars have the figures of the file, and of the page as it writes them', () => {
  const { columns, rows, written } = seenBars({ data, span: { from: 0.4, to: 1.2 } })
  expect(columns.slice(4)).toEqual(['close (USD)', 'volume', 'Flip (USD)', 'At-the-money IV', 'QQQ close (USD)'])
  expect(rows).toEqual([
    ['2026-11-20T09:30', 1, 1, 1, 681.125, null, null, 12, 600],
    ['2026-11-20T09:45', 2, 2, 2, 682, 1200, 680, 13, null]
  ])
  expect(written.map(([moment, , , , close, volume, flip]) => [moment, close, volume, flip])).toEqual([
    ['2026-11-20 09:30', '681.13', '–', '–'],
    ['2026-11-20 09:45', '682.00', '1.20\u2009K', '680']
  ])
})

test('a part without bars has no rows', () => {
  expect(seenBars({ data, span: { from: 3, to: 9 } }).rows).toEqual([])
})
