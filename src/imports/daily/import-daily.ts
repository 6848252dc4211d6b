import type { DailyBar } from '../../market/bar.ts'
import { session } from '../../market/calendar.ts'
import { macroSeriesNamed, macroSeriesOf } from '../../market/macro-series.ts'
import { securityKind } from '../../market/security.ts'
import { type IsoDate, parseTicker, type Ticker } from '../../market/units.ts'
import { filesAt } from '../import-files.ts'
import type { ImportWriter } from '../import-writer.ts'
import { type ColumnLayout, columnLayout } from '../tables/column-map.ts'
import type { Line } from '../tables/csv-line.ts'
import { tableDate } from '../tables/table-dates.ts'
import { figureAt, repeatedAt, tableSymbol, textAt } from '../tables/table-fields.ts'
import {
  eachTable,
  type ImportTableOptions,
  nameOfTable,
  reportedAs,
  type TableFile,
  type TableProgress,
  tableName
} from '../tables/table-file.ts'
import { type RowReader, readTable, type UnusedRow } from '../tables/table-rows.ts'
import { type DailyRows, macroRow, macroTableReader } from './macro-table.ts'

export const dailyFields = ['symbol', 'date', 'open', 'high', 'low', 'close', 'volume'] as const
type DailyLayout = ColumnLayout<(typeof dailyFields)[number]>

/**
 * Imports tables of daily bars. If a table has only closes, open, high and low of its bars are NaN, and measures of the
 * daily range skip them. Tables of macro series, such as FRED's, become bars of those series (see
 * `market/macro-series.ts`).
 */
export async function importDaily(
  paths: readonly string[],
  options: ImportTableOptions,
  writer: ImportWriter
): Promise<void> {
  const files = await filesAt(paths, tableName)
  await eachTable(files, options.archive, writer, (table, progress) => importFile(table, options, writer, progress))
}

async function importFile(
  { path, text }: TableFile,
  options: ImportTableOptions,
  writer: ImportWriter,
  progress: TableProgress
): Promise<void> {
  const symbol = options.symbol ?? symbolInName(path)
  const heading = (line: Line): RowReader<DailyRows> => {
    const table = macroTableReader(line, options.columns)
    if (table !== undefined) return table
    const layout = columnLayout(line, options.columns, dailyFields)
    return { problem: problemOf(layout, symbol), read: dailyRowReader(layout, symbol) }
  }
  const bars = new Map<Ticker, DailyBar[]>()
  const row = ({ rows }: DailyRows) => {
    for (const { symbol, bar } of rows) {
      const known = bars.get(symbol)
      if (known === undefined) bars.set(symbol, [bar])
      else known.push(bar)
    }
    return undefined
  }
  const pause = async (read: number) => {
    for (const [owner, list] of bars) await writer.bars(owner, list, 'imported')
    bars.clear()
    await progress(read)
    return !writer.signal.aborted
  }
  await readTable(text, heading, { row, pause }, reportedAs(path, writer))
}

/**
 * Symbol in a file name: SPY for SPY.csv, VIX for VIX_History.csv, a macro series for DGS10.csv. Undefined for other
 * names.
 */
function symbolInName(path: string): Ticker | undefined {
  const name = nameOfTable(path, /history|daily/)
  return name === undefined ? undefined : (macroSeriesNamed(name)?.symbol ?? parseTicker(name))
}

function problemOf(layout: DailyLayout, symbol: Ticker | undefined): string | undefined {
  if (layout.symbol === undefined && symbol === undefined) return 'nothing says which symbol it is of: give --symbol'
  const needed = (['date', 'close'] as const).filter((field) => layout[field] === undefined)
  return needed.length === 0 ? undefined : `no column fills ${needed.join(', ')}`
}

function dailyRowReader(layout: DailyLayout, symbol: Ticker | undefined): (line: Line) => DailyRows | UnusedRow {
  const symbolIn = repeatedAt(layout.symbol, (text) => macroSeriesNamed(text)?.symbol ?? tableSymbol(text))
  return (line) => {
    const owner = layout.symbol === undefined ? symbol : symbolIn(line)
    if (owner === undefined) return { wrong: `its symbol is ${JSON.stringify(textAt(line, layout.symbol))}` }
    const date = tableDate(textAt(line, layout.date))
    if (date === undefined) return { wrong: `its date is ${JSON.stringify(textAt(line, layout.date))}` }
    const series = macroSeriesOf(owner)
    if (series !== undefined) {
      const row = macroRow(series, date, line, layout.close)
      return 'bar' in row ? { rows: [row] } : row
    }
    if (session(date) === undefined) return { wrong: `there was no session on ${date}` }
    const prices: number[] = []
    for (const field of ['open', 'high', 'low', 'close'] as const) {
      const price = figureAt(line, layout[field])
      const isWrong = price === undefined || price <= 0 || (field === 'close' && Number.isNaN(price))
      if (isWrong) return { wrong: `its ${field} is ${JSON.stringify(textAt(line, layout[field]))}` }
      prices.push(price)
    }
    const volume = figureAt(line, layout.volume)
    if (volume === undefined || volume < 0)
      return { wrong: `its volume is ${JSON.stringify(textAt(line, layout.volume))}` }
    return { rows: [{ symbol: owner, bar: barOf(owner, date, prices, volume) }] }
  }
}

/** Builds a bar; an index trades no shares, so its missing volume is 0 rather than unknown. */
function barOf(symbol: Ticker, date: IsoDate, [open, high, low, close]: readonly number[], volume: number): DailyBar {
  const shares = Number.isNaN(volume) && securityKind(symbol) === 'index' ? 0 : volume
  return { date, open, high, low, close, volume: shares }
}
