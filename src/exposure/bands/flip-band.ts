import { covarianceRoot, normalDraw } from '../../math/normal-draws.ts'
import { quantile } from '../../math/statistics.ts'
import { type JointGamma, nodesAround } from './gamma-at-nodes.ts'

/** Draws behind the band of a flip and the odds of walls. */
export const DRAWS = 400
/** Draws with a flip from which on there are quantiles. */
const MIN_WITH_FLIP = 20

/** Where the flip may lie. */
export interface FlipBand {
  /** By share of the draws that have one; undefined where too few have. */
  readonly quantileAt: (share: number) => number | undefined
  /** The share of draws without a flip. */
  readonly shareWithout: number
}

/** The flips of draws of net gamma around spot. The same key gives the same draws. */
export function flipBand({ mean, covariance }: JointGamma, spot: number, key: number): FlipBand {
  const root = covarianceRoot(covariance, mean.length)
  const nodes = nodesAround(spot)
  const flips: number[] = []
  for (let draw = 0; draw < DRAWS; draw++) {
    const flip = flipAlong(nodes, normalDraw(mean, root, key, draw))
    if (flip !== undefined) flips.push(flip)
  }
  return {
    quantileAt: (share) => (flips.length < MIN_WITH_FLIP ? undefined : quantile(flips, share)),
    shareWithout: 1 - flips.length / DRAWS
  }
}

/**
 * The flip of net gamma at nodes, straight in between, by the rule of `gammaFlip`: the nearest change of sign below spot
 * while it is positive there, above while it is negative.
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
