import { easternDate } from '../market/eastern.ts'
import type { PricedChain } from '../pricing/price-chain.ts'

/**
 * Greeks of the contracts that expire on the New York date of `asOf`, in the order of the chain. The columns are copies:
 * the memory of the chain is used for other chains once it was replaced.
 */
export type ExpiringGreeks = Pick<PricedChain, 'asOf' | 'expirations' | 'strike' | 'right' | 'delta' | 'gamma'>

export function expiringGreeks({ asOf, expirations, ...columns }: PricedChain): ExpiringGreeks {
  const today = easternDate(asOf)
  const listed = expirations.filter(({ date }) => date === today)
  // Expirations are sorted by date, so those of a day lie side by side.
  const [from, to] = listed.length === 0 ? [0, 0] : [listed[0].start, listed[listed.length - 1].end]
  return {
    asOf,
    expirations: listed.map((expiration) => ({
      ...expiration,
      start: expiration.start - from,
      end: expiration.end - from
    })),
    strike: columns.strike.slice(from, to),
    right: columns.right.slice(from, to),
    delta: columns.delta.slice(from, to),
    gamma: columns.gamma.slice(from, to)
  }
}
