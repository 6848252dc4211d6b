import { covarianceRoot, normalDraw } from '../../math/normal-draws.ts'
import { quantile } from '../../math/statistics.ts'
import { isWithin, type StrikeRange } from '../spot-ladder/strike-range.ts'
import { type JointGamma, nodesAround } from './gamma-at-nodes.ts'

/** Number of random draws from which the distributions of flip and walls are estimated. */
export const DRAWS = 400
/** Quantiles are given only if at least this many draws have a flip. */
const MIN_WITH_FLIP = 20

export interface FlipBand {
  /** Quantile of the flip over those draws that have one. Undefined if too few have one. */
  readonly quantileAt: (share: number) => number | undefined
  /** Fraction of the draws that have no flip. */
  readonly shareWithout: number
}

/**
 * Draws net gamma around spot at random, and finds the gamma flip of each draw. As in `gammaFlip`, a draw whose nearest
 * crossing lies outside the listed strikes has none. `key` seeds the random numbers: equal keys give equal draws.
 */
export function flipBand({ mean, covariance }: JointGamma, spot: number, strikes: StrikeRange, key: number): FlipBand {
  const root = covarianceRoot(covariance, mean.length)
  const nodes = nodesAround(spot)
  const flips: number[] = []
  for (let draw = 0; draw < DRAWS; draw++) {
    const flip = flipAlong(nodes, normalDraw(mean, root, key, draw))
    if (flip !== undefined && isWithin(strikes, flip)) flips.push(flip)
  }
  return {
    quantileAt: (share) => (flips.length < MIN_WITH_FLIP ? undefined : quantile(flips, share)),
    shareWithout: 1 - flips.length / DRAWS
  }
}

/**
 * Gamma flip of a curve of net gamma, which is given at nodes and linear between them. As in `gammaFlip`, it is the
 * nearest change of sign: below spot if net gamma is positive at spot, above spot if it is negative.
 */
export function flipAlong(nodes: readonly number[], gamma: Float64Array): number | undefined {
  const middle = (nodes.length - 1) / 2
  const here = gamma[middle]
  if (here === 0) return gamma.some((value) => value !== 0) ? nodes[middle] : undefined
  const step = here > 0 ? -1 : 1
  for (let k = middle; k + step >= 0 && k + step < nodes.length; k += step) {
    const [near, far] = [gamma[k], gamma[k + step]]
    if (far * here > 0) continue
    return nodes[k] + ((nodes[k + step] - nodes[k]) * near) / (near - far)
  }
  return undefined
}
