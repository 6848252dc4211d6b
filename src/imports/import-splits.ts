import type { Split } from '../market/split.ts'
import type { Ticker } from '../market/units.ts'
import type { ImportWriter } from './import-writer.ts'
import { splitRatio } from './split-ratio.ts'
import type { ColumnLayout } from './tables/column-map.ts'
import type { Line } from './tables/csv-line.ts'
import { importRows, type RowTable, wrongField } from './tables/import-rows.ts'
import { isAbsent } from './tables/number-forms.ts'
import { tableDate } from './tables/table-dates.ts'
import { figureAt, textAt } from './tables/table-fields.ts'
import type { ImportTableOptions } from './tables/table-file.ts'
import type { UnusedRow } from './tables/table-rows.ts'
import type { Forms } from './tables/written-forms.ts'

export const splitFields = ['symbol', 'date', 'ratio', 'new_shares', 'old_shares'] as const
type SplitField = (typeof splitFields)[number]
type SplitLayout = ColumnLayout<SplitField>

interface SplitRow {
  readonly symbol: Ticker
  readonly split: Split
}

/**
 * Splits of shares. A table is written only after all of it was read. If a date comes twice with different ratios, both
 * rows are refused.
 */
const splitTable: RowTable<SplitField, SplitRow> = {
  fields: splitFields,
  namesOf: {
    symbol: ['symbol', 'ticker', 'code'],
    date: ['executiondate', 'exdate', 'effectivedate', 'splitdate', 'date'],
    ratio: ['ratio', 'splitratio', 'split', 'splits', 'stocksplits', 'stocksplit', 'splitfactor', 'factor'],
    new_shares: ['newshares', 'splitto', 'toratio', 'tofactor', 'numerator'],
    old_shares: ['oldshares', 'splitfrom', 'fromratio', 'fromfactor', 'forfactor', 'denominator']
  },
  dates: ['date'],
  nameEnding: /splits?|history/,
  lacking({ date, ratio, new_shares, old_shares }) {
    const hasRatio = ratio !== undefined || (new_shares !== undefined && old_shares !== undefined)
    return [...(date === undefined ? ['date'] : []), ...(hasRatio ? [] : ['ratio'])]
  },
  read: splitIn,
  collect(path, writer) {
    const found = new Map<Ticker, Map<string, Split>>()
    const contradicted: SplitRow[] = []
    return {
      add({ symbol, split }, line) {
        const mine = found.get(symbol) ?? new Map<string, Split>()
        const other = mine.get(split.date)
        found.set(symbol, mine.set(split.date, split))
        if (other === undefined || other.ratio === split.ratio) return
        contradicted.push({ symbol, split })
        writer.reject(path, line, `${symbol} is split on ${split.date} by ${other.ratio} and by ${split.ratio}`)
      },
      async end() {
        for (const { symbol, split } of contradicted) found.get(symbol)!.delete(split.date)
        for (const [owner, splits] of found) if (splits.size > 0) await writer.splits(owner, [...splits.values()])
      }
    }
  }
}

/** Imports tables of splits. */
export function importSplits(
  paths: readonly string[],
  options: ImportTableOptions,
  writer: ImportWriter
): Promise<void> {
  return importRows(splitTable, paths, options, writer)
}

function splitIn(line: Line, symbol: Ticker, layout: SplitLayout, forms: Forms): SplitRow | UnusedRow {
  const date = tableDate(textAt(line, layout.date), forms)
  if (date === undefined) return wrongField(line, layout, 'date', 'date')
  if (isNoSplit(line, layout)) return { leftOut: true }
  const ratio = ratioIn(line, layout)
  if (ratio === undefined) return { wrong: `its ratio is ${JSON.stringify(ratioText(line, layout))}` }
  return { symbol, split: { date, ratio } }
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
