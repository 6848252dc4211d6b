import { ratio } from '../math/optional.ts'

export const vixStates = ['overvixing', 'undervixing', 'neutral'] as const
export type VixState = (typeof vixStates)[number]

/** Vol points from which, and up to which, the VIX is out of line with what the index has moved. */
const OVERVIXING = 5
const UNDERVIXING = 0

/** The VIX beside what the S&P 500 did. */
export interface VixPremium {
  /** VIX less realized volatility, vol points. */
  readonly spread: number
  /** VIX over realized volatility; undefined where nothing moved. */
  readonly ratio: number | undefined
  readonly state: VixState
}

/** Whether the VIX asks more or less than the index has moved; both in percent. Source: the wire contract. */
export function vixPremium(vix: number, realized: number): VixPremium {
  const spread = vix - realized
  const state = spread >= OVERVIXING ? 'overvixing' : spread <= UNDERVIXING ? 'undervixing' : 'neutral'
  return { spread, ratio: ratio(vix, realized), state }
}
