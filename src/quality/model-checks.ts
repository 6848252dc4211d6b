import type { Scope } from '../exposure/scope.ts'
import { percentOf } from '../math/optional.ts'
import { median } from '../math/statistics.ts'
import { quotedPairs } from '../pricing/american/forward/quoted-pairs.ts'
import type { QuotedPairs } from '../pricing/american/forward/weighted-forward.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import { isAccepted, slices } from '../volatility/smile/slice.ts'
import { graded, type QualityCheck } from './quality-check.ts'
import { areQuotesDue } from './quote-checks.ts'

/**
 * Strikes up to this distance from spot, as a fraction of spot, are tested for put-call parity. Further away, early
 * exercise distorts parity.
 */
const NEAR = 0.05
/** Minimum spread of a quote in the parity check: one tick, USD per share. It matters if bid and ask are equal. */
const MIN_TICK = 0.01
/**
 * An expiration with at least this many strikes whose call and put have both bid and ask is expected to have a smile.
 */
const ENOUGH_STRIKES = 5

/** Points of a parity check that cannot be made: in a session, and outside it, where pairs of quotes need not exist. */
const UNKNOWN_PARITY = 10
const UNKNOWN_PARITY_CLOSED = 5

/** Two checks: whether quotes agree with put-call parity, and whether smiles can be fitted to them. */
export function modelChecks(scope: Scope): readonly [parity: QualityCheck, smile: QualityCheck] {
  const pairs = scope.chain.expirations.map((expiration) => quotedPairs(scope.chain, expiration))
  const unknown = areQuotesDue(scope.chain.asOf) ? UNKNOWN_PARITY : UNKNOWN_PARITY_CLOSED
  return [
    graded('parity', parityError(scope, pairs), { most: 10, good: 1, bad: 3, unknown }),
    graded('smile', shareWithSmile(scope.chain, pairs), { most: 10, good: 90, bad: 30 })
  ]
}

/**
 * Median error of put-call parity near spot: |C - P - D (F - K)| divided by half the sum of both spreads. Undefined if
 * no strike has quotes with both bid and ask for call and put.
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

/**
 * Percentage of expirations whose smile was accepted. Only expirations at least a day away with enough quoted strikes
 * count.
 */
function shareWithSmile(chain: PricedChain, pairs: readonly QuotedPairs[]): number | undefined {
  const quoted = slices(chain).filter(({ at, days }) => days >= 1 && pairs[at].strike.length >= ENOUGH_STRIKES)
  return percentOf(quoted.filter(isAccepted).length, quoted.length)
}
