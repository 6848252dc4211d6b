import Type from 'typebox'
import { Day, Greek, Price } from '../../../api/quantity.ts'
import { CALL } from '../../../market/chain.ts'
import { type GreekRow, greekRow } from '../../../pricing/greek-row.ts'
import { logMoneyness } from '../../../pricing/log-moneyness.ts'
import { greekTerms, type PricedChain } from '../../../pricing/price-chain.ts'
import { type Slice, slices } from '../../../volatility/slice.ts'
import { smileVolatility } from '../../../volatility/smile.ts'

const surface = (description: string) =>
  Type.Object({
    strikes: Type.Array(Price()),
    expiries: Type.Array(Day()),
    values: Type.Array(Type.Array(Greek(`${description}; by expiry, then by strike`)))
  })

export const greekSurfaces = Type.Object({
  vanna: surface('delta per 1.00 of volatility'),
  charm: surface('delta of a call per calendar day passing'),
  volga: surface('USD per share and 1.00 of volatility squared'),
  speed: surface('gamma per USD of spot')
})

/** Strikes within this fraction of spot, and how many of them at most. */
const REACH = 0.15
const MAX_STRIKES = 61

/**
 * Four grids over the same expirations and strikes. A node takes its contract's volatility, else the smile's; an
 * expiration that lacks one at any of the strikes is left out, so that no cell is empty.
 */
export function wireGreeks(chain: PricedChain) {
  const strikes = gridStrikes(chain)
  const rows = slices(chain).flatMap((slice) => {
    const volatilities = volatilitiesAt(chain, slice, strikes)
    return volatilities.some(Number.isNaN)
      ? []
      : [{ date: slice.date, greeks: rowOf(chain, slice, strikes, volatilities) }]
  })
  const grid = (name: keyof GreekRow) => ({
    strikes: Array.from(strikes),
    expiries: rows.map(({ date }) => date),
    values: rows.map(({ greeks }) => Array.from(greeks[name]))
  })
  return { vanna: grid('vanna'), charm: grid('charm'), volga: grid('volga'), speed: grid('speed') }
}

function rowOf(chain: PricedChain, slice: Slice, strikes: Float64Array, volatilities: Float64Array): GreekRow {
  const carry = chain.carries[slice.at]
  return greekRow(greekTerms(chain, carry), carry.clockYield, strikes, volatilities)
}

/** Volatility at each strike: that of the contract out of the money forward, else of the smile, else NaN. */
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

/** The listed strikes around spot, ascending; of too many every n-th, among them the one nearest to spot. */
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
