import { known } from '../market/chain.ts'
import type { Scope } from './scope.ts'

/** Mean days to expiry of a scope's open contracts, Σ OI D / Σ OI. Undefined without open interest. */
export function openInterestDays({ chain, expirations, book }: Scope): number | undefined {
  let contracts = 0
  let days = 0
  for (const at of expirations) {
    const { start, end } = chain.expirations[at]
    for (let i = start; i < end; i++) {
      const oi = known(book.openInterest[i])
      contracts += oi
      days += oi * chain.carries[at].days
    }
  }
  return contracts === 0 ? undefined : days / contracts
}
