import type { HistoryStore } from '../archive/history-store.ts'
import { macroSeriesNamed } from '../market/macro-series.ts'
import { readSymbol } from '../market/security.ts'
import type { Instant, Ticker } from '../market/units.ts'
import type { SaidFacts } from './chains/stated-facts.ts'
import { chainColumnsFrom, vendorTableNames } from './chains/vendor-table.ts'
import type { BarScale } from './daily/bar-scale.ts'
import type { ImportWriter } from './import-writer.ts'
import { type ColumnMap, parseColumnMap } from './tables/column-map.ts'
import type { TableReader } from './tables/table-file.ts'
import type { SaidForms } from './tables/written-forms.ts'

/** Options of the import command that only some formats take. */
export type ImportOption =
  | 'map'
  | 'symbol'
  | FormOption
  | FactOption
  | 'conditions'
  | 'replace'
  | 'accept'
  | 'dry-run'
  | 'bars'
/** Options that say how dates, times and numbers of tables are written. */
export const formOptions = ['dates', 'zone', 'decimal'] as const
type FormOption = (typeof formOptions)[number]
/** Options that say what holds for all rows of a table of chains. */
type FactOption = 'date' | 'underlying-price'

export interface ImportRequest {
  /** Absolute paths of files and folders. */
  readonly paths: readonly string[]
  /** Column map for `parseColumnMap`, or the name of a vendor's table, e.g. `optionsdx`. */
  readonly map?: string | undefined
  /** Symbol that applies to all rows if the table has no symbol column. */
  readonly symbol?: Ticker | undefined
  /** How the operator said that dates, times and numbers are written. */
  readonly forms?: SaidForms | undefined
  /** Facts that the operator said of all rows of tables of chains. */
  readonly facts?: SaidFacts | undefined
  /** Meanings of sale condition codes, as text for `parseConditionMap`. */
  readonly conditions?: string | undefined
  /** How bars stand to splits, as the operator said: as traded, or adjusted. */
  readonly scale?: BarScale | undefined
  /** Writes what is doubted too. */
  readonly accept?: boolean | undefined
  /** Judges the files and tells what it understood of them, but writes nothing. */
  readonly dryRun?: boolean | undefined
  /** Symbol whose chains are written before those of others, if there is a choice. */
  readonly writtenFirst?: Ticker | undefined
  readonly archive: Pick<HistoryStore, 'bars' | 'closingSnapshot' | 'symbols' | 'dividends' | 'splits'> & TableReader
  readonly now: Instant
}

interface ImportFormatDeclaration {
  /** Description of the import command in one line, for its help text. */
  readonly summary: string
  /** Options that the format takes, in the order in which the help text lists them. */
  readonly takes: readonly ImportOption[]
  /** Names of vendors' tables that the `map` option accepts in place of a column map. */
  readonly vendors?: readonly string[]
  /** Parses the symbol that the operator gave for all rows. If absent, `readSymbol` is used. */
  readonly parseSymbol?: (text: string) => Ticker | undefined
  /** Reads the files. The reader's code is loaded only when a job needs it, so that a service starts faster. */
  readonly read: (request: ImportRequest, writer: ImportWriter) => Promise<void>
}

const declared = {
  cboe: {
    summary: 'import recorded payloads of the delayed Cboe quotes',
    takes: ['replace'],
    async read({ paths }, writer) {
      const { importCboe } = await import('./import-cboe.ts')
      await importCboe(paths, writer)
    }
  },
  lean: {
    summary: 'import minutes, hours and days of options and shares in the format of LEAN',
    takes: ['bars', 'replace'],
    async read({ paths, scale, archive, now }, writer) {
      const { importLean } = await import('./lean/import-lean.ts')
      await importLean(paths, writer, { archive, scale, now })
    }
  },
  csv: {
    summary: 'import tables of end-of-day chains',
    takes: ['map', 'symbol', ...formOptions, 'date', 'underlying-price', 'replace', 'accept', 'dry-run'],
    vendors: vendorTableNames,
    async read({ paths, map, symbol, forms, facts, accept, dryRun, writtenFirst, archive }, writer) {
      const { importChains } = await import('./chains/import-chains.ts')
      const columns = map === undefined ? { columns: undefined } : chainColumnsFrom(map)
      const asked = { symbol, forms, facts, accept, dryRun, writtenFirst }
      await importChains(paths, { ...columns, ...asked, archive, wallNow: Date.now() }, writer)
    }
  },
  daily: {
    summary: 'import tables of daily bars',
    takes: ['map', 'symbol', ...formOptions, 'bars', 'accept', 'dry-run'],
    // MOVE means the bond-volatility index in this format, but the stock of that name in other formats.
    parseSymbol: (text) => macroSeriesNamed(text)?.symbol ?? readSymbol(text),
    async read({ paths, map, symbol, forms, scale, accept, dryRun, archive, now }, writer) {
      const { dailyFields, importDaily } = await import('./daily/import-daily.ts')
      const columns = columnsIn(map, dailyFields)
      const asked = { symbol, forms, scale, accept, dryRun }
      await importDaily(paths, { columns, ...asked, archive, now, wallNow: Date.now() }, writer)
    }
  },
  dividends: {
    summary: 'import tables of cash dividends',
    takes: ['map', 'symbol', ...formOptions],
    async read({ paths, map, symbol, forms, archive }, writer) {
      const { dividendFields, importDividends } = await import('./import-dividends.ts')
      await importDividends(paths, { columns: columnsIn(map, dividendFields), symbol, forms, archive }, writer)
    }
  },
  splits: {
    summary: 'import splits of shares, by which bars are adjusted',
    takes: ['map', 'symbol', ...formOptions],
    async read({ paths, map, symbol, forms, archive }, writer) {
      const { importSplits, splitFields } = await import('./import-splits.ts')
      await importSplits(paths, { columns: columnsIn(map, splitFields), symbol, forms, archive }, writer)
    }
  },
  earnings: {
    summary: 'import calendars of earnings reports',
    takes: ['map', 'symbol', ...formOptions],
    async read({ paths, map, symbol, forms, archive, now }, writer) {
      const { earningsFields, importEarnings } = await import('./import-earnings.ts')
      await importEarnings(paths, { columns: columnsIn(map, earningsFields), symbol, forms, archive, now }, writer)
    }
  },
  prints: {
    summary: 'import recorded prints of options and stocks: tables, or trades in the format of LEAN',
    takes: ['map', 'symbol', ...formOptions, 'conditions'],
    async read({ paths, map, symbol, forms, conditions, archive, now }, writer) {
      const { importPrints } = await import('./prints/import-prints.ts')
      const { printFields } = await import('./prints/print-table.ts')
      const { parseConditionMap } = await import('./prints/print-conditions.ts')
      const meanings = conditions === undefined ? undefined : parseConditionMap(conditions)
      const columns = columnsIn(map, printFields)
      await importPrints(paths, { columns, symbol, forms, conditions: meanings, archive, now }, writer)
    }
  }
} satisfies Readonly<Record<string, ImportFormatDeclaration>>

export type ImportFormat = keyof typeof declared

/** All import formats. The job, the command and its help are generated from this list. */
export const importFormats: Readonly<Record<ImportFormat, ImportFormatDeclaration>> = declared

export const importFormatNames = Object.keys(importFormats) as readonly ImportFormat[]

function columnsIn(map: string | undefined, fields: readonly string[]): ColumnMap | undefined {
  return map === undefined ? undefined : parseColumnMap(map, fields)
}
