import type { DailyBar } from '../../../market/bar.ts'
import { session } from '../../../market/calendar.ts'
import type { Instant, IsoDate, Ticker } from '../../../market/units.ts'
import { isoDate } from '../../../market/units.ts'
import { csvRows } from '../../port/csv.ts'
import { fieldReader } from '../../port/fields.ts'

const { malformed } = fieldReader('Cboe')

const range = ['OPEN', 'HIGH', 'LOW'] as const

/** Indexes of which the exchange states one value a day, in a column of their name. */
const stated: readonly string[] = ['SKEW', 'VVIX']

/**
 * The daily bars of the history of an index whose sessions were over by `now`, ascending. An index of one value a day has
 * no range, and none has a volume.
 */
export function readHistory(bytes: Uint8Array, symbol: Ticker, now: Instant): readonly DailyBar[] {
  const isStated = stated.includes(symbol)
  const closeColumn = isStated ? symbol : 'CLOSE'
  const columns = isStated ? [closeColumn] : [...range, closeColumn]
  const rows = csvRows(bytes, ['DATE', ...columns], malformed)
  const bars = rows.flatMap((row): DailyBar[] => {
    const date = dateOf(row['DATE'])
    const close = session(date)?.close
    if (close === undefined || close > now) return []
    const values = Object.fromEntries(columns.map((name) => [name, levelOf(row[name], name, date)]))
    const [open, high, low] = range.map((name) => values[name] ?? Number.NaN)
    return [{ date, open, high, low, close: values[closeColumn], volume: 0 }]
  })
  return bars.sort((a, b) => (a.date < b.date ? -1 : 1))
}

function levelOf(text: string, name: string, date: IsoDate): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (!(value > 0)) throw malformed(`the column ${name} is no level on ${date}`)
  return value
}

/** MM/DD/YYYY. */
function dateOf(text: string): IsoDate {
  const [, month, day, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text) ?? []
  const date = isoDate(Number(year), Number(month), Number(day))
  if (date === undefined) throw malformed('the column DATE is no date')
  return date
}
