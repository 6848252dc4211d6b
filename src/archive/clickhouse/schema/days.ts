import { type AddedColumns, fidelity, moment, price, symbol, type Table, written } from './table.ts'

export const dailyBars: Table = {
  name: 'daily_bars',
  columns: [
    symbol,
    'session Date32',
    ...['open', 'high', 'low', 'close', 'volume'].map((name) => `${name} ${price}`),
    fidelity,
    written
  ],
  orderBy: ['symbol', 'session']
}

/** Figures by the name of their field, so that a record may gain one without a migration. */
export const dailyRecords: Table = {
  name: 'daily_records',
  columns: [
    symbol,
    'session Date32',
    'version UInt32',
    'field Array(String) CODEC(ZSTD(3))',
    'figure Array(Float64) CODEC(ZSTD(3))',
    written
  ],
  orderBy: ['symbol', 'session', 'version']
}

/** One row for each ex-date: from when on each of its dividends was known, milliseconds, and its USD per share. */
export const dividends: Table = {
  name: 'dividends',
  columns: [
    symbol,
    'ex_date Date32',
    'known_from Array(Float64) CODEC(ZSTD(3))',
    'amount Array(Float64) CODEC(ZSTD(3))',
    written
  ],
  orderBy: ['symbol', 'ex_date']
}

/** One row for each thing that was said of a report: texts empty, counts 0 and figures not a number where it was not stated. */
export const earnings: Table = {
  name: 'earnings',
  columns: [
    symbol,
    'date Date32',
    moment('known_from'),
    'timing LowCardinality(String)',
    'confirmed UInt8',
    'company String CODEC(ZSTD(3))',
    'fiscal_period LowCardinality(String)',
    'fiscal_year UInt16 CODEC(ZSTD(3))',
    'importance UInt8 CODEC(ZSTD(3))',
    ...['eps_estimate', 'eps_actual', 'revenue_estimate', 'revenue_actual'].map((name) => `${name} ${price}`),
    written
  ],
  orderBy: ['symbol', 'date', 'known_from']
}

/** One row for each report with recorded closes around it: figures by the name of their field, and who made them. */
export const eventRecords: Table = {
  name: 'event_records',
  columns: [
    symbol,
    'before Date32',
    'after Date32',
    'version UInt32',
    'field Array(String) CODEC(ZSTD(3))',
    'figure Array(Float64) CODEC(ZSTD(3))',
    written
  ],
  orderBy: ['symbol', 'before', 'version']
}

/** The least moment from which anything was ever known of the ex-date, milliseconds: what was replaced included. */
export const sinceOfDividends: AddedColumns = {
  table: 'dividends',
  columns: ['since Float64 DEFAULT arrayMin(known_from)']
}

export const gaps: Table = {
  name: 'gaps',
  columns: [symbol, moment('since'), moment('until'), 'reason String', written],
  orderBy: ['symbol', 'since', 'until', 'reason']
}
