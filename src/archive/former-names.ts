import { easternDate, instantOfEastern } from '../market/eastern.ts'
import type { FigureColumns, FigureRequest } from '../market/figure-row.ts'
import { currentName, type FormerName, formerNames, nameOn, newestNameOn } from '../market/renames.ts'
import { recordsAsOf, sharesForOne, splitBar } from '../market/split.ts'
import type { IsoDate, Ticker } from '../market/units.ts'
import type { HistoryStore, SymbolCoverage } from './history-store.ts'

type Read<Found> = (name: Ticker) => Promise<Found>

/**
 * Makes an archive find under the newest symbol of a company what was written under an earlier one: on a day before a
 * rename it reads the symbol of that day if the newest one has nothing there. Nothing is moved, so renames may be added
 * or taken back. Symbols that were never renamed cost no further read.
 */
export function withFormerNames<Store extends HistoryStore>(store: Store): Store {
  return {
    ...store,
    snapshot: (symbol, at) =>
      ofDay(symbol, easternDate(at), async (name) => named(await store.snapshot(name, at), symbol)),
    closingSnapshot: (symbol, date) =>
      ofDay(symbol, date, async (name) => named(await store.closingSnapshot(name, date), symbol)),
    tape: (id) => ofDay(id.symbol, id.session, async (symbol) => named(await store.tape({ ...id, symbol }), id.symbol)),
    tapeHead: (id) => ofDay(id.symbol, id.session, (symbol) => store.tapeHead({ ...id, symbol })),
    strikes: (request, at) =>
      joined(
        request.symbol,
        (symbol) => store.strikes({ ...request, symbol }, at),
        ({ asOf }) => easternDate(asOf)
      ),
    zeroDteSamples: (symbol, date, at) => ofDay(symbol, date, (name) => store.zeroDteSamples(name, date, at)),
    zeroDteMinutes: (symbol, date, at) => ofDay(symbol, date, (name) => store.zeroDteMinutes(name, date, at)),
    pressure: (symbol, date, at) => ofDay(symbol, date, (name) => store.pressure(name, date, at)),

    moments: (symbol, from, to) =>
      joined(
        symbol,
        (name) => store.moments(name, from, to),
        ({ asOf }) => easternDate(asOf)
      ),
    dividends: (symbol, at) =>
      joined(
        symbol,
        (name) => store.dividends(name, at),
        ({ exDate }) => exDate
      ),
    splits: (symbol) =>
      joined(
        symbol,
        (name) => store.splits(name),
        ({ date }) => date
      ),
    eventRecords: (symbol) =>
      joined(
        symbol,
        (name) => store.eventRecords(name),
        ({ before }) => before
      ),
    customers: (symbol, from, to) =>
      joined(
        symbol,
        (name) => store.customers(name, from, to),
        ({ session }) => session
      ),
    async gaps(symbol, from, to) {
      if (symbol === undefined) {
        const found = await store.gaps(symbol, from, to)
        return found.map((gap) => ({ ...gap, symbol: newestNameOn(gap.symbol, easternDate(gap.from)) }))
      }
      const gaps = await joined(
        symbol,
        (name) => store.gaps(name, from, to),
        (gap) => easternDate(gap.from)
      )
      return gaps.map((gap) => ({ ...gap, symbol }))
    },
    pressureAt: (symbol, moments) =>
      joined(
        symbol,
        (name) => store.pressureAt(name, moments),
        ({ session }) => session
      ),
    async bars(symbol, at, count) {
      const own = await store.bars(symbol, at, count)
      if (formerNames(symbol).length === 0) return own
      const splits = await store.splits(symbol)
      const read: Read<typeof own> = async (name) => (name === symbol ? own : store.bars(name, at, count))
      // Bars that were written under an earlier symbol are not adjusted for the splits of the newest one.
      const today = easternDate(at)
      const bars = await joined(
        symbol,
        read,
        ({ date }) => date,
        (rows, { until }) => {
          const later = splits.filter(({ date }) => date >= until)
          return rows.map((bar) => splitBar(bar, sharesForOne(later, bar.date, today)))
        }
      )
      return bars.slice(-count)
    },
    async records(symbol, date, count) {
      const own = await store.records(symbol, date, count)
      if (formerNames(symbol).length === 0) return own
      const splits = await store.splits(symbol)
      const read: Read<typeof own> = async (name) => (name === symbol ? own : store.records(name, date, count))
      const records = await joined(
        symbol,
        read,
        (record) => record.date,
        (rows, { until }) =>
          recordsAsOf(
            rows,
            splits.filter((split) => split.date >= until),
            date
          )
      )
      return records.slice(-count)
    },
    async earnings(asked, at) {
      const { symbol } = asked
      if (symbol === undefined) {
        const found = await store.earnings(asked, at)
        return found.map((row) => ({ ...row, symbol: newestNameOn(row.symbol, row.date) }))
      }
      const read: Read<Awaited<ReturnType<typeof store.earnings>>> = (name) =>
        store.earnings({ ...asked, symbol: name }, at)
      return joined(
        symbol,
        read,
        ({ date }) => date,
        (rows) => rows.map((row) => ({ ...row, symbol }))
      )
    },
    async figures(request) {
      const own = await store.figures(request)
      const earlier = await Promise.all(spansOf(request).map((span) => store.figures(span)))
      return earlier.reduce(withEarlierFigures, own)
    },

    async tapedSymbols(kind, session) {
      const found = await store.tapedSymbols(kind, session)
      return unique(found.map((name) => newestNameOn(name, session)))
    },
    async newestSamples(session, at) {
      const found = await store.newestSamples(session, at)
      return new Map([...found].map(([name, samples]) => [newestNameOn(name, session), samples]))
    },
    symbols: async () => unique((await store.symbols()).map(currentName)),
    async coverage(symbol) {
      const names = unique([symbol, ...formerNames(symbol).map(({ name }) => name)])
      const found = await Promise.all(names.map((name) => store.coverage(name)))
      return coverageOf(
        symbol,
        found.filter((coverage) => coverage !== undefined)
      )
    },
    async coverages() {
      const found = await store.coverages()
      return unique(found.map(({ symbol }) => currentName(symbol))).flatMap((symbol) => coverageOf(symbol, found) ?? [])
    }
  }
}

/** Coverage of a company: of its newest symbol, and on days before a rename that lack there, of the symbol of the day. */
function coverageOf(symbol: Ticker, found: readonly SymbolCoverage[]): SymbolCoverage | undefined {
  const names = new Set(formerNames(symbol).map(({ name }) => name))
  const own = found.find((coverage) => coverage.symbol === symbol)
  const others = found.filter((coverage) => coverage.symbol !== symbol && names.has(coverage.symbol))
  const known = new Set(own?.days.map(({ date }) => date))
  const earlier = others.flatMap(({ symbol: name, days }) =>
    days.filter(({ date }) => nameOn(symbol, date) === name && !known.has(date))
  )
  const days = [...earlier, ...(own?.days ?? [])].sort((a, b) => (a.date < b.date ? -1 : 1))
  if (days.length === 0) return undefined
  const updatedAt = Math.max(...[...others, ...(own === undefined ? [] : [own])].map((each) => each.updatedAt))
  return { symbol, days, updatedAt }
}

/** Reads data of one day: under the newest symbol, and if it has nothing there, under the symbol of that day. */
async function ofDay<Found>(symbol: Ticker, date: IsoDate, read: Read<Found>): Promise<Found> {
  const found = await read(symbol)
  const name = nameOn(symbol, date)
  if (name === symbol || !isNothing(found)) return found
  return read(name)
}

const isNothing = (found: unknown) => found === undefined || (Array.isArray(found) && found.length === 0)

/**
 * Reads rows under all symbols of a company and joins them, ascending by day. Each symbol counts for the days on which
 * it was the company's; a day that the newest symbol has is taken from there. `adapt` changes rows of earlier symbols.
 */
async function joined<Row>(
  symbol: Ticker,
  read: Read<readonly Row[]>,
  dateOf: (row: Row) => IsoDate,
  adapt: (rows: readonly Row[], name: FormerName) => readonly Row[] = (rows) => rows
): Promise<readonly Row[]> {
  const own = await read(symbol)
  const names = formerNames(symbol).filter(({ name }) => name !== symbol)
  if (names.length === 0) return own
  const days = new Set(own.map(dateOf))
  const earlier = await Promise.all(
    names.map(async (former) => {
      const rows = await read(former.name)
      return adapt(
        rows.filter((row) => nameOn(symbol, dateOf(row)) === former.name && !days.has(dateOf(row))),
        former
      )
    })
  )
  return [...earlier.flat(), ...own].sort((a, b) => (dateOf(a) < dateOf(b) ? -1 : dateOf(a) > dateOf(b) ? 1 : 0))
}

/** What was stored under an earlier symbol, under the newest one. */
function named<Found extends { readonly symbol: Ticker } | undefined>(found: Found, symbol: Ticker): Found {
  return found === undefined || found.symbol === symbol ? found : { ...found, symbol }
}

/** The parts of a request for figures that lie before a rename, each with the symbol of its days. */
function spansOf(request: FigureRequest): readonly FigureRequest[] {
  let begin = Number.NEGATIVE_INFINITY
  return formerNames(request.symbol).flatMap(({ name, until }) => {
    const [from, end] = [Math.max(request.from, begin), instantOfEastern(until, 0)]
    begin = end
    const to = Math.min(request.to, end - 1)
    if (name === request.symbol || from > to) return []
    return [{ ...request, symbol: name, from, to, until: Math.min(request.until, end - 1) }]
  })
}

/** Adds the rows of an earlier symbol, on days of which there are none. */
function withEarlierFigures(held: FigureColumns, earlier: FigureColumns): FigureColumns {
  const days = new Set(Array.from(held.t, easternDate))
  const all = Float64Array.from([...earlier.t, ...held.t])
  const order = Array.from(all.keys())
    .filter((row) => row >= earlier.t.length || !days.has(easternDate(all[row])))
    .sort((a, b) => all[a] - all[b])
  const joinedColumn = (one: Float64Array, other: Float64Array) =>
    Float64Array.from(order, (row) => (row < one.length ? one[row] : other[row - one.length]))
  return {
    t: joinedColumn(earlier.t, held.t),
    columns: held.columns.map((column, k) => joinedColumn(earlier.columns[k], column)),
    waiting: [...earlier.waiting, ...held.waiting].sort((a, b) => a.from - b.from)
  }
}

const unique = (symbols: readonly Ticker[]) => [...new Set(symbols)].sort()
