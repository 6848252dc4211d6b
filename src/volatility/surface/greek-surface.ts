import { CALL } from '../../market/chain.ts'
import type { IsoDate } from '../../market/units.ts'
import { type GreekRow, greekRow } from '../../pricing/greek-row.ts'
import { logMoneyness } from '../../pricing/log-moneyness.ts'
import { greekTerms, type PricedChain } from '../../pricing/price-chain.ts'
import { type Slice, slices } from '../smile/slice.ts'
import { smileVolatility } from '../smile/smile-volatility.ts'

/**
 * Largest distance between a strike and spot, as a fraction of spot. `MAX_STRIKES` is the largest number of strikes.
 */
const REACH = 0.15
const MAX_STRIKES = 61

export interface GreekSurface {
  readonly strikes: Float64Array
  /** Greeks at every strike: one row per expiration, ascending by date. */
  readonly rows: readonly { readonly date: IsoDate; readonly greeks: GreekRow }[]
}

/**
 * Greeks at the listed strikes around spot, for every expiration that is not past. They use the volatility of the
 * contract, or else of the smile. An expiration is left out if one of the strikes has no volatility, so the grid has no
 * empty cell.
 */
export function greekSurface(chain: PricedChain): GreekSurface {
  const strikes = gridStrikes(chain)
  const rows = slices(chain).flatMap((slice) => {
    const volatilities = volatilitiesAt(chain, slice, strikes)
    return volatilities.some(Number.isNaN)
      ? []
      : [{ date: slice.date, greeks: rowOf(chain, slice, strikes, volatilities) }]
  })
  return { strikes, rows }
}

function rowOf(chain: PricedChain, slice: Slice, strikes: Float64Array, volatilities: Float64Array): GreekRow {
  const carry = chain.carries[slice.at]
  return greekRow(greekTerms(carry), carry.clockYield, strikes, volatilities)
}

/**
 * Volatility of an expiration at each strike. It comes from the contract that is out of the money at the forward, or
 * else from the smile. NaN if neither has one.
 */
function volatilitiesAt(chain: PricedChain, slice: Slice, strikes: Float64Array): Float64Array {
  const { start, end } = chain.expirations[slice.at]
  const { forward } = slice
  let i = start
  return strikes.map((strike) => {
    while (i < end && chain.strike[i] < strike) i++
    let sigma = Number.NaN
    for (; i < end && chain.strike[i] === strike; i++) {
      const outside = chain.right[i] === CALL ? strike >= forward : strike <= forward
      if (outside && !Number.isNaN(chain.sigma[i])) sigma = chain.sigma[i]
    }
    if (!Number.isNaN(sigma)) return sigma
    return smileVolatility(slice, logMoneyness(strike, forward)) ?? Number.NaN
  })
}

/**
 * Listed strikes around spot, ascending. If there are too many, only every n-th is taken, counted from the one nearest
 * to spot.
 */
function gridStrikes(chain: PricedChain): Float64Array {
  const [lowest, highest] = [(1 - REACH) * chain.spot, (1 + REACH) * chain.spot]
  const near = new Set<number>()
  for (const { at } of slices(chain)) {
    const { start, end } = chain.expirations[at]
    for (let i = start; i < end; i++) {
      const strike = chain.strike[i]
      if (strike > highest) break
      if (strike >= lowest && (i === start || strike !== chain.strike[i - 1])) near.add(strike)
    }
  }
  const strikes = Float64Array.from(near).sort()
  const step = Math.ceil(strikes.length / MAX_STRIKES)
  const distance = strikes.map((strike) => Math.abs(strike - chain.spot))
  const centre = distance.indexOf(Math.min(...distance))
  return step <= 1 ? strikes : strikes.filter((_, n) => n % step === centre % step)
}
