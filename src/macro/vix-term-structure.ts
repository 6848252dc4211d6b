import type { Macro } from '../market/macro.ts'

export const vixShapes = ['contango', 'backwardation'] as const
export type VixShape = (typeof vixShapes)[number]

/** Volatility indexes for 9 days, 30 days (VIX), 3 months and 6 months, in index points. */
export interface VixTermStructure {
  readonly vix9d: number | undefined
  readonly vix: number
  readonly vix3m: number
  readonly vix6m: number | undefined
  /** Slope from 9 to 30 days in percent: 100 (VIX - VIX9D) / VIX9D. */
  readonly nearSlope: number | undefined
  /** Three-month index minus VIX, in index points. It approximates the spread between VIX futures. */
  readonly spread: number
  /** `spread` in percent of the VIX. */
  readonly basis: number
  /** Contango if `spread` is 0 or more, else backwardation. */
  readonly shape: VixShape
}

/**
 * Term structure of the VIX indexes. Undefined without the VIX or its three-month index. Source: the published API
 * contract.
 */
export function vixTermStructure({ levels }: Macro): VixTermStructure | undefined {
  const [vix9d, vix, vix3m] = [levels.vix9d?.value, levels.vix?.value, levels.vix3m?.value]
  if (vix === undefined || vix3m === undefined) return undefined
  const spread = vix3m - vix
  return {
    vix9d,
    vix,
    vix3m,
    vix6m: levels.vix6m?.value,
    nearSlope: vix9d === undefined ? undefined : (100 * (vix - vix9d)) / vix9d,
    spread,
    basis: (100 * spread) / vix,
    shape: spread >= 0 ? 'contango' : 'backwardation'
  }
}

/**
 * Three-month volatility index divided by VIX. Below 1, near-term volatility is more expensive. Undefined if one of
 * them is missing or the VIX is 0.
 */
export function vixTermSlope({ levels: { vix, vix3m } }: Macro): number | undefined {
  return vix === undefined || vix3m === undefined || vix.value === 0 ? undefined : vix3m.value / vix.value
}
