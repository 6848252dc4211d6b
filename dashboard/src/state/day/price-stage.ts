import { computed, type ReadonlySignal, type Signal } from '@preact/signals'
import { isNarrow } from '../page/reader.ts'
import { horizon, hours, moment, spot } from './day.ts'
import type { Mark } from './level-marks.ts'
import type { PriceWindow } from './price-window.ts'

/** Price and flip at one time of the day. */
export interface Point {
  /** Milliseconds. */
  readonly time: number
  readonly price: number
  readonly flip: number | null
  /** One standard deviation of the rest of the day, dollars. Without it no range is drawn. */
  readonly move?: number | null
}

/** Values by strike and time: values[strike][column]. */
export interface StrikeMap {
  /** Ascending. */
  readonly strikes: readonly number[]
  /** Instants, ascending. */
  readonly columns: readonly string[]
  readonly values: readonly (readonly (number | null)[])[]
}

/** Gamma of a strike, USD per 1 % move; null: not drawn. */
export interface StageRow {
  readonly strike: number
  readonly call: number | null
  readonly put: number | null
  /** Share of the contracts that expire today. */
  readonly callToday: number | null
  readonly putToday: number | null
}

/** The data of a price chart and of the bars by strike that share its axis. */
export interface Stage {
  readonly day: ReadonlySignal<readonly Point[]>
  readonly marks: ReadonlySignal<readonly Mark[]>
  /** Undefined before there is a price. */
  readonly prices: ReadonlySignal<PriceWindow | undefined>
  readonly times: ReadonlySignal<readonly [number, number] | undefined>
  /** One standard deviation until the close, dollars. */
  readonly move: ReadonlySignal<number | undefined>
  /** Drawn behind the price. */
  readonly map: ReadonlySignal<StrikeMap | undefined>
  readonly rows: ReadonlySignal<readonly StageRow[]>
  /** The price under the pointer. */
  readonly pointed: Signal<number | undefined>
}

/** Milliseconds. */
const HALF_HOUR = 1_800_000
const AHEAD = 3 * HALF_HOUR

/** The part of the session that is drawn, milliseconds: on narrow screens at most 90 minutes ahead. */
export const times = computed((): readonly [number, number] | undefined => {
  if (hours.value === undefined) return undefined
  const { open, close } = hours.value
  if (!isNarrow.value || moment.value === undefined) return [open, close]
  return [open, Math.min(close, Math.ceil(moment.value / HALF_HOUR) * HALF_HOUR + AHEAD)]
})

/** The recorded points up to the shown moment, followed by the newest price. */
export function upToNow(recorded: readonly Point[], newest: Omit<Point, 'time' | 'price'>): readonly Point[] {
  const [now, at] = [spot.value, moment.value]
  const last = now === undefined || at === undefined || at > horizon.value ? [] : [{ time: at, price: now, ...newest }]
  const seen = recorded.filter(({ time }) => isDrawn(time))
  return [...seen, ...last.filter(({ time }) => time > (seen.at(-1)?.time ?? 0))]
}

/** Whether a time lies in the session and not after the shown moment. */
export function isDrawn(time: number): boolean {
  const span = hours.value
  return span !== undefined && time >= span.open && time <= Math.min(span.close, horizon.value)
}
