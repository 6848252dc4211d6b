import { describe, expect, test } from 'vitest'
import { easternDateTime } from '../../src/market/eastern.ts'
import {
  macroSeries,
  macroSeriesNamed,
  macroSeriesOf,
  publicationOf,
  publishedBars,
  seriesBar
} from '../../src/market/macro-series.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { parseMoment } from '../../src/replay/replay-moment.ts'

const { tenYear, fedFunds, move } = macroSeries
const day = (text: string) => text as IsoDate
const at = (moment: string) => parseMoment(moment)!
const out = (series: typeof tenYear, date: string) => easternDateTime(publicationOf(series, day(date)))

describe('the value of a day', () => {
  test('of a rate is out at 18:00 of the next trading day, over weekends and holidays', () => {
    expect(out(tenYear, '2026-07-29')).toBe('2026-07-30T18:00:00')
    expect(out(tenYear, '2026-07-31')).toBe('2026-08-03T18:00:00')
    expect(out(tenYear, '2026-09-04')).toBe('2026-09-08T18:00:00') // before Labor Day
    expect(out(fedFunds, '2026-08-01')).toBe('2026-08-03T18:00:00') // a Saturday has a funds rate too
  })

  test('of the MOVE index is out a quarter of an hour after the close', () => {
    expect(out(move, '2026-07-29')).toBe('2026-07-29T16:15:00')
    expect(out(move, '2026-11-27')).toBe('2026-11-27T13:15:00') // a half day
  })
})

describe('published bars', () => {
  const bars = ['2026-07-27', '2026-07-28', '2026-07-29'].map((date, k) => seriesBar(day(date), k))
  const seen = (symbol: Ticker, moment: string) => publishedBars(bars, symbol, at(moment)).map(({ close }) => close)

  test('hold nothing that was not out by the moment', () => {
    expect(seen(tenYear.symbol, '2026-07-29T17:59:59')).toEqual([0])
    expect(seen(tenYear.symbol, '2026-07-29T18:00:00')).toEqual([0, 1])
    expect(seen(move.symbol, '2026-07-29T16:14:59')).toEqual([0, 1])
    expect(seen(move.symbol, '2026-07-29T16:15:00')).toEqual([0, 1, 2])
    expect(seen(tenYear.symbol, '2026-07-27T12:00:00')).toEqual([])
  })

  test('of a security are all that are given', () => {
    expect(publishedBars(bars, 'MOVE' as Ticker, at('2026-07-27'))).toBe(bars)
  })

  test('are the same list for as long as they are the same bars', () => {
    const list = (moment: string) => publishedBars(bars, tenYear.symbol, at(moment))
    expect(list('2026-07-29T12:00:00')).toBe(list('2026-07-29T13:00:00'))
    expect(list('2026-07-29T18:00:00')).not.toBe(list('2026-07-29T13:00:00'))
    expect(list('2026-07-30T18:00:00')).toBe(bars)
  })
})

test('a series is found by the name its publisher gives it, and is no share of that name', () => {
  expect(['dgs10', 'DFF', 'BAMLH0A0HYM2', '^MOVE', ' MOVE '].map((name) => macroSeriesNamed(name)?.symbol)).toEqual([
    '^DGS10',
    '^DFF',
    '^HYOAS',
    '^MOVE',
    '^MOVE'
  ])
  expect(macroSeriesNamed('SPY')).toBeUndefined()
  expect(macroSeriesOf('MOVE' as Ticker)).toBeUndefined()
  expect(macroSeriesOf('^MOVE' as Ticker)).toBe(move)
})
