import type { DailyBar } from '../../market/bar.ts'
import { withinUnit } from '../../math/unit-interval.ts'

/** Sign of the net gamma of the whole chain. Unknown if it is 0 or missing. */
export const gammaSides = ['positive_gamma', 'negative_gamma', 'unknown'] as const
export type GammaSide = (typeof gammaSides)[number]

export const vannaOutlooks = ['vanna_supportive', 'vanna_neutral', 'vanna_cascade_risk', 'unknown'] as const
export type VannaOutlook = (typeof vannaOutlooks)[number]

/**
 * Dealer positioning in the whole chain. Exposures are in USD, prices in USD per share. A figure that is not known is
 * undefined.
 */
export interface DealerPositioning {
  readonly spot: number
  readonly netGex: number | undefined
  readonly netVex: number | undefined
  readonly gammaFlip: number | undefined
  readonly dollarVolume: number | undefined
}

/**
 * Number of past trading sessions over which `dollarVolume` is averaged. The bounds and weights in this file are
 * prescribed by the published API contract, x-conventions.vrp.
 */
const SESSIONS_OF_VOLUME = 20

export function gammaSide(netGex: number | undefined): GammaSide {
  if (netGex === undefined || netGex === 0) return 'unknown'
  return netGex > 0 ? 'positive_gamma' : 'negative_gamma'
}

/**
 * Effect of dealer hedging if volatility changes: it supports the price, does little, or risks a cascade of selling. The
 * code `vanna_cascade_risk` assumes that dealers hold the opposite of net vanna, as the published API contract does.
 */
export function vannaOutlook({ spot, netVex, gammaFlip }: DealerPositioning): VannaOutlook {
  if (netVex === undefined || gammaFlip === undefined) return 'unknown'
  if (netVex > 0 && spot >= gammaFlip) return 'vanna_supportive'
  return netVex < 0 && spot < gammaFlip ? 'vanna_cascade_risk' : 'vanna_neutral'
}

/**
 * Mean dollar volume of the shares over the last 20 daily bars: close × volume, USD per day. Undefined with fewer bars,
 * and for symbols without share volume.
 */
export function dollarVolume(bars: readonly DailyBar[]): number | undefined {
  const last = bars.slice(-SESSIONS_OF_VOLUME)
  const value = last.reduce((sum, { close, volume }) => sum + close * volume, 0) / SESSIONS_OF_VOLUME
  return last.length === SESSIONS_OF_VOLUME && value > 0 && Number.isFinite(value) ? value : undefined
}

/**
 * Risk that dealer hedging poses to a seller of volatility, a whole number from 0 to 100. Below 30 it is benign, above
 * 70 hostile. It is the sum of three parts: the sign of gamma with the distance from the flip, the amount to hedge
 * relative to dollar volume, and vanna.
 */
export function dealerFlowRisk(dealers: DealerPositioning): number {
  return Math.min(100, Math.round(gammaPart(dealers) + hedgingPart(dealers) + vannaPart(dealers)))
}

function gammaPart({ spot, netGex, gammaFlip }: DealerPositioning): number {
  const side = gammaSide(netGex)
  if (side === 'unknown') return 20
  const distance = gammaFlip === undefined ? undefined : 100 * Math.abs(spot / gammaFlip - 1)
  if (side === 'negative_gamma') return 25 + (distance === undefined ? 0 : 15 * withinUnit(distance / 5))
  return distance === undefined ? 10 : 20 * (1 - withinUnit(distance / 3))
}

const hedgingWeights: Readonly<Record<GammaSide, number>> = { negative_gamma: 1, positive_gamma: 0.25, unknown: 0.6 }

function hedgingPart({ netGex, dollarVolume }: DealerPositioning): number {
  if (dollarVolume === undefined) return 15
  return 35 * withinUnit(Math.abs(netGex ?? 0) / (0.1 * dollarVolume)) * hedgingWeights[gammaSide(netGex)]
}

function vannaPart(dealers: DealerPositioning): number {
  if (vannaOutlook(dealers) === 'vanna_cascade_risk') return 25
  return (dealers.netVex ?? 0) < 0 ? 10 : 0
}
