import Type from 'typebox'
import { rowKey } from '../../../api/annotations.ts'
import { block } from '../../../api/block.ts'
import { Count, Day, Name, Nullable, Price, Timestamp, Words } from '../../../api/quantity.ts'
import type { StrikeMinutes } from '../../../flow/tape-views.ts'
import { isoInstant, MILLISECONDS_PER_MINUTE, type Instant as Moment, type Ticker } from '../../../market/units.ts'
import type { StrikeMinute } from '../../../market/zero-dte-sample.ts'
import { type DayWindow, dayWindow, opening, rowsUntil } from './window.ts'

/** A response shows strikes up to this distance from spot, a fraction of spot. */
const REACH = 0.05

/** Figures of a time window by minute and strike. */
export interface StrikeGrid {
  readonly window: DayWindow
  readonly minutes: readonly StrikeMinute[]
  /** Strikes that are near spot in at least one of the minutes, ascending. */
  readonly strikes: readonly number[]
  /** End of the newest minute that is complete; undefined if the session has none. */
  readonly known: Moment | undefined
  /**
   * Starts of the minutes in the window that were not recorded, ascending. Empty if the session has no recorded minute
   * at all.
   */
  readonly missing: readonly Moment[]
}

export function strikeGrid(view: StrikeMinutes | undefined, now: Moment, minutes: number): StrikeGrid {
  const step = MILLISECONDS_PER_MINUTE
  const window = dayWindow({ now, minutes, size: step, step })
  const all = rowsUntil(window, view && { session: view.session, rows: view.minutes }, step)
  const shown = all.filter(({ t }) => t >= window.from)
  const last = all.at(-1)
  return {
    window,
    minutes: shown,
    strikes: strikesNear(shown),
    known: last && last.t + step,
    missing: last === undefined ? [] : minutesMissing(window, shown)
  }
}

function strikesNear(minutes: readonly StrikeMinute[]): readonly number[] {
  const near = new Set<number>()
  for (const { spot, strike } of minutes) {
    for (const listed of strike) if (Math.abs(listed / spot - 1) <= REACH) near.add(listed)
  }
  return [...near].sort((a, b) => a - b)
}

function minutesMissing({ from, end }: DayWindow, shown: readonly StrikeMinute[]): readonly Moment[] {
  const there = new Set(shown.map(({ t }) => t))
  const missing: Moment[] = []
  for (let t = from; t < end; t += MILLISECONDS_PER_MINUTE) if (!there.has(t)) missing.push(t)
  return missing
}

/** Values of one minute in the order of the grid's strikes; undefined for a strike without a value in that minute. */
export function onGrid(
  { strikes }: Pick<StrikeGrid, 'strikes'>,
  minute: StrikeMinute,
  figure: (row: number) => number
): readonly (number | undefined)[] {
  const rows = new Map(Array.from(minute.strike, (strike, row) => [strike, row]))
  return strikes.map((strike) => {
    const row = rows.get(strike)
    return row === undefined ? undefined : figure(row)
  })
}

/** Fields of a response by strike and minute, apart from the list of bars. */
export const strikeGridBlock = block(
  Type.Object({
    symbol: Name('underlying ticker'),
    underlying_price: Nullable(Price('spot of the last bar; null without bars')),
    expiration: Day('the date of the session that is served'),
    bar_size: Words('1m'),
    as_of: Timestamp('the end of the newest minute'),
    tier_used: Words('raw'),
    strikes_grid: Type.Array(Price(), {
      description: 'every strike that expires on the day within 5 % of the spot of any bar, ascending'
    }),
    gap_intervals: Type.Array(
      Type.Object(
        { start: Timestamp(), end: Timestamp('exclusive'), missing_bars: Count('', { minimum: 1 }) },
        { title: 'BarGap' }
      ),
      { ...rowKey('start'), description: 'spans of the window in which bars are missing' }
    )
  }),
  ({ window, minutes, strikes, known, missing }: StrikeGrid, symbol: Ticker) => ({
    ...opening(symbol, window, known),
    underlying_price: minutes.at(-1)?.spot,
    bar_size: '1m' as const,
    tier_used: 'raw' as const,
    strikes_grid: strikes,
    gap_intervals: gaps(missing)
  })
)

function gaps(missing: readonly Moment[]) {
  const found: { start: Moment; end: Moment }[] = []
  for (const t of missing) {
    const last = found.at(-1)
    if (last?.end === t) last.end = t + MILLISECONDS_PER_MINUTE
    else found.push({ start: t, end: t + MILLISECONDS_PER_MINUTE })
  }
  return found.map(({ start, end }) => ({
    start: isoInstant(start),
    end: isoInstant(end),
    missing_bars: (end - start) / MILLISECONDS_PER_MINUTE
  }))
}
