/** The trade in shares with which dealers stay delta-neutral when spot moves. */
export interface Hedge {
  /** Whole shares. Positive if dealers buy, negative if they sell. */
  readonly shares: number
  readonly buys: boolean
  /** Value of the shares at spot, USD, with the sign of `shares`. */
  readonly notional: number
}

/**
 * Shares that dealers trade if spot moves by `movePercent`, which may be negative: -(netGex / spot) × movePercent.
 * `netGex` is net gamma exposure in USD per 1 %. The formula is linear, so equal moves up and down give opposite
 * trades. A trade of zero shares is called buying.
 */
export function dealerHedge(netGex: number, spot: number, movePercent: number): Hedge {
  const exact = -(netGex / spot) * movePercent
  const shares = Math.sign(exact) * Math.round(Math.abs(exact)) + 0
  return { shares, buys: shares >= 0, notional: shares * spot }
}

/** Whether dealers buy or sell because time passes. */
export const charmRegimes = ['time_decay_dealers_buy', 'time_decay_dealers_sell', 'neutral'] as const
export type CharmRegime = (typeof charmRegimes)[number]

/** Whether dealers buy or sell because volatility rises. */
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
