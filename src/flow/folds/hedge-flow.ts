import { CELLS_OF_EXPIRY, cellOf, sizeClass } from '../../market/hedge-pressure.ts'
import { ADJUSTED, MID, NO_PRICE, type PrintColumns, sideOf, signs } from '../../market/print.ts'
import type { Series } from '../../market/series.ts'
import type { Instant, IsoDate } from '../../market/units.ts'
import { type ColumnsOf, copyOf, emptyColumns, withRoom } from '../columns.ts'
import type { Fold } from '../fold.ts'
import { deltaCents, gammaCents, vegaCents } from '../hedge-cents.ts'
import { copyOfGreeks, type KeptGreeks, keepGreeks, noGreeks, readGreeks } from '../kept-greeks.ts'
import { cancelledRow } from '../near-cancel.ts'
import { BAR, copyOfBars, noBars, type PressureBars, sumsOfBar } from '../pressure-bars.ts'
import { isEligible } from '../print-rules.ts'
import type { StrikeFlow } from '../tape-views.ts'

const MINUTE = 60_000_000
const MICROSECONDS = 1000

/** Marks a series that does not expire on the day of the session. */
const NO_STRIKE = -1

/** Prints find the greeks of their time if they come at most this late, microseconds. */
const LATE = 5 * MINUTE
/** Delta, gamma and vega of the print that is being counted. */
const found = new Float64Array(3)

const cellKinds = { signedDelta: Float64Array, signedGamma: Float64Array, contracts: Float64Array } as const

/** Sums of one minute by strike: delta and gamma in whole cents, and the number of contracts. */
type StrikeCells = ColumnsOf<typeof cellKinds>
const noCells: StrikeCells = emptyColumns(cellKinds, 0)

/** Hedge flow of the series that expire on the date of the session. */
export interface HedgeFlowState {
  readonly session: IsoDate
  readonly unit: number
  /** For each instrument, its index into `strikes`; NO_STRIKE if the series does not expire on the day. */
  readonly strikeOf: number[]
  readonly placeOf: number[]
  /** The instruments that expire on the day. A place is an index into them. */
  readonly instruments: number[]
  readonly strikes: number[]
  /** When the first greeks became known, microseconds. */
  since: number | undefined
  readonly greeks: KeptGreeks
  /** Sums of each minute; the key counts minutes since 1970. */
  readonly cells: Map<number, StrikeCells>
  /** The first expiration of `pressureClasses`. */
  readonly classes: PressureBars
}

/**
 * Hedge flow of the day. Each print adds
 *
 *     q Δ size 100 S    and    q Γ size 100 S² 0.01
 *
 * with q = +1 if the customer bought, -1 if they sold, and S the mid price of the underlying at the print. Each summand
 * is rounded to whole cents, so that strikes, legs and totals agree exactly. Greeks come from the newest snapshot known
 * before the time of the print; a print without spot or greeks adds nothing, nor does one that comes more than
 * five minutes late.
 */
export const hedgeFlow: Fold<HedgeFlowState> = {
  version: 3,
  kinds: ['option'],
  begin: ({ session, unit }) => ({
    session,
    unit,
    strikeOf: [],
    placeOf: [],
    instruments: [],
    strikes: [],
    since: undefined,
    greeks: noGreeks(Float64Array, LATE),
    cells: new Map(),
    classes: noBars(CELLS_OF_EXPIRY)
  }),
  step(state, { prints, series, greeks, dropped }, from, to) {
    admitSeries(state, series)
    const { instruments } = state
    if (instruments.length === 0) return
    if (greeks !== undefined) {
      state.since ??= greeks.since
      keepGreeks(state.greeks, greeks, instruments.length, dropped, instruments)
    }
    add(state, series, prints, from, to, dropped, 1)
  },
  undo: (state, { prints, series, dropped }, at) => add(state, series, prints, at, at + 1, dropped, -1),
  copy: (state) => ({
    ...state,
    strikeOf: [...state.strikeOf],
    placeOf: [...state.placeOf],
    instruments: [...state.instruments],
    strikes: [...state.strikes],
    greeks: copyOfGreeks(state.greeks),
    cells: new Map([...state.cells].map(([minute, cells]) => [minute, copyOf(cells)])),
    classes: copyOfBars(state.classes)
  })
}

/** Hedge flow of the minute that begins at `minute`, by strike, ascending; strikes without a print are left out. */
export function strikeFlow({ cells, strikes }: HedgeFlowState, minute: Instant): StrikeFlow {
  const found = cells.get(Math.floor((minute * MICROSECONDS) / MINUTE)) ?? noCells
  const traded = strikes.map((_, place) => place).filter((place) => found.contracts[place] > 0)
  const places = traded.sort((a, b) => strikes[a] - strikes[b])
  const ordered = (column: Float64Array) => Float64Array.from(places, (place) => column[place])
  return {
    strike: Float64Array.from(places, (place) => strikes[place]),
    signedDelta: ordered(found.signedDelta),
    signedGamma: ordered(found.signedGamma),
    contracts: ordered(found.contracts)
  }
}

function add(
  state: HedgeFlowState,
  series: Series,
  prints: PrintColumns,
  from: number,
  to: number,
  dropped: number,
  sign: number
): void {
  const { strikeOf, placeOf, classes, greeks, unit } = state
  const { ts, known, flags, instrument, judged, size, spot } = prints
  // Later prints are in time, because `known` never falls.
  const inTime = known[to - 1] - LATE
  let minute = Number.NaN
  let begin = Number.NaN
  let cells = noCells
  let inBar = classes.before
  for (let at = from; at < to; at++) {
    const strike = strikeOf[instrument[at]]
    if (strike === NO_STRIKE || (flags[at] & ADJUSTED) !== 0) continue
    if (!(ts[at] >= begin && ts[at] < begin + BAR)) {
      const bar = Math.floor(ts[at] / BAR)
      begin = bar * BAR
      inBar = sumsOfBar(classes, bar)
      const itsMinute = Math.floor(ts[at] / MINUTE)
      if (itsMinute !== minute) cells = cellsOf(state, (minute = itsMinute))
    }
    cells.contracts[strike] += sign * size[at]
    const side = sideOf(judged[at])
    if (!isEligible(flags[at]) || side === MID || spot[at] === NO_PRICE) continue
    if (ts[at] < inTime && known[sign > 0 ? at : cancelledRow(prints, at)] - ts[at] > LATE) continue
    if (!readGreeks(greeks, ts[at], placeOf[instrument[at]], dropped + at, found)) continue
    const dollars = spot[at] * unit
    const contracts = sign * signs[side] * size[at]
    const delta = deltaCents(contracts, dollars, found[0])
    const gamma = gammaCents(contracts, dollars, found[1])
    cells.signedDelta[strike] += delta
    cells.signedGamma[strike] += gamma
    const cell = cellOf(0, series.right[instrument[at]], sizeClass(size[at]))
    inBar[cell] += delta
    inBar[cell + 1] += gamma
    inBar[cell + 2] += vegaCents(contracts, found[2])
  }
}

function cellsOf({ cells, strikes }: HedgeFlowState, minute: number): StrikeCells {
  const found = cells.get(minute)
  if (found !== undefined && found.contracts.length >= strikes.length) return found
  const roomy = withRoom(found ?? noCells, strikes.length)
  cells.set(minute, roomy)
  return roomy
}

/** Adds new series that expire today, and their strikes. */
function admitSeries(state: HedgeFlowState, series: Series): void {
  const { session, strikeOf, placeOf, instruments, strikes } = state
  for (let instrument = strikeOf.length; instrument < series.length; instrument++) {
    const isOfDay = series.expirations[series.expiration[instrument]].date === session
    placeOf.push(isOfDay ? instruments.push(instrument) - 1 : NO_STRIKE)
    const strike = series.strike[instrument]
    const known = isOfDay ? strikes.indexOf(strike) : NO_STRIKE
    strikeOf.push(isOfDay && known < 0 ? strikes.push(strike) - 1 : known)
  }
}
