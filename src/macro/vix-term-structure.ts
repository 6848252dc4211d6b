import type { Macro } from '../market/macro.ts'

export const vixShapes = ['contango', 'backwardation'] as const
export type VixShape = (typeof vixShapes)[number]

/** VIX indexes by horizon: 9 days, 30 days, 3 and 6 months; index points. */
export interface VixTermStructure {
  readonly vix9d: number | undefined
  readonly vix: number
  readonly vix3m: number
  readonly vix6m: number | undefined
  /** Slope from 9 to 30 days in percent: 100 (VIX - VIX9D) / VIX9D. */
  readonly nearSlope: number | undefined
  /** Three-month index less VIX in index points, a proxy for the spread of VIX futures. */
  readonly spread: number
  /** Spread in percent of the VIX. */
  readonly basis: number
  /** Contango or backwardation; a spread of 0 counts as contango. */
  readonly shape: VixShape
}

/** Term structure of the VIX indexes. Undefined without the VIX or its three-month index. Source: the wire contract. */
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
 * Three-month index divided by VIX; below 1 near-term volatility is dearer. Undefined if one is missing or the VIX is
 * 0.
 */
export function vixTermSlope({ levels: { vix, vix3m } }: Macro): number | undefined {
  return vix === undefined || vix3m === undefined || vix.value === 0 ? undefined : vix3m.value / vix.value
}
