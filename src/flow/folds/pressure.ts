import { CALL } from '../../market/chain.ts'
import { CELLS_OF_EXPIRY, cellOf, MEASURES, PRESSURE_CELLS, sizeClass } from '../../market/hedge-pressure.ts'
import { MID, NO_PRICE, type PrintColumns, sideOf, signs } from '../../market/print.ts'
import type { Series } from '../../market/series.ts'
import type { IsoDate } from '../../market/units.ts'
import { type Fold, GREEKS } from '../fold.ts'
import { deltaCents, gammaCents, vegaCents } from '../hedge-cents.ts'
import { copyOfGreeks, type KeptGreeks, keepGreeks, markUsed, noGreeks, readGreeks } from '../kept-greeks.ts'
import { cancelledRow } from '../near-cancel.ts'
import { BAR, copyOfBars, noBars, type PressureBars, sumsOfBar } from '../pressure-bars.ts'
import { isEligible } from '../print-rules.ts'

/** Hedging pressure of the expirations after the day of the session, since greeks are known. Whole cents. */
export interface PressureState {
  readonly session: IsoDate
  readonly unit: number
  /** When the first greeks became known, microseconds. */
  since: number | undefined
  /** The nearest expiration after the session that was listed then. */
  next: IsoDate | undefined
  /** For each instrument, the first cell of its expiration and right; OF_DAY if it expires on the day. */
  readonly cellOfSeries: number[]
  /** A place is the number of the instrument. */
  readonly greeks: KeptGreeks
  /** Sums in the order of `pressureClasses`, without the first expiration: `hedgeFlow` has that. */
  readonly sums: PressureBars
}

const OF_DAY = -1
/** Prints find the greeks of their time if they come at most this late, microseconds. There is a snapshot a minute. */
const LATE = 30_000_000
/** Delta, gamma and vega of the print that is being counted. */
const found = new Float64Array(3)

/**
 * Sums of the prints of every later expiration by class. The rules are those of `hedgeFlow`: eligible prints with a side,
 * a spot and greeks, which come from the newest snapshot known before the time of the print. A print that comes more than
 * half a minute late adds nothing.
 */
export const pressure: Fold<PressureState> = {
  version: 2,
  kinds: ['option'],
  begin: ({ session, unit }) => ({
    session,
    unit,
    since: undefined,
    next: undefined,
    cellOfSeries: [],
    greeks: noGreeks(Float32Array, LATE),
    sums: noBars(PRESSURE_CELLS - CELLS_OF_EXPIRY)
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
    sums: copyOfBars(state.sums)
  })
}

function add(
  { cellOfSeries, greeks, sums, unit }: PressureState,
  prints: PrintColumns,
  start: number,
  to: number,
  dropped: number,
  sign: number
): void {
  const { ts, known, flags, instrument, judged, size, spot } = prints
  // Nearly all prints are of the newest snapshot, and a call for each would take a third longer.
  const newest = greeks.whole[greeks.whole.length - 1]
  const { since, values, isUsed } = newest
  newest.lastRow = Math.max(newest.lastRow, dropped + to)
  // Later prints are in time, because `known` never falls.
  const inTime = known[to - 1] - LATE
  let begin = Number.NaN
  let inBar = sums.before
  for (let at = start; at < to; at++) {
    const first = cellOfSeries[instrument[at]]
    if (first === OF_DAY) continue
    const side = sideOf(judged[at])
    if (side === MID || spot[at] === NO_PRICE || !isEligible(flags[at])) continue
    const t = ts[at]
    if (t < inTime && known[sign > 0 ? at : cancelledRow(prints, at)] - t > LATE) continue
    const place = instrument[at]
    let from = values
    let its = GREEKS * place
    if (t > since && place < isUsed.length) {
      if (isUsed[place] === 0) markUsed(newest, place)
    } else {
      if (!readGreeks(greeks, t, place, dropped + at, found)) continue
      from = found
      its = 0
    }
    if (!(t >= begin && t < begin + BAR)) {
      begin = BAR * Math.floor(t / BAR)
      inBar = sumsOfBar(sums, begin / BAR)
    }
    const dollars = spot[at] * unit
    const contracts = sign * signs[side] * size[at]
    const cell = first + MEASURES * sizeClass(size[at])
    inBar[cell] += deltaCents(contracts, dollars, Math.fround(from[its]))
    inBar[cell + 1] += gammaCents(contracts, dollars, Math.fround(from[its + 1]))
    inBar[cell + 2] += vegaCents(contracts, Math.fround(from[its + 2]))
  }
}

const [NEXT, REST] = [1, 2]

function admitSeries({ session, next, cellOfSeries }: PressureState, series: Series): void {
  for (let instrument = cellOfSeries.length; instrument < series.length; instrument++) {
    const { date } = series.expirations[series.expiration[instrument]]
    const first = cellOf(date === next ? NEXT : REST, series.right[instrument] === CALL ? 0 : 1, 0) - CELLS_OF_EXPIRY
    cellOfSeries.push(date === session ? OF_DAY : first)
  }
}
