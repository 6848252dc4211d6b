import { readSymbol } from '../market/security.ts'
import type { Split } from '../market/split.ts'
import type { Ticker } from '../market/units.ts'
import { filesAt } from './import-files.ts'
import type { ImportWriter } from './import-writer.ts'
import { splitRatio } from './split-ratio.ts'
import { type ColumnLayout, columnLayout, layoutByAliases } from './tables/column-map.ts'
import type { Line } from './tables/csv-line.ts'
import { isAbsent } from './tables/number-forms.ts'
import { tableDate } from './tables/table-dates.ts'
import { figureAt, repeatedAt, tableSymbol, textAt } from './tables/table-fields.ts'
import {
  eachTable,
  type ImportTableOptions,
  nameOfTable,
  reportedAs,
  type TableFile,
  type TableProgress,
  tableName
} from './tables/table-file.ts'
import type { TableSample } from './tables/table-opening.ts'
import { type RowReader, readTable, type UnusedRow } from './tables/table-rows.ts'
import { type Forms, writtenForms } from './tables/written-forms.ts'

export const splitFields = ['symbol', 'date', 'ratio', 'new_shares', 'old_shares'] as const
type SplitField = (typeof splitFields)[number]
type SplitLayout = ColumnLayout<SplitField>

/** Column names that vendors use for each field, in lower case with letters only. The first one in the table counts. */
const namesOf: Readonly<Record<SplitField, readonly string[]>> = {
  symbol: ['symbol', 'ticker', 'code'],
  date: ['executiondate', 'exdate', 'effectivedate', 'splitdate', 'date'],
  ratio: ['ratio', 'splitratio', 'split', 'splits', 'stocksplits', 'stocksplit', 'splitfactor', 'factor'],
  new_shares: ['newshares', 'splitto', 'toratio', 'tofactor', 'numerator'],
  old_shares: ['oldshares', 'splitfrom', 'fromratio', 'fromfactor', 'forfactor', 'denominator']
}

interface SplitRow {
  readonly symbol: Ticker
  readonly split: Split
}

/**
 * Imports tables of splits. A table is written only after all of it was read. If a date comes twice with different
 * ratios, both rows are refused.
 */
export async function importSplits(
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
  const heading = (line: Line, sample: TableSample): RowReader<SplitRow> => {
    const layout =
      options.columns === undefined ? layoutByAliases(line, namesOf) : columnLayout(line, options.columns, splitFields)
    const forms = writtenForms(layout.date === undefined ? [] : sample.texts(layout.date.column), options.forms)
    return { problem: problemOf(layout, symbol), read: splitReader(layout, symbol, forms) }
  }
  const found = new Map<Ticker, Map<string, Split>>()
  const contradicted: SplitRow[] = []
  const row = ({ symbol, split }: SplitRow, line: number) => {
    const mine = found.get(symbol) ?? new Map<string, Split>()
    const other = mine.get(split.date)
    found.set(symbol, mine.set(split.date, split))
    if (other === undefined || other.ratio === split.ratio) return undefined
    contradicted.push({ symbol, split })
    writer.reject(path, line, `${symbol} is split on ${split.date} by ${other.ratio} and by ${split.ratio}`)
    return undefined
  }
  const pause = async (read: number) => {
    await progress(read)
    return !writer.signal.aborted
  }
  if (!(await readTable(text, heading, { row, pause }, reportedAs(path, writer), options.forms?.decimal))) return
  for (const { symbol, split } of contradicted) found.get(symbol)!.delete(split.date)
  for (const [owner, splits] of found) if (splits.size > 0) await writer.splits(owner, [...splits.values()])
}

/** Symbol in a file name: NVDA for NVDA.csv and NVDA_splits.csv. Undefined for other names. */
function symbolInName(path: string): Ticker | undefined {
  const name = nameOfTable(path, /splits?|history/)
  return name === undefined ? undefined : readSymbol(name)
}

function problemOf(layout: SplitLayout, symbol: Ticker | undefined): string | undefined {
  if (layout.symbol === undefined && symbol === undefined) return 'nothing says which symbol it is of: give --symbol'
  const hasRatio = layout.ratio !== undefined || (layout.new_shares !== undefined && layout.old_shares !== undefined)
  const needed = [...(layout.date === undefined ? ['date'] : []), ...(hasRatio ? [] : ['ratio'])]
  return needed.length === 0 ? undefined : `no column fills ${needed.join(', ')}`
}

function splitReader(
  layout: SplitLayout,
  symbol: Ticker | undefined,
  forms: Forms
): (line: Line) => SplitRow | UnusedRow {
  const symbolIn = repeatedAt(layout.symbol, tableSymbol)
  return (line) => {
    const owner = layout.symbol === undefined ? symbol : symbolIn(line)
    if (owner === undefined) return { wrong: `its symbol is ${JSON.stringify(textAt(line, layout.symbol))}` }
    const date = tableDate(textAt(line, layout.date), forms)
    if (date === undefined) return { wrong: `its date is ${JSON.stringify(textAt(line, layout.date))}` }
    if (isNoSplit(line, layout)) return { leftOut: true }
    const ratio = ratioIn(line, layout)
    if (ratio === undefined) return { wrong: `its ratio is ${JSON.stringify(ratioText(line, layout))}` }
    return { symbol: owner, split: { date, ratio } }
  }
}

/** Whether a row says that nothing was split: histories of prices have 0 on such days. */
function isNoSplit(line: Line, { ratio }: SplitLayout): boolean {
  const text = textAt(line, ratio)
  return ratio !== undefined && (isAbsent(text) || Number(text) === 0)
}

function ratioIn(line: Line, layout: SplitLayout): number | undefined {
  if (layout.ratio !== undefined) return splitRatio(textAt(line, layout.ratio))
  const [after, before] = [figureAt(line, layout.new_shares), figureAt(line, layout.old_shares)]
  return after === undefined || before === undefined ? undefined : splitRatio(`${after}:${before}`)
}

function ratioText(line: Line, { ratio, new_shares, old_shares }: SplitLayout): string {
  return ratio === undefined ? `${textAt(line, new_shares)}:${textAt(line, old_shares)}` : textAt(line, ratio)
}
