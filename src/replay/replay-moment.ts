import { REGULAR_CLOSE, session } from '../market/calendar.ts'
import { easternDate, easternDateTime, instantOfEastern, parseEasternDateTime } from '../market/eastern.ts'
import { type Instant, type IsoDate, parseIsoDate } from '../market/units.ts'

const wallClock = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/

/**
 * Parses a moment in New York time: yyyy-MM-ddTHH:mm:ss, or yyyy-MM-dd for 16:00:00 of that day. Undefined for any
 * other form (with a zone, a fraction or a space) and for times in the hour that is skipped in spring. In the hour that
 * occurs twice in autumn, the first occurrence is meant.
 */
export function parseMoment(text: string): Instant | undefined {
  const date = parseIsoDate(text)
  if (date !== undefined) return instantOfEastern(date, REGULAR_CLOSE)
  const at = wallClock.test(text) ? parseEasternDateTime(text) : undefined
  return at !== undefined && easternDateTime(at) === text ? at : undefined
}

/** The first moment, in whole seconds, at which a snapshot is visible to replay: the end of a second that it lies in. */
export const firstMomentOf = (asOf: Instant): Instant => Math.ceil(asOf / 1000) * 1000

/** Period for which requests about the past are answered. */
export interface ServedPeriod {
  readonly now: Instant
  readonly from: IsoDate
}

/** Reason why there can be no data for a moment, whatever was recorded; undefined if there can be some. */
export function noDataReason(at: Instant, { now, from }: ServedPeriod): string | undefined {
  const date = easternDate(at)
  if (date < from) return `history is served from ${from}`
  if (at > now) return `${easternDateTime(at)} lies in the future`
  const hours = session(date)
  if (hours === undefined) return `${date} was no trading day`
  if (at < hours.open) return `the session of ${date} had not opened at ${easternDateTime(at).slice(11)}`
  return undefined
}
