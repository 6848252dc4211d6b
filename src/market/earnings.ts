import { addDays, daysBetween, isTradingDay, nextTradingDay, previousTradingDay, session } from './calendar.ts'
import { easternDate, instantOfEastern } from './eastern.ts'
import type { Instant, IsoDate, Ticker } from './units.ts'

/** Time of day of an earnings report: before the open (bmo), after the close (amc), or during market hours (dmh). */
export const earningsTimings = ['bmo', 'amc', 'dmh'] as const
export type EarningsTiming = (typeof earningsTimings)[number]

/** Figures of an earnings report other than its date; undefined if not stated. */
interface ReportFigures {
  readonly company: string | undefined
  readonly timing: EarningsTiming | undefined
  /** Whether the company itself named the date. */
  readonly confirmed: boolean
  /** Fiscal period: Q1 to Q4, or as named by the calendar. */
  readonly fiscalPeriod: string | undefined
  readonly fiscalYear: number | undefined
  /** Importance from 1 to 5; 5 moves markets most. */
  readonly importance: number | undefined
  readonly epsEstimate: number | undefined
  readonly epsActual: number | undefined
  /** Revenue, USD. */
  readonly revenueEstimate: number | undefined
  readonly revenueActual: number | undefined
}

/**
 * One row of an earnings calendar: a statement about a report. It counts from `knownFrom` until a newer statement about
 * the report arrives.
 */
export interface EarningsStatement extends ReportFigures {
  readonly symbol: Ticker
  readonly date: IsoDate
  /** Time from which the statement counts. */
  readonly knownFrom: Instant
}

export interface EarningsSpan {
  readonly symbol: Ticker | undefined
  readonly from: IsoDate
}

/** An earnings report as known at one moment, from all statements made by then. */
export interface EarningsEvent extends ReportFigures {
  readonly date: IsoDate
}

/** An earnings statement that contains nothing but a date. */
export const unstated: ReportFigures = {
  company: undefined,
  timing: undefined,
  confirmed: false,
  fiscalPeriod: undefined,
  fiscalYear: undefined,
  importance: undefined,
  epsEstimate: undefined,
  epsActual: undefined,
  revenueEstimate: undefined,
  revenueActual: undefined
}

/**
 * If no source states when the date of an earnings report became known, it counts as known this many days before that
 * date.
 */
const KNOWN_BEFORE = 30

/**
 * Time at which a report's date and estimates count as known if no source states it: midnight in New York 30 days
 * before the date, or `now` if that is later.
 */
export function dateKnownFrom(date: IsoDate, now: Instant): Instant {
  return Math.min(now, instantOfEastern(addDays(date, -KNOWN_BEFORE), 0))
}

/**
 * Time at which actual figures count as known if no source states it: at the open for a report before the open, else
 * midnight in New York after its day.
 */
export function actualsKnownFrom(date: IsoDate, timing: EarningsTiming | undefined): Instant {
  const open = timing === 'bmo' ? session(date)?.open : undefined
  return open ?? instantOfEastern(addDays(date, 1), 0)
}

/**
 * Two earnings reports of one company are at least this many days apart. Statements about closer dates are about the
 * same report.
 */
const SAME_REPORT_WITHIN = 45

/**
 * Earnings reports of one company as known at a moment, ascending by date. A later statement about a report replaces
 * the earlier ones, including the date; figures it leaves out stay.
 *
 * Two statements are about one report if they name the same fiscal period or the same day, or, if one names no period,
 * their days are at most 45 apart.
 */
export function eventsKnownAt(statements: readonly EarningsStatement[], at: Instant): readonly EarningsEvent[] {
  const known = statements.filter(({ knownFrom }) => knownFrom <= at)
  known.sort((a, b) => a.knownFrom - b.knownFrom || (a.date < b.date ? -1 : 1))
  const events: EarningsEvent[] = []
  for (const statement of known) {
    const place = placeOf(statement, events)
    if (place < 0) events.push(merged(undefined, statement))
    else events[place] = merged(events[place], statement)
  }
  return events.sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
}

/** Index of the report that a statement is about, -1 for a new one. */
function placeOf(statement: EarningsStatement, events: readonly EarningsEvent[]): number {
  const period = periodOf(statement)
  const sameDay = events.findIndex(({ date }) => date === statement.date)
  if (sameDay >= 0) return sameDay
  let best = -1
  let gap = SAME_REPORT_WITHIN + 1
  for (const [k, event] of events.entries()) {
    const other = periodOf(event)
    if (period !== undefined && other !== undefined) {
      if (period === other) return k
      continue
    }
    const days = Math.abs(daysBetween(event.date, statement.date))
    if (days < gap) [best, gap] = [k, days]
  }
  return best
}

const periodOf = ({ fiscalPeriod, fiscalYear }: ReportFigures) =>
  fiscalPeriod === undefined || fiscalYear === undefined ? undefined : `${fiscalYear} ${fiscalPeriod}`

function merged(known: EarningsEvent | undefined, statement: EarningsStatement): EarningsEvent {
  return {
    date: statement.date,
    company: statement.company ?? known?.company,
    timing: statement.timing ?? known?.timing,
    confirmed: statement.confirmed,
    fiscalPeriod: statement.fiscalPeriod ?? known?.fiscalPeriod,
    fiscalYear: statement.fiscalYear ?? known?.fiscalYear,
    importance: statement.importance ?? known?.importance,
    epsEstimate: statement.epsEstimate ?? known?.epsEstimate,
    epsActual: statement.epsActual ?? known?.epsActual,
    revenueEstimate: statement.revenueEstimate ?? known?.revenueEstimate,
    revenueActual: statement.revenueActual ?? known?.revenueActual
  }
}

/** An earnings report as filed by the company; it was published no later than the filing. */
export interface ReportFiled {
  readonly symbol: Ticker
  readonly company: string | undefined
  readonly date: IsoDate
  /** Whether the filing came before, during or after the session; undefined if the hour is unknown. */
  readonly timing: EarningsTiming | undefined
}

/**
 * Returns the statement that a filing makes about the known reports. It confirms the report of its day or of the
 * previous trading day, and corrects that report's time of day if it was unknown or too late. A filing far from any
 * known report counts as a new report. A filing in between, such as a forecast or monthly figures, says nothing and
 * gives undefined.
 */
export function impliedByFiling(
  events: readonly EarningsEvent[],
  filed: ReportFiled
): Omit<EarningsStatement, 'knownFrom'> | undefined {
  const { symbol, company, date } = filed
  const event =
    events.find((known) => known.date === date) ?? events.find((known) => nextTradingDay(known.date) === date)
  if (event !== undefined) {
    // Another calendar may spell the company's name differently: the first spelling stays.
    const name = event.company === undefined ? company : undefined
    const timing = timingBy(event, filed)
    return { ...unstated, symbol, company: name, date: event.date, timing, confirmed: true }
  }
  const isNear = events.some((known) => Math.abs(daysBetween(known.date, date)) <= SAME_REPORT_WITHIN)
  return isNear ? undefined : { ...unstated, symbol, company, date, timing: filed.timing, confirmed: true }
}

const inOrderOfDay: readonly EarningsTiming[] = ['bmo', 'dmh', 'amc']

/**
 * Time of day of a report, corrected by its filing, which never comes before the publication. A report that was filed
 * before an open was published before that open or after the previous close.
 */
function timingBy({ date, timing }: EarningsEvent, filed: ReportFiled): EarningsTiming | undefined {
  if (date !== filed.date) return timing ?? (filed.timing === 'bmo' ? 'amc' : undefined)
  if (timing === undefined || filed.timing === undefined) return timing ?? filed.timing
  return inOrderOfDay.indexOf(timing) <= inOrderOfDay.indexOf(filed.timing) ? timing : filed.timing
}

export type ReportedEvent = EarningsEvent & { readonly epsActual: number }

export function isReported(event: EarningsEvent): event is ReportedEvent {
  return event.epsActual !== undefined
}

/**
 * Whether an earnings report is still to come on a New York date. A report that is due today and has no figures yet
 * counts until the day is over.
 */
export function isUpcoming(event: EarningsEvent, today: IsoDate): boolean {
  return event.date >= today && !isReported(event)
}

/** Days from `today` (New York) on which a company will report earnings, ascending. */
export function reportsAhead(events: readonly EarningsEvent[], today: IsoDate): readonly IsoDate[] {
  return events.filter((event) => isUpcoming(event, today)).map(({ date }) => date)
}

/** Next earnings report of a company from `today` (New York) on; undefined if none is known. */
export function nextEvent(events: readonly EarningsEvent[], today: IsoDate): EarningsEvent | undefined {
  return events.find((event) => isUpcoming(event, today))
}

/**
 * The sessions around an earnings report. At the close of `before` the market does not know the report yet; at the
 * close of `after` it knows all of it.
 */
export interface EventSessions {
  readonly before: IsoDate
  readonly after: IsoDate
}

/**
 * Finds the sessions around an earnings report. A report before the open or during the session falls between the
 * previous close and the close of its day. A report after the close, or at an unknown time, falls between the close of
 * its day and the next. A day without a session counts as the next one. An expiration covers the report if its date is
 * after `before`. Source: the published API contract, the events of earnings.
 */
export function sessionsAround({ date, timing }: Pick<EarningsEvent, 'date' | 'timing'>): EventSessions {
  const day = isTradingDay(date) ? date : nextTradingDay(date)
  if (timing === 'bmo' || timing === 'dmh') return { before: previousTradingDay(day), after: day }
  return { before: day, after: nextTradingDay(day) }
}

/** Option prices and moves of the underlying around an earnings report; undefined if not available at that close. */
export interface EventRecord extends EventSessions {
  readonly version: number
  /** Move that option prices implied for the report alone, percent of spot. */
  readonly impliedMove: number | undefined
  /**
   * At-the-money volatility of the first expiration that covers the report, percent: at the close before (`preIv`) and
   * at the close after the report.
   */
  readonly preIv: number | undefined
  readonly postIv: number | undefined
  /** Signed move of the underlying from the close before to the close after the report, percent. */
  readonly move: number | undefined
}

/** Raise it whenever a formula behind a record changes, so that records of other versions are recomputed. */
export const EVENT_RECORD_VERSION = 1

/** Maximum number of past earnings reports used per company, the newest. */
export const MAX_PAST_EVENTS = 40

export interface SymbolEarnings {
  readonly symbol: Ticker
  readonly events: readonly EarningsEvent[]
  /** The records of past reports, by the date of the session before the report. Some may be missing. */
  readonly records: ReadonlyMap<IsoDate, EventRecord>
  /** The newest implied move computed for the next report, percent; undefined if there is none. */
  readonly storedMove: number | undefined
}

/** Past earnings reports with known figures, ascending: the newest `MAX_PAST_EVENTS`. */
export function pastEvents(events: readonly EarningsEvent[]): readonly ReportedEvent[] {
  return events.filter(isReported).slice(-MAX_PAST_EVENTS)
}

/** Whether the close after an earnings report has passed by `now`. */
export function isSettled({ after }: EventSessions, now: Instant): boolean {
  return now >= (session(after)?.close ?? Number.POSITIVE_INFINITY)
}

/**
 * New York date from which calendar rows are read. It lies in the past, because statements dated up to 60 days ago may
 * have been moved to a later day.
 */
export function calendarFrom(now: Instant): IsoDate {
  return addDays(easternDate(now), -60)
}
