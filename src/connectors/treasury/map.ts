import type { DailyBar } from '../../market/bar.ts'
import { parYields, seriesBar } from '../../market/macro-series.ts'
import { type IsoDate, isoDate, type Ticker } from '../../market/units.ts'
import { csvRows } from '../port/csv.ts'
import { fieldReader } from '../port/fields.ts'

const { malformed } = fieldReader('the US Treasury')

/** The heading of the column of a maturity: 1 Mo, 1 Yr. Columns of maturities that were added since are passed over. */
const columnOf = (months: number) => (months < 12 ? `${months} Mo` : `${months / 12} Yr`)

/** The par yields of a file of one year, by series, ascending by day. A day without a yield of a maturity has none. */
export function readYields(
  bytes: Uint8Array
): readonly { readonly symbol: Ticker; readonly bars: readonly DailyBar[] }[] {
  const rows = csvRows(bytes, ['Date', ...parYields.map(({ months }) => columnOf(months))], malformed)
  const dated = rows.map((row) => ({ date: dateOf(row['Date']), row }))
  dated.sort((a, b) => (a.date < b.date ? -1 : 1))
  return parYields.map(({ months, series }) => {
    const column = columnOf(months)
    const bars = dated.flatMap(({ date, row }): DailyBar[] => {
      const text = row[column]
      if (text === '' || text === 'N/A') return []
      const value = /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
      if (!series.isPossible(value)) throw malformed(`the column ${column} is no yield on ${date}`)
      return [seriesBar(date, value)]
    })
    return { symbol: series.symbol, bars }
  })
}

/** MM/DD/YYYY. */
function dateOf(text: string): IsoDate {
  const [, month, day, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text) ?? []
  const date = isoDate(Number(year), Number(month), Number(day))
  if (date === undefined) throw malformed('the column Date is no date')
  return date
}
