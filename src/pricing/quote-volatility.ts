import { memo } from '../market/memo.ts'
import { mid } from './carry.ts'
import { impliedVolatilities } from './implied-volatility.ts'
import { highestSigma, lowestSigma, type PricedChain } from './price-chain.ts'

/** What the quotes of each contract say by themselves, fractions; NaN where a price lies outside its bounds. */
export interface QuoteVolatilities {
  readonly bid: Float64Array
  readonly mid: Float64Array
  readonly ask: Float64Array
}

/**
 * Volatilities inverted from bid, mid and ask of every contract with a two-sided quote. They differ from `sigma` of the
 * priced chain only where that refuses a contract's own mid.
 */
export function quoteVolatilities(chain: PricedChain): QuoteVolatilities {
  return memo(chain, 'quote volatilities', () => ({
    bid: invert(chain, (i) => (Number.isNaN(mid(chain, i)) ? Number.NaN : chain.bid[i])),
    mid: invert(chain, (i) => mid(chain, i)),
    ask: invert(chain, (i) => (Number.isNaN(mid(chain, i)) ? Number.NaN : chain.ask[i]))
  }))
}

function invert(chain: PricedChain, priceOf: (i: number) => number): Float64Array {
  const price = new Float64Array(chain.size)
  const sigma = new Float64Array(chain.size)
  for (let i = 0; i < chain.size; i++) price[i] = priceOf(i)
  chain.expirations.forEach(({ start, end }, at) => {
    impliedVolatilities(chain.carries[at], chain.strike, chain.right, price, start, end, sigma)
  })
  return sigma.map((value) => (value >= lowestSigma && value <= highestSigma ? value : Number.NaN))
}
