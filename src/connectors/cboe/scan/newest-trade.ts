import { parseEasternDateTime } from '../../../market/eastern.ts'
import type { Instant } from '../../../market/units.ts'

/** The newest of the trade times that were taken so far. */
export interface NewestTrade {
  /** As the feed writes it, New York wall-clock: the text sorts as the time does. Empty before the first. */
  text: string
  time: Instant | undefined
  /** When the payload was fetched. A trade later than that cannot have been, so it is ignored rather than believed. */
  readonly fetched: Instant
}

export function noTradeYet(fetched: Instant): NewestTrade {
  return { text: '', time: undefined, fetched }
}

/** Takes a trade time into account, if it is one. */
export function takeTrade(newest: NewestTrade, text: unknown): void {
  if (typeof text !== 'string' || text <= newest.text) return
  const time = parseEasternDateTime(text)
  if (time === undefined || time > newest.fetched) return
  newest.text = text
  newest.time = time
}
