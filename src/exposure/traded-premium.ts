import { CALL, CONTRACT_SIZE, known } from '../market/chain.ts'
import { mid } from '../pricing/parity.ts'
import type { Scope } from './scope.ts'

/** What the volume of a session is worth at the mids of now, USD. */
export interface TradedPremium {
  readonly calls: number
  readonly puts: number
}

/** Volume times mid of a scope by side; a contract without a two-sided quote adds nothing. Source: the wire contract. */
export function tradedPremium({ chain, slots }: Scope): TradedPremium {
  let [calls, puts] = [0, 0]
  for (const i of slots) {
    const middle = mid(chain, i)
    if (Number.isNaN(middle)) continue
    const premium = known(chain.volume[i]) * middle * CONTRACT_SIZE
    if (chain.right[i] === CALL) calls += premium
    else puts += premium
  }
  return { calls, puts }
}
