import { CALL, type Chain, type Expiration } from '../../../market/chain.ts'
import { mid } from '../../parity.ts'
import type { QuotedPairs } from './weighted-forward.ts'

/**
 * Collects the strikes of an expiration at which both call and put have a bid and an ask. `outer` holds the European
 * volatilities of the out-of-the-money contracts if they are known, and NaN for all others.
 */
export function quotedPairs(chain: Chain, { start, end }: Expiration, outer?: Float64Array): QuotedPairs {
  const { strike, right, bid, ask } = chain
  const most = (end - start) >> 1
  const [strikes, calls, puts, halfSpreads] = Array.from({ length: 4 }, () => new Float64Array(most))
  const sigmas = outer && new Float64Array(most)
  let count = 0
  for (let i = start; i + 1 < end; i++) {
    if (right[i] !== CALL || strike[i + 1] !== strike[i]) continue
    const [call, put] = [mid(chain, i), mid(chain, i + 1)]
    if (Number.isNaN(call + put)) continue
    strikes[count] = strike[i]
    calls[count] = call
    puts[count] = put
    halfSpreads[count] = (ask[i] - bid[i] + (ask[i + 1] - bid[i + 1])) / 2
    if (outer !== undefined) sigmas![count] = outer[i - start] || outer[i + 1 - start]
    count++
  }
  return {
    strike: strikes.subarray(0, count),
    call: calls.subarray(0, count),
    put: puts.subarray(0, count),
    halfSpreads: halfSpreads.subarray(0, count),
    outerSigma: sigmas?.subarray(0, count)
  }
}
