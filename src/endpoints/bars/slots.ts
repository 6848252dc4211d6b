import { addDays, session, tradingDays, weekday } from '../../market/calendar.ts'
import { easternDate } from '../../market/eastern.ts'
import { type Instant, type IsoDate, MILLISECONDS_PER_MINUTE } from '../../market/units.ts'

/** Length of a bar by its name, finest first: milliseconds counted from the open of a session, a session or a week. */
export const barSteps = {
  '1m': MILLISECONDS_PER_MINUTE,
  '5m': 5 * MILLISECONDS_PER_MINUTE,
  '15m': 15 * MILLISECONDS_PER_MINUTE,
  '30m': 30 * MILLISECONDS_PER_MINUTE,
  '1h': 60 * MILLISECONDS_PER_MINUTE,
  '1d': 'session',
  '1w': 'week'
} as const
export type BarStep = keyof typeof barSteps
export const barStepNames = Object.keys(barSteps) as readonly BarStep[]

/** The time that one bar describes: from `start` on, before `end`. */
export interface BarSlot {
  /** Date of its first session. */
  readonly date: IsoDate
  readonly start: Instant
  readonly end: Instant
  /** Whether it begins with the open of a session. */
  readonly isFirst: boolean
}

export interface Period {
  readonly from: Instant
  readonly to: Instant
}

/** Options were first listed on this day, so no figure is older. */
const FIRST_LISTED = '1973-04-26' as IsoDate

/** Slots of the bars that begin in a period, both ends included, ascending. Only regular trading hours have bars. */
export function barSlots(period: Period, every: BarStep): readonly BarSlot[] {
  const step = barSteps[every]
  const days = daysOf(period)
  if (step === 'week') return weekSlots(days, period)
  return days.flatMap((date) =>
    slotsOfDay(date, step).filter(({ start }) => start >= period.from && start <= period.to)
  )
}

/** Number of slots of a period, without making those of whole sessions. */
export function slotCount(period: Period, every: BarStep): number {
  const step = barSteps[every]
  if (typeof step === 'string') return barSlots(period, every).length
  return daysOf(period).reduce((sum, date) => {
    const { open, close } = session(date)!
    if (open < period.from || close > period.to) return sum + barSlots(within(period, open, close), every).length
    return sum + Math.ceil((close - open) / step)
  }, 0)
}

const within = ({ from, to }: Period, open: Instant, close: Instant): Period => ({
  from: Math.max(from, open),
  to: Math.min(to, close)
})

function daysOf({ from, to }: Period): readonly IsoDate[] {
  const first = easternDate(from)
  return tradingDays(first < FIRST_LISTED ? FIRST_LISTED : first, easternDate(to))
}

function slotsOfDay(date: IsoDate, step: number | 'session'): readonly BarSlot[] {
  const { open, close } = session(date)!
  if (step === 'session') return [{ date, start: open, end: close, isFirst: true }]
  return Array.from({ length: Math.ceil((close - open) / step) }, (_, k) => {
    const start = open + k * step
    return { date, start, end: Math.min(start + step, close), isFirst: k === 0 }
  })
}

/** Whether a slot is exactly one session. */
export function isSession({ date, start, end }: BarSlot): boolean {
  const hours = session(date)!
  return start === hours.open && end === hours.close
}

/** A week has a bar if its first session opens in the period. */
function weekSlots(days: readonly IsoDate[], { from, to }: Period): readonly BarSlot[] {
  const mondays = [...new Set(days.map(mondayOf))]
  return mondays.flatMap((monday) => {
    const sessions = tradingDays(monday, addDays(monday, 6)).map((date) => session(date)!)
    if (sessions.length === 0 || sessions[0].open < from || sessions[0].open > to) return []
    const [{ date, open: start }] = sessions
    return [{ date, start, end: sessions.at(-1)!.close, isFirst: true }]
  })
}

/** No session is on a Sunday. */
const mondayOf = (date: IsoDate) => addDays(date, 1 - weekday(date))
