import type { Period, Step } from '../page/place.ts'

/** Milliseconds of a bar; a day is a session of 6.5 hours. */
export const STEP_LENGTHS: Readonly<Record<Step, number>> = {
  '1m': 60_000,
  '5m': 300_000,
  '15m': 900_000,
  '30m': 1_800_000,
  '1h': 3_600_000,
  '1d': 23_400_000
}

/** Sessions of a period, of the longer ones about; and the step that suits it. */
const PERIOD_SESSIONS: Readonly<Record<Period, number>> = { '1d': 1, '5d': 5, '20d': 20, '3m': 64, all: 6700 }
const SUITED: Readonly<Record<Period, Step>> = { '1d': '5m', '5d': '15m', '20d': '1h', '3m': '1d', all: '1d' }

/** Weekdays of a period that may have no bars: holidays, and its last one before the open. */
const WITHOUT: Readonly<Record<Period, number>> = { '1d': 0, '5d': 2, '20d': 4, '3m': 0, all: 0 }

const SESSION = 23_400_000
/** Most bars of a request: the service answers 200,000 figures, and each bar has at most 16. */
const MOST_BARS = 12_500
const DAY = 86_400_000

/** Whether a period has few enough bars of a step. */
export function fits(period: Period, step: Step): boolean {
  const bars = PERIOD_SESSIONS[period] * Math.ceil(SESSION / STEP_LENGTHS[step])
  return bars <= MOST_BARS && (step === '1d' || period !== 'all')
}

/** The step of a chart: what is wanted if it fits the period, else what suits it. */
export function stepOf(period: Period, wanted: Step | undefined): Step {
  return wanted !== undefined && fits(period, wanted) ? wanted : SUITED[period]
}

/** Number of sessions that a period shows; undefined: as many as three months have, or all. */
export const sessionsOfPeriod = (period: Period): number | undefined =>
  period === '3m' || period === 'all' ? undefined : PERIOD_SESSIONS[period]

/** A date, yyyy-MM-dd, so early that the sessions of a period that ends at a date are not before it. */
export function startOf(period: Period, end: string): string {
  if (period === 'all') return '2000-01-01'
  let day = Date.parse(`${end}T12:00Z`)
  for (let left = PERIOD_SESSIONS[period] - 1 + WITHOUT[period]; left > 0; ) {
    day -= DAY
    const weekday = new Date(day).getUTCDay()
    if (weekday !== 0 && weekday !== 6) left--
  }
  return new Date(day).toISOString().slice(0, 10)
}
