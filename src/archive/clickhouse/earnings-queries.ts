import {
  type EarningsSpan,
  type EarningsStatement,
  type EarningsTiming,
  EVENT_RECORD_VERSION,
  type EventRecord,
  earningsTimings
} from '../../market/earnings.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import { type NativeValue, rowsOf } from '../codec/native-rows.ts'
import {
  arrayField,
  floatField,
  instantField,
  quotedText,
  rowBytes,
  rowText,
  textField
} from '../codec/tab-separated.ts'
import { type DatabaseConnection, momentLiteral, textLiteral } from './database-connection.ts'

const money = {
  eps_estimate: 'epsEstimate',
  eps_actual: 'epsActual',
  revenue_estimate: 'revenueEstimate',
  revenue_actual: 'revenueActual'
} as const
const moneyColumns = Object.keys(money) as readonly (keyof typeof money)[]
const about = ['timing', 'confirmed', 'company', 'fiscal_period', 'fiscal_year', 'importance'] as const

/**
 * Inserts statements about earnings reports (date, estimate, result). A statement replaces an existing one of the same
 * symbol and report date that became known at the same moment.
 */
export async function insertEarnings(
  connection: DatabaseConnection,
  statements: readonly EarningsStatement[]
): Promise<void> {
  if (statements.length === 0) return
  const rows = statements.map((statement) =>
    rowText([
      textField(statement.symbol),
      statement.date,
      instantField(statement.knownFrom),
      statement.timing ?? '',
      statement.confirmed ? '1' : '0',
      textField(statement.company ?? ''),
      textField(statement.fiscalPeriod ?? ''),
      String(statement.fiscalYear ?? 0),
      String(statement.importance ?? 0),
      ...moneyColumns.map((column) => floatField(statement[money[column]] ?? Number.NaN))
    ])
  )
  await connection.insert('earnings', ['symbol', 'date', 'known_from', ...about, ...moneyColumns], rowBytes(rows))
}

/**
 * Reads the statements known by `at` about earnings reports dated `from` or later, ordered by symbol, report date and
 * the moment each became known.
 */
export async function selectEarnings(
  connection: DatabaseConnection,
  { symbol, from }: EarningsSpan,
  at: Instant
): Promise<readonly EarningsStatement[]> {
  const owner = symbol === undefined ? '' : `symbol = ${textLiteral(symbol)} AND `
  const bytes = await connection.read(`SELECT CAST(symbol AS String) AS ticker, toString(date) AS day,
toUnixTimestamp64Milli(known_from) AS known, CAST(timing AS String) AS time, confirmed, company,
CAST(fiscal_period AS String) AS period, fiscal_year, importance, ${moneyColumns.join(', ')} FROM earnings
WHERE ${owner}date >= ${textLiteral(from)} AND known_from <= ${momentLiteral(Math.floor(at))}
ORDER BY symbol, date, known_from, written DESC LIMIT 1 BY symbol, date, known_from`)
  return rowsOf(bytes).map(statementOf)
}

function statementOf(found: Readonly<Record<string, NativeValue>>): EarningsStatement {
  const stated = (name: string) => (found[name] === '' || found[name] === 0 ? undefined : found[name])
  const amount = (name: string) => (Number.isNaN(found[name]) ? undefined : (found[name] as number))
  return {
    symbol: found['ticker'] as Ticker,
    date: found['day'] as IsoDate,
    knownFrom: Number(found['known']),
    timing: earningsTimings.find((timing: EarningsTiming) => timing === found['time']),
    confirmed: found['confirmed'] === 1,
    company: stated('company') as string | undefined,
    fiscalPeriod: stated('period') as string | undefined,
    fiscalYear: stated('fiscal_year') as number | undefined,
    importance: stated('importance') as number | undefined,
    epsEstimate: amount('eps_estimate'),
    epsActual: amount('eps_actual'),
    revenueEstimate: amount('revenue_estimate'),
    revenueActual: amount('revenue_actual')
  }
}

/**
 * Inserts records of the closes before and after earnings reports. A record replaces one of the same formula version
 * that has the same last session before the report.
 */
export async function insertEventRecords(
  connection: DatabaseConnection,
  symbol: Ticker,
  records: readonly EventRecord[]
): Promise<void> {
  if (records.length === 0) return
  const rows = records.map(({ before, after, version, ...figures }) => {
    const names = arrayField(Object.keys(figures).map(quotedText))
    const values = arrayField(Object.values(figures).map((figure) => floatField(figure ?? Number.NaN)))
    return rowText([textField(symbol), before, after, String(version), names, values])
  })
  await connection.insert('event_records', ['symbol', 'before', 'after', 'version', 'field', 'figure'], rowBytes(rows))
}

/**
 * Reads a symbol's records computed with the current formulas, in ascending order of the last session before the
 * report.
 */
export async function selectEventRecords(
  connection: DatabaseConnection,
  symbol: Ticker
): Promise<readonly EventRecord[]> {
  const bytes =
    await connection.read(`SELECT toString(before) AS since, toString(after) AS until, version, field, figure
FROM event_records WHERE symbol = ${textLiteral(symbol)} AND version = ${EVENT_RECORD_VERSION}
ORDER BY before, written DESC LIMIT 1 BY before`)
  return rowsOf(bytes).map(({ since, until, version, field, figure }) => {
    const values = (figure as readonly number[]).map((value) => (Number.isNaN(value) ? undefined : value))
    const named = (field as readonly string[]).map((name, k) => [name, values[k]])
    return { before: since, after: until, version, ...Object.fromEntries(named) } as EventRecord
  })
}
