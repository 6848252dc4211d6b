import { ratio } from '../math/optional.ts'

export const vixStates = ['overvixing', 'undervixing', 'neutral'] as const
export type VixState = (typeof vixStates)[number]

/** Bounds in vol points of VIX less realized volatility: too high from OVERVIXING on, too low down from UNDERVIXING. */
const OVERVIXING = 5
const UNDERVIXING = 0

export interface VixPremium {
  /** VIX less realized volatility, vol points. */
  readonly spread: number
  /** VIX divided by realized volatility; undefined if that volatility is 0. */
  readonly ratio: number | undefined
  readonly state: VixState
}

/** Compares the VIX with the realized volatility of its index, both in percent. Source: the wire contract. */
export function vixPremium(vix: number, realized: number): VixPremium {
  const spread = vix - realized
  const state = spread >= OVERVIXING ? 'overvixing' : spread <= UNDERVIXING ? 'undervixing' : 'neutral'
  return { spread, ratio: ratio(vix, realized), state }
}
