import fc from 'fast-check'
import { nearCancel } from '../../src/flow/near-cancel.ts'
import type { ViewContext } from '../../src/flow/tape-views.ts'
import { CALL, PUT } from '../../src/market/chain.ts'
import {
  CANCEL,
  CROSS,
  copyPrints,
  EXTENDED,
  emptyPrints,
  INFERRED,
  INTERMARKET_SWEEP,
  judgedOf,
  MARKED,
  MULTI_LEG,
  NO_PRICE,
  type Prints,
  SETS_NO_PRICE,
  type TapeKind
} from '../../src/market/print.ts'
import { type Series, SeriesList, stockSeries } from '../../src/market/series.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'

export const session = '2026-07-29' as IsoDate
const OPEN = Date.UTC(2026, 6, 29, 13, 30) * 1000 // microseconds

/** Six series of three expirations, the first of them on the day of the session. */
export const madeUpSeries: Series = (() => {
  const list = new SeriesList()
  for (const date of ['2026-07-29', '2026-07-30', '2026-08-21'] as IsoDate[]) {
    for (const right of [CALL, PUT]) {
      list.numberOf({ root: 'SPY', date, settlement: 'pm', strike: 630, right, adjusted: false })
    }
  }
  return list.columns
})()

/** A tape in its order, with `known` as the newest time so far. */
export interface MadeUpTape {
  readonly kind: TapeKind
  readonly series: Series
  readonly prints: Prints
}

const flags = fc.oneof(
  { weight: 8, arbitrary: fc.constant(0) },
  fc.constantFrom(MULTI_LEG, CROSS, EXTENDED, INTERMARKET_SWEEP, SETS_NO_PRICE, INFERRED)
)

const print = fc.record({
  /** Microseconds after the print before it; most prints come in bursts. */
  gap: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0, max: 700_000 }) },
    { weight: 2, arbitrary: fc.constantFrom(0, 500_000, 500_001, 2_000_000) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 40_000_000 }) }
  ),
  /** How far its time is behind that, as a feed of several exchanges has it. */
  behind: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, fc.integer({ min: 0, max: 500_000 })),
  instrument: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(5)),
  price: fc.integer({ min: 1, max: 40 }).map((cents) => 100 * cents),
  size: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constantFrom(25, 99, 100, 249, 250, 1000, 40_000)),
  side: fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, fc.nat(2)),
  aggressor: fc.nat(4),
  flags,
  exchange: fc.nat(2),
  spot: fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 6_300_000, max: 6_310_000 }) }, fc.constant(NO_PRICE)),
  /** Rows after which it is taken back; 0: never. */
  cancelAfter: fc.oneof({ weight: 12, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 40 }))
})

/** Tapes of up to `length` prints, with cancels where wanted. */
export function anyTape(kind: TapeKind, { length = 150, cancels = true } = {}): fc.Arbitrary<MadeUpTape> {
  return fc.array(print, { maxLength: length, size: 'max' }).map((made) => {
    const rows: { row: (typeof made)[number]; sequence: number; ts: number; cancel: boolean }[] = []
    const due: { at: number; of: (typeof rows)[number] }[] = []
    const newest = new Map<number, number>()
    let now = OPEN
    made.forEach((row, sequence) => {
      now += row.gap
      const instrument = kind === 'stock' ? 0 : row.instrument
      const ts = Math.max(now - row.behind, (newest.get(instrument) ?? 0) - 500_000)
      newest.set(instrument, Math.max(ts, newest.get(instrument) ?? 0))
      const one = { row: { ...row, instrument }, sequence, ts, cancel: false }
      rows.push(one)
      for (const { of } of due.filter(({ at }) => at === sequence)) rows.push({ ...of, cancel: true })
      if (cancels && row.cancelAfter > 0) due.push({ at: sequence + row.cancelAfter, of: one })
    })
    const prints = emptyPrints(rows.length)
    let known = OPEN
    rows.forEach(({ row, sequence, ts, cancel }, at) => {
      known = Math.max(known + (cancel ? 1 : 0), ts)
      prints.known[at] = known
      prints.ts[at] = ts
      prints.sequence[at] = sequence
      prints.instrument[at] = row.instrument
      prints.price[at] = row.price
      prints.size[at] = row.size
      prints.bid[at] = NO_PRICE
      prints.ask[at] = NO_PRICE
      prints.spot[at] = row.spot
      prints.flags[at] = row.flags | (cancel ? CANCEL : 0)
      prints.judged[at] = (row.flags & MARKED) !== 0 ? 0 : judgedOf(row.side, row.aggressor, 1)
      prints.exchange[at] = row.exchange
    })
    return { kind, series: kind === 'stock' ? stockSeries : madeUpSeries, prints }
  })
}

/** The rows around a cancel, found by looking at the whole tape. */
export function rowsNear(prints: Prints): (at: number) => Prints {
  return (at) => {
    const { from, to } = nearCancel(prints.ts[at])
    return rowsOf(prints, (row) => row <= at && prints.ts[row] >= from && prints.ts[row] < to)
  }
}

/** Selects rows of a tape, in their order. */
export function rowsOf(prints: Prints, isWanted: (row: number) => boolean): Prints {
  const wanted = Array.from({ length: prints.length }, (_, row) => row).filter(isWanted)
  const rows = emptyPrints(wanted.length)
  wanted.forEach((row, at) => {
    copyPrints(prints, row, row + 1, rows, at)
  })
  return rows
}

/** The moment after the last row of a tape, or so many milliseconds later. */
export function momentAfter({ kind, series, prints }: MadeUpTape, later = 0): ViewContext {
  const known = prints.length === 0 ? undefined : prints.known[prints.length - 1] / 1000
  const header = {
    symbol: 'SPY' as Ticker,
    kind,
    session,
    source: 'recorded',
    unit: 1e-4,
    known,
    version: 1,
    silent: false
  } as const
  return { ...header, now: (known ?? OPEN / 1000) + later, series, confidence: 0.43 }
}
