import { latestSession } from '../market/calendar.ts'
import type { ChainHeader } from '../market/chain.ts'
import type { Instant } from '../market/units.ts'

/**
 * Whether an answer from this chain may still stand for its question, though newer data may be held: until the market
 * has been open for `ttl` milliseconds since the chain was handed out. So what was made last in a session stays until
 * the next one opens. A clock that was set back ends it.
 */
export function isWithinTtl({ asOf, delay }: Pick<ChainHeader, 'asOf' | 'delay'>, ttl: number, now: Instant): boolean {
  const handedOut = asOf + 1000 * delay
  return now >= handedOut && Math.min(now, latestSession(now).close) - handedOut < ttl
}
