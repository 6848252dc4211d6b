import { session } from '../market/calendar.ts'
import { type Dividend, knownFrom } from '../market/dividend.ts'
import type { Ticker } from '../market/units.ts'
import type { ImportWriter } from './import-writer.ts'
import type { ColumnLayout } from './tables/column-map.ts'
import type { Line } from './tables/csv-line.ts'
import { importRows, type RowTable, wrongField } from './tables/import-rows.ts'
import { usDollar } from './tables/known-layout.ts'
import { isAbsent } from './tables/number-forms.ts'
import { tableDate } from './tables/table-dates.ts'
import { figureAt, textAt } from './tables/table-fields.ts'
import type { ImportTableOptions } from './tables/table-file.ts'
import type { UnusedRow } from './tables/table-rows.ts'
import type { Forms } from './tables/written-forms.ts'

export const dividendFields = ['symbol', 'ex_date', 'amount', 'declared', 'currency'] as const
type DividendField = (typeof dividendFields)[number]
type DividendLayout = ColumnLayout<DividendField>

interface DividendRow {
  readonly symbol: Ticker
  readonly dividend: Dividend
}

/**
 * Cash dividends. A table is written only after all of it was read, because all rows with the same ex-date belong
 * together: different amounts are added up, and repeated rows count once.
 */
const dividendTable: RowTable<DividendField, DividendRow> = {
  fields: dividendFields,
  // Names of split-adjusted amounts are left out on purpose.
  namesOf: {
    symbol: ['symbol', 'ticker'],
    ex_date: ['exdate', 'exdividenddate', 'exoreffdate', 'exeffdate', 'date'],
    amount: ['amount', 'cashamount', 'dividendamount', 'unadjustedvalue', 'dividend', 'dividends', 'divcash', 'cash'],
    declared: ['declared', 'declarationdate', 'declareddate', 'announcementdate'],
    currency: ['currency', 'currencycode', 'paymentcurrency', /currency|^ccy|ccy$/]
  },
  dates: ['ex_date', 'declared'],
  nameEnding: /dividends?|history/,
  lacking: (layout) => (['ex_date', 'amount'] as const).filter((field) => layout[field] === undefined),
  read: dividendIn,
  collect(_, writer) {
    const found = new Map<Ticker, Map<string, Dividend>>()
    return {
      add({ symbol, dividend }) {
        const mine = found.get(symbol) ?? new Map<string, Dividend>()
        found.set(symbol, mine.set(Object.values(dividend).join(' '), dividend))
      },
      async end() {
        for (const [owner, dividends] of found) await writer.dividends(owner, [...dividends.values()])
      }
    }
  }
}

/** Imports tables of cash dividends. */
export function importDividends(
  paths: readonly string[],
  options: ImportTableOptions,
  writer: ImportWriter
): Promise<void> {
  return importRows(dividendTable, paths, options, writer)
}

function dividendIn(line: Line, symbol: Ticker, layout: DividendLayout, forms: Forms): DividendRow | UnusedRow {
  const wrong = (name: string, field: DividendField) => wrongField(line, layout, name, field)
  const exDate = tableDate(textAt(line, layout.ex_date), forms)
  if (exDate === undefined) return wrong('ex-date', 'ex_date')
  if (session(exDate) === undefined) return { wrong: `there was no session on ${exDate}` }
  const currency = textAt(line, layout.currency)
  if (!isAbsent(currency) && !usDollar.test(currency)) return wrong('currency', 'currency')
  const amount = amountAt(line, layout)
  if (!(amount >= 0)) return wrong('amount', 'amount')
  const text = textAt(line, layout.declared)
  const declared = tableDate(text, forms)
  if (declared === undefined && !isAbsent(text)) return wrong('declaration date', 'declared')
  return { symbol, dividend: { exDate, amount, knownFrom: knownFrom(exDate, declared) } }
}

/** Reads an amount in USD per share, with or without a dollar sign; NaN if the field holds no amount. */
function amountAt(line: Line, layout: DividendLayout): number {
  const amount = figureAt(line, layout.amount)
  if (amount !== undefined) return amount
  const digits = /^\$\s*(\d+(?:\.\d+)?|\.\d+)$/.exec(textAt(line, layout.amount))?.[1]
  return digits === undefined ? Number.NaN : Number(digits) / layout.amount!.divisor
}
