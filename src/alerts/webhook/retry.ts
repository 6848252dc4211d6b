import { type Instant, MILLISECONDS_PER_DAY } from '../../market/units.ts'

const MINUTE = 60_000
/** Milliseconds from one attempt to the next; the last is repeated. */
const delays = [5000, MINUTE / 2, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, 60 * MINUTE, 120 * MINUTE, 240 * MINUTE]
/** How much earlier or later an attempt may come, as a part of its delay: what failed together is not tried together. */
const SPREAD = 0.1

/**
 * When to try again what fired at a moment and has failed so often; undefined: never, a day is over. `chance` is a number
 * from 0 to 1.
 */
export function nextAttempt(firedAt: Instant, attempts: number, now: Instant, chance: number): Instant | undefined {
  const delay = delays[Math.min(attempts, delays.length) - 1]!
  const at = Math.round(now + delay * (1 + SPREAD * (2 * chance - 1)))
  return at - firedAt > MILLISECONDS_PER_DAY ? undefined : at
}
