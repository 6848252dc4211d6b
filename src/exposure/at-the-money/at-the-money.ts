import { CALL } from '../../market/chain.ts'
import { memoize } from '../../market/memoize.ts'
import { mid } from '../../pricing/parity.ts'
import { nearer } from '../levels/key-levels.ts'
import { hasExpired, type Scope } from '../scope.ts'

/** The call and the put at one strike of one root. */
interface Pair {
  readonly strike: number
  readonly call: number
  readonly put: number
}

export interface AtTheMoney extends Pair {
  /** Call mid plus put mid, USD per share. */
  readonly straddle: number
  /** Mean of call and put volatility, the one present when only one is; a fraction. */
  readonly sigma: number | undefined
  /** Mean of call and put gamma, likewise. */
  readonly gamma: number | undefined
}

/**
 * The strike nearest to spot at which call and put both have a usable mid. Undefined when there is none in scope, and for
 * what has expired: its last marks price nothing that is still to come.
 */
export const atTheMoney = memoize((scope: Scope): AtTheMoney | undefined => {
  const { chain } = scope
  if (hasExpired(scope)) return undefined
  let best: Pair | undefined
  for (const pair of pairs(scope)) {
    if (Number.isNaN(mid(chain, pair.call) + mid(chain, pair.put))) continue
    // Where AM and PM series share a date, the one listed last (PM) stands for the strike.
    if (best === undefined || pair.strike === best.strike || nearer(pair.strike, best.strike, chain.spot)) best = pair
  }
  if (best === undefined) return undefined
  return {
    ...best,
    straddle: mid(chain, best.call) + mid(chain, best.put),
    sigma: meanOfPresent(chain.sigma[best.call], chain.sigma[best.put]),
    gamma: meanOfPresent(chain.gamma[best.call], chain.gamma[best.put])
  }
})

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
