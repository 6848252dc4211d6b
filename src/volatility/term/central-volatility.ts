import { CALL } from '../../market/chain.ts'
import { mid } from '../../pricing/parity.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { straddleVolatility } from '../../pricing/straddle-volatility.ts'
import { marketSurface } from '../market-smile/market-surface.ts'
import { totalVarianceAt } from '../market-smile/smile-curve.ts'
import type { Slice } from '../smile/slice.ts'
import { atmVolatility } from '../smile/smile-volatility.ts'

/**
 * Volatility at the forward of an expiration, an annual fraction: of its fitted or interpolated smile, else of its
 * market smile, else of the straddle at the strike nearest to the forward. Undefined without any of them.
 */
export function centralVolatility(chain: PricedChain, slice: Slice): number | undefined {
  return atmVolatility(slice) ?? marketVolatility(chain, slice) ?? straddleAtForward(chain, slice)
}

/** Volatility at the forward of an expiration's market smile, an annual fraction. Undefined without a market smile. */
export function marketVolatility(chain: PricedChain, { at }: Pick<Slice, 'at'>): number | undefined {
  const smile = marketSurface(chain).smiles[at]
  return smile && Math.sqrt(totalVarianceAt(smile, 0) / smile.t)
}

function straddleAtForward(chain: PricedChain, { at }: Slice): number | undefined {
  const { start, end } = chain.expirations[at]
  const { right, strike } = chain
  const { [at]: carry } = chain.carries
  let best: { readonly strike: number; readonly straddle: number } | undefined
  const away = (price: number) => Math.abs(price - carry.forward)
  for (let i = start; i + 1 < end; i++) {
    if (right[i] !== CALL || strike[i + 1] !== strike[i]) continue
    const straddle = mid(chain, i) + mid(chain, i + 1)
    if (Number.isNaN(straddle) || (best !== undefined && away(strike[i]) >= away(best.strike))) continue
    best = { strike: strike[i], straddle }
  }
  return best && straddleVolatility(carry, best.strike, best.straddle)
}
