import { isCurrentSnapshot, MAX_SILENCE } from '../archive/closing.ts'
import type { Absence, CoveredDay, Fidelity, Gap } from '../archive/history-store.ts'
import { absences } from '../archive/history-store.ts'
import { nextTradingDay, session, tradingDays } from '../market/calendar.ts'
import type { Instant, IsoDate } from '../market/units.ts'

/** A range of consecutive days with the same source and the same missing data. */
export interface FidelityRange {
  readonly from: IsoDate
  readonly to: IsoDate
  readonly level: Fidelity
  readonly missing: readonly Absence[]
}

/** Number of days for which the archive has data of a symbol. */
export interface Coverage {
  /** First and last healthy day; `totalDays` counts the trading days from one to the other, both included. */
  readonly first: IsoDate | undefined
  readonly last: IsoDate | undefined
  readonly totalDays: number
  readonly healthyDays: number
  /**
   * Number of days with underlying quotes, option quotes, open interest, an accepted volatility fit, and a tape of
   * prints.
   */
  readonly underlying: number
  readonly options: number
  readonly openInterest: number
  readonly fits: number
  readonly tape: number
  /**
   * Number of days with quotes but no open interest, of days with open interest but no volatility fit, and of trading
   * days without any data.
   */
  readonly missingOpenInterest: number
  readonly missingFit: number
  readonly uncovered: number
  readonly fidelity: readonly FidelityRange[]
}

/**
 * Counts the days of a symbol. A day is healthy if it has quotes of the underlying and its options, open interest and
 * an accepted volatility fit, and was recorded up to the close. A day was recorded up to the close if the close has
 * passed, the newest snapshot is recent enough to count as the close (a service that was stopped earlier leaves no
 * gap), and no gap covers the last five minutes.
 */
export function coverageOf(days: readonly CoveredDay[], gaps: readonly Gap[], now: Instant): Coverage {
  const count = (holds: (day: CoveredDay) => boolean) => days.filter(holds).length
  const healthy = days.filter((day) => isComplete(day) && wasRecordedToTheClose(day, gaps, now))
  const first = healthy.at(0)?.date
  const last = healthy.at(-1)?.date
  const exchangeDays = first === undefined || last === undefined ? [] : tradingDays(first, last)
  const covered = new Set(days.map(({ date }) => date))
  return {
    first,
    last,
    totalDays: exchangeDays.length,
    healthyDays: healthy.length,
    underlying: count(({ hasUnderlying }) => hasUnderlying),
    options: count(({ hasOptions }) => hasOptions),
    openInterest: count(({ hasOpenInterest }) => hasOpenInterest),
    fits: count(({ hasFit }) => hasFit),
    tape: count(({ hasTape }) => hasTape),
    missingOpenInterest: count(({ hasUnderlying, hasOpenInterest }) => hasUnderlying && !hasOpenInterest),
    missingFit: count(({ hasOpenInterest, hasFit }) => hasOpenInterest && !hasFit),
    uncovered: exchangeDays.filter((date) => !covered.has(date)).length,
    fidelity: rangesOf(days)
  }
}

function isComplete({ hasUnderlying, hasOptions, hasOpenInterest, hasFit }: CoveredDay): boolean {
  return hasUnderlying && hasOptions && hasOpenInterest && hasFit
}

function wasRecordedToTheClose({ date, last }: CoveredDay, gaps: readonly Gap[], now: Instant): boolean {
  const close = session(date)?.close
  if (close === undefined || close > now || !isCurrentSnapshot(last, close)) return false
  return !gaps.some(({ from, to }) => from <= close - MAX_SILENCE && to >= close)
}

/** Joins consecutive trading days with the same source and the same missing data to ranges, ascending. */
function rangesOf(days: readonly CoveredDay[]): readonly FidelityRange[] {
  const ranges: FidelityRange[] = []
  for (const { date, fidelity, missing } of days) {
    const lacks = absences.filter((absence) => missing.includes(absence))
    const before = ranges.at(-1)
    const continues =
      before !== undefined &&
      before.level === fidelity &&
      before.missing.join() === lacks.join() &&
      nextTradingDay(before.to) >= date
    if (continues) ranges[ranges.length - 1] = { ...before, to: date }
    else ranges.push({ from: date, to: date, level: fidelity, missing: lacks })
  }
  return ranges
}
