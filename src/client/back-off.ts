// Milliseconds.
const FIRST_DELAY = 500
const MAX_DELAY = 30_000

/**
 * Milliseconds to wait before another attempt to connect: at most half a second for the first, doubling to half a minute,
 * of which a random share is taken, so that clients which lost the same server do not come back together.
 * Source: M. Brooker, "Exponential Backoff and Jitter" (2015), full jitter.
 */
export function backOff(attempt: number, random: () => number): number {
  return random() * Math.min(MAX_DELAY, FIRST_DELAY * 2 ** attempt)
}

/** A slower cadence, milliseconds, for a client that could not keep up. */
export function slower(cadence = 1000): number {
  return Math.min(60_000, Math.max(1000, 2 * cadence))
}
