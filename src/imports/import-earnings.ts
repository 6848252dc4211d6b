import { actualsKnownFrom, dateKnownFrom, type EarningsStatement, type EarningsTiming } from '../market/earnings.ts'
import { easternMinutes, instantOfEastern } from '../market/eastern.ts'
import type { Instant, IsoDate, Ticker } from '../market/units.ts'
import type { ImportWriter } from './import-writer.ts'
import type { ColumnLayout } from './tables/column-map.ts'
import type { Line } from './tables/csv-line.ts'
import { importRows, type RowTable, wrongField } from './tables/import-rows.ts'
import { isAbsent } from './tables/number-forms.ts'
import { tableDate } from './tables/table-dates.ts'
import { figureAt, textAt } from './tables/table-fields.ts'
import type { ImportTableOptions } from './tables/table-file.ts'
import type { UnusedRow } from './tables/table-rows.ts'
import type { Forms } from './tables/written-forms.ts'

export const earningsFields = [
  'symbol',
  'date',
  'time',
  'company',
  'confirmed',
  'fiscal_period',
  'fiscal_year',
  'importance',
  'eps_estimate',
  'eps_actual',
  'revenue_estimate',
  'revenue_actual',
  'known_at'
] as const
type EarningsField = (typeof earningsFields)[number]
type EarningsLayout = ColumnLayout<EarningsField>

export interface EarningsOptions extends ImportTableOptions {
  /** Time of the import. Future earnings reports without a `known_at` count as known from this time at the latest. */
  readonly now: Instant
}

const BATCH = 5000

/**
 * Earnings calendars. A row with `known_at` counts as known from that time. Without it, the date and the estimates count
 * as known from 30 days before the report, or from `now` if that is earlier. Actual figures then count as known from the
 * market open if the report came before the open, otherwise from the midnight after the day of the report.
 */
function earningsTable(now: Instant): RowTable<EarningsField, readonly EarningsStatement[]> {
  return {
    fields: earningsFields,
    namesOf: {
      symbol: ['symbol', 'ticker', 'code'],
      date: ['date', 'reportdate', 'earningsdate', 'earndate', 'announcementdate'],
      time: ['time', 'hour', 'timing', 'when', 'reporttime', 'annctod', 'timeofday', 'session'],
      company: ['company', 'companyname', 'name'],
      confirmed: ['confirmed', 'isconfirmed', 'datestatus'],
      fiscal_period: ['fiscalperiod', 'period', 'fiscalquarter', 'quarter'],
      fiscal_year: ['fiscalyear', 'year'],
      importance: ['importance'],
      eps_estimate: ['epsestimate', 'epsestimated', 'estimatedeps', 'epsforecast', 'estimate', 'consensuseps'],
      eps_actual: ['epsactual', 'reportedeps', 'actualeps', 'eps', 'actual'],
      revenue_estimate: ['revenueestimate', 'revenueestimated', 'estimatedrevenue'],
      revenue_actual: ['revenueactual', 'reportedrevenue', 'actualrevenue', 'revenue'],
      known_at: ['knownat', 'updatedat', 'lastupdated', 'updated', 'asof']
    },
    dates: ['date'],
    nameEnding: /earnings|calendar|history/,
    lacking: ({ date }) => (date === undefined ? ['date'] : []),
    read: (line, symbol, layout, forms) => statementsIn(line, symbol, layout, forms, now),
    collect(_, writer) {
      const found: EarningsStatement[] = []
      return {
        add: (statements) => void found.push(...statements),
        async pause() {
          if (found.length >= BATCH) await writer.earnings(found.splice(0))
        },
        async end() {
          if (found.length > 0) await writer.earnings(found)
        }
      }
    }
  }
}

/** Imports earnings calendars. */
export function importEarnings(
  paths: readonly string[],
  options: EarningsOptions,
  writer: ImportWriter
): Promise<void> {
  return importRows(earningsTable(options.now), paths, options, writer)
}

function statementsIn(
  line: Line,
  symbol: Ticker,
  layout: EarningsLayout,
  forms: Forms,
  now: Instant
): readonly EarningsStatement[] | UnusedRow {
  const wrong = (name: string, field: EarningsField) => wrongField(line, layout, name, field)
  const dated = textAt(line, layout.date)
  const date = tableDate(dated, forms)
  if (date === undefined) return wrong('date', 'date')
  const figures = {
    epsEstimate: moneyAt(line, layout, 'eps_estimate'),
    epsActual: moneyAt(line, layout, 'eps_actual'),
    revenueEstimate: moneyAt(line, layout, 'revenue_estimate'),
    revenueActual: moneyAt(line, layout, 'revenue_actual')
  }
  const unread = (Object.keys(figures) as (keyof typeof figures)[]).find((name) => figures[name] === 'unreadable')
  if (unread !== undefined) return wrong('figure', columnOf[unread])
  const { epsActual, revenueActual, ...estimates } = figures as Readonly<
    Record<keyof typeof figures, number | undefined>
  >
  const stated = textAt(line, layout.known_at)
  const knownAt = isAbsent(stated) ? undefined : momentOf(stated, forms)
  if (knownAt === undefined && !isAbsent(stated)) return wrong('moment', 'known_at')
  const timing = timingOf(textAt(line, layout.time)) ?? timingInDate(dated)
  const about = { symbol, date, timing, ...labelsAt(line, layout), ...estimates }
  const expected = { ...about, epsActual: undefined, revenueActual: undefined }
  const reported = { ...about, epsActual, revenueActual }
  if (knownAt !== undefined) return [{ ...reported, knownFrom: knownAt }]
  const before = { ...expected, knownFrom: dateKnownFrom(date, now) }
  if (epsActual === undefined && revenueActual === undefined) return [before]
  return [before, { ...reported, knownFrom: actualsKnownFrom(date, timing) }]
}

const columnOf = {
  epsEstimate: 'eps_estimate',
  epsActual: 'eps_actual',
  revenueEstimate: 'revenue_estimate',
  revenueActual: 'revenue_actual'
} as const

function labelsAt(line: Line, layout: EarningsLayout) {
  const importance = figureAt(line, layout.importance)
  const year = figureAt(line, layout.fiscal_year)
  const period = labelAt(line, layout, 'fiscal_period')
  return {
    company: labelAt(line, layout, 'company'),
    confirmed: /^(1|true|yes|y|confirmed)$/i.test(textAt(line, layout.confirmed)),
    fiscalPeriod: period !== undefined && /^[1-4]$/.test(period) ? `Q${period}` : period,
    fiscalYear: isWithin(year, 1900, 2199) ? year : undefined,
    importance: isWithin(importance, 1, 5) ? importance : undefined
  }
}

function labelAt(line: Line, layout: EarningsLayout, field: EarningsField): string | undefined {
  const text = textAt(line, layout[field]).trim()
  return isAbsent(text) ? undefined : text
}

function isWithin(value: number | undefined, least: number, most: number): value is number {
  return value !== undefined && Number.isInteger(value) && value >= least && value <= most
}

/**
 * Reads an amount in USD, with or without a dollar sign. Brackets mean a negative amount. Undefined if the field is
 * empty.
 */
function moneyAt(line: Line, layout: EarningsLayout, field: EarningsField): number | undefined | 'unreadable' {
  const text = textAt(line, layout[field]).trim()
  if (isAbsent(text) || /^n\/a$/i.test(text)) return undefined
  const [, bracket, digits] =
    /^(\(?)\$?\s*([+-]?[\d,]*\.?\d+(?:e[+-]?\d+)?)\)?$/i.exec(text.replace(/^\$\(/, '(')) ?? []
  if (digits === undefined) return 'unreadable'
  const value = Number(digits.replaceAll(',', '')) / layout[field]!.divisor
  return bracket === '(' ? -value : value
}

const timings: readonly (readonly [RegExp, EarningsTiming])[] = [
  [/^(bmo|before.*(open|market).*|time-pre-market|pre-?market)$/i, 'bmo'],
  [/^(amc|after.*(close|market).*|time-after-hours|after-?hours|post-?market)$/i, 'amc'],
  [/^(dmh|during.*)$/i, 'dmh']
]

const [OPEN, CLOSE] = [9 * 60 + 30, 16 * 60]

/**
 * Reads whether a report comes before, during or after the session, from a word or a New York time such as 1630 or
 * 07:30. Undefined if the text states neither.
 */
function timingOf(text: string): EarningsTiming | undefined {
  const word = timings.find(([pattern]) => pattern.test(text.trim()))?.[1]
  const [, hours, minutes] = /^(\d{1,2}):?(\d{2})(?::\d{2})?$/.exec(text.trim()) ?? []
  return word ?? (hours === undefined ? undefined : timingAt(60 * Number(hours) + Number(minutes)))
}

/**
 * Reads whether a report comes before, during or after the session, from the time that follows its date. Without a
 * zone, the time is in New York, and midnight means unknown.
 */
function timingInDate(text: string): EarningsTiming | undefined {
  const [, clock, zone] =
    /^\d{4}-\d{2}-\d{2}[ T](\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/.exec(text) ?? []
  if (clock === undefined || (clock === '00:00' && zone === undefined)) return undefined
  return zone === undefined ? timingOf(clock) : timingAt(easternMinutes(Date.parse(text.replace(' ', 'T'))))
}

function timingAt(minutes: number): EarningsTiming {
  if (minutes < OPEN) return 'bmo'
  return minutes >= CLOSE ? 'amc' : 'dmh'
}

/** Reads a time with a zone, or a date. A date stands for the midnight in New York at its end. */
function momentOf(text: string, forms: Forms): Instant | undefined {
  if (/^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/.test(text)) {
    const at = Date.parse(text.replace(' ', 'T'))
    return Number.isNaN(at) ? undefined : at
  }
  const date = tableDate(text, forms)
  return date === undefined ? undefined : instantOfEastern(date as IsoDate, 24 * 60)
}
