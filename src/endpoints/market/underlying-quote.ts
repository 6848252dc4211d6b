import type { UnderlyingQuote } from '../../market/chain.ts'

/** Quote of the underlying for answers: both sides or neither; without them the last price serves as the middle. */
export function quoteSides({ bid = Number.NaN, ask = Number.NaN, last }: UnderlyingQuote) {
  const twoSided = bid <= ask
  return {
    bid: twoSided ? bid : undefined,
    ask: twoSided ? ask : undefined,
    mid: twoSided ? (bid + ask) / 2 : last
  }
}
