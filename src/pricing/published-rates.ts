import type { DailyBar } from '../market/bar.ts'
import { addDays, previousTradingDay } from '../market/calendar.ts'
import { instantOfEastern } from '../market/eastern.ts'
import { overnightRate, parYields, publishedBars } from '../market/macro-series.ts'
import type { Instant, IsoDate, Ticker } from '../market/units.ts'
import type { RateCurve } from './assumptions.ts'
import { type ParPoint, zeroCurve } from './par-yields.ts'

/** The newest daily values of a series by a moment, ascending. */
export type ValuesOf = (symbol: Ticker, at: Instant, count: number) => Promise<readonly DailyBar[]>

/** Values that are looked at: one of them was out by the moment that counts. */
const RECENT = 10
/** Older than this, days, yields say nothing of a session. */
const MAX_AGE = 14

/**
 * What money costs in a session by the par yields that were out at its midnight in New York: those of the newest day that
 * has any, and the rate of one night that was out a session earlier, since its publisher keeps holidays of its own.
 * Undefined where nothing so new is held.
 */
export async function publishedRates(session: IsoDate, valuesOf: ValuesOf): Promise<RateCurve | undefined> {
  const midnight = instantOfEastern(session, 0)
  const dayBefore = instantOfEastern(previousTradingDay(session), 0)
  const oldest = addDays(session, -MAX_AGE)
  const newestOf = async (symbol: Ticker, at: Instant) => {
    const newest = publishedBars(await valuesOf(symbol, at, RECENT), symbol, at).at(-1)
    return newest !== undefined && newest.date >= oldest ? newest : undefined
  }
  const [night, ...yields] = await Promise.all([
    newestOf(overnightRate.symbol, dayBefore),
    ...parYields.map(({ series }) => newestOf(series.symbol, midnight))
  ])
  const day = yields.reduce<IsoDate | undefined>(
    (newest, bar) => (bar !== undefined && (newest === undefined || bar.date > newest) ? bar.date : newest),
    undefined
  )
  if (day === undefined) return undefined
  const points = parYields.flatMap(({ months }, k): ParPoint[] => {
    const bar = yields[k]
    return bar?.date === day ? [{ months, percent: bar.close }] : []
  })
  return zeroCurve(points, night?.close)
}
