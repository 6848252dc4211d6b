import { securityKind } from '../market/security.ts'
import type { Instant } from '../market/units.ts'
import { aggregatesOf, type ExpiryAggregate, printedContracts } from './aggregates.ts'
import { compileFilter, type Kept } from './row-filter.ts'
import { mustBe, quotedInput, ScreenProblem } from './screen-problem.ts'
import type { Filter, ScreenRequest } from './screen-request.ts'
import { type Column, needsFullScreen, type ScreenTable, tableOf } from './screen-table.ts'
import { type FieldTable, isOfRow, type Printed, type ScreenCaller } from './screener-field.ts'
import type { Screened, ScreenedSymbol } from './screener-row.ts'

const MAX_ROWS = 50
/** Limits for callers without the entitlement `full_screen`: fewer rows, and only the first symbols of tier 1. */
const MAX_ROWS_IN_PART = 10
const MAX_SYMBOLS_IN_PART = 20

/** Name of the column that holds the expirations, strikes and contracts that pass the filter. */
export const AGGREGATES = 'expiry_aggregates'
const MAX_CONTRACTS = 100_000

/** Names of the groups of symbols whose members the operator configures. A group is empty by default. */
const stated = ['sp500', 'nasdaq100', 'dow30']
const derived: Readonly<Record<string, (row: ScreenedSymbol) => boolean>> = {
  all: () => true,
  tier1: ({ tier }) => tier === 1,
  tier2: ({ tier }) => tier === 2,
  etfs: ({ symbol }) => securityKind(symbol) === 'etf',
  indices: ({ symbol }) => securityKind(symbol) === 'index'
}

export type ScreenResultRow = Readonly<Record<string, Printed | readonly ExpiryAggregate[]>>

export interface ScreenResult {
  readonly rows: readonly ScreenResultRow[]
  /** Columns of the rows; the tree of aggregates is none. */
  readonly columns: readonly { readonly name: string; readonly type: Column['type'] }[]
  readonly total: number
  readonly universe: number
  /** Number of symbols that belong to the universe and have no row. */
  readonly missing: number
  readonly limit: number
  readonly offset: number
  readonly asOf: Instant
}

export interface ScreenOptions {
  readonly fields: FieldTable
  readonly macro: Float64Array
  readonly caller: ScreenCaller
}

/**
 * Runs a screen: filters and sorts the rows of all symbols and selects the requested columns. Throws a `ScreenProblem`
 * that names the part of the request that cannot be run.
 */
export function screen(
  request: ScreenRequest,
  screened: Screened,
  { fields, macro, caller }: ScreenOptions
): ScreenResult {
  const isFull = caller.has('full_screen')
  if (!isFull && request.offset > 0) throw needsFullScreen('an offset', 'offset', caller)
  const isAllowed = membership(request.universe, screened.presets)
  const rows = visible(screened.rows, isFull).filter(isAllowed)
  const missing = new Set(screened.missing)
  const awaited = visible([...screened.rows, ...missing], isFull).filter((each) => missing.has(each) && isAllowed(each))
  const table = tableOf(request, { fields, rows, macro, caller })
  const columns = columnsOf(request, table, fields)
  const order = orderOf(request, table)
  const filter = request.filters && compileFilter(request.filters, table, fields)

  const kept: Kept[] = rows.map((_, row) => filter?.(row) ?? true)
  const passing = rows.flatMap((_, row) => (kept[row] === false ? [] : [row])).sort(order)
  const limit = Math.min(request.limit ?? Infinity, isFull ? MAX_ROWS : MAX_ROWS_IN_PART)
  const page = passing.slice(request.offset, request.offset + limit)
  const trees = columns.has(AGGREGATES)
  if (trees) {
    const contracts = page.reduce((sum, row) => sum + printedContracts(rows[row], kept[row]), 0)
    if (contracts > MAX_CONTRACTS) {
      throw mustBe(
        'filters',
        `narrower, or limit smaller: ${AGGREGATES} would hold ${contracts} contracts, ${MAX_CONTRACTS} at most`
      )
    }
  }
  return {
    rows: page.map((row) => {
      const cells = [...columns].map(([name, column]) => [
        name,
        column === undefined ? aggregatesOf(rows[row], kept[row], fields) : column.printed(row)
      ])
      return Object.fromEntries(cells)
    }),
    columns: [...columns].flatMap(([name, column]) => (column === undefined ? [] : [{ name, type: column.type }])),
    total: passing.length,
    universe: rows.length,
    missing: awaited.length,
    limit,
    offset: request.offset,
    asOf: rows.reduce((newest, { asOf }) => Math.max(newest, asOf), rows[0]?.asOf ?? screened.now)
  }
}

/** Symbols that the caller may see, in the given order: all, or the first of tier 1. */
function visible<Symbol extends ScreenedSymbol>(symbols: readonly Symbol[], isFull: boolean): readonly Symbol[] {
  if (isFull) return symbols
  const curated = symbols.filter(({ tier }) => tier === 1).sort((a, b) => a.rank! - b.rank!)
  const first = new Set(curated.slice(0, MAX_SYMBOLS_IN_PART))
  return symbols.filter((each) => first.has(each))
}

/** Whether a symbol belongs to the requested group. Unknown symbols of a list are ignored. */
function membership(
  universe: ScreenRequest['universe'],
  presets: Screened['presets']
): (each: ScreenedSymbol) => boolean {
  if ('symbols' in universe) return ({ symbol }) => universe.symbols.has(symbol)
  const { preset } = universe
  if (Object.hasOwn(presets, preset)) {
    const members = new Set(presets[preset])
    return ({ symbol }) => members.has(symbol)
  }
  if (Object.hasOwn(derived, preset)) return derived[preset]
  if (stated.includes(preset)) return () => false
  throw new ScreenProblem('request', `there is no preset ${quotedInput(preset)}`, { place: 'universe.value' })
}

/**
 * Columns of a response by name, with the symbol first. `AGGREGATES` is among the names, but has no column: its value
 * is undefined.
 */
function columnsOf(
  request: ScreenRequest,
  table: ScreenTable,
  fields: FieldTable
): ReadonlyMap<string, Column | undefined> {
  const { select, filters } = request
  const all = select === undefined || select.includes('*')
  const trimmed = filters !== undefined && looksBelow(filters, fields)
  const names = all ? [...table.columns, ...(trimmed ? [AGGREGATES] : [])] : select
  for (const [k, name] of (select ?? []).entries()) if (name !== '*') columnNamed(name, `select[${k}]`, table)
  const extra = all && (select ?? []).includes(AGGREGATES) ? [AGGREGATES] : []
  return new Map(['symbol', ...names, ...extra].map((name, k) => [name, columnNamed(name, `select[${k}]`, table)]))
}

function columnNamed(name: string, place: string, table: ScreenTable): Column | undefined {
  return name === AGGREGATES ? undefined : table.column(name, place)
}

/** Whether a filter has conditions on expirations, strikes or contracts. */
function looksBelow(filter: Filter, fields: FieldTable): boolean {
  if ('op' in filter) return filter.conditions.some((condition) => looksBelow(condition, fields))
  const field = 'field' in filter ? fields.byName.get(filter.field) : undefined
  return field !== undefined && !isOfRow(field)
}

/** Whether a screen needs the option chains of the symbols, and not only their stored rows. */
export function needsChains({ select = [], filters }: ScreenRequest, fields: FieldTable): boolean {
  return select.includes(AGGREGATES) || (filters !== undefined && looksBelow(filters, fields))
}

/**
 * Compares two rows by each sort key in turn. Missing values come last in both directions. Ties are broken by symbol.
 */
function orderOf({ sort }: ScreenRequest, table: ScreenTable): (a: number, b: number) => number {
  const keys = sort.map(({ place, descending, ...operand }) => {
    const column = table.operand(operand, place)
    const figureOf = column.type === 'number' ? held(column) : column.printed
    return { values: table.rows.map((_, row) => figureOf(row)), sign: descending ? -1 : 1 }
  })
  return (a, b) => {
    for (const { values, sign } of keys) {
      const [x, y] = [values[a], values[b]]
      if (x === y) continue
      if (x === null) return 1
      if (y === null) return -1
      return x < y ? -sign : sign
    }
    return a - b
  }
}

function held(column: Column): (row: number) => number | null {
  return (row) => {
    const value = column.held(row)
    return Number.isNaN(value) ? null : value
  }
}
