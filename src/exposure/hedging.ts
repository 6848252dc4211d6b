/** What dealers trade to stay hedged when spot moves. */
export interface Hedge {
  /** Whole shares, positive when dealers buy. */
  readonly shares: number
  readonly buys: boolean
  /** shares * spot, signed like the shares, USD. */
  readonly notional: number
}

/**
 * Shares dealers trade on a move of spot by `movePercent` (signed), from net gamma exposure in USD per 1 %:
 * -(netGex / spot) * movePercent. Linear, so equal moves up and down are exact opposites. No shares count as buying.
 */
export function dealerHedge(netGex: number, spot: number, movePercent: number): Hedge {
  const exact = -(netGex / spot) * movePercent
  const shares = Math.sign(exact) * Math.round(Math.abs(exact)) + 0
  return { shares, buys: shares >= 0, notional: shares * spot }
}
