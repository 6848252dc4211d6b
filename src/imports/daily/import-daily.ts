import type { DailyBar } from '../../market/bar.ts'
import { session } from '../../market/calendar.ts'
import { macroSeriesNamed, macroSeriesOf } from '../../market/macro-series.ts'
import { parentOfRoot, readSymbol, securityKind } from '../../market/security.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import { filesAt } from '../import-files.ts'
import type { ImportWriter } from '../import-writer.ts'
import { endsWithinLine } from '../judged/unended-file.ts'
import { type ColumnLayout, columnLayout } from '../tables/column-map.ts'
import { type Line, surplusFields } from '../tables/csv-line.ts'
import { checkCurrency, inBillionths, layoutIn, layoutOf } from '../tables/known-layout.ts'
import { isAbsent } from '../tables/number-forms.ts'
import { figureAt, insteadOfNumber, repeatedAt, tableSymbol, textAt } from '../tables/table-fields.ts'
import {
  eachTable,
  type ImportTableOptions,
  nameOfTable,
  reportedAs,
  type TableFile,
  type TableProgress,
  type TableReader,
  tableName
} from '../tables/table-file.ts'
import type { TableSample } from '../tables/table-opening.ts'
import { type RowReader, readTable, type UnusedRow } from '../tables/table-rows.ts'
import { stampIn } from '../tables/table-times.ts'
import { type Forms, writtenForms } from '../tables/written-forms.ts'
import { BarRows } from './bar-rows.ts'
import type { BarScale } from './bar-scale.ts'
import { dailyLayouts } from './daily-layouts.ts'
import { type DailyRow, type DailyRows, macroRow, macroTableReader } from './macro-table.ts'
import { isHeadingLine, type SymbolColumns, symbolColumns } from './symbol-columns.ts'
import { type BarsArchive, type DailyTable, type ReadBars, writeSymbols } from './write-symbols.ts'

export const dailyFields = ['symbol', 'date', 'open', 'high', 'low', 'close', 'volume'] as const
type DailyLayout = ColumnLayout<(typeof dailyFields)[number]>

export interface DailyTableOptions extends ImportTableOptions {
  /** The archive. It supplies the bars, dividends and splits beside those of the import, and it reads Parquet files. */
  readonly archive: BarsArchive & TableReader
  /** How the bars stand to splits, if the operator said it. */
  readonly scale?: BarScale | undefined
  /** Time of the import: splits of later days do not count yet. All count if it is absent. */
  readonly now?: Instant | undefined
  /** Time by the clock on the wall: bars of later days are doubted. None is if it is absent. */
  readonly wallNow?: Instant | undefined
  /** Writes what is doubted too. */
  readonly accept?: boolean | undefined
  /** Judges the files and tells what it understood, but writes nothing. */
  readonly dryRun?: boolean | undefined
}

/** The share of reading in the progress of an import; the rest is writing. */
const SHARE_OF_READING = 0.5

/**
 * Imports tables of daily bars. If a table has only closes, open, high and low of its bars are NaN, and measures of the
 * daily range skip them. Tables of macro series, such as FRED's, become bars of those series (see
 * `market/macro-series.ts`). All tables are read before the first bar is written, and the bars of each symbol are judged
 * together.
 */
export async function importDaily(
  paths: readonly string[],
  options: DailyTableOptions,
  writer: ImportWriter
): Promise<void> {
  const files = await filesAt(paths, tableName)
  const total = files.reduce((sum, { size }) => sum + size, 0)
  const read: ReadBars = { rows: new BarRows(), tables: [] }
  try {
    const work = (table: TableFile, progress: TableProgress) => readFile(table, options, read, writer, progress)
    await eachTable(files, options.archive, writer, work, total / SHARE_OF_READING)
    if (writer.signal.aborted) return
    await writeSymbols(read, options, writer, (what, share) =>
      writer.progress(what, total * (1 + share), total / SHARE_OF_READING)
    )
  } finally {
    read.rows.close()
  }
}

async function readFile(
  { path, text }: TableFile,
  options: DailyTableOptions,
  { rows, tables }: ReadBars,
  writer: ImportWriter,
  progress: TableProgress
): Promise<void> {
  const inName = options.symbol ?? symbolInName(path)
  const position = tables.length
  const table: DailyTable = { path, isUnended: false }
  tables.push(table)
  const heading = (line: Line, sample: TableSample): RowReader<DailyRows> => {
    const macro = macroTableReader(line, options.columns, sample, options.forms)
    if (macro !== undefined) return macro
    checkCurrency(line, sample)
    const sides = options.columns === undefined ? symbolColumns(line, sample) : []
    const known = options.columns === undefined ? layoutOf(line, dailyLayouts) : undefined
    const layout =
      sides[0]?.layout ??
      (known === undefined
        ? columnLayout(line, options.columns, dailyFields)
        : inBillionths(layoutIn(line, known), known, sample))
    const forms = writtenForms(
      layout.date === undefined ? [] : sample.texts(layout.date.column),
      options.forms,
      known?.dates
    )
    const symbol = options.symbol ?? sides[0]?.symbol ?? inName
    const read = sides.length > 1 ? sideReader(sides, forms) : dailyRowReader(layout, symbol, forms)
    return {
      problem: problemOf(layout, symbol),
      read: (row) =>
        sides.length > 0 && isHeadingLine(textAt(row, layout.date))
          ? { leftOut: true }
          : (surplusFields(row, line.count) ?? read(row))
    }
  }
  const row = ({ rows: bars }: DailyRows, line: number) => {
    for (const { symbol, bar, time } of bars) rows.add(parentOfRoot(symbol) ?? symbol, bar, position, line, time)
    return undefined
  }
  const pause = async (read: number) => {
    await progress(read)
    return !writer.signal.aborted
  }
  await readTable(text, heading, { row, pause }, reportedAs(path, writer), options.forms?.decimal)
  table.isUnended = typeof text === 'string' && (await endsWithinLine(text).catch(() => false))
}

/** Endings after the symbol in the names of downloads from the exchange, Barchart, Stooq and EODHD. */
const nameEnding =
  /history|historical[_ -]data|daily|(?:daily|price)[_-]history.*|daily[_-]historical-data.*|us_d|max|[1-9]\d?y/

/**
 * Symbol in a file name: SPY for SPY.csv, VIX for VIX_History.csv, a macro series for DGS10.csv. Undefined for other
 * names.
 */
function symbolInName(path: string): Ticker | undefined {
  const name = nameOfTable(path.replace(/ (?=historical data\.)/i, '_'), nameEnding)
  return name === undefined ? undefined : (macroSeriesNamed(name)?.symbol ?? readSymbol(name))
}

/** Reads rows with the bars of several symbols; a symbol without a close on a date has no bar of it. */
function sideReader(sides: readonly SymbolColumns[], forms: Forms): (line: Line) => DailyRows | UnusedRow {
  const readers = sides.map(({ symbol, layout }) => ({ layout, read: dailyRowReader(layout, symbol, forms) }))
  return (line) => {
    const rows: DailyRow[] = []
    for (const { layout, read } of readers) {
      if (isAbsent(textAt(line, layout.close))) continue
      const found = read(line)
      if (!('rows' in found)) return found
      for (const row of found.rows) rows.push(row)
    }
    return rows.length === 0 ? { leftOut: true } : { rows }
  }
}

function problemOf(layout: DailyLayout, symbol: Ticker | undefined): string | undefined {
  if (layout.symbol === undefined && symbol === undefined) return 'nothing says which symbol it is of: give --symbol'
  const needed = (['date', 'close'] as const).filter((field) => layout[field] === undefined)
  if (needed.length === 0) return undefined
  const advice =
    needed[0] === 'close' ? ': closes of several symbols belong below each other, with a column symbol' : ''
  return `no column fills ${needed.join(', ')}${advice}`
}

function dailyRowReader(
  layout: DailyLayout,
  symbol: Ticker | undefined,
  forms: Forms
): (line: Line) => DailyRows | UnusedRow {
  const symbolIn = repeatedAt(layout.symbol, (text) => macroSeriesNamed(text)?.symbol ?? tableSymbol(text))
  return (line) => {
    const owner = layout.symbol === undefined ? symbol : symbolIn(line)
    if (owner === undefined) {
      const text = textAt(line, layout.symbol)
      return { wrong: `its symbol is ${JSON.stringify(text)}${insteadOfNumber(text)}` }
    }
    const stamp = stampIn(textAt(line, layout.date), forms)
    if (stamp === undefined) return { wrong: `its date is ${JSON.stringify(textAt(line, layout.date))}` }
    const { date, moment: time } = stamp
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
    return { rows: [{ symbol: owner, bar: barOf(owner, date, prices, volume), time }] }
  }
}

/** Builds a bar; an index trades no shares, so its missing volume is 0 rather than unknown. */
function barOf(symbol: Ticker, date: IsoDate, [open, high, low, close]: readonly number[], volume: number): DailyBar {
  const shares = Number.isNaN(volume) && securityKind(symbol) === 'index' ? 0 : volume
  return { date, open, high, low, close, volume: shares }
}
