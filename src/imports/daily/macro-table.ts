import type { DailyBar } from '../../market/bar.ts'
import { type MacroSeries, macroSeriesNamed, seriesBar } from '../../market/macro-series.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import type { ColumnMap, ColumnPlace } from '../tables/column-map.ts'
import { type Line, textOf } from '../tables/csv-line.ts'
import { tableDate } from '../tables/table-dates.ts'
import { figureAt, textAt } from '../tables/table-fields.ts'
import type { TableSample } from '../tables/table-opening.ts'
import type { RowReader, UnusedRow } from '../tables/table-rows.ts'
import { type SaidForms, writtenForms } from '../tables/written-forms.ts'

/** Bars in one row of a table: usually one, but one per series if each series has a column. */
export interface DailyRows {
  readonly rows: readonly DailyRow[]
}

export interface DailyRow {
  readonly symbol: Ticker
  readonly bar: DailyBar
  /** Moment that the row states; undefined if it states a date alone. */
  readonly time?: Instant | undefined
}

interface SeriesColumn {
  readonly series: MacroSeries
  readonly place: ColumnPlace
}

const isClose = (name: string) => name.toLowerCase() === 'close'
const dateNames: readonly string[] = ['date', 'observation_date']

/**
 * Returns a reader for a table in FRED's format, with a date and one column per series. Undefined if the heading is
 * another, or if a column map is given.
 */
export function macroTableReader(
  heading: Line,
  map: ColumnMap | undefined,
  sample: TableSample,
  said: SaidForms | undefined
): RowReader<DailyRows> | undefined {
  const names = Array.from({ length: heading.count }, (_, column) => textOf(heading, column))
  const date = names.findIndex((name) => dateNames.includes(name.toLowerCase()))
  const columns = names.flatMap((name, column): SeriesColumn[] => {
    const series = macroSeriesNamed(name)
    return series === undefined ? [] : [{ series, place: { column, divisor: 1 } }]
  })
  if (map !== undefined || date < 0 || columns.length === 0 || names.some(isClose)) return undefined
  const datePlace = { column: date, divisor: 1 }
  const forms = writtenForms(sample.texts(date), said)
  const read = (line: Line): DailyRows | UnusedRow => {
    const day = tableDate(textAt(line, datePlace), forms)
    if (day === undefined) return { wrong: `its date is ${JSON.stringify(textAt(line, datePlace))}` }
    const rows: DailyRow[] = []
    for (const { series, place } of columns) {
      const row = macroRow(series, day, line, place)
      if ('wrong' in row) return row
      if (!('leftOut' in row)) rows.push(row)
    }
    return rows.length === 0 ? { leftOut: true } : { rows }
  }
  return { problem: undefined, read }
}

/** Reads the value of a series in a row. Days without a value, which FRED marks with a dot, are left out. */
export function macroRow(
  series: MacroSeries,
  date: IsoDate,
  line: Line,
  place: ColumnPlace | undefined
): DailyRow | UnusedRow {
  const text = textAt(line, place)
  if (text === '.' || text === '') return { leftOut: true }
  const value = figureAt(line, place)
  if (value === undefined || Number.isNaN(value) || !series.isPossible(value)) {
    return { wrong: `its ${series.id} is ${JSON.stringify(text)}` }
  }
  return { symbol: series.symbol, bar: seriesBar(date, value) }
}
