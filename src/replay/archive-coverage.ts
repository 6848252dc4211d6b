import { isCurrentSnapshot, MAX_SILENCE } from '../archive/closing.ts'
import type { Absence, CoveredDay, Fidelity, Gap } from '../archive/history-store.ts'
import { absences } from '../archive/history-store.ts'
import { nextTradingDay, session, tradingDays } from '../market/calendar.ts'
import type { Instant, IsoDate } from '../market/units.ts'

/** Days that follow each other and lack the same. */
export interface FidelityRange {
  readonly from: IsoDate
  readonly to: IsoDate
  readonly level: Fidelity
  readonly missing: readonly Absence[]
}

/** What the archive holds of a symbol, in days. */
export interface Coverage {
  /** First and last healthy day, and the exchange days between them, both included. */
  readonly first: IsoDate | undefined
  readonly last: IsoDate | undefined
  readonly totalDays: number
  readonly healthyDays: number
  /** Days with underlying quotes, with option quotes, with open interest, with an accepted fit, with a trade tape. */
  readonly underlying: number
  readonly options: number
  readonly openInterest: number
  readonly fits: number
  readonly tape: number
  /** Days with quotes and no open interest; with open interest and no fit; exchange days in the range without anything. */
  readonly missingOpenInterest: number
  readonly missingFit: number
  readonly uncovered: number
  readonly fidelity: readonly FidelityRange[]
}

/**
 * Sums up the days of a symbol. A day is healthy when quotes of the underlying and of its options, open interest and an
 * accepted fit are all there and it was recorded to its close: the day is over, its newest snapshot counts as the close
 * (a service that was stopped before leaves no gap behind), and no gap lies over the last five minutes.
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

/** Ranges of days that are of one kind and follow each other on the exchange, ascending. */
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
