import { CALL } from '../../market/chain.ts'
import { cellOf, MEASURES, PRESSURE_CELLS, sizeClass } from '../../market/hedge-pressure.ts'
import { ADJUSTED, BUY, MID, NO_PRICE, type PrintColumns, sideOf } from '../../market/print.ts'
import type { Series } from '../../market/series.ts'
import type { Instant, IsoDate } from '../../market/units.ts'
import { SAMPLE_STEP } from '../../market/zero-dte-sample.ts'
import type { Fold } from '../fold.ts'
import { deltaCents, gammaCents, vegaCents } from '../hedge-cents.ts'
import { copyOfGreeks, greeksAt, type KeptGreeks, keepGreeks, rowOf } from '../kept-greeks.ts'
import { isEligible } from '../print-rules.ts'

const MICROSECONDS = 1000
/** Length of a bar, microseconds. */
const BAR = SAMPLE_STEP * MICROSECONDS
/** Number of newest bars whose sums are kept by themselves. A view needs the bar that ended last and those after it. */
const KEPT_BARS = 20

/** Hedging pressure of all expirations since the greeks of the session are known, whole cents. */
export interface PressureState {
  readonly session: IsoDate
  readonly unit: number
  /** When the first greeks became known, microseconds. */
  since: number | undefined
  /** The nearest expiration after the session that was listed then. */
  next: IsoDate | undefined
  /** For each instrument, the first cell of its expiration and right. */
  readonly cellOfSeries: number[]
  readonly greeks: KeptGreeks[]
  /** Sums in the order of `pressureClasses`. */
  readonly running: Float64Array
  /** Sums of the newest bars; the key counts bars since 1970. */
  readonly bars: Map<number, Float64Array>
}

/**
 * Sums of the prints of every expiration by class. The rules are those of `hedgeFlow`: eligible prints with a side, a spot
 * and greeks, which come from the newest snapshot known before the time of the print. A print that comes more than ten
 * minutes late finds none and adds nothing.
 */
export const pressure: Fold<PressureState> = {
  version: 1,
  kinds: ['option'],
  begin: ({ session, unit }) => ({
    session,
    unit,
    since: undefined,
    next: undefined,
    cellOfSeries: [],
    greeks: [],
    running: new Float64Array(PRESSURE_CELLS),
    bars: new Map()
  }),
  step(state, { prints, series, greeks, dropped }, from, to) {
    if (greeks === undefined) return
    state.since ??= greeks.since
    state.next ??= greeks.next
    admitSeries(state, series)
    keepGreeks(state.greeks, greeks, series.length, dropped)
    add(state, prints, from, to, dropped, 1)
  },
  undo(state, { prints, dropped }, at) {
    if (state.since !== undefined) add(state, prints, at, at + 1, dropped, -1)
  },
  copy: (state) => ({
    ...state,
    cellOfSeries: [...state.cellOfSeries],
    greeks: copyOfGreeks(state.greeks),
    running: state.running.slice(),
    bars: new Map([...state.bars].map(([bar, cells]) => [bar, cells.slice()]))
  })
}

/** Sums of everything before `end`, and of the bar that ends then. */
export function pressureUntil({ running, bars }: PressureState, end: Instant) {
  const bar = (end * MICROSECONDS) / BAR
  const sum = running.slice()
  for (const [at, cells] of bars)
    if (at >= bar) for (let cell = 0; cell < PRESSURE_CELLS; cell++) sum[cell] -= cells[cell]
  return { sum, inside: bars.get(bar - 1)?.slice() ?? new Float64Array(PRESSURE_CELLS) }
}

function add(
  state: PressureState,
  prints: PrintColumns,
  from: number,
  to: number,
  dropped: number,
  sign: number
): void {
  const { cellOfSeries, greeks, running, unit } = state
  const { ts, flags, instrument, judged, size, spot } = prints
  let begin = Number.NaN
  let inBar = running
  for (let at = from; at < to; at++) {
    const side = sideOf(judged[at])
    if (side === MID || spot[at] === NO_PRICE || (flags[at] & ADJUSTED) !== 0 || !isEligible(flags[at])) continue
    const known = greeksAt(greeks, ts[at])
    const row = known === undefined ? -1 : rowOf(known, instrument[at])
    if (row < 0) continue
    known!.used[row] = 1
    known!.newestRow = Math.max(known!.newestRow, dropped + at)
    if (!(ts[at] >= begin && ts[at] < begin + BAR)) {
      begin = BAR * Math.floor(ts[at] / BAR)
      inBar = barOf(state, begin / BAR)
    }
    const dollars = spot[at] * unit
    const contracts = side === BUY ? size[at] : -size[at]
    const cell = cellOfSeries[instrument[at]] + MEASURES * sizeClass(size[at])
    const delta = sign * deltaCents(contracts, dollars, known!.delta[row])
    const gamma = sign * gammaCents(contracts, dollars, known!.gamma[row])
    const vega = sign * vegaCents(contracts, known!.vega[row])
    running[cell] += delta
    running[cell + 1] += gamma
    running[cell + 2] += vega
    inBar[cell] += delta
    inBar[cell + 1] += gamma
    inBar[cell + 2] += vega
  }
}

/** Sums of a bar. Those of old bars are needed no more; what changes in them is thrown away. */
function barOf({ bars }: PressureState, bar: number): Float64Array {
  let cells = bars.get(bar)
  if (cells !== undefined) return cells
  cells = new Float64Array(PRESSURE_CELLS)
  const newest = Math.max(bar, ...bars.keys())
  if (bar <= newest - KEPT_BARS) return cells
  for (const old of bars.keys()) if (old <= newest - KEPT_BARS) bars.delete(old)
  bars.set(bar, cells)
  return cells
}

const [OF_DAY, NEXT, REST] = [0, 1, 2]
const PUT_PLACE = 1

function admitSeries({ session, next, cellOfSeries }: PressureState, series: Series): void {
  for (let instrument = cellOfSeries.length; instrument < series.length; instrument++) {
    const { date } = series.expirations[series.expiration[instrument]]
    const expiry = date === session ? OF_DAY : date === next ? NEXT : REST
    cellOfSeries.push(cellOf(expiry, series.right[instrument] === CALL ? 0 : PUT_PLACE, 0))
  }
}
