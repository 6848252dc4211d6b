import { backOff } from '../pacing/back-off.ts'

/** Delay after the first failure, and the longest delay, milliseconds. */
const pauses = { first: 500, longest: 30_000 }

/**
 * Milliseconds before the next attempt to connect; `attempt` counts from 0. It is a random fraction of the exponential
 * back-off, so that clients that lost the same server do not reconnect together. Source: M. Brooker, "Exponential
 * Backoff and Jitter" (2015), full jitter.
 */
export function reconnectDelay(attempt: number, random: () => number): number {
  return random() * backOff(attempt + 1, pauses)
}

/** Doubles an update interval (milliseconds) for a client that is too slow. */
export function slower(cadence = 1000): number {
  return Math.min(60_000, Math.max(1000, 2 * cadence))
}
