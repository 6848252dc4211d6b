import { REGULAR_CLOSE, session } from '../market/calendar.ts'
import { easternDate, easternDateTime, instantOfEastern, parseEasternDateTime } from '../market/eastern.ts'
import { type Instant, type IsoDate, MILLISECONDS_PER_MINUTE, parseIsoDate } from '../market/units.ts'

/** The newest image of a day stands for a moment no further from it than this. */
const longestSilence = 5 * MILLISECONDS_PER_MINUTE
const wallClock = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/

/**
 * Reads a moment of the past as callers write it, New York wall-clock: yyyy-MM-ddTHH:mm:ss, or yyyy-MM-dd for 16:00:00 of
 * that day. Undefined for every other form (a zone, a fraction, a space) and for a time that no clock showed, such as
 * one in the hour that is skipped in spring. An hour that happens twice means its first passing.
 */
export function parseMoment(text: string): Instant | undefined {
  const date = parseIsoDate(text)
  if (date !== undefined) return instantOfEastern(date, REGULAR_CLOSE)
  const at = wallClock.test(text) ? parseEasternDateTime(text) : undefined
  return at !== undefined && easternDateTime(at) === text ? at : undefined
}

/** What bounds the moments that may be asked about. */
export interface Bounds {
  /** The present: nothing later is known. */
  readonly now: Instant
  /** The first day that is answered for. */
  readonly from: IsoDate
}

/** Why nothing can be known at a moment, whatever was recorded, in a sentence; undefined where something can. */
export function emptiness(at: Instant, { now, from }: Bounds): string | undefined {
  const date = easternDate(at)
  if (date < from) return `history is served from ${from}`
  if (at > now) return `${easternDateTime(at)} lies in the future`
  const hours = session(date)
  if (hours === undefined) return `${date} was no trading day`
  if (at < hours.open) return `the session of ${date} had not opened at ${easternDateTime(at).slice(11)}`
  return undefined
}

/**
 * Whether an image still stands for a moment of its day: at most five minutes old, counted from the close once that is
 * past. A recorder that fell silent must not pass its last image off as the present.
 */
export function isCurrent(asOf: Instant, at: Instant): boolean {
  const close = session(easternDate(at))?.close ?? at
  return asOf >= Math.min(at, close) - longestSilence
}

/**
 * The moment that the last image of a session describes as its close: an earlier one that stands for the close is told as
 * of it, since whatever describes a finished session finds it finished. Undefined: the recording ended too early.
 */
export function closingMoment(asOf: Instant, close: Instant): Instant | undefined {
  return isCurrent(asOf, close) ? Math.max(asOf, close) : undefined
}
