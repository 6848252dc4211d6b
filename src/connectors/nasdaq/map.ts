import { type EarningsTiming, unstated } from '../../market/earnings.ts'
import { type IsoDate, parseTicker } from '../../market/units.ts'
import { type Fields, fieldReader } from '../port/fields.ts'
import type { ReportStated } from '../port/reference.ts'

const reader = fieldReader('Nasdaq')

const timings: Readonly<Record<string, EarningsTiming | undefined>> = {
  'time-pre-market': 'bmo',
  'time-after-hours': 'amc',
  'time-not-supplied': undefined
}

/**
 * What the calendar of a day says of reports. What it calls the quarter is a month, which names no
 * fiscal period; whether the company confirmed the date it does not say. A symbol that is no ticker is passed over.
 */
export function readReports(bytes: Uint8Array, date: IsoDate): readonly ReportStated[] {
  const data = reader.objectOrNone(reader.body(bytes), 'data')
  const rows = data && reader.list(data, 'rows')
  if (data === undefined || rows === undefined) return []
  // Days to come have no column of actual figures.
  const columns = reader.object(data, 'headers')
  return rows.flatMap((element): ReportStated[] => {
    const row = reader.element(element, 'rows')
    const symbol = parseTicker(reader.text(row, 'symbol'))
    const company = reader.text(row, 'name').trim()
    const said: ReportStated = {
      ...unstated,
      symbol: symbol!,
      date,
      company: company === '' ? undefined : company,
      timing: timingOf(row),
      epsEstimate: money(row, 'epsForecast'),
      epsActual: actualOf(row, Object.hasOwn(columns, 'eps'))
    }
    return symbol === undefined ? [] : [said]
  })
}

function actualOf(row: Fields, isListed: boolean): number | undefined {
  if (isListed) return money(row, 'eps')
  if (Object.hasOwn(row, 'eps')) throw reader.malformed('the field eps is there without its heading')
  return undefined
}

function timingOf(row: Fields): EarningsTiming | undefined {
  const text = reader.text(row, 'time')
  if (!Object.hasOwn(timings, text)) throw reader.malformed(`the field time is ${JSON.stringify(text)}`)
  return timings[text]
}

/** USD per share as $0.46 and ($0.20); undefined for N/A and for nothing. */
function money(row: Fields, name: string): number | undefined {
  const text = reader.text(row, name).trim()
  if (text === '' || text === 'N/A') return undefined
  const [, bracket, digits, closed] = /^(\()?\$(\d[\d,]*(?:\.\d+)?)(\))?$/.exec(text) ?? []
  if (digits === undefined || (bracket === undefined) !== (closed === undefined)) {
    throw reader.malformed(`the field ${name} is no amount of dollars`)
  }
  const value = Number(digits.replaceAll(',', ''))
  return bracket === undefined ? value : -value
}
