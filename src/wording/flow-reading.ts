import type { FlowDirection } from '../flow/open-interest/dealer-risk.ts'
import { grouped } from './format.ts'

/**
 * Says how today's trades changed the dealers' gamma. `share` is the change as a fraction of the figure from settled
 * open interest.
 */
export function flowReading(
  direction: FlowDirection,
  share: number | undefined,
  { seriesWithFlow, moved }: { readonly seriesWithFlow: number; readonly moved: number }
): string {
  if (direction === 'no_flow') return 'No flow of this session has changed what dealers hold.'
  const size = share === undefined ? undefined : `${(100 * Math.abs(share)).toFixed(1)}%`
  const effect = {
    neutral: `moved dealer gamma by ${size}: it stands about where it was settled`,
    amplifying: `added ${size} to dealer gamma: what dealers do to moves is amplified`,
    dampening: `took ${size} from dealer gamma: what dealers do to moves is dampened`,
    regime_flip:
      size === undefined
        ? 'gave dealers gamma where they had none'
        : `moved dealer gamma by ${size} and turned its sign: dealers now do the opposite`
  }[direction]
  return `Flow of ${grouped(moved)} contracts in ${grouped(seriesWithFlow)} series ${effect}.`
}
