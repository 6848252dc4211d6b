import { type Instant, isoInstant, MILLISECONDS_PER_MINUTE } from '../market/units.ts'
import { type Candidate, type Check, refused } from './candidate.ts'

/** Largest lead of a chain's time over our clock, milliseconds. */
export const MAX_AHEAD = 2 * MILLISECONDS_PER_MINUTE

/**
 * Refuses a chain from the future, and drops one that is older than the held chain. Only a held chain that itself lies
 * in the future may be replaced by an older one: it was taken while a clock was wrong.
 */
export const chronology: Check = ({ chain: { asOf }, held, now, clockIsTrusted, servedAt }) => {
  if (!Number.isFinite(asOf)) return refused('malformed', 'it does not say which moment it shows')
  if (asOf > now + MAX_AHEAD && (clockIsTrusted || isBeyond(asOf, servedAt))) {
    return refused('from_the_future', `it is of ${isoInstant(asOf)} where the clock says ${isoInstant(now)}`)
  }
  if (held === undefined || asOf >= held.asOf || isFromTheFuture(held.asOf, { now, clockIsTrusted })) return undefined
  return { kind: 'older', message: `it is of ${isoInstant(asOf)}, and the chain of ${isoInstant(held.asOf)} is held` }
}

/** Whether a moment lies ahead of the clock of the server that states it, which is then wrong whatever our clock is. */
export function isBeyond(asOf: Instant, servedAt: Instant | undefined): boolean {
  return servedAt !== undefined && asOf > servedAt + MAX_AHEAD
}

/** Whether a moment lies so far ahead of a trusted clock that it cannot be true. */
export function isFromTheFuture(
  asOf: Instant,
  { now, clockIsTrusted }: Pick<Candidate, 'now' | 'clockIsTrusted'>
): boolean {
  return clockIsTrusted && asOf > now + MAX_AHEAD
}
