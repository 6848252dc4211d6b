import type { FlowDirection } from '../flow/open-interest/dealer-risk.ts'
import { grouped, withNoun } from './format.ts'

interface FlowFigures {
  readonly seriesWithFlow: number
  readonly moved: number
  /** Net gamma on open interest estimated after the flow. Its sign is that of the dealers' regime. */
  readonly liveGex: number
}

/** A change by more than this fraction is not stated: it says only that the settled figure was close to 0. */
const LARGEST_SHARE = 10

/**
 * Says how today's trades changed the dealers' gamma. `share` is the change as a fraction of the figure from settled
 * open interest.
 */
export function flowReading(
  direction: FlowDirection,
  share: number | undefined,
  { seriesWithFlow, moved, liveGex }: FlowFigures
): string {
  if (direction === 'no_flow') return 'No trades of this session have changed the estimated positions of dealers.'
  const size =
    share === undefined || Math.abs(share) > LARGEST_SHARE ? undefined : `${(100 * Math.abs(share)).toFixed(1)}%`
  const by = size === undefined ? '' : ` by ${size}`
  const effect = {
    neutral: `moved dealer gamma${by}: it is about where it settled`,
    amplifying: `increased the size of dealer gamma${by}: dealers hedge more than at settlement`,
    dampening: `reduced the size of dealer gamma${by}: dealers hedge less than at settlement`,
    regime_flip: `made dealer gamma ${liveGex > 0 ? 'positive' : 'negative'}${size === undefined ? '' : ` (a move of ${size})`}: hedging now ${liveGex > 0 ? 'dampens' : 'amplifies'} moves`
  }[direction]
  return `Trades changed estimated positions by ${withNoun(moved, 'contract')} in ${grouped(seriesWithFlow)} series and ${effect}.`
}
