import type { Macro } from '../market/macro.ts'

export const vixShapes = ['contango', 'backwardation'] as const
export type VixShape = (typeof vixShapes)[number]

/** The family of the VIX by the time each index looks ahead: 9 days, 30 days, 3 and 6 months; index points. */
export interface VixTermStructure {
  readonly vix9d: number | undefined
  readonly vix: number
  readonly vix3m: number
  readonly vix6m: number | undefined
  /** The VIX over the nine-day index, percent of the latter. */
  readonly nearSlope: number | undefined
  /** Three-month index less VIX, index points: what stands in for the spread of the futures. */
  readonly spread: number
  /** The spread in percent of the VIX. */
  readonly basis: number
  /** Level with each other counts as contango. */
  readonly shape: VixShape
}

/** Undefined without the VIX or its three-month index: no shape can be read off fewer. Source: the wire contract. */
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

/** Three-month index over VIX; below 1 the near end costs more. Undefined without either, or over a VIX of 0. */
export function vixTermSlope({ levels: { vix, vix3m } }: Macro): number | undefined {
  return vix === undefined || vix3m === undefined || vix.value === 0 ? undefined : vix3m.value / vix.value
}
