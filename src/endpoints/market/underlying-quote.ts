import type { UnderlyingQuote } from '../../market/chain.ts'

/**
 * Bid, ask and mid of the underlying in responses. Bid and ask are either both present or both missing. If they are
 * missing, the last price takes the place of mid.
 */
export function quoteSides({ bid = Number.NaN, ask = Number.NaN, last }: UnderlyingQuote) {
  const twoSided = bid <= ask
  return {
    bid: twoSided ? bid : undefined,
    ask: twoSided ? ask : undefined,
    mid: twoSided ? (bid + ask) / 2 : last
  }
}
