import { backOff } from '../pacing/back-off.ts'

/** Half a second after the first failure, half a minute at most, in milliseconds. */
const pauses = { first: 500, longest: 30_000 }

/**
 * Milliseconds to wait before another attempt to connect, `attempt` counted from 0: a random share of the exponential
 * back-off, so that clients which lost the same server do not come back together.
 * Source: M. Brooker, "Exponential Backoff and Jitter" (2015), full jitter.
 */
export function reconnectDelay(attempt: number, random: () => number): number {
  return random() * backOff(attempt + 1, pauses)
}

/** A slower cadence, milliseconds, for a client that could not keep up. */
export function slower(cadence = 1000): number {
  return Math.min(60_000, Math.max(1000, 2 * cadence))
}
