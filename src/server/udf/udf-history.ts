import { addDays, isTradingDay, nextTradingDay, session, weekday } from '../../market/calendar.ts'
import { easternDate, easternDateTime } from '../../market/eastern.ts'
import { dateOfEpochDay, type Instant, type IsoDate, MILLISECONDS_PER_MINUTE } from '../../market/units.ts'
import type { Resolution } from './resolutions.ts'

/** The part of an answer of `/v1/bars` that a chart shows. */
export interface BarsAnswer {
  readonly t0: number | null
  readonly dt: readonly number[]
  readonly o: Column
  readonly h: Column
  readonly l: Column
  readonly c: Column
  readonly v: Column
  readonly columns: Readonly<Record<string, Column>>
}
type Column = readonly (number | null)[]

/** Which bars a chart asks for: times in seconds, `from` included, `to` not. `countback` comes before `from`. */
export interface AskedHistory {
  readonly resolution: Resolution
  readonly from: number
  readonly to: number
  readonly countback: number | undefined
}

/** Bars in the columns of the protocol, times in seconds. */
export interface History {
  readonly t: number[]
  readonly o: number[]
  readonly h: number[]
  readonly l: number[]
  readonly c: number[]
  readonly v?: number[]
}

/** Days beyond those that the bars need, for holidays and days without a recording. */
const SPARE_DAYS = 7

/** Query of `/v1/bars` for a request of a chart. */
export function barsQuery({ resolution, from, to, countback }: AskedHistory): Readonly<Record<string, string>> {
  const last = to - 1
  if (resolution.minutes === undefined) {
    const until = utcDate(last)
    const since = countback === undefined ? utcDate(from) : daysBefore(until, resolution, countback)
    return { every: resolution.every, from: since, to: until }
  }
  const since =
    countback === undefined ? easternDateTime(1000 * from) : daysBefore(easternDate(1000 * last), resolution, countback)
  return { every: resolution.every, from: since, to: easternDateTime(1000 * last) }
}

/** Query for the newest bar before a period without one. */
export function earlierQuery({ resolution, from, to }: AskedHistory): Readonly<Record<string, string>> {
  const until = utcDate(Math.min(from, to))
  return { every: resolution.every, from: daysBefore(until, resolution, MOST_EARLIER), to: until }
}
/** Bars that are searched for the newest one before a period without one. */
const MOST_EARLIER = 1000

function daysBefore(date: IsoDate, { days }: Resolution, bars: number): IsoDate {
  return addDays(date, -Math.ceil(days * bars) - SPARE_DAYS)
}

/**
 * Bars of an answer before `to`, and from `from` on or the last `countback`. A figure is a bar with four equal prices; one
 * without a value is left out. Where only the last price of a bar is known it stands for the others, since the protocol has no null.
 */
export function historyOf(answer: BarsAnswer, asked: AskedHistory, figure: string | undefined): History {
  const found: { -readonly [Name in keyof Required<History>]: number[] } = { t: [], o: [], h: [], l: [], c: [], v: [] }
  const values = figure === undefined ? answer.c : answer.columns[figure]
  for (const [k, time] of barTimes(answer, asked.resolution).entries()) {
    const close = values[k]
    if (close === null || time >= asked.to || (asked.countback === undefined && time < asked.from)) continue
    const [open, high, low] = figure === undefined ? [answer.o[k], answer.h[k], answer.l[k]] : [close, close, close]
    found.t.push(time)
    found.o.push(open ?? close)
    found.h.push(high ?? Math.max(open ?? close, close))
    found.l.push(low ?? Math.min(open ?? close, close))
    found.c.push(close)
    found.v.push(answer.v[k] ?? 0)
  }
  const { v, ...prices } = found
  const hasVolume = figure === undefined && answer.v.some((volume) => volume !== null)
  const columns: History = hasVolume ? { ...prices, v } : prices
  if (asked.countback === undefined) return columns
  const count = asked.countback
  return Object.fromEntries(
    Object.entries(columns).map(([name, all]) => [name, all.slice(-count)])
  ) as unknown as History
}

/** Times of bars in seconds: the beginning, or for sessions and weeks midnight UTC of the date, as the library expects. */
function barTimes({ t0, dt }: BarsAnswer, { minutes }: Resolution): readonly number[] {
  let at = t0 ?? 0
  return dt.map((seconds) => {
    at += seconds
    return minutes === undefined ? midnightOf(easternDate(1000 * at)) : at
  })
}

const SECONDS_PER_DAY = 86_400
const utcDate = (seconds: number): IsoDate => dateOfEpochDay(Math.floor(seconds / SECONDS_PER_DAY))
const midnightOf = (date: IsoDate) => Date.parse(date) / 1000

/** The first session of a week. */
function firstOfWeek(date: IsoDate): IsoDate {
  const monday = addDays(date, -((weekday(date) + 6) % 7))
  return isTradingDay(monday) ? monday : nextTradingDay(monday)
}

/** Time of the bar that holds a moment, seconds; undefined outside a session if the bars are shorter. */
export function barTimeOf(at: Instant, { minutes, every }: Resolution): number | undefined {
  const date = easternDate(at)
  if (every === '1w') return midnightOf(firstOfWeek(date))
  if (minutes === undefined) return midnightOf(date)
  const hours = session(date)
  if (hours === undefined || at < hours.open) return undefined
  const step = MILLISECONDS_PER_MINUTE * minutes
  const last = Math.min(at, hours.close - 1)
  return (hours.open + step * Math.floor((last - hours.open) / step)) / 1000
}
