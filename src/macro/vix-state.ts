import { ratio } from '../math/optional.ts'

export const vixStates = ['overvixing', 'undervixing', 'neutral'] as const
export type VixState = (typeof vixStates)[number]

/** Vol points of VIX less realized volatility from which, and up to which, the VIX is out of line. */
const OVERVIXING = 5
const UNDERVIXING = 0

/** VIX compared with realized volatility of the S&P 500. */
export interface VixPremium {
  /** VIX less realized volatility, vol points. */
  readonly spread: number
  /** VIX over realized volatility; undefined if that is 0. */
  readonly ratio: number | undefined
  readonly state: VixState
}

/** Compares the VIX with the index's realized volatility, both in percent. Source: the wire contract. */
export function vixPremium(vix: number, realized: number): VixPremium {
  const spread = vix - realized
  const state = spread >= OVERVIXING ? 'overvixing' : spread <= UNDERVIXING ? 'undervixing' : 'neutral'
  return { spread, ratio: ratio(vix, realized), state }
}
