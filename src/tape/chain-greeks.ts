import type { PricedChain } from '../pricing/price-chain.ts'

/**
 * Greeks of all contracts of a chain, in its order. The columns are copies: the memory of the chain is used for other
 * chains once it was replaced.
 */
export type ChainGreeks = Pick<PricedChain, 'asOf' | 'expirations' | 'strike' | 'right' | 'delta' | 'gamma' | 'vega'>

export function chainGreeks({ asOf, expirations, strike, right, delta, gamma, vega }: PricedChain): ChainGreeks {
  return {
    asOf,
    expirations,
    strike: strike.slice(),
    right: right.slice(),
    delta: delta.slice(),
    gamma: gamma.slice(),
    vega: vega.slice()
  }
}
