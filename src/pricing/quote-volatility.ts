import { isLive } from '../market/clock.ts'
import { memoizeBy } from '../market/memoize.ts'
import { fillVolatilities } from './by-exercise.ts'
import { mid } from './parity.ts'
import type { PricedChain } from './price-chain.ts'
import { MAX_SIGMA, MIN_SIGMA } from './sources.ts'

/**
 * Volatilities implied by bid, mid and ask, annual fractions, with one entry per contract of the chain. NaN if no
 * volatility explains a price.
 */
export interface QuoteVolatilities {
  readonly bid: Float64Array
  readonly mid: Float64Array
  readonly ask: Float64Array
}

type Side = keyof QuoteVolatilities

/**
 * Volatilities implied by the quote of each contract itself. The volatility of the mid differs from `sigma` of the
 * priced chain only where pricing rejected that mid.
 */
export const quoteVolatilities = (chain: PricedChain): QuoteVolatilities => ({
  bid: volatilitiesOfSide(chain, 'bid'),
  mid: volatilitiesOfSide(chain, 'mid'),
  ask: volatilitiesOfSide(chain, 'ask')
})

/** Volatilities implied by one side of the quotes, one entry per contract of the chain. */
export const volatilitiesOfSide = memoizeBy((chain: PricedChain, side: Side): Float64Array => {
  const column = new Float64Array(chain.size)
  chain.expirations.forEach(({ start }, at) => {
    column.set(volatilitiesOf(chain, at, side), start)
  })
  return column
})

/**
 * Volatilities implied by one side of the quotes (bid, mid or ask) of the expiration with index `at`, annual fractions.
 * NaN if it has expired.
 */
export function volatilitiesOf(chain: PricedChain, at: number, side: Side): Float64Array {
  const { date, settlement, start, end } = chain.expirations[at]
  const size = end - start
  if (!isLive(chain.asOf, date, settlement)) return new Float64Array(size).fill(Number.NaN)
  const price = new Float64Array(size)
  for (let k = 0; k < size; k++) {
    const middle = mid(chain, start + k)
    price[k] = side === 'mid' || Number.isNaN(middle) ? middle : chain[side][start + k]
  }
  const sigma = new Float64Array(size)
  const part = <Column extends Float64Array | Uint8Array>(column: Column) => column.subarray(start, end) as Column
  fillVolatilities(chain.carries[at], part(chain.strike), part(chain.right), price, 0, size, sigma)
  return sigma.map((value) => (value >= MIN_SIGMA && value <= MAX_SIGMA ? value : Number.NaN))
}
