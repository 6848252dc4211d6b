import { addDays, daysBetween, isTradingDay, nextTradingDay, previousTradingDay, session } from './calendar.ts'
import { easternDate, instantOfEastern } from './eastern.ts'
import type { Instant, IsoDate, Ticker } from './units.ts'

/** Time of day of a report: before the open, after the close, during market hours. */
export const earningsTimings = ['bmo', 'amc', 'dmh'] as const
export type EarningsTiming = (typeof earningsTimings)[number]

/** Figures of a report beside its date. Undefined: not stated. */
interface ReportFigures {
  readonly company: string | undefined
  readonly timing: EarningsTiming | undefined
  /** Whether the company itself named the date. */
  readonly confirmed: boolean
  /** Q1 to Q4, or whatever the calendar calls it. */
  readonly fiscalPeriod: string | undefined
  readonly fiscalYear: number | undefined
  /** 1 to 5, 5 moves markets most. */
  readonly importance: number | undefined
  /** USD per share. */
  readonly epsEstimate: number | undefined
  readonly epsActual: number | undefined
  /** USD. */
  readonly revenueEstimate: number | undefined
  readonly revenueActual: number | undefined
}

/** One row of a calendar: a statement about a report that counts from a moment on, until a newer one. */
export interface EarningsStatement extends ReportFigures {
  readonly symbol: Ticker
  readonly date: IsoDate
  /** The moment from which it counts. */
  readonly knownFrom: Instant
}

/** Reports dated from a day on, of one symbol or of all. */
export interface EarningsSpan {
  readonly symbol: Ticker | undefined
  readonly from: IsoDate
}

/** A report as known at one moment, from all statements by then. */
export interface EarningsEvent extends ReportFigures {
  readonly date: IsoDate
}

/** A statement with nothing but a date. */
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

/** Days before its date from which a report counts as known, if nobody says since when. */
const KNOWN_BEFORE = 30

/**
 * When a date and its estimates become known if nobody says: at midnight in New York 30 days before, or at `now` if
 * that is later.
 */
export function dateKnownFrom(date: IsoDate, now: Instant): Instant {
  return Math.min(now, instantOfEastern(addDays(date, -KNOWN_BEFORE), 0))
}

/**
 * When actual figures become known if nobody says: at the open for a report before the open, else at midnight in New
 * York after its day.
 */
export function actualsKnownFrom(date: IsoDate, timing: EarningsTiming | undefined): Instant {
  const open = timing === 'bmo' ? session(date)?.open : undefined
  return open ?? instantOfEastern(addDays(date, 1), 0)
}

/** Days between two reports of one company at least; statements closer together are about one report. */
const SAME_REPORT_WITHIN = 45

/**
 * The reports of one company as known at a moment, ascending by date. A later statement about a report replaces the
 * earlier ones, including the date; figures it leaves out stay.
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

function merged(known: EarningsEvent | undefined, said: EarningsStatement): EarningsEvent {
  return {
    date: said.date,
    company: said.company ?? known?.company,
    timing: said.timing ?? known?.timing,
    confirmed: said.confirmed,
    fiscalPeriod: said.fiscalPeriod ?? known?.fiscalPeriod,
    fiscalYear: said.fiscalYear ?? known?.fiscalYear,
    importance: said.importance ?? known?.importance,
    epsEstimate: said.epsEstimate ?? known?.epsEstimate,
    epsActual: said.epsActual ?? known?.epsActual,
    revenueEstimate: said.revenueEstimate ?? known?.revenueEstimate,
    revenueActual: said.revenueActual ?? known?.revenueActual
  }
}

/** A report as the company filed it; the report was published by then at the latest. */
export interface ReportFiled {
  readonly symbol: Ticker
  readonly company: string | undefined
  readonly date: IsoDate
  /** Undefined: the hour is unknown. */
  readonly timing: EarningsTiming | undefined
}

/**
 * The statement that a filing implies for the known reports: it confirms the report of its day or of the trading day
 * before, and settles its side of the session if that was unknown or later. A filing far from any report is a report
 * itself; one in between (a forecast, monthly figures) implies nothing. Undefined: nothing.
 */
export function saidByFiling(
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
 * A report is published before it is filed: one filed before an open came before that open, or after the close before.
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
 * Whether a report is still to come on a New York date. One that is due and has no figures yet counts until the day is
 * over.
 */
export function isUpcoming(event: EarningsEvent, today: IsoDate): boolean {
  return event.date >= today && !isReported(event)
}

/** The days from `today` (New York) on which a company is to report, ascending. */
export function reportsAhead(events: readonly EarningsEvent[], today: IsoDate): readonly IsoDate[] {
  return events.filter((event) => isUpcoming(event, today)).map(({ date }) => date)
}

/** The next report of a company on a New York date. Undefined: none is known. */
export function nextEvent(events: readonly EarningsEvent[], today: IsoDate): EarningsEvent | undefined {
  return events.find((event) => isUpcoming(event, today))
}

/**
 * The sessions around a report: nothing of it is known at the close of the first, all of it at the close of the second.
 */
export interface EventSessions {
  readonly before: IsoDate
  readonly after: IsoDate
}

/**
 * The sessions around a report. A report before the open or during the session falls between the close of the day
 * before and that of its own; one after the close, or at an unknown time, between its own and the next. A day without a
 * session counts as the next one. An expiration covers the report if its date is after `before`. Source: the wire
 * contract, the events of earnings.
 */
export function sessionsAround({ date, timing }: Pick<EarningsEvent, 'date' | 'timing'>): EventSessions {
  const day = isTradingDay(date) ? date : nextTradingDay(date)
  if (timing === 'bmo' || timing === 'dmh') return { before: previousTradingDay(day), after: day }
  return { before: day, after: nextTradingDay(day) }
}

/** What options and the underlying showed around a report. Undefined: not available at that close. */
export interface EventRecord extends EventSessions {
  /** Version of the formulas that made it. */
  readonly version: number
  /** The move that options implied for the report alone, percent of spot. */
  readonly impliedMove: number | undefined
  /**
   * At-the-money volatility of the first expiration that covers the report, percent: at the close before and at that
   * after.
   */
  readonly preIv: number | undefined
  readonly postIv: number | undefined
  /** Move of the underlying from close to close, percent, signed. */
  readonly move: number | undefined
}

/** Raised whenever a formula behind a record changes, so that records of another version are made again. */
export const EVENT_RECORD_VERSION = 1

/** Past reports of a company that are used at most, the newest. */
export const MAX_PAST_EVENTS = 40

/** Known reports of a company. */
export interface SymbolEarnings {
  readonly symbol: Ticker
  /** Ascending by date. */
  readonly events: readonly EarningsEvent[]
  /** Available records, by the session before the report. */
  readonly records: ReadonlyMap<IsoDate, EventRecord>
  /** The newest implied move computed for the next report, percent; undefined: none. */
  readonly storedMove: number | undefined
}

/** Past reports with known figures, ascending: the newest `MAX_PAST_EVENTS`. */
export function pastEvents(events: readonly EarningsEvent[]): readonly ReportedEvent[] {
  return events.filter(isReported).slice(-MAX_PAST_EVENTS)
}

/** Whether the close after a report is past at a moment. */
export function isSettled({ after }: EventSessions, now: Instant): boolean {
  return now >= (session(after)?.close ?? Number.POSITIVE_INFINITY)
}

/**
 * The New York date from which calendar rows are read: statements dated up to 60 days before may have moved beyond it.
 */
export function calendarFrom(now: Instant): IsoDate {
  return addDays(easternDate(now), -60)
}
