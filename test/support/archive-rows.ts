import type { ChainSnapshot, Fidelity, HistoryStore, ZeroDteRow } from '../../src/archive/history-store.ts'
import type { DailyBar } from '../../src/market/bar.ts'
import { session } from '../../src/market/calendar.ts'
import type { Chain } from '../../src/market/chain.ts'
import { type CustomerSums, isSettledBy, type SessionCustomers } from '../../src/market/customer-sums.ts'
import type { DailyRecord } from '../../src/market/daily-record.ts'
import type { Dividend } from '../../src/market/dividend.ts'
import type { EarningsStatement } from '../../src/market/earnings.ts'
import { easternDate } from '../../src/market/eastern.ts'
import type { FigureRow } from '../../src/market/figure-row.ts'
import type { PressureRow } from '../../src/market/hedge-pressure.ts'
import { macroSeriesOf, publicationOf } from '../../src/market/macro-series.ts'
import type { Instant, IsoDate, Ticker } from '../../src/market/units.ts'
import { SAMPLE_STEP } from '../../src/market/zero-dte-sample.ts'

export interface BarRow {
  readonly symbol: Ticker
  readonly bar: DailyBar
  readonly fidelity: Fidelity
}

export interface RecordRow {
  readonly symbol: Ticker
  readonly record: DailyRecord
}

export interface DividendRow {
  readonly symbol: Ticker
  readonly dividend: Dividend
}

/** Rows given to an archive, in no particular order. */
export interface ArchiveRows {
  readonly snapshots: readonly ChainSnapshot[]
  readonly bars: readonly BarRow[]
  readonly records: readonly RecordRow[]
  readonly dividends?: readonly DividendRow[]
  readonly earnings?: readonly EarningsStatement[]
  readonly zeroDte?: readonly ZeroDteRow[]
  readonly pressure?: readonly PressureRow[]
  readonly customers?: readonly SessionCustomers[]
  readonly figures?: readonly FigureRow[]
}

/**
 * Whether a row was visible at a moment: snapshots by their time, bars from their close, values of a series from their
 * publication, records from the day after, dividends from when they were known, raw bars from their end, figures by the time
 * of their snapshot.
 */
const isVisible = {
  snapshot: ({ chain }: ChainSnapshot, at: Instant) => chain.asOf <= at,
  bar: ({ symbol, bar }: BarRow, at: Instant) => {
    const series = macroSeriesOf(symbol)
    if (series !== undefined) return publicationOf(series, bar.date) <= at
    return (session(bar.date)?.close ?? Number.POSITIVE_INFINITY) <= at
  },
  record: ({ record }: RecordRow, at: Instant) => record.date < easternDate(at),
  dividend: ({ dividend }: DividendRow, at: Instant) => dividend.knownFrom <= at,
  earnings: ({ knownFrom }: EarningsStatement, at: Instant) => knownFrom <= at,
  zeroDte: ({ sample }: ZeroDteRow, at: Instant) => sample.t + SAMPLE_STEP <= at,
  pressure: ({ t }: PressureRow, at: Instant) => t + SAMPLE_STEP <= at,
  customers: ({ session: date }: SessionCustomers, at: Instant) => isSettledBy(date, at),
  figures: ({ asOf }: FigureRow, at: Instant) => asOf <= at
}

/** The rows that were visible at a moment, and no row more. */
export function cutRows(
  {
    snapshots,
    bars,
    records,
    dividends = [],
    earnings = [],
    zeroDte = [],
    pressure = [],
    customers = [],
    figures = []
  }: ArchiveRows,
  at: Instant
): ArchiveRows {
  return {
    snapshots: snapshots.filter((row) => isVisible.snapshot(row, at)),
    bars: bars.filter((row) => isVisible.bar(row, at)),
    records: records.filter((row) => isVisible.record(row, at)),
    dividends: dividends.filter((row) => isVisible.dividend(row, at)),
    earnings: earnings.filter((row) => isVisible.earnings(row, at)),
    zeroDte: zeroDte.filter((row) => isVisible.zeroDte(row, at)),
    pressure: pressure.filter((row) => isVisible.pressure(row, at)),
    customers: customers.filter((row) => isVisible.customers(row, at)),
    figures: figures.filter((row) => isVisible.figures(row, at))
  }
}

/** The rows that became visible after a moment. */
export function laterRows(
  {
    snapshots,
    bars,
    records,
    dividends = [],
    earnings = [],
    zeroDte = [],
    pressure = [],
    customers = [],
    figures = []
  }: ArchiveRows,
  at: Instant
): ArchiveRows {
  return {
    snapshots: snapshots.filter((row) => !isVisible.snapshot(row, at)),
    bars: bars.filter((row) => !isVisible.bar(row, at)),
    records: records.filter((row) => !isVisible.record(row, at)),
    dividends: dividends.filter((row) => !isVisible.dividend(row, at)),
    earnings: earnings.filter((row) => !isVisible.earnings(row, at)),
    zeroDte: zeroDte.filter((row) => !isVisible.zeroDte(row, at)),
    pressure: pressure.filter((row) => !isVisible.pressure(row, at)),
    customers: customers.filter((row) => !isVisible.customers(row, at)),
    figures: figures.filter((row) => !isVisible.figures(row, at))
  }
}

/** All rows, those that were not visible at a moment with absurd values. */
export function poisonRows(
  {
    snapshots,
    bars,
    records,
    dividends = [],
    earnings = [],
    zeroDte = [],
    pressure = [],
    customers = [],
    figures = []
  }: ArchiveRows,
  at: Instant
): ArchiveRows {
  return {
    snapshots: snapshots.map((row) =>
      isVisible.snapshot(row, at) ? row : { ...row, chain: poisonedChain(row.chain) }
    ),
    bars: bars.map((row) => (isVisible.bar(row, at) ? row : { ...row, bar: poisoned(row.bar) })),
    records: records.map((row) => (isVisible.record(row, at) ? row : { ...row, record: poisoned(row.record) })),
    dividends: dividends.map((row) =>
      isVisible.dividend(row, at) ? row : { ...row, dividend: { ...row.dividend, amount: 77 } }
    ),
    earnings: earnings.map((row) => (isVisible.earnings(row, at) ? row : { ...row, epsEstimate: 77, epsActual: 77 })),
    zeroDte: zeroDte.map((row) => (isVisible.zeroDte(row, at) ? row : poisonedBar(row))),
    pressure: pressure.map((row) =>
      isVisible.pressure(row, at) ? row : { ...row, cells: row.cells.map(() => 7_777_777) }
    ),
    customers: customers.map((row) => (isVisible.customers(row, at) ? row : poisonedCustomers(row))),
    figures: figures.map((figure) => (isVisible.figures(figure, at) ? figure : poisonedFigures(figure)))
  }
}

/** Writes rows as a recorder or an import would: snapshots in one go, lists by symbol. */
export async function writeRows(
  store: HistoryStore,
  {
    snapshots,
    bars,
    records,
    dividends = [],
    earnings = [],
    zeroDte = [],
    pressure = [],
    customers = [],
    figures = []
  }: ArchiveRows
): Promise<void> {
  await store.writeSnapshots(snapshots)
  await store.writeZeroDte(zeroDte)
  await store.writePressure(pressure)
  await store.writeCustomers(customers)
  await store.writeEarnings(earnings)
  for (const [symbol, rows] of bySymbol(bars)) {
    await store.writeBars(
      symbol,
      rows.map(({ bar }) => bar),
      rows[0].fidelity
    )
  }
  for (const [symbol, rows] of bySymbol(records)) {
    await store.writeRecords(
      symbol,
      rows.map(({ record }) => record)
    )
  }
  for (const [symbol, rows] of bySymbol(dividends)) {
    await store.writeDividends(
      symbol,
      rows.map(({ dividend }) => dividend)
    )
  }
  await store.writeFigures(figures, await store.clock())
}

function bySymbol<Row extends { readonly symbol: Ticker }>(rows: readonly Row[]): ReadonlyMap<Ticker, readonly Row[]> {
  const groups = new Map<Ticker, Row[]>()
  for (const row of rows) {
    const group = groups.get(row.symbol)
    if (group === undefined) groups.set(row.symbol, [row])
    else group.push(row)
  }
  return groups
}

/** A row of figures in which every number is absurd. */
function poisoned<Row extends { readonly date: IsoDate }>(row: Row): Row {
  const absurd = Object.entries(row).map(([field, value]) => [field, typeof value === 'number' ? 1e6 + value : value])
  return Object.fromEntries(absurd) as Row
}

function poisonedCustomers({ groups, ...row }: SessionCustomers): SessionCustomers {
  const absurd = ({ products, scores }: CustomerSums): CustomerSums => ({
    contracts: 7777,
    products: products.map((sum) => 777 + sum),
    scores: scores.map((sum) => 777 + sum)
  })
  const poisoned = Object.entries(groups).map(([group, sums]) => [group, absurd(sums)])
  return { ...row, groups: Object.fromEntries(poisoned) }
}

/** Figures of which every one is absurd. */
function poisonedFigures({ symbol, asOf, figures }: FigureRow): FigureRow {
  const absurd = Object.keys(figures).map((name) => [name, 7_777_777] as const)
  return { symbol, asOf, figures: Object.fromEntries(absurd) }
}

/** A raw bar in which every figure is absurd. */
function poisonedBar({ sample, minute, ...row }: ZeroDteRow): ZeroDteRow {
  const absurd = (value: unknown) => (value instanceof Float64Array ? value.map(() => 7_777_777) : 7_777_777)
  const poison = <Given extends { readonly t: Instant }>({ t, ...figures }: Given) =>
    ({
      t,
      ...Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, absurd(value)]))
    }) as unknown as Given
  return { ...row, sample: poison(sample), minute: minute && { ...poison(minute), strike: minute.strike } }
}

function poisonedChain(chain: Chain): Chain {
  const columns = Object.entries(chain).flatMap(([name, column]) => {
    if (!(column instanceof Float64Array || column instanceof Int32Array) || name === 'strike') return []
    return [[name, column.map((value: number) => (value >= 0 ? value + 77_777 : 77_777))] as const]
  })
  const quote = { ...chain.quote, bid: 7e6, ask: 8e6, last: 7.5e6 }
  return { ...chain, ...(Object.fromEntries(columns) as Partial<Chain>), quote, spot: 7.5e6 }
}
