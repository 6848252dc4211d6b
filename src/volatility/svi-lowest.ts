import { durrleman, type Svi } from './svi.ts'

const NODES = 64
/** A dip between two nodes is looked into only where they are this close to trouble. */
const SUSPECT = 0.1
const GOLDEN = 0.6180339887498949

export interface Lowest {
  readonly k: number
  readonly g: number
}

/**
 * Where Durrleman's function is lowest between two log-moneyness bounds.
 *
 * The nodes are even in u, k = m + σ sinh u: there a slice bends as slowly with a σ of 0.001 as with one of 1. Every
 * low node below its neighbours is followed to the bottom by golden section.
 */
export function lowestDurrleman(svi: Svi, from: number, to: number): Lowest {
  const { m, sigma } = svi
  const first = Math.asinh((from - m) / sigma)
  const step = (Math.asinh((to - m) / sigma) - first) / NODES
  const at = (n: number) => (n <= 0 ? from : n >= NODES ? to : m + sigma * Math.sinh(first + n * step))
  let lowest: Lowest = { k: from, g: durrleman(svi, from) }
  let before = Number.POSITIVE_INFINITY
  let here = lowest.g
  for (let n = 0; n <= NODES; n++) {
    const after = n === NODES ? Number.POSITIVE_INFINITY : durrleman(svi, at(n + 1))
    if (here < SUSPECT && here <= before && here <= after) {
      const bottom = followed(svi, at, n - 1, n + 1)
      if (bottom.g < lowest.g) lowest = bottom
    }
    if (here < lowest.g) lowest = { k: at(n), g: here }
    before = here
    here = after
  }
  return lowest
}

/** The bottom of a dip between two nodes, to 1e-5 of their distance. */
function followed(svi: Svi, at: (n: number) => number, from: number, to: number): Lowest {
  let [lo, hi] = [Math.max(0, from), Math.min(NODES, to)]
  let [left, right] = [hi - GOLDEN * (hi - lo), lo + GOLDEN * (hi - lo)]
  let [gLeft, gRight] = [durrleman(svi, at(left)), durrleman(svi, at(right))]
  while (hi - lo > 1e-5) {
    if (gLeft < gRight) {
      ;[hi, right, gRight] = [right, left, gLeft]
      left = hi - GOLDEN * (hi - lo)
      gLeft = durrleman(svi, at(left))
    } else {
      ;[lo, left, gLeft] = [left, right, gRight]
      right = lo + GOLDEN * (hi - lo)
      gRight = durrleman(svi, at(right))
    }
  }
  return gLeft < gRight ? { k: at(left), g: gLeft } : { k: at(right), g: gRight }
}
