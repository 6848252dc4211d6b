import type { UnderlyingQuote } from '../../market/chain.ts'

/** The underlying's quote as answers print it: both sides or neither, the last price as middle where there is none. */
export function quoteSides({ bid = Number.NaN, ask = Number.NaN, last }: UnderlyingQuote) {
  const twoSided = bid <= ask
  return {
    bid: twoSided ? bid : undefined,
    ask: twoSided ? ask : undefined,
    mid: twoSided ? (bid + ask) / 2 : last
  }
}
