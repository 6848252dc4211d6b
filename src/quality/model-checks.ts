import type { Scope } from '../exposure/scope.ts'
import { percentOf } from '../math/optional.ts'
import { median } from '../math/statistics.ts'
import { quotedPairs } from '../pricing/american/forward/quoted-pairs.ts'
import type { QuotedPairs } from '../pricing/american/forward/weighted-forward.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import { isAccepted, slices } from '../volatility/smile/slice.ts'
import { graded, type QualityCheck } from './quality-check.ts'

/**
 * Distance from spot, as a fraction of spot, of strikes tested for put-call parity; further out early exercise distorts
 * it.
 */
const NEAR = 0.05
/** Minimum spread of a quote assumed in the parity check: one tick, USD per share. */
const MIN_TICK = 0.01
/** Number of strikes with two-sided calls and puts from which an expiration should have a smile. */
const ENOUGH_STRIKES = 5

/** Checks that quotes agree with the carry, smiles and spot derived from them. */
export function modelChecks(scope: Scope): readonly [parity: QualityCheck, smile: QualityCheck, spot: QualityCheck] {
  const pairs = scope.chain.expirations.map((expiration) => quotedPairs(scope.chain, expiration))
  return [
    graded('parity', parityError(scope, pairs), { most: 10, good: 1, bad: 3 }),
    graded('smile', shareWithSmile(scope.chain, pairs), { most: 10, good: 90, bad: 30 }),
    graded('spot', spotDistance(scope), { most: 10, good: 0.25, bad: 1 })
  ]
}

/**
 * Median error of put-call parity near spot: |C - P - D (F - K)| in units of half the sum of both spreads. Undefined
 * without a strike whose call and put have two-sided quotes.
 */
function parityError({ chain, expirations }: Scope, pairs: readonly QuotedPairs[]): number | undefined {
  const errors: number[] = []
  for (const at of expirations) {
    const { discount, forward } = chain.carries[at]
    const { strike, call, put, halfSpreads } = pairs[at]
    for (let k = 0; k < strike.length; k++) {
      if (Math.abs(strike[k] / chain.spot - 1) > NEAR) continue
      const error = Math.abs(call[k] - put[k] - discount * (forward - strike[k]))
      errors.push(error / Math.max(halfSpreads[k], MIN_TICK / 2))
    }
  }
  return median(errors)
}

/** Percent of expirations that have an accepted smile, among those at least a day away with enough quoted strikes. */
function shareWithSmile(chain: PricedChain, pairs: readonly QuotedPairs[]): number | undefined {
  const quoted = slices(chain).filter(({ at, days }) => days >= 1 && pairs[at].strike.length >= ENOUGH_STRIKES)
  return percentOf(quoted.filter(isAccepted).length, quoted.length)
}

/**
 * Distance of spot, in percent, from the value that the nearest parity forward implies, exp(-(r - q) T) F with the
 * expected yield. Undefined without such a forward and for chains priced on forwards.
 */
function spotDistance({ chain, expirations }: Scope): number | undefined {
  if (chain.onForward) return undefined
  const nearest = expirations.map((at) => chain.carries[at]).find(({ days, fromParity }) => days >= 1 && fromParity)
  if (nearest === undefined) return undefined
  const { forward, rate, expectedYield, t } = nearest
  return 100 * Math.abs(chain.spot / (forward * Math.exp(-(rate - expectedYield) * t)) - 1)
}
