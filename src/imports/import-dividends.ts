import { session } from '../market/calendar.ts'
import { type Dividend, knownFrom } from '../market/dividend.ts'
import { readSymbol } from '../market/security.ts'
import type { Ticker } from '../market/units.ts'
import { filesAt } from './import-files.ts'
import type { ImportWriter } from './import-writer.ts'
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

export const dividendFields = ['symbol', 'ex_date', 'amount', 'declared', 'currency'] as const
type DividendField = (typeof dividendFields)[number]
type DividendLayout = ColumnLayout<DividendField>

/**
 * Column names that vendors use for each field, in lower case with letters only. The first name found in the table
 * counts. Names of split-adjusted amounts are left out on purpose.
 */
const namesOf: Readonly<Record<DividendField, readonly string[]>> = {
  symbol: ['symbol', 'ticker'],
  ex_date: ['exdate', 'exdividenddate', 'exoreffdate', 'exeffdate', 'date'],
  amount: ['amount', 'cashamount', 'dividendamount', 'unadjustedvalue', 'dividend', 'dividends', 'divcash', 'cash'],
  declared: ['declared', 'declarationdate', 'declareddate', 'announcementdate'],
  currency: ['currency', 'currencycode', 'paymentcurrency']
}

interface DividendRow {
  readonly symbol: Ticker
  readonly dividend: Dividend
}

/**
 * Imports tables of cash dividends. A table is written only after all of it was read, because all rows with the same
 * ex-date belong together: different amounts are added up, and repeated rows count once.
 */
export async function importDividends(
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
  const heading = (line: Line, sample: TableSample): RowReader<DividendRow> => {
    const layout =
      options.columns === undefined
        ? layoutByAliases(line, namesOf)
        : columnLayout(line, options.columns, dividendFields)
    const dated = [layout.ex_date, layout.declared].flatMap((place) => (place ? sample.texts(place.column) : []))
    const forms = writtenForms(dated, options.forms)
    return { problem: problemOf(layout, symbol), read: dividendReader(layout, symbol, forms) }
  }
  const found = new Map<Ticker, Map<string, Dividend>>()
  const row = ({ symbol, dividend }: DividendRow) => {
    const mine = found.get(symbol) ?? new Map<string, Dividend>()
    found.set(symbol, mine.set(Object.values(dividend).join(' '), dividend))
    return undefined
  }
  const pause = async (read: number) => {
    await progress(read)
    return !writer.signal.aborted
  }
  if (!(await readTable(text, heading, { row, pause }, reportedAs(path, writer), options.forms?.decimal))) return
  for (const [owner, dividends] of found) await writer.dividends(owner, [...dividends.values()])
}

/** Symbol in a file name: KO for KO.csv and KO_dividends.csv. Undefined for other names. */
function symbolInName(path: string): Ticker | undefined {
  const name = nameOfTable(path, /dividends?|history/)
  return name === undefined ? undefined : readSymbol(name)
}

function problemOf(layout: DividendLayout, symbol: Ticker | undefined): string | undefined {
  if (layout.symbol === undefined && symbol === undefined) return 'nothing says which symbol it is of: give --symbol'
  const needed = (['ex_date', 'amount'] as const).filter((field) => layout[field] === undefined)
  return needed.length === 0 ? undefined : `no column fills ${needed.join(', ')}`
}

function dividendReader(
  layout: DividendLayout,
  symbol: Ticker | undefined,
  forms: Forms
): (line: Line) => DividendRow | UnusedRow {
  const symbolIn = repeatedAt(layout.symbol, tableSymbol)
  const wrong = (line: Line, name: string, field: DividendField): UnusedRow => {
    return { wrong: `its ${name} is ${JSON.stringify(textAt(line, layout[field]))}` }
  }
  return (line) => {
    const owner = layout.symbol === undefined ? symbol : symbolIn(line)
    if (owner === undefined) return wrong(line, 'symbol', 'symbol')
    const exDate = tableDate(textAt(line, layout.ex_date), forms)
    if (exDate === undefined) return wrong(line, 'ex-date', 'ex_date')
    if (session(exDate) === undefined) return { wrong: `there was no session on ${exDate}` }
    const currency = textAt(line, layout.currency)
    if (!isAbsent(currency) && !/^(usd|\$|us\$)$/i.test(currency)) return wrong(line, 'currency', 'currency')
    const amount = amountAt(line, layout)
    if (!(amount >= 0)) return wrong(line, 'amount', 'amount')
    const text = textAt(line, layout.declared)
    const declared = tableDate(text, forms)
    if (declared === undefined && !isAbsent(text)) return wrong(line, 'declaration date', 'declared')
    return { symbol: owner, dividend: { exDate, amount, knownFrom: knownFrom(exDate, declared) } }
  }
}

/** Reads an amount in USD per share, with or without a dollar sign; NaN if the field holds no amount. */
function amountAt(line: Line, layout: DividendLayout): number {
  const amount = figureAt(line, layout.amount)
  if (amount !== undefined) return amount
  const digits = /^\$\s*(\d+(?:\.\d+)?|\.\d+)$/.exec(textAt(line, layout.amount))?.[1]
  return digits === undefined ? Number.NaN : Number(digits) / layout.amount!.divisor
}
