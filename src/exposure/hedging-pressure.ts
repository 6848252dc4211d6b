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
