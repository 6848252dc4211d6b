import { expect, test } from 'vitest'
import { sameView } from '../../../src/api/inputs/view-reuse.ts'
import type { Positions } from '../../../src/flow/tape-views.ts'
import { PRICE_UNIT } from '../../../src/market/print.ts'
import { SeriesList } from '../../../src/market/series.ts'
import type { IsoDate, Ticker } from '../../../src/market/units.ts'

const listed = (strike: number) => ({
  date: '2026-08-21' as IsoDate,
  root: 'TEST',
  settlement: 'pm' as const,
  strike,
  right: 0,
  adjusted: false
})

/** A view of a tape with so many series, as it comes to a thread: copied. */
function arriving(version: number, strikes: readonly number[], session = '2026-07-29'): Positions {
  const list = new SeriesList()
  for (const strike of strikes) list.numberOf(listed(strike))
  const column = () => new Int32Array(strikes.length)
  return {
    symbol: 'TEST' as Ticker,
    kind: 'option',
    session: session as IsoDate,
    source: 'synthetic',
    unit: PRICE_UNIT,
    known: undefined,
    version,
    silent: false,
    series: list.columns,
    bought: column(),
    sold: column(),
    other: column(),
    confidence: 0.43
  }
}

test('a view that comes again is the one that was here before', () => {
  const first = sameView(arriving(1, [90, 100]))!
  expect(sameView(arriving(1, [90, 100]))).toBe(first)
  const newer = sameView(arriving(2, [90, 100]))!
  expect(newer).not.toBe(first)
  expect(newer.version).toBe(2)
})

test('a newer view keeps the series of the one before until there is another one', () => {
  const first = sameView(arriving(11, [90, 100]))!
  const newer = sameView(arriving(12, [90, 100]))!
  expect(newer.series).toBe(first.series)
  const grown = sameView(arriving(13, [90, 100, 110]))!
  expect(grown.series.length).toBe(3)
  const nextDay = sameView(arriving(14, [80, 85], '2026-07-30'))!
  expect(Array.from(nextDay.series.strike)).toEqual([80, 85])
})

test('no tape stays no tape', () => {
  expect(sameView(undefined)).toBeUndefined()
})
