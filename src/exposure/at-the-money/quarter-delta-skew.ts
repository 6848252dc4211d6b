import { CALL } from '../../market/chain.ts'
import type { Scope } from '../scope.ts'

/** A contract is accepted as the 25-delta one if its delta differs from 0.25 by at most this. */
const MAX_DELTA = 0.2

/**
 * Volatility of the put with a delta nearest to -0.25 minus volatility of the call with a delta nearest to 0.25, in vol
 * points. Undefined if the nearest put or call is more than 0.20 away from its target delta.
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
