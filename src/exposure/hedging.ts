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

/** What the passage of time alone makes dealers do. */
export const charmRegimes = ['time_decay_dealers_buy', 'time_decay_dealers_sell', 'neutral'] as const
export type CharmRegime = (typeof charmRegimes)[number]

/** What rising volatility alone makes dealers do. */
export const vannaRegimes = ['vol_up_dealers_buy', 'vol_up_dealers_sell', 'neutral'] as const
export type VannaRegime = (typeof vannaRegimes)[number]

/** The side of net charm exposure. */
export function charmRegime(netChex: number): CharmRegime {
  if (netChex === 0) return 'neutral'
  return netChex > 0 ? 'time_decay_dealers_buy' : 'time_decay_dealers_sell'
}

/** The side of net vanna exposure. */
export function vannaRegime(netVex: number): VannaRegime {
  if (netVex === 0) return 'neutral'
  return netVex > 0 ? 'vol_up_dealers_buy' : 'vol_up_dealers_sell'
}
