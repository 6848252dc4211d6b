import { CALL, PUT } from '../../market/chain.ts'
import { mid } from '../../pricing/parity.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { type AcceptedSlice, interpolated } from '../smile/slice.ts'
import type { ArbitrageFlag } from './arbitrage.ts'

/** Places where an arbitrage exists: only on fitted curves, or also in quotes that could be traded. */
export const arbitrageSources = ['fit', 'quotes'] as const
export type ArbitrageSource = (typeof arbitrageSources)[number]

/**
 * Whether the arbitrage that fitted curves show at a moneyness is also in the quotes, bought at the ask and sold at the
 * bid. A butterfly is checked over three neighboring quoted strikes of one right; a calendar by the total variance of
 * the earlier bid against that of the later ask. Beyond the quotes, an arbitrage can only be in the fit.
 */
export function arbitrageSource(chain: PricedChain, flag: ArbitrageFlag): ArbitrageSource {
  const isQuoted =
    flag.kind === 'butterfly'
      ? butterflyIsQuoted(chain, flag.slice, flag.slice.forward * Math.exp(flag.k))
      : calendarIsQuoted(flag.earlier, flag.later, flag.k)
  return isQuoted ? 'quotes' : 'fit'
}

function butterflyIsQuoted(chain: PricedChain, { at }: AcceptedSlice, strike: number): boolean {
  const { start, end } = chain.expirations[at]
  return [CALL, PUT].some((right) => {
    const quoted: number[] = []
    for (let i = start; i < end; i++) {
      if (chain.right[i] === right && !Number.isNaN(mid(chain, i))) quoted.push(i)
    }
    return quoted.slice(2).some((high, n) => {
      const [low, body] = [quoted[n], quoted[n + 1]]
      const isAround = chain.strike[low] <= strike && strike <= chain.strike[high]
      return isAround && butterflyCost(chain, low, body, high) < 0
    })
  })
}

/** Cost of a butterfly over three strikes for one unit of its body, bought at the ask and sold at the bid, USD. */
function butterflyCost({ strike, bid, ask }: PricedChain, low: number, body: number, high: number): number {
  const share = (strike[high] - strike[body]) / (strike[high] - strike[low])
  return share * ask[low] + (1 - share) * ask[high] - bid[body]
}

function calendarIsQuoted(earlier: AcceptedSlice, later: AcceptedSlice, k: number): boolean {
  const sold = quotedVariance(earlier, k, -1)
  const bought = quotedVariance(later, k, 1)
  return sold !== undefined && bought !== undefined && sold > bought
}

/**
 * Total variance at a moneyness by the bids (`side` -1) or asks (`side` 1) of the smile points. Undefined beyond the
 * outermost points.
 */
function quotedVariance({ points, t }: AcceptedSlice, k: number, side: 1 | -1): number | undefined {
  const iv = points.iv.map((middle, p) => Math.max(0, middle + side * points.halfSpread[p]))
  return interpolated({ ...points, iv }, t, k)
}
