import { CALL } from '../../src/market/chain.ts'
import { easternDate } from '../../src/market/eastern.ts'
import type { PricedChain } from '../../src/pricing/price-chain.ts'

/**
 * Charm of contract `i` as sums of charm count it: of a day, or of what expires today to its expiry, where delta is
 * whole in the money and half at the strike.
 */
export function slowCharm(chain: PricedChain, i: number): number {
  const at = chain.expirations.findIndex(({ start, end }) => start <= i && i < end)
  const { date } = chain.expirations[at]
  if (date !== easternDate(chain.asOf) || Number.isNaN(chain.sigma[i])) return chain.charm[i]
  const { spot } = chain.carries[at]
  const side = chain.right[i] === CALL ? 1 : -1
  const gain = side * (spot - chain.strike[i])
  return side * (gain > 0 ? 1 : gain === 0 ? 0.5 : 0) - chain.delta[i]
}
