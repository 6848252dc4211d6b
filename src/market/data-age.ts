import { nextOpen, session } from './calendar.ts'
import type { ChainHeader } from './chain.ts'
import { easternDate } from './eastern.ts'
import { memoize } from './memoize.ts'
import { type Instant, MILLISECONDS_PER_MINUTE } from './units.ts'

/**
 * Longest delay that a chain may state for itself, seconds: delayed quotes are 15 minutes behind and renewed every few
 * minutes. A payload that claims more is old, whenever it was made.
 */
const MAX_STATED_DELAY = 20 * 60
/** A chain of the last minutes of a session counts as its close, as in the archive, milliseconds. */
const CLOSE_TOLERANCE = 5 * MILLISECONDS_PER_MINUTE

/** The delay that a chain states, seconds, up to the longest that counts. */
export function cappedDelay({ delay }: Pick<ChainHeader, 'delay'>): number {
  return Math.min(Math.max(delay, 0), MAX_STATED_DELAY)
}

/**
 * Milliseconds by which a chain is older than it would have to be at `now`, if its source is `lag` milliseconds behind;
 * below zero if it may still be the newest. After a session nothing is newer than its close until the next one opens.
 */
export function overdueBy(chain: Pick<ChainHeader, 'asOf'>, lag: number, now: Instant): number {
  return now - lag - newestUntil(chain)
}

/** Moment until which nothing newer than a chain can exist: its own in a session, else the next opening. */
const newestUntil = memoize(({ asOf }: Pick<ChainHeader, 'asOf'>): Instant => {
  const today = session(easternDate(asOf))
  const isRunning = today !== undefined && asOf >= today.open && asOf < today.close - CLOSE_TOLERANCE
  return isRunning ? asOf : nextOpen(asOf)
})
