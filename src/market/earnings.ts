import { addDays, daysBetween, isTradingDay, nextTradingDay, previousTradingDay, session } from './calendar.ts'
import { easternDate, instantOfEastern } from './eastern.ts'
import type { Instant, IsoDate, Ticker } from './units.ts'

/** When of its day a report comes: before the open, after the close, during market hours. */
export const earningsTimings = ['bmo', 'amc', 'dmh'] as const
export type EarningsTiming = (typeof earningsTimings)[number]

/** What is said of a report beside its date. Undefined: not stated. */
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

/** One row of a calendar: what was said of a report from a moment on, until something newer is said of it. */
export interface EarningsStatement extends ReportFigures {
  readonly symbol: Ticker
  readonly date: IsoDate
  /** From when on it counts. */
  readonly knownFrom: Instant
}

/** Reports dated from a day on, of one symbol or of all. */
export interface EarningsSpan {
  readonly symbol: Ticker | undefined
  readonly from: IsoDate
}

/** A report as it is known at one moment, of all that was said of it by then. */
export interface EarningsEvent extends ReportFigures {
  readonly date: IsoDate
}

/** A statement of which nothing is known but its date. */
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

/** How long before its day a report is known of where nobody says since when, days. */
const KNOWN_BEFORE = 30

/** When a date and its estimates are known where no one says: from midnight in New York 30 days before, or from `now` on. */
export function dateKnownFrom(date: IsoDate, now: Instant): Instant {
  return Math.min(now, instantOfEastern(addDays(date, -KNOWN_BEFORE), 0))
}

/**
 * When actual figures are known where no one says: at the open of a report before the open, else from the midnight in New
 * York after its day.
 */
export function actualsKnownFrom(date: IsoDate, timing: EarningsTiming | undefined): Instant {
  const open = timing === 'bmo' ? session(date)?.open : undefined
  return open ?? instantOfEastern(addDays(date, 1), 0)
}

/** Reports of one company lie further apart than that, days: statements nearer to each other are of one report. */
const SAME_REPORT_WITHIN = 45

/**
 * The reports of one company as known at a moment, ascending by date. What is stated later replaces what was stated before
 * of the same report, a date that moved included; what it leaves unsaid stays.
 *
 * Two statements are of one report where they name the same fiscal period, or the same day; where one of them names no
 * period, where their days lie at most 45 apart.
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

/** The index of the report that a statement is of, -1 where it is a new one. */
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

/** A report as the company filed it, which is when it was out at the latest. */
export interface ReportFiled {
  readonly symbol: Ticker
  readonly company: string | undefined
  readonly date: IsoDate
  /** Undefined: the hour is not known. */
  readonly timing: EarningsTiming | undefined
}

/**
 * What a filing says of the reports that are known: it confirms the one of its day, or of the trading day before, whose side of
 * the session it settles where that was not told or was later. One that is near to no other is a report itself; one between
 * (a forecast, figures of a month) says nothing. Undefined: nothing.
 */
export function saidByFiling(
  events: readonly EarningsEvent[],
  filed: ReportFiled
): Omit<EarningsStatement, 'knownFrom'> | undefined {
  const { symbol, company, date } = filed
  const event =
    events.find((known) => known.date === date) ?? events.find((known) => nextTradingDay(known.date) === date)
  if (event !== undefined) {
    // A calendar may write the name of the company in another way: it stays as it was told first.
    const name = event.company === undefined ? company : undefined
    const timing = timingBy(event, filed)
    return { ...unstated, symbol, company: name, date: event.date, timing, confirmed: true }
  }
  const isNear = events.some((known) => Math.abs(daysBetween(known.date, date)) <= SAME_REPORT_WITHIN)
  return isNear ? undefined : { ...unstated, symbol, company, date, timing: filed.timing, confirmed: true }
}

const inOrderOfDay: readonly EarningsTiming[] = ['bmo', 'dmh', 'amc']

/** A report is out before it is filed: what was filed before an opening came before it, or after the close before. */
function timingBy({ date, timing }: EarningsEvent, filed: ReportFiled): EarningsTiming | undefined {
  if (date !== filed.date) return timing ?? (filed.timing === 'bmo' ? 'amc' : undefined)
  if (timing === undefined || filed.timing === undefined) return timing ?? filed.timing
  return inOrderOfDay.indexOf(timing) <= inOrderOfDay.indexOf(filed.timing) ? timing : filed.timing
}

export type ReportedEvent = EarningsEvent & { readonly epsActual: number }

export function isReported(event: EarningsEvent): event is ReportedEvent {
  return event.epsActual !== undefined
}

/** Whether a report is still to come on a New York date. One that is due and has no figures yet is, until the day is over. */
export function isUpcoming(event: EarningsEvent, today: IsoDate): boolean {
  return event.date >= today && !isReported(event)
}

/** The days from `today` on, a New York date, on which a company is to report, ascending. */
export function reportsAhead(events: readonly EarningsEvent[], today: IsoDate): readonly IsoDate[] {
  return events.filter((event) => isUpcoming(event, today)).map(({ date }) => date)
}

/** The next report of a company on a New York date. Undefined: none is known. */
export function nextEvent(events: readonly EarningsEvent[], today: IsoDate): EarningsEvent | undefined {
  return events.find((event) => isUpcoming(event, today))
}

/** The sessions around a report: at the close of the first nothing of it is known, at that of the second all of it is. */
export interface EventSessions {
  readonly before: IsoDate
  readonly after: IsoDate
}

/**
 * The sessions around a report: one before the open, or during the session, falls between the close of the day before and
 * that of its own; one after the close, or at a time nobody knows, between its own and the next. A day without a session
 * stands for the next one. An expiration lives through the report where its date is after `before`.
 * Source: the wire contract, the events of earnings.
 */
export function sessionsAround({ date, timing }: Pick<EarningsEvent, 'date' | 'timing'>): EventSessions {
  const day = isTradingDay(date) ? date : nextTradingDay(date)
  if (timing === 'bmo' || timing === 'dmh') return { before: previousTradingDay(day), after: day }
  return { before: day, after: nextTradingDay(day) }
}

/** What options and the underlying said of a report at the closes around it. Undefined: not to be had at that close. */
export interface EventRecord extends EventSessions {
  /** Of the formulas that made it. */
  readonly version: number
  /** The move that options implied for the report alone, percent of spot. */
  readonly impliedMove: number | undefined
  /** At-the-money volatility of the first expiration that lived through it, percent: at the close before and at that after. */
  readonly preIv: number | undefined
  readonly postIv: number | undefined
  /** Of the underlying from close to close, percent, signed. */
  readonly move: number | undefined
}

/** Raised whenever a formula behind a record changes, so that records of another version are made anew. */
export const EVENT_RECORD_VERSION = 1

/** The newest reports of a company that are looked back to. */
export const MAX_PAST_EVENTS = 40

/** Everything known of the reports of a company. */
export interface SymbolEarnings {
  readonly symbol: Ticker
  /** Ascending by date. */
  readonly events: readonly EarningsEvent[]
  /** Those that are held, by the session before the report. */
  readonly records: ReadonlyMap<IsoDate, EventRecord>
  /** The newest implied move of the next report that was taken, percent; undefined: none was. */
  readonly storedMove: number | undefined
}

/** The reports that have happened and whose figures are known, ascending: the newest `MAX_PAST_EVENTS`. */
export function pastEvents(events: readonly EarningsEvent[]): readonly ReportedEvent[] {
  return events.filter(isReported).slice(-MAX_PAST_EVENTS)
}

/** Whether the close after a report is past at a moment. */
export function isSettled({ after }: EventSessions, now: Instant): boolean {
  return now >= (session(after)?.close ?? Number.POSITIVE_INFINITY)
}

/** The New York date a calendar is looked at from: what was dated up to 60 days before may have moved past it. */
export function calendarFrom(now: Instant): IsoDate {
  return addDays(easternDate(now), -60)
}
