import { nextOpen, session } from './calendar.ts'
import type { ChainHeader } from './chain.ts'
import { easternDate } from './eastern.ts'
import { memoize } from './memoize.ts'
import { type Instant, MILLISECONDS_PER_MINUTE } from './units.ts'

/**
 * Longest stated delay of a chain that counts, seconds. Delayed quotes are 15 minutes behind and renewed every few
 * minutes. A longer stated delay counts only up to this limit; beyond it, the chain is old.
 */
const MAX_STATED_DELAY = 20 * 60
/** A chain this close to the end of a session counts as its closing chain, as in the archive. Milliseconds. */
const CLOSE_TOLERANCE = 5 * MILLISECONDS_PER_MINUTE

/** The delay that a chain states, at least 0 and at most `MAX_STATED_DELAY`, seconds. */
export function cappedDelay({ delay }: Pick<ChainHeader, 'delay'>): number {
  return Math.min(Math.max(delay, 0), MAX_STATED_DELAY)
}

/**
 * Milliseconds by which a newer chain is overdue at `now`, if the source is `lag` milliseconds behind. Below zero if
 * the chain may still be the newest one. After a session, no newer chain is expected until the next session opens.
 */
export function overdueBy(chain: Pick<ChainHeader, 'asOf'>, lag: number, now: Instant): number {
  return now - lag - newestUntil(chain)
}

/**
 * Moment until which no chain newer than this one can exist. During a session it is the chain's own time; otherwise it
 * is the next opening.
 */
const newestUntil = memoize(({ asOf }: Pick<ChainHeader, 'asOf'>): Instant => {
  const today = session(easternDate(asOf))
  const isRunning = today !== undefined && asOf >= today.open && asOf < today.close - CLOSE_TOLERANCE
  return isRunning ? asOf : nextOpen(asOf)
})
