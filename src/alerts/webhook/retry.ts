import { type Instant, MILLISECONDS_PER_DAY } from '../../market/units.ts'

const MINUTE = 60_000
/** Milliseconds between two attempts; the last is repeated. */
const delays = [5000, MINUTE / 2, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, 60 * MINUTE, 120 * MINUTE, 240 * MINUTE]
/** Random part of a delay, so that messages that failed together are not repeated together. */
const SPREAD = 0.1

/**
 * The time of the next attempt after `attempts` failures; undefined if a day is over. `chance` is a number from 0 to 1.
 */
export function nextAttempt(firedAt: Instant, attempts: number, now: Instant, chance: number): Instant | undefined {
  const delay = delays[Math.min(attempts, delays.length) - 1]!
  const at = Math.round(now + delay * (1 + SPREAD * (2 * chance - 1)))
  return at - firedAt > MILLISECONDS_PER_DAY ? undefined : at
}
