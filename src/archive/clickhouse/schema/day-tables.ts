import {
  type AddedColumns,
  type ArchiveTable,
  columnTypes,
  fidelityColumn,
  momentColumn,
  symbolColumn,
  writtenColumn
} from './archive-table.ts'

export const dailyBarsTable: ArchiveTable = {
  name: 'daily_bars',
  columns: [
    symbolColumn,
    'session Date32',
    ...['open', 'high', 'low', 'close', 'volume'].map((name) => `${name} ${columnTypes.price}`),
    fidelityColumn,
    writtenColumn
  ],
  orderBy: ['symbol', 'session']
}

/** Daily records. Figures are stored as pairs of arrays (names and values), so that a new figure needs no migration. */
export const dailyRecordsTable: ArchiveTable = {
  name: 'daily_records',
  columns: [
    symbolColumn,
    'session Date32',
    'version UInt32',
    'field Array(String) CODEC(ZSTD(3))',
    'figure Array(Float64) CODEC(ZSTD(3))',
    writtenColumn
  ],
  orderBy: ['symbol', 'session', 'version']
}

/**
 * Table with one row per ex-date: the dividends in USD per share, and the moment from which each was known,
 * milliseconds.
 */
export const dividendsTable: ArchiveTable = {
  name: 'dividends',
  columns: [
    symbolColumn,
    'ex_date Date32',
    'known_from Array(Float64) CODEC(ZSTD(3))',
    'amount Array(Float64) CODEC(ZSTD(3))',
    writtenColumn
  ],
  orderBy: ['symbol', 'ex_date']
}

/**
 * One row for each statement about an earnings report. Values that were not stated are empty texts, 0 for counts, and
 * NaN for figures.
 */
export const earningsTable: ArchiveTable = {
  name: 'earnings',
  columns: [
    symbolColumn,
    'date Date32',
    momentColumn('known_from'),
    'timing LowCardinality(String)',
    'confirmed UInt8',
    'company String CODEC(ZSTD(3))',
    'fiscal_period LowCardinality(String)',
    'fiscal_year UInt16 CODEC(ZSTD(3))',
    'importance UInt8 CODEC(ZSTD(3))',
    ...['eps_estimate', 'eps_actual', 'revenue_estimate', 'revenue_actual'].map(
      (name) => `${name} ${columnTypes.price}`
    ),
    writtenColumn
  ],
  orderBy: ['symbol', 'date', 'known_from']
}

/**
 * One row for each earnings report with recorded closes around it. Figures are stored as arrays of names and values.
 */
export const eventRecordsTable: ArchiveTable = {
  name: 'event_records',
  columns: [
    symbolColumn,
    'before Date32',
    'after Date32',
    'version UInt32',
    'field Array(String) CODEC(ZSTD(3))',
    'figure Array(Float64) CODEC(ZSTD(3))',
    writtenColumn
  ],
  orderBy: ['symbol', 'before', 'version']
}

/**
 * Added column: the earliest moment at which any dividend of the ex-date was known, including dividends replaced later.
 * Milliseconds.
 */
export const sinceOfDividends: AddedColumns = {
  table: 'dividends',
  columns: ['since Float64 DEFAULT arrayMin(known_from)']
}

/** Table with one row per split: the new shares for one old share from a date on. */
export const splitsTable: ArchiveTable = {
  name: 'splits',
  columns: [symbolColumn, 'date Date32', `ratio ${columnTypes.price}`, writtenColumn],
  orderBy: ['symbol', 'date']
}

export const gapsTable: ArchiveTable = {
  name: 'gaps',
  columns: [symbolColumn, momentColumn('since'), momentColumn('until'), 'reason String', writtenColumn],
  orderBy: ['symbol', 'since', 'until', 'reason']
}
