import { CALL } from '../../market/chain.ts'
import type { Scope } from '../scope.ts'

/** Largest distance from 25 delta at which a contract is accepted. */
const MAX_DELTA = 0.2

/**
 * Volatility of the put nearest to -25 delta minus volatility of the call nearest to 25 delta, in vol points. Undefined
 * if the puts or the calls have no contract within 0.20 of the target delta.
 */
export function quarterDeltaSkew({ chain, slots }: Scope): number | undefined {
  const nearest = (right: boolean, target: number) => {
    let best: number | undefined
    for (const i of slots) {
      if ((chain.right[i] === CALL) !== right || Number.isNaN(chain.delta[i])) continue
      const gap = Math.abs(chain.delta[i] - target)
      if (best === undefined || gap < Math.abs(chain.delta[best] - target)) best = i
    }
    return best !== undefined && Math.abs(chain.delta[best] - target) <= MAX_DELTA ? chain.sigma[best] : undefined
  }
  const put = nearest(false, -0.25)
  const call = nearest(true, 0.25)
  return put === undefined || call === undefined ? undefined : 100 * (put - call)
}
