import { durrleman, durrlemanOf, type Svi } from './svi.ts'

const NODES = 64
/** A node lower than its neighbors is refined only if g is below this value there. */
const SUSPECT = 0.1
const GOLDEN = 0.6180339887498949

export interface Lowest {
  readonly k: number
  readonly g: number
}

/**
 * Finds the minimum of Durrleman's function g between two log-moneynesses. It is computed at nodes that are evenly
 * spaced in u, where k = m + σ sinh u: over u, a slice bends equally slowly for any σ. The minimum near every node that
 * is low and below its neighbors is found by golden section.
 */
export function lowestDurrleman(svi: Svi, from: number, to: number): Lowest {
  const first = Math.asinh((from - svi.m) / svi.sigma)
  const step = (Math.asinh((to - svi.m) / svi.sigma) - first) / NODES
  const growth = Math.exp(step)
  let grown = Math.exp(first)
  let lowest: Lowest = { k: from, g: durrleman(svi, from) }
  let before = Number.POSITIVE_INFINITY
  let here = lowest.g
  for (let n = 0; n <= NODES; n++) {
    grown *= growth
    const after = n === NODES ? Number.POSITIVE_INFINITY : n === NODES - 1 ? durrleman(svi, to) : atGrown(svi, grown)
    if (here < SUSPECT && here <= before && here <= after) {
      const [lo, hi] = [first + Math.max(0, n - 1) * step, first + Math.min(NODES, n + 1) * step]
      const bottom = followed(svi, Math.max(from, nodeAt(svi, lo)), Math.min(to, nodeAt(svi, hi)))
      if (bottom.g < lowest.g) lowest = bottom
    }
    if (here < lowest.g) lowest = { k: n === NODES ? to : nodeAt(svi, first + n * step), g: here }
    before = here
    here = after
  }
  return lowest
}

const nodeAt = ({ m, sigma }: Svi, u: number) => m + sigma * Math.sinh(u)

/** g at the node whose e^u is `grown`, computed without square roots and hyperbolic functions. */
function atGrown({ a, b, rho, m, sigma }: Svi, grown: number): number {
  const inverse = 1 / grown
  const sinh = 0.5 * (grown - inverse)
  const cosh = 0.5 * (grown + inverse)
  const perCosh = 1 / cosh
  const slope = b * (rho + sinh * perCosh)
  const curvature = (b / sigma) * perCosh * perCosh * perCosh
  return durrlemanOf(m + sigma * sinh, a + b * sigma * (rho * sinh + cosh), slope, curvature)
}

/** Minimum of g in a dip between two points, with an error of at most 1e-5 of their distance. */
function followed(svi: Svi, from: number, to: number): Lowest {
  let lo = from
  let hi = to
  let left = hi - GOLDEN * (hi - lo)
  let right = lo + GOLDEN * (hi - lo)
  let gLeft = durrleman(svi, left)
  let gRight = durrleman(svi, right)
  const enough = 1e-5 * (to - from)
  while (hi - lo > enough) {
    if (gLeft < gRight) {
      hi = right
      right = left
      gRight = gLeft
      left = hi - GOLDEN * (hi - lo)
      gLeft = durrleman(svi, left)
    } else {
      lo = left
      left = right
      gLeft = gRight
      right = lo + GOLDEN * (hi - lo)
      gRight = durrleman(svi, right)
    }
  }
  return gLeft < gRight ? { k: left, g: gLeft } : { k: right, g: gRight }
}
