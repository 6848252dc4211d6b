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
