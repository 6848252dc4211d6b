import type {
  MinuteBuckets,
  PrintWindow,
  SecondBars,
  TapeHeader,
  Totals,
  WindowTotals
} from '../../src/flow/tape-views.ts'
import {
  ADJUSTED,
  emptyPrints,
  judgedOf,
  NO_PRICE,
  PRICE_UNIT,
  SETS_NO_PRICE,
  sides,
  type TapeKind,
  type TapeSource
} from '../../src/market/print.ts'
import { type ListedSeries, type Series, SeriesList, stockSeries } from '../../src/market/series.ts'
import type { Instant, IsoDate, Ticker } from '../../src/market/units.ts'

/** A print as a test writes it down; prices in units of the tape. */
export interface PlainPrint {
  /** Microseconds. */
  readonly ts: number
  readonly price: number
  readonly size: number
  readonly side: (typeof sides)[number]
  /** Place in the series of its tape. */
  readonly instrument?: number
  readonly bid?: number
  readonly ask?: number
  readonly flags?: number
}

/** A session of a tape, prints in the order in which they became known. */
export interface PlainTape {
  readonly symbol: Ticker
  readonly kind: TapeKind
  readonly session: IsoDate
  readonly prints: readonly PlainPrint[]
  /** Contracts of an option tape. */
  readonly series?: readonly ListedSeries[]
  readonly unit?: number
  readonly source?: TapeSource
  readonly silent?: boolean
}

export interface PlainViews {
  readonly totals: Totals
  readonly prints: PrintWindow
  readonly blocks: PrintWindow
  readonly minutes: MinuteBuckets
  readonly seconds: SecondBars
}

const RING = 10_000
const LARGE_RING = 5000
const largeFrom = { option: 25, stock: 1000 }
const MINUTE = 60_000_000
const SECOND = 1_000_000

/** Computes the views of a tape the slow way: every sum from all prints. */
export function plainViews(tape: PlainTape): PlainViews {
  const { kind, prints } = tape
  const series = seriesOf(tape)
  const header = headerOf(tape)
  const summed = prints.filter(({ flags = 0 }) => (flags & ADJUSTED) === 0)
  const expirationOf = ({ instrument = 0 }: PlainPrint) => Math.max(series.expiration[instrument], 0)
  const large = prints.filter(({ size }) => size >= largeFrom[kind])
  const expirations = kind === 'stock' ? [0] : series.expirations.map((_, k) => k)
  const ofExpirations = expirations.map((k) => summed.filter((print) => expirationOf(print) === k))
  const keys = ascending(summed.map(({ ts }) => Math.floor(ts / MINUTE))).flatMap((minute) =>
    expirations.map((expiration) => ({ minute, expiration }))
  )
  const minutes = keys
    .map((key) => ({ ...key, prints: ofExpirations[key.expiration].filter(startsIn(key.minute, MINUTE)) }))
    .filter((bucket) => bucket.prints.length > 0)
  const seconds = ascending(summed.map(({ ts }) => Math.floor(ts / SECOND)))
  return {
    totals: {
      ...header,
      expirations: series.expirations,
      ...columns(ofExpirations),
      contracts: Int32Array.from(ofExpirations, (some) => new Set(some.map(({ instrument }) => instrument)).size)
    },
    prints: { ...header, series, prints: rowsOf(prints.slice(-RING)) },
    blocks: { ...header, series, prints: rowsOf(large.slice(-LARGE_RING)) },
    minutes: {
      ...header,
      expirations: series.expirations,
      length: minutes.length,
      minute: Float64Array.from(minutes, ({ minute }) => minute * 60_000),
      expiration: Int32Array.from(minutes, ({ expiration }) => expiration),
      ...columns(minutes.map((bucket) => bucket.prints))
    },
    seconds: {
      ...header,
      length: seconds.length,
      second: Float64Array.from(seconds, (second) => second * 1000),
      ...columns(seconds.map((second) => summed.filter(startsIn(second, SECOND))))
    }
  }
}

/** Sums over the sessions of one tape, from a minute on; undefined without a print. */
export function plainWindow(tapes: readonly PlainTape[], from: Instant): WindowTotals | undefined {
  const [{ symbol, unit = PRICE_UNIT }] = tapes
  const prints = tapes
    .flatMap((tape) => tape.prints)
    .filter(({ ts, flags = 0 }) => ts >= 1000 * from && (flags & ADJUSTED) === 0)
  if (prints.length === 0) return undefined
  const sums = sumsOf(prints)
  const last = Math.floor(sums.newest / MINUTE)
  const { money: lastMoney, pricedSize: lastPricedSize } = sumsOf(prints.filter(startsIn(last, MINUTE)))
  return { symbol, unit, ...sums, lastMoney, lastPricedSize }
}

function headerOf({
  symbol,
  kind,
  session,
  source = 'recorded',
  unit = PRICE_UNIT,
  silent = false,
  prints
}: PlainTape): TapeHeader {
  const newest = Math.max(...prints.map(({ ts }) => ts))
  return {
    symbol,
    kind,
    session,
    source,
    unit,
    version: 1,
    known: prints.length === 0 ? undefined : Math.floor(newest / 1000),
    silent
  }
}

function seriesOf({ kind, series = [] }: PlainTape): Series {
  if (kind === 'stock') return stockSeries
  const list = new SeriesList()
  for (const one of series) list.numberOf(one)
  return list.columns
}

const startsIn =
  (stretch: number, length: number) =>
  ({ ts }: PlainPrint) =>
    Math.floor(ts / length) === stretch
const ascending = (values: readonly number[]) => [...new Set(values)].sort((a, b) => a - b)
const total = (prints: readonly PlainPrint[], figure: (print: PlainPrint) => number) =>
  prints.reduce((sum, print) => sum + figure(print), 0)

/** Figures of some prints, at least one. */
function sumsOf(prints: readonly PlainPrint[]) {
  const priced = prints.filter(({ flags = 0 }) => (flags & SETS_NO_PRICE) === 0)
  const of = (some: readonly PlainPrint[], side: string) => some.filter((print) => print.side === side)
  const money = (some: readonly PlainPrint[]) => total(some, ({ price, size }) => price * size)
  const volume = (some: readonly PlainPrint[]) => total(some, ({ size }) => size)
  const biggest = Math.max(...prints.map(({ size }) => size))
  const byTime = priced.toSorted((a, b) => a.ts - b.ts)
  const prices = priced.map(({ price }) => price)
  return {
    bought: volume(of(prints, 'buy')),
    sold: volume(of(prints, 'sell')),
    other: volume(of(prints, 'mid')),
    trades: prints.length,
    biggest,
    biggestAt: Math.max(...prints.filter(({ size }) => size === biggest).map(({ ts }) => ts)),
    newest: Math.max(...prints.map(({ ts }) => ts)),
    money: money(priced),
    pricedSize: volume(priced),
    boughtMoney: money(of(priced, 'buy')),
    soldMoney: money(of(priced, 'sell')),
    high: prices.length === 0 ? NO_PRICE : Math.max(...prices),
    low: prices.length === 0 ? NO_PRICE : Math.min(...prices),
    open: byTime[0]?.price ?? NO_PRICE,
    close: byTime.at(-1)?.price ?? NO_PRICE
  }
}

const nothing = { ...sumsOf([]), biggest: 0, biggestAt: Number.NaN, newest: Number.NaN }

function columns(groups: readonly (readonly PlainPrint[])[]) {
  const rows = groups.map((group) => (group.length === 0 ? nothing : sumsOf(group)))
  const wide = (name: keyof typeof nothing) => Float64Array.from(rows, (row) => row[name])
  const narrow = (name: keyof typeof nothing) => Int32Array.from(rows, (row) => row[name])
  return {
    bought: wide('bought'),
    sold: wide('sold'),
    other: wide('other'),
    trades: narrow('trades'),
    biggest: narrow('biggest'),
    biggestAt: wide('biggestAt'),
    newest: wide('newest'),
    money: wide('money'),
    pricedSize: wide('pricedSize'),
    boughtMoney: wide('boughtMoney'),
    soldMoney: wide('soldMoney'),
    high: narrow('high'),
    low: narrow('low'),
    open: narrow('open'),
    close: narrow('close')
  }
}

function rowsOf(prints: readonly PlainPrint[]) {
  const rows = emptyPrints(prints.length)
  prints.forEach(({ ts, price, size, side, instrument = 0, bid = NO_PRICE, ask = NO_PRICE, flags = 0 }, row) => {
    rows.known[row] = ts
    rows.ts[row] = ts
    rows.sequence[row] = row
    rows.instrument[row] = instrument
    rows.price[row] = price
    rows.size[row] = size
    rows.bid[row] = bid
    rows.ask[row] = ask
    rows.spot[row] = NO_PRICE
    rows.flags[row] = flags
    rows.judged[row] = judgedOf(sides.indexOf(side), 0, 0)
  })
  return rows
}
