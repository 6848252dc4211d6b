/** The share trade that keeps dealers delta-neutral when spot moves. */
export interface Hedge {
  /** Whole shares, positive if dealers buy. */
  readonly shares: number
  readonly buys: boolean
  /** shares × spot with the sign of the shares, USD. */
  readonly notional: number
}

/**
 * Shares that dealers trade if spot moves by `movePercent` (signed), from net gamma exposure in USD per 1 %: -(netGex /
 * spot) × movePercent. The formula is linear, so equal moves up and down give exact opposites. Zero shares count as
 * buying.
 */
export function dealerHedge(netGex: number, spot: number, movePercent: number): Hedge {
  const exact = -(netGex / spot) * movePercent
  const shares = Math.sign(exact) * Math.round(Math.abs(exact)) + 0
  return { shares, buys: shares >= 0, notional: shares * spot }
}

/** Direction in which dealers trade because time passes. */
export const charmRegimes = ['time_decay_dealers_buy', 'time_decay_dealers_sell', 'neutral'] as const
export type CharmRegime = (typeof charmRegimes)[number]

/** Direction in which dealers trade because volatility rises. */
export const vannaRegimes = ['vol_up_dealers_buy', 'vol_up_dealers_sell', 'neutral'] as const
export type VannaRegime = (typeof vannaRegimes)[number]

export function charmRegime(netChex: number): CharmRegime {
  if (netChex === 0) return 'neutral'
  return netChex > 0 ? 'time_decay_dealers_buy' : 'time_decay_dealers_sell'
}

export function vannaRegime(netVex: number): VannaRegime {
  if (netVex === 0) return 'neutral'
  return netVex > 0 ? 'vol_up_dealers_buy' : 'vol_up_dealers_sell'
}
