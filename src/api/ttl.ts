import { latestSession } from '../market/calendar.ts'
import type { ChainHeader } from '../market/chain.ts'
import type { Instant } from '../market/units.ts'

/**
 * Whether a cached response may be reused although newer data may exist: until the market has been open for `ttl`
 * milliseconds since its chain was received. The last response of a session therefore stays valid until the next open.
 * False if the clock was set back.
 */
export function isWithinTtl({ asOf, delay }: Pick<ChainHeader, 'asOf' | 'delay'>, ttl: number, now: Instant): boolean {
  const handedOut = asOf + 1000 * delay
  return now >= handedOut && Math.min(now, latestSession(now).close) - handedOut < ttl
}
