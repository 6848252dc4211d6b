import { computed, type ReadonlySignal, type Signal } from '@preact/signals'
import { isNarrow } from '../page/reader.ts'
import { horizon, hours, moment, spot } from './day.ts'
import type { Mark } from './level-marks.ts'
import type { PriceWindow } from './price-window.ts'

/** A moment of the day as it was seen then. */
export interface Point {
  /** milliseconds */
  readonly time: number
  readonly price: number
  readonly flip: number | null
  /** one deviation of what was left of the day, dollars; without it no range is drawn */
  readonly move?: number | null
}

/** A figure by strike and time, values[strike][column]. */
export interface StrikeMap {
  /** ascending */
  readonly strikes: readonly number[]
  /** moments, ascending */
  readonly columns: readonly string[]
  readonly values: readonly (readonly (number | null)[])[]
}

/** Gamma of a strike, USD per 1 % move; null where it is not drawn. */
export interface StageRow {
  readonly strike: number
  readonly call: number | null
  readonly put: number | null
  /** of what expires today alone */
  readonly callToday: number | null
  readonly putToday: number | null
}

/** What a price chart and the strikes beside it, on the same axis, are drawn from. */
export interface Stage {
  readonly day: ReadonlySignal<readonly Point[]>
  readonly marks: ReadonlySignal<readonly Mark[]>
  /** undefined before there is a price */
  readonly prices: ReadonlySignal<PriceWindow | undefined>
  readonly times: ReadonlySignal<readonly [number, number] | undefined>
  /** one deviation until the close, dollars */
  readonly move: ReadonlySignal<number | undefined>
  /** drawn behind the price */
  readonly map: ReadonlySignal<StrikeMap | undefined>
  readonly rows: ReadonlySignal<readonly StageRow[]>
  /** the price under the pointer */
  readonly pointed: Signal<number | undefined>
}

/** Half an hour and an hour, milliseconds. */
const HALF_HOUR = 1_800_000
const AHEAD = 3 * HALF_HOUR

/** The part of the session that is drawn, milliseconds: where there is little room, no more than 90 minutes ahead. */
export const times = computed((): readonly [number, number] | undefined => {
  if (hours.value === undefined) return undefined
  const { open, close } = hours.value
  if (!isNarrow.value || moment.value === undefined) return [open, close]
  return [open, Math.min(close, Math.ceil(moment.value / HALF_HOUR) * HALF_HOUR + AHEAD)]
})

/** The recorded day up to the moment shown, ending in the newest price with what is known beside it. */
export function upToNow(recorded: readonly Point[], newest: Omit<Point, 'time' | 'price'>): readonly Point[] {
  const [now, at] = [spot.value, moment.value]
  const last = now === undefined || at === undefined || at > horizon.value ? [] : [{ time: at, price: now, ...newest }]
  const seen = recorded.filter(({ time }) => isDrawn(time))
  return [...seen, ...last.filter(({ time }) => time > (seen.at(-1)?.time ?? 0))]
}

/** Whether a moment lies in the session and not later than the one shown, milliseconds. */
export function isDrawn(time: number): boolean {
  const span = hours.value
  return span !== undefined && time >= span.open && time <= Math.min(span.close, horizon.value)
}
