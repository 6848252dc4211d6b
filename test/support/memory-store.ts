import type {
  ChainSnapshot,
  CoveredDay,
  Gap,
  HistoryStore,
  StoredSnapshot,
  SymbolCoverage,
  WrittenAt,
  ZeroDteRow
} from '../../src/archive/history-store.ts'
import { session } from '../../src/market/calendar.ts'
import type { SessionCustomers } from '../../src/market/customer-sums.ts'
import type { EarningsStatement, EventRecord } from '../../src/market/earnings.ts'
import { easternDate } from '../../src/market/eastern.ts'
import type { PressureRow } from '../../src/market/hedge-pressure.ts'
import { recordsAsOf, type Split, sharesForOne, splitBar } from '../../src/market/split.ts'
import type { Instant, IsoDate, Ticker } from '../../src/market/units.ts'
import { SAMPLE_STEP } from '../../src/market/zero-dte-sample.ts'
import { type ArchiveRows, type BarRow, cutRows, type DividendRow, poisonRows, type RecordRow } from './archive-rows.ts'
import { tick } from './memory-clock.ts'
import { memoryFigures } from './memory-figures.ts'
import { MemoryTapes } from './memory-tapes.ts'

export interface MemoryStore extends HistoryStore {
  /** Another archive with what was visible at a moment, and no row more. */
  cut(at: Instant): MemoryStore
  /** Another archive in which every row that was not visible at a moment holds absurd values. */
  poison(at: Instant): MemoryStore
}

const nothing: ArchiveRows = { snapshots: [], bars: [], records: [] }
const closeOf = (date: IsoDate) => session(date)?.close ?? Number.POSITIVE_INFINITY
const ascending = <Row>(rows: readonly Row[], key: (row: Row) => number | string) =>
  [...rows].sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0))

/** An archive in memory, for tests: arrays, and the chain itself for its packed form. */
export function memoryStore(given: ArchiveRows = nothing, tapes = new MemoryTapes()): MemoryStore {
  let { snapshots, bars, records, dividends = [], earnings = [], zeroDte = [], pressure = [], customers = [] } = given
  const begun = new WeakMap<ChainSnapshot, WrittenAt>(snapshots.map((snapshot) => [snapshot, tick()]))
  let paid = dividends.map((row) => ({ ...row, written: tick(), since: row.dividend.knownFrom }))
  const figures = memoryFigures(given.figures, {
    tapes,
    snapshots: () => snapshots,
    writtenAt: (snapshot) => begun.get(snapshot)!,
    paid: () => paid
  })
  let eventRecords: readonly { readonly symbol: Ticker; readonly record: EventRecord }[] = []
  let splits: readonly { readonly symbol: Ticker; readonly split: Split }[] = []
  let gaps: readonly Gap[] = []
  let updatedAt = 0
  snapshots = ascending(snapshots, ({ chain }) => chain.asOf)
  zeroDte = ascending(zeroDte, ({ sample }) => sample.t)
  pressure = ascending(pressure, ({ t }) => t)

  const stored = ({ chain, fidelity }: ChainSnapshot): StoredSnapshot => {
    return { symbol: chain.symbol, asOf: chain.asOf, fidelity, packed: chain }
  }
  const dayOf = (symbol: Ticker, date: IsoDate) =>
    snapshots.filter(({ chain }) => chain.symbol === symbol && easternDate(chain.asOf) === date)
  const last = (found: readonly ChainSnapshot[]) => (found.length === 0 ? undefined : stored(found[found.length - 1]))
  const isClose = ({ chain }: ChainSnapshot) => last(dayOf(chain.symbol, easternDate(chain.asOf)))?.asOf === chain.asOf

  const barsOfDay = (symbol: Ticker, date: IsoDate, at: Instant) =>
    zeroDte.filter((row) => row.symbol === symbol && row.session === date && row.sample.t + SAMPLE_STEP <= at)
  const pressureOfDay = (symbol: Ticker, date: IsoDate, at: Instant) =>
    pressure.filter((row) => row.symbol === symbol && row.session === date && row.t + SAMPLE_STEP <= at)
  const symbols = () => [...new Set(snapshots.map(({ chain }) => chain.symbol))].sort()
  const covered = () =>
    symbols().map((symbol): SymbolCoverage => {
      const mine = snapshots.filter(({ chain }) => chain.symbol === symbol)
      const dates = [...new Set(mine.map(({ chain }) => easternDate(chain.asOf)))]
      return {
        symbol,
        days: dates.map((date) =>
          coveredDay(date, dayOf(symbol, date), tapes.symbols('option', date).includes(symbol))
        ),
        updatedAt
      }
    })

  const splitsOf = (symbol: Ticker) =>
    splits.flatMap((row) => (row.symbol === symbol && row.split.ratio !== 1 ? row.split : []))

  const held = (): ArchiveRows => ({
    snapshots,
    bars,
    records,
    dividends,
    earnings,
    zeroDte,
    pressure,
    customers,
    figures: figures.rows()
  })

  return {
    async writeSnapshots(added) {
      const nameOf = ({ chain }: ChainSnapshot) => `${chain.symbol} ${chain.asOf}`
      const names = new Set(added.map(nameOf))
      snapshots = ascending(
        [...snapshots.filter((row) => !names.has(nameOf(row))), ...added],
        ({ chain }) => chain.asOf
      )
      for (const snapshot of added) begun.set(snapshot, tick())
      updatedAt++
    },
    async writeBars(symbol, added, fidelity) {
      const dates = new Set(added.map(({ date }) => date))
      const others = bars.filter((row) => row.symbol !== symbol || !dates.has(row.bar.date))
      const rows = added.map((bar): BarRow => ({ symbol, bar, fidelity }))
      bars = ascending([...others, ...rows], ({ bar }) => bar.date)
      updatedAt++
    },
    async writeRecords(symbol, added) {
      const dates = new Set(added.map(({ date }) => date))
      const others = records.filter((row) => row.symbol !== symbol || !dates.has(row.record.date))
      const rows = added.map((record): RecordRow => ({ symbol, record }))
      records = ascending([...others, ...rows], ({ record }) => record.date)
      updatedAt++
    },
    async writeDividends(symbol, added) {
      const dates = new Set(added.map(({ exDate }) => exDate))
      const others = dividends.filter((row) => row.symbol !== symbol || !dates.has(row.dividend.exDate))
      const rows = added.map((dividend): DividendRow => ({ symbol, dividend }))
      dividends = ascending([...others, ...rows], ({ dividend }) => dividend.exDate)
      const sinceOf = (date: IsoDate) =>
        paid.filter((row) => row.symbol === symbol && row.dividend.exDate === date).map(({ since }) => since)
      const written = tick()
      paid = [
        ...paid,
        ...rows.map((row) => {
          const { exDate, knownFrom } = row.dividend
          return { ...row, written, since: Math.min(knownFrom, ...sinceOf(exDate)) }
        })
      ]
      updatedAt++
    },
    async writeSplits(symbol, added) {
      const dates = new Set(added.map(({ date }) => date))
      const others = splits.filter((row) => row.symbol !== symbol || !dates.has(row.split.date))
      splits = ascending([...others, ...added.map((split) => ({ symbol, split }))], ({ split }) => split.date)
      updatedAt++
    },
    async writeEarnings(added) {
      const nameOf = ({ symbol, date, knownFrom }: EarningsStatement) => `${symbol} ${date} ${knownFrom}`
      const names = new Set(added.map(nameOf))
      earnings = ascending([...earnings.filter((row) => !names.has(nameOf(row))), ...added], nameOf)
    },
    async writeEventRecords(symbol, added) {
      const others = eventRecords.filter(
        (row) => row.symbol !== symbol || !added.some(({ before }) => before === row.record.before)
      )
      eventRecords = [...others, ...added.map((record) => ({ symbol, record }))]
    },
    async writeTapes(text) {
      tapes.write(text)
    },
    async writeZeroDte(added) {
      const nameOf = ({ symbol, sample }: ZeroDteRow) => `${symbol} ${sample.t}`
      const names = new Set(added.map(nameOf))
      const kept = zeroDte.filter((row) => !names.has(nameOf(row)))
      zeroDte = ascending([...kept, ...added], ({ sample }) => sample.t)
    },
    async writePressure(added) {
      const nameOf = ({ symbol, t }: PressureRow) => `${symbol} ${t}`
      const names = new Set(added.map(nameOf))
      pressure = ascending([...pressure.filter((row) => !names.has(nameOf(row))), ...added], ({ t }) => t)
    },
    async writeCustomers(added) {
      const nameOf = ({ symbol, session }: SessionCustomers) => `${symbol} ${session}`
      const names = new Set(added.map(nameOf))
      customers = ascending([...customers.filter((row) => !names.has(nameOf(row))), ...added], ({ session }) => session)
    },
    clock: async () => tick(),
    writeFigures: async (added, knownAt) => figures.write(added, knownAt),
    async deleteTape(id) {
      tapes.forget(id)
    },
    async writeGap(gap) {
      gaps = ascending([...gaps, gap], ({ from }) => from)
    },

    snapshot: async (symbol, at) => last(dayOf(symbol, easternDate(at)).filter(({ chain }) => chain.asOf <= at)),
    closingSnapshot: async (symbol, date) => last(dayOf(symbol, date)),
    // Copies, as they come from a database.
    bars: async (symbol, at, count) => {
      const visible = bars.filter((row) => row.symbol === symbol && closeOf(row.bar.date) <= at)
      const known = splitsOf(symbol)
      const shares = known.length === 0 ? 1 : sharesForOne(known, easternDate(Date.now()), easternDate(at))
      return visible.slice(-count).map(({ bar }) => ({ ...splitBar(bar, shares) }))
    },
    records: async (symbol, date, count) => {
      const visible = records.filter((row) => row.symbol === symbol && row.record.date < date)
      const found = visible.slice(-count).map(({ record }) => ({ ...record }))
      return recordsAsOf(found, splitsOf(symbol), date)
    },
    bandErrors: async (from, before) => {
      const visible = records.filter(({ record }) => record.date >= from && record.date < before)
      const ordered = ascending(visible, ({ symbol, record }) => `${record.date} ${symbol}`)
      return ordered.map(({ symbol, record }) => {
        const errors = Object.entries(record).filter(([name]) => name.startsWith('band'))
        return { symbol, date: record.date, ...Object.fromEntries(errors) }
      })
    },
    splits: async (symbol) => splitsOf(symbol),
    earnings: async ({ symbol, from }, at) =>
      earnings.filter(
        (row) => (symbol === undefined || row.symbol === symbol) && row.date >= from && row.knownFrom <= at
      ),
    eventRecords: async (symbol) => eventRecords.filter((row) => row.symbol === symbol).map(({ record }) => record),
    dividends: async (symbol, at) => {
      const visible = dividends.filter((row) => row.symbol === symbol && row.dividend.knownFrom <= at)
      return visible.map(({ dividend }) => ({ ...dividend }))
    },

    figures: async (request) => figures.columns(request),
    waitingFigures: async (before, symbol) => figures.waiting(before, symbol),
    strikes: async (request, at) => figures.strikes(request, at),

    tape: async (id) => tapes.stored(id),
    tapeHead: async (id) => tapes.stored(id),
    zeroDteSamples: async (symbol, date, at) => barsOfDay(symbol, date, at).map(({ sample }) => ({ ...sample })),
    zeroDteMinutes: async (symbol, date, at) => barsOfDay(symbol, date, at).flatMap(({ minute }) => minute ?? []),
    newestSamples: async (date, at) => {
      const symbols = [...new Set(zeroDte.map(({ symbol }) => symbol))].sort()
      const newest = symbols.map((symbol) => [symbol, barsOfDay(symbol, date, at).slice(-2)] as const)
      return new Map(
        newest.flatMap(([symbol, rows]) => {
          const [last, before] = rows.toReversed()
          return last === undefined ? [] : [[symbol, { newest: last.sample, before: before?.sample }]]
        })
      )
    },
    customers: async (symbol, from, to) =>
      customers.filter((row) => row.symbol === symbol && row.session >= from && row.session <= to),
    pressure: async (symbol, date, at) =>
      pressureOfDay(symbol, date, at).map(({ t, next, cells }) => ({ t, next, cells: cells.slice() })),
    pressureAt: async (symbol, moments) =>
      ascending(moments, ({ session }) => session).flatMap(({ session, at }) => {
        const newest = pressureOfDay(symbol, session, at).at(-1)
        return newest === undefined ? [] : [{ session, cells: newest.cells.slice() }]
      }),
    tapedSymbols: async (kind, date) => tapes.symbols(kind, date),
    tapedSessions: async (symbol) => tapes.sessions(symbol),

    symbols: async () => symbols(),
    coverage: async (symbol) => covered().find((found) => found.symbol === symbol),
    coverages: async () => covered(),
    gaps: async (symbol, from, to) =>
      gaps.filter((gap) => (symbol === undefined || gap.symbol === symbol) && gap.from < to && gap.to > from),

    moments: async (symbol, from, to) =>
      snapshots
        .filter(({ chain }) => chain.symbol === symbol && chain.asOf >= from && chain.asOf < to)
        .map(({ chain, fidelity }) => ({ asOf: chain.asOf, fidelity })),

    async deleteBefore(before, { keepCloses }) {
      tapes.forgetBefore(easternDate(before))
      zeroDte = zeroDte.filter((row) => row.session >= easternDate(before))
      pressure = pressure.filter((row) => row.session >= easternDate(before))
      customers = customers.filter((row) => row.session >= easternDate(before))
      snapshots = snapshots.filter(
        (snapshot) =>
          snapshot.fidelity === 'imported' || snapshot.chain.asOf >= before || (keepCloses && isClose(snapshot))
      )
    },
    size: async () => [{ table: 'snapshots', rows: snapshots.length, bytes: 0 }],
    close: async () => {},

    cut: (at) => memoryStore(cutRows(held(), at), tapes.cut(at)),
    poison: (at) => memoryStore(poisonRows(held(), at), tapes.poison(at))
  }
}

function coveredDay(date: IsoDate, snapshots: readonly ChainSnapshot[], hasTape: boolean): CoveredDay {
  return {
    date,
    snapshots: snapshots.length,
    last: snapshots[snapshots.length - 1].chain.asOf,
    hasUnderlying: true,
    hasOptions: snapshots.some(({ chain }) => chain.size > 0),
    hasOpenInterest: snapshots.some(({ chain }) => chain.openInterest.some((open) => open >= 0)),
    hasFit: snapshots.some(({ missing }) => !missing.includes('svi_fits')),
    hasTape,
    fidelity: snapshots.every(({ fidelity }) => fidelity === 'recorded') ? 'recorded' : 'imported',
    missing: snapshots[0].missing.filter((absence) => absence !== 'trade_tape' || !hasTape)
  }
}
