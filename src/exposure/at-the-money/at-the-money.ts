import { CALL } from '../../market/chain.ts'
import { memoize } from '../../market/memoize.ts'
import { mid } from '../../pricing/parity.ts'
import { straddleVolatility } from '../../pricing/straddle-volatility.ts'
import { nearer } from '../levels/key-levels.ts'
import { expirationOfSlots, hasExpired, type Scope } from '../scope.ts'

interface Pair {
  readonly strike: number
  readonly call: number
  readonly put: number
}

export interface AtTheMoney extends Pair {
  readonly straddle: number
  /**
   * Implied volatility at the strike, an annual fraction: the mean of call and put, the only one that is known, or the
   * one of the straddle if both were refused.
   */
  readonly sigma: number
  /** Gamma at the strike: the mean of call and put, or the only one that is known. */
  readonly gamma: number | undefined
}

/**
 * Data of the strike nearest to spot at which both call and put have a usable mid price. Undefined if there is none.
 * Also undefined if all contracts of the scope have expired: their last quotes say nothing about future moves.
 */
export const atTheMoney = memoize((scope: Scope): AtTheMoney | undefined => {
  const { chain } = scope
  if (hasExpired(scope)) return undefined
  let best: Pair | undefined
  for (const pair of pairs(scope)) {
    if (Number.isNaN(mid(chain, pair.call) + mid(chain, pair.put))) continue
    // If AM and PM series share a date, the one listed last (PM) is used.
    if (best === undefined || pair.strike === best.strike || nearer(pair.strike, best.strike, chain.spot)) best = pair
  }
  if (best === undefined) return undefined
  const straddle = mid(chain, best.call) + mid(chain, best.put)
  const { [expirationOfSlots(chain)[best.call]]: carry } = chain.carries
  return {
    ...best,
    straddle,
    sigma:
      meanOfPresent(chain.sigma[best.call], chain.sigma[best.put]) ?? straddleVolatility(carry, best.strike, straddle),
    gamma: meanOfPresent(chain.gamma[best.call], chain.gamma[best.put])
  }
})

/**
 * Volatility at spot, an annual fraction: at the money, or else of the nearest strike that has one. Undefined if no
 * contract of the scope has one, or all have expired.
 */
export function spotVolatility(scope: Scope): number | undefined {
  return atTheMoney(scope)?.sigma ?? (hasExpired(scope) ? undefined : nearestVolatility(scope))
}

function nearestVolatility({ chain, slots }: Scope): number | undefined {
  const { strike, sigma } = chain
  let best: number | undefined
  for (const i of slots) {
    if (Number.isNaN(sigma[i])) continue
    if (best === undefined || nearer(strike[i], strike[best], chain.spot)) best = i
  }
  return best === undefined ? undefined : sigma[best]
}

function pairs({ chain, slots }: Scope): readonly Pair[] {
  const found: Pair[] = []
  for (let k = 0; k + 1 < slots.length; k++) {
    const [call, put] = [slots[k], slots[k + 1]]
    if (chain.right[call] !== CALL || put !== call + 1 || chain.strike[call] !== chain.strike[put]) continue
    found.push({ strike: chain.strike[call], call, put })
  }
  return found
}

function meanOfPresent(a: number, b: number): number | undefined {
  if (Number.isNaN(a)) return Number.isNaN(b) ? undefined : b
  return Number.isNaN(b) ? a : (a + b) / 2
}
