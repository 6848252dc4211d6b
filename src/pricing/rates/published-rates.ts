import type { DailyBar } from '../../market/bar.ts'
import { addDays, previousTradingDay } from '../../market/calendar.ts'
import { instantOfEastern } from '../../market/eastern.ts'
import { overnightRate, parYields, publishedBars } from '../../market/macro-series.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import type { RateCurve } from '../assumptions.ts'
import { type ParPoint, zeroCurve } from './par-yields.ts'

/**
 * Reads the newest `count` daily values of a series that had been published at the moment `at`, in ascending order of
 * date.
 */
export type DailyValuesOf = (symbol: Ticker, at: Instant, count: number) => Promise<readonly DailyBar[]>

const RECENT = 10
/** Maximum age, in days, of published yields. */
const MAX_AGE = 14

/**
 * Interest rates for a trading session, from the par yields published before it began (by midnight in New York).
 * Undefined if nothing recent is stored.
 * One series may already have a newer value than the others, and a single maturity is no curve. So the yields are those
 * of the newest day that has at least half as many maturities as the most complete day. The overnight rate is the one
 * published a session earlier, because its publisher observes other holidays.
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
