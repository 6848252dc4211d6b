import { ratio } from '../math/optional.ts'

export const vixStates = ['overvixing', 'undervixing', 'neutral'] as const
export type VixState = (typeof vixStates)[number]

/**
 * Limits for VIX minus realized volatility, in vol points. From OVERVIXING up, the VIX counts as too high; from
 * UNDERVIXING down, as too low.
 */
const OVERVIXING = 5
const UNDERVIXING = 0

export interface VixPremium {
  /** VIX minus realized volatility, vol points. */
  readonly spread: number
  /** VIX divided by realized volatility. Undefined if realized volatility is 0. */
  readonly ratio: number | undefined
  readonly state: VixState
}

/**
 * Compares the VIX with the realized volatility of the S&P 500. Both are in percent. Source: the published API
 * contract.
 */
export function vixPremium(vix: number, realized: number): VixPremium {
  const spread = vix - realized
  const state = spread >= OVERVIXING ? 'overvixing' : spread <= UNDERVIXING ? 'undervixing' : 'neutral'
  return { spread, ratio: ratio(vix, realized), state }
}
