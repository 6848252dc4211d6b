/** What the flow of the session did to the net gamma of dealers. */
export const flowDirections = ['no_flow', 'neutral', 'amplifying', 'dampening', 'regime_flip'] as const
export type FlowDirection = (typeof flowDirections)[number]

/** A change by less than this share of the settled figure is none to speak of. */
const NEUTRAL_SHIFT = 0.05

/**
 * The direction of flow, from net gamma on official and on effective open interest, USD per 1 % move of spot, and from
 * the number of series with flow. The first of these that holds: nothing has flow; the sign changed, or came to be; it
 * moved by less than 5 %, or is 0 on both; it grew; it shrank. Source: the wire contract.
 */
export function flowDirection(settled: number, live: number, seriesWithFlow: number): FlowDirection {
  if (seriesWithFlow === 0) return 'no_flow'
  if (live !== 0 && Math.sign(live) !== Math.sign(settled)) return 'regime_flip'
  if (settled === 0 || Math.abs(live - settled) / Math.abs(settled) < NEUTRAL_SHIFT) return 'neutral'
  return Math.abs(live) > Math.abs(settled) ? 'amplifying' : 'dampening'
}

/** Net gamma (USD per 1 % move of spot) and delta (USD) of some contracts. */
interface NetRisk {
  readonly gex: number
  readonly dex: number
}

/** One exposure on official and on effective open interest, USD. */
export interface Shift {
  readonly settled: number
  readonly live: number
  /** live - settled. */
  readonly adjustment: number
  /**
   * adjustment / settled, a fraction: above 0 it grew in its own sign, below -1 it changed its sign. 0 where both are 0,
   * undefined where only the settled one is.
   */
  readonly share: number | undefined
}

/** How the flow of the session moved what dealers hold. */
export interface DealerRisk {
  readonly gex: Shift
  readonly dex: Shift
  readonly direction: FlowDirection
}

/** The net exposures of the same contracts, greeks and spot by two books, compared. Source: the wire contract. */
export function dealerRisk(settled: NetRisk, live: NetRisk, seriesWithFlow: number): DealerRisk {
  return {
    gex: shiftOf(settled.gex, live.gex),
    dex: shiftOf(settled.dex, live.dex),
    direction: flowDirection(settled.gex, live.gex, seriesWithFlow)
  }
}

function shiftOf(settled: number, live: number): Shift {
  const adjustment = live - settled
  const share = settled === 0 ? (live === 0 ? 0 : undefined) : adjustment / settled
  return { settled, live, adjustment, share }
}
