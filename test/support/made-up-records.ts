import { previousTradingDay } from '../../src/market/calendar.ts'
import type { DailyRecord } from '../../src/market/daily-record.ts'
import type { IsoDate } from '../../src/market/units.ts'
import { normalStream } from '../volatility/made-up-bars.ts'

/** A record whose figures do not matter but for those that are given. */
export function recordOf(date: IsoDate, more: Partial<DailyRecord> = {}): DailyRecord {
  return {
    date,
    close: 100,
    atmIv: 18,
    atmIv30: 18,
    rv5: 14,
    rv10: 15,
    rv20: 16,
    rv30: 17,
    straddle: 2.5,
    netGex: 1e8,
    netDex: 2e9,
    netVex: -3e8,
    netChex: 4e7,
    gammaFlip: 99,
    callWall: 105,
    putWall: 95,
    ...more
  }
}

/** The trading days before a date, ascending. */
export function sessionsBefore(date: IsoDate, count: number): readonly IsoDate[] {
  const dates: IsoDate[] = []
  for (let day = date; dates.length < count; ) dates.unshift((day = previousTradingDay(day)))
  return dates
}

/** Records of the sessions before a date whose volatilities wander; one in eleven has none at the money. */
export function madeUpRecords(before: IsoDate, count: number, seed = 11): readonly DailyRecord[] {
  const normal = normalStream(seed)
  const error = normalStream(seed + 1)
  let close = 100
  return sessionsBefore(before, count).map((date, day) => {
    const move = 0.01 * normal()
    close *= Math.exp(move)
    const atmIv = day % 11 === 5 ? undefined : 20 + 3 * normal() - 200 * move
    return recordOf(date, {
      close,
      atmIv,
      atmIv30: atmIv,
      rv20: 16 + 2 * normal(),
      straddle: atmIv && (close * atmIv) / 1000,
      bandGexAll: 0.3 + 1.4 * error(),
      bandDexAll: 1.2 * error()
    })
  })
}
