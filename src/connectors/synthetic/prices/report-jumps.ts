import { dateOfEpochDay, epochDayOf } from '../../../market/units.ts'
import { gaussian, keyOf, uniform } from '../../../math/random.ts'
import { sessionOnOrAfter, sessions } from '../market-sessions.ts'
import type { Security } from '../securities/securities.ts'

/**
 * Price jump after a quarterly earnings report. It happens at the open of `session`, whether the report came out on the
 * evening before or on that morning.
 */
export interface ReportJump {
  /** Quarters since the beginning of 2017. The report appears in this quarter and covers the one before. */
  readonly quarter: number
  readonly session: number
  /** Log return of the jump. It is not known before the report. */
  readonly jump: number
}

export const FIRST_YEAR = 2017
const LAST_YEAR = 2031

/**
 * Standard deviation of the jump at a report, as a log return, that option prices expect. Only companies jump; volatile
 * companies jump more.
 */
export function expectedJump(security: Security): number {
  return security.kind === 'equity' ? Math.min(0.12, 0.02 + 0.14 * security.ownVolatility) : 0
}

/**
 * Share of companies whose fiscal quarters do not end with calendar quarters, and the earliest day of a calendar
 * quarter on which they report.
 */
const [OFF_CYCLE, OFF_CYCLE_FROM] = [0.25, 48]

/**
 * Earnings reports of a company, ascending, each on about the same day of its calendar quarter. Most companies report
 * two to seven weeks after the quarter begins. Companies whose fiscal quarters end in other months report later.
 */
export function reportsOf(seed: number, security: Security): readonly ReportJump[] {
  const deviation = expectedJump(security)
  if (deviation === 0) return []
  const key = keyOf(seed, 'report', security.returnsOf)
  const isOffCycle = uniform(key, 3) < OFF_CYCLE
  const usualDay = isOffCycle
    ? OFF_CYCLE_FROM + Math.floor(54 * uniform(key, 0))
    : 14 + Math.floor(34 * uniform(key, 0) ** 1.5)
  const reports: ReportJump[] = []
  for (let quarter = 0; quarter < 4 * (LAST_YEAR - FIRST_YEAR); quarter++) {
    const start = epochDayOf(FIRST_YEAR + Math.floor(quarter / 4), 1 + 3 * (quarter % 4), 1)
    const session = sessionOnOrAfter(dateOfEpochDay(start + usualDay + Math.floor(4 * uniform(key, 1, quarter))))
    if (session >= sessions.length - 1) break
    reports.push({ quarter, session, jump: 0.85 * deviation * gaussian(key, 2, quarter) })
  }
  return reports
}
