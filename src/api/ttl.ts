import { latestSession } from '../market/calendar.ts'
import type { ChainHeader } from '../market/chain.ts'
import type { Instant } from '../market/units.ts'

/**
 * Whether a cached response may be reused although newer data may exist. It may until the market has been open for
 * `ttl` milliseconds after the service received the chain behind the response. The last response of a trading session
 * therefore stays valid until the next open. False if the clock was set back.
 */
export function isWithinTtl({ asOf, delay }: Pick<ChainHeader, 'asOf' | 'delay'>, ttl: number, now: Instant): boolean {
  const handedOut = asOf + 1000 * delay
  return now >= handedOut && Math.min(now, latestSession(now).close) - handedOut < ttl
}
