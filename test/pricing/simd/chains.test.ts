import { afterEach, expect, test } from 'vitest'
import { defaultAssumptions } from '../../../src/pricing/assumptions.ts'
import { usePlainKernels } from '../../../src/pricing/kernel-choice.ts'
import { type PricedChain, priceChain } from '../../../src/pricing/price-chain.ts'
import { quoteVolatilities } from '../../../src/pricing/quote-volatility.ts'
import { quickKernels } from '../../../src/pricing/simd/kernels.ts'
import { fittedSmile } from '../../../src/volatility/smile.ts'
import { allMarkets } from '../../support/markets.ts'

afterEach(() => usePlainKernels(false))

/** Every volatility and greek of a chain that is priced anew. */
function pricedWith(kernels: 'plain' | 'quick', { ...chain }: PricedChain) {
  usePlainKernels(kernels === 'plain')
  const priced = priceChain(chain, defaultAssumptions, fittedSmile)
  const { carries, sigma, sigmaSource, delta, gamma, theta, vega, rho, vanna, charm } = priced
  const columns = { sigma, sigmaSource, delta, gamma, theta, vega, rho, vanna, charm }
  return { carries, ...columns, ...quoteVolatilities(priced) }
}

const markets = await allMarkets()

test.each(markets)('$name is priced alike in WebAssembly and without', ({ chain }) => {
  expect(pricedWith('quick', chain)).toEqual(pricedWith('plain', chain))
})

test('the plain kernels do without WebAssembly, and the others use it', () => {
  const { answers } = quickKernels()
  const isUsed = (kernels: 'plain' | 'quick') => {
    for (const column of answers) column.fill(-777)
    pricedWith(kernels, markets[0].chain)
    return answers.some((column) => column.some((value) => value !== -777))
  }
  expect([isUsed('plain'), isUsed('quick')]).toEqual([false, true])
})
