import type { DailyBar } from '../../market/bar.ts'
import { withinUnit } from '../../math/unit-interval.ts'

/** The sign of full-chain net gamma; unknown where it is 0 or missing. */
export const gammaSides = ['positive_gamma', 'negative_gamma', 'unknown'] as const
export type GammaSide = (typeof gammaSides)[number]

export const vannaOutlooks = ['vanna_supportive', 'vanna_neutral', 'vanna_cascade_risk', 'unknown'] as const
export type VannaOutlook = (typeof vannaOutlooks)[number]

/** How dealers are positioned: full-chain exposures in USD, prices in USD per share. Undefined: not known. */
export interface DealerPositioning {
  readonly spot: number
  readonly netGex: number | undefined
  readonly netVex: number | undefined
  readonly gammaFlip: number | undefined
  /** Mean value of the shares that trade in a day, USD. */
  readonly dollarVolume: number | undefined
}

/** All bounds and weights below: the wire contract, x-conventions.vrp. */
const SESSIONS_OF_VOLUME = 20

export function gammaSide(netGex: number | undefined): GammaSide {
  if (netGex === undefined || netGex === 0) return 'unknown'
  return netGex > 0 ? 'positive_gamma' : 'negative_gamma'
}

/** Whether a rise of volatility makes dealers lean against a move or feed it. */
export function vannaOutlook({ spot, netVex, gammaFlip }: DealerPositioning): VannaOutlook {
  if (netVex === undefined || gammaFlip === undefined) return 'unknown'
  if (netVex > 0 && spot >= gammaFlip) return 'vanna_supportive'
  return netVex < 0 && spot < gammaFlip ? 'vanna_cascade_risk' : 'vanna_neutral'
}

/** Mean of close times volume over the last 20 bars, USD a day. Undefined with fewer, or for what trades no shares. */
export function dollarVolume(bars: readonly DailyBar[]): number | undefined {
  const last = bars.slice(-SESSIONS_OF_VOLUME)
  const value = last.reduce((sum, { close, volume }) => sum + close * volume, 0) / SESSIONS_OF_VOLUME
  return last.length === SESSIONS_OF_VOLUME && value > 0 && Number.isFinite(value) ? value : undefined
}

/**
 * How much the hedging of dealers may hurt who is short volatility: a whole number, 0 to 100. Below 30 benign, above 70
 * hostile. The side of gamma and how far spot is from the flip, how much there is to hedge, and vanna.
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
