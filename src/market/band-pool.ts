import { type BandErrorName, type BandErrors, bandErrorName, bandMeasures, bandTenors } from './band-errors.ts'
import { memoizeBy } from './memoize.ts'
import { type SecurityKind, securityKind } from './security.ts'
import type { IsoDate, Ticker } from './units.ts'

/** Errors of the bands of one symbol that its daily record of a session holds. */
export interface SymbolBandErrors extends BandErrors {
  readonly symbol: Ticker
  readonly date: IsoDate
}

/** Errors of one measure and tenor over many symbols. */
export interface ErrorPool {
  /** Number of errors and their sum, for each session of `BandPools.sessions`. */
  readonly counts: Float64Array
  readonly sums: Float64Array
  /** Number of errors by their size; `binOf` says which bin holds a size. */
  readonly bins: Float64Array
}

type Pools = Readonly<Record<BandErrorName, ErrorPool>>

/** Errors of the bands of all symbols, and of those of one class. */
export interface BandPools {
  readonly kind: SecurityKind
  /** Sessions with errors of any symbol, ascending. */
  readonly sessions: readonly IsoDate[]
  readonly class: Pools
  readonly all: Pools
}

/** Newest sessions whose errors count, and the calendar days in which so many surely lie. */
const POOLED_SESSIONS = 60
export const POOLED_DAYS = 100

/** Width of a bin, in deviations of the prior band. The outermost bins also hold all larger errors. */
export const BIN_WIDTH = 0.1
const LARGEST = 12
export const BINS = Math.round((2 * LARGEST) / BIN_WIDTH)

export const binOf = (error: number) => Math.min(Math.max(Math.floor((error + LARGEST) / BIN_WIDTH), 0), BINS - 1)

/** Lower edge of a bin, in deviations of the prior band. */
export const bandEdgeOf = (bin: number) => bin * BIN_WIDTH - LARGEST

const names = bandMeasures.flatMap((measure) => bandTenors.map((tenor) => bandErrorName(measure, tenor)))

/** Pools the errors of the newest 60 sessions for symbols of a class, from rows that ascend by date. */
export const bandPools = memoizeBy((rows: readonly SymbolBandErrors[], kind: SecurityKind): BandPools => {
  const sessions = [...new Set(rows.map(({ date }) => date))].slice(-POOLED_SESSIONS)
  const places = new Map(sessions.map((date, place) => [date, place]))
  const empty = (): Pools =>
    Object.fromEntries(names.map((name) => [name, emptyPool(sessions.length)])) as Record<BandErrorName, ErrorPool>
  const pools: BandPools = { kind, sessions, class: empty(), all: empty() }
  for (const row of rows) {
    const place = places.get(row.date)
    if (place === undefined) continue
    const isOfClass = securityKind(row.symbol) === kind
    for (const name of names) {
      const error = row[name]
      if (error === undefined) continue
      add(pools.all[name], place, error)
      if (isOfClass) add(pools.class[name], place, error)
    }
  }
  return pools
})

function emptyPool(sessions: number): ErrorPool {
  return { counts: new Float64Array(sessions), sums: new Float64Array(sessions), bins: new Float64Array(BINS) }
}

function add({ counts, sums, bins }: ErrorPool, place: number, error: number): void {
  counts[place]++
  sums[place] += error
  bins[binOf(error)]++
}

/** A morning of one symbol, and its error. */
export interface MorningError {
  readonly date: IsoDate
  readonly error: number
}

/** A pool without the errors of one symbol, which are among those it was made from. */
export function withoutOwn(pool: ErrorPool, sessions: readonly IsoDate[], own: readonly MorningError[]): ErrorPool {
  const [counts, sums, bins] = [pool.counts.slice(), pool.sums.slice(), pool.bins.slice()]
  for (const { date, error } of own) {
    const place = sessions.indexOf(date)
    if (place < 0) continue
    counts[place]--
    sums[place] -= error
    bins[binOf(error)]--
  }
  return { counts, sums, bins }
}

/** Errors of one measure and tenor that daily records hold, in their order. */
export function morningErrors(
  records: readonly (BandErrors & { readonly date: IsoDate })[],
  name: BandErrorName
): readonly MorningError[] {
  return records.flatMap(({ date, [name]: error }) => (error === undefined ? [] : [{ date, error }]))
}
