import type { DailyBar } from '../../market/bar.ts'
import { addDays, previousTradingDay } from '../../market/calendar.ts'
import { instantOfEastern } from '../../market/eastern.ts'
import { overnightRate, parYields, publishedBars } from '../../market/macro-series.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import type { RateCurve } from '../assumptions.ts'
import { type ParPoint, zeroCurve } from './par-yields.ts'

/** The newest daily values of a series by a moment, ascending. */
export type DailyValuesOf = (symbol: Ticker, at: Instant, count: number) => Promise<readonly DailyBar[]>

/** Values that are looked at: one of them was out by the moment that counts. */
const RECENT = 10
/** Older than this, days, yields say nothing of a session. */
const MAX_AGE = 14

/**
 * What money costs in a session by the par yields that were out at its midnight in New York: those of the newest day that
 * half of the maturities have which any day has, for a source may be a series ahead of another, and a curve of one maturity
 * is none. The rate of one night is that which was out a session earlier, since its publisher keeps holidays of its own.
 * Undefined where nothing so new is held.
 */
export async function publishedRates(session: IsoDate, valuesOf: DailyValuesOf): Promise<RateCurve | undefined> {
  const midnight = instantOfEastern(session, 0)
  const dayBefore = instantOfEastern(previousTradingDay(session), 0)
  const oldest = addDays(session, -MAX_AGE)
  const recentOf = async (symbol: Ticker, at: Instant) =>
    publishedBars(await valuesOf(symbol, at, RECENT), symbol, at).filter(({ date }) => date >= oldest)
  const [nights, ...yields] = await Promise.all([
    recentOf(overnightRate.symbol, dayBefore),
    ...parYields.map(({ series }) => recentOf(series.symbol, midnight))
  ])
  const pointsOf = (day: IsoDate) =>
    parYields.flatMap(({ months }, k): ParPoint[] => {
      const bar = yields[k].find(({ date }) => date === day)
      return bar === undefined ? [] : [{ months, percent: bar.close }]
    })
  const days = [...new Set(yields.flat().map(({ date }) => date))].sort()
  const most = Math.max(0, ...days.map((day) => pointsOf(day).length))
  const newest = days.findLast((day) => pointsOf(day).length * 2 >= most)
  return newest && zeroCurve(pointsOf(newest), nights.at(-1)?.close)
}
