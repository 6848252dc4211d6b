import { signal } from '@preact/signals'
import { go, place } from '../page/address.ts'
import type { Aim } from './aim.ts'

/** The alert line that the reader is placing. */
export interface AlertDraft {
  readonly symbol: string
  /** Undefined: the price that was pressed, or else that of now. */
  readonly aim?: Aim
  /** The price that was pressed. */
  readonly pressed?: number
  /** Whether a press on the price axis began it, which may turn out to be the first of two. */
  readonly isFromAxis?: true
}

/** Undefined: the reader places none. */
export const alertDraft = signal<AlertDraft>()

/** Begins an alert line on the chart, at the price of now until another is chosen. */
export function beginAlert(): void {
  if (place.peek().screen !== 'overview') go({ screen: 'overview' })
  alertDraft.value = { symbol: place.peek().symbol }
}

/** Takes a press on a price: on the axis it begins an alert line, in the chart it moves the one that is being placed. */
export function pressPrice(pressed: number, isOnAxis: boolean): boolean {
  const { symbol } = place.peek()
  const isPlacing = alertDraft.peek()?.symbol === symbol
  if (!isPlacing && !isOnAxis) return false
  alertDraft.value = { symbol, pressed, ...(!isPlacing && { isFromAxis: true }) }
  return true
}

/** Gives up an alert line that the first press of a double click on the axis began. */
export function forgetPress(): void {
  if (alertDraft.peek()?.isFromAxis) alertDraft.value = undefined
}
