import { type Instant, MILLISECONDS_PER_DAY } from '../../market/units.ts'

const MINUTE = 60_000
/** Milliseconds between two delivery attempts; the last delay is used for all further attempts. */
const delays = [5000, MINUTE / 2, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, 60 * MINUTE, 120 * MINUTE, 240 * MINUTE]
/** Random share added to each delay, so that messages that failed together are not retried together. */
const SPREAD = 0.1

/**
 * Time of the next delivery attempt after `attempts` failures; undefined once a day has passed since the alert fired.
 * `chance` is a random number from 0 to 1.
 */
export function nextAttempt(firedAt: Instant, attempts: number, now: Instant, chance: number): Instant | undefined {
  const delay = delays[Math.min(attempts, delays.length) - 1]!
  const at = Math.round(now + delay * (1 + SPREAD * (2 * chance - 1)))
  return at - firedAt > MILLISECONDS_PER_DAY ? undefined : at
}
