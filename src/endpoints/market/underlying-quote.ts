import type { UnderlyingQuote } from '../../market/chain.ts'

/**
 * Bid, ask and mid of the underlying for responses. Bid and ask are both present or both missing; if missing, the last
 * price serves as mid.
 */
export function quoteSides({ bid = Number.NaN, ask = Number.NaN, last }: UnderlyingQuote) {
  const twoSided = bid <= ask
  return {
    bid: twoSided ? bid : undefined,
    ask: twoSided ? ask : undefined,
    mid: twoSided ? (bid + ask) / 2 : last
  }
}
