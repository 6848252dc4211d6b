/** Ways in which the session's flow can change dealers' net gamma. */
export const flowDirections = ['no_flow', 'neutral', 'amplifying', 'dampening', 'regime_flip'] as const
export type FlowDirection = (typeof flowDirections)[number]

/** Flow counts as neutral if it changes net gamma by less than this fraction. */
const NEUTRAL_SHIFT = 0.05

/**
 * Classifies how the flow of the session changes dealers' net gamma. `settled` is net gamma on official open interest,
 * `live` on open interest estimated after the flow, both in USD per 1 % move of spot; `seriesWithFlow` counts the
 * series with flow. The first rule that holds decides: no series has flow; the sign changed or appeared; gamma moved by
 * less than 5 % or both are 0; it grew; it shrank. Source: the published API contract.
 */
export function flowDirection(settled: number, live: number, seriesWithFlow: number): FlowDirection {
  if (seriesWithFlow === 0) return 'no_flow'
  if (live !== 0 && Math.sign(live) !== Math.sign(settled)) return 'regime_flip'
  if (settled === 0 || Math.abs(live - settled) / Math.abs(settled) < NEUTRAL_SHIFT) return 'neutral'
  return Math.abs(live) > Math.abs(settled) ? 'amplifying' : 'dampening'
}

/** Net gamma (USD per 1 % move of spot) and net delta (USD) over some contracts. */
interface NetRisk {
  readonly gex: number
  readonly dex: number
}

/**
 * One exposure in USD, on official open interest (`settled`) and on open interest estimated after the session's flow
 * (`live`).
 */
export interface Shift {
  readonly settled: number
  readonly live: number
  readonly adjustment: number
  /**
   * `adjustment / settled`, a fraction. Above 0 the exposure grew; below -1 its sign changed. 0 if both exposures are
   * 0, undefined if only `settled` is 0.
   */
  readonly share: number | undefined
}

/** How the flow of the session changed the exposure of dealers. */
export interface DealerRisk {
  readonly gex: Shift
  readonly dex: Shift
  readonly direction: FlowDirection
}

/**
 * Compares net exposures on official and on estimated open interest; contracts, greeks and spot are the same. Source:
 * the published API contract.
 */
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
