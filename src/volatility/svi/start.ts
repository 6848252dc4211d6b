import type { FitPoints } from './residuals.ts'
import { type Found, type SearchPoints, type Seed, searchFrom } from './search.ts'
import { type Svi, sviBounds } from './svi.ts'

/** Largest number of points used in the search. The refinement after it uses all points. */
const SEARCHED = 40
/** Pairs of m and σ from which searches start, in units of the smile's width. */
const seeds = [
  [0, 1],
  [0.8, 0.4],
  [-0.8, 0.4],
  [0, 4]
] as const
const TRIAL_STEPS = 3
const SEARCH_STEPS = 8
/** A slice with its vertex beyond the quotes is accepted only if it reduces the error to this share or less. */
export const ASKED_FOR = 0.75
/** The first step beyond the quotes must reduce the error to this share or less; otherwise the search there ends. */
const PROMISING = 0.9

export type SearchColumns = Pick<SearchPoints, 'k' | 'w' | 'weight'>

export function emptySearchColumns(): SearchColumns {
  return { k: new Float64Array(SEARCHED), w: new Float64Array(SEARCHED), weight: new Float64Array(SEARCHED) }
}

export interface Start {
  readonly inside: Svi
  /** A starting slice whose vertex lies beyond the quotes. Undefined unless it fits much better than `inside`. */
  readonly beyond: Svi | undefined
}

/**
 * Finds starting slices for a refinement. It takes a few search steps from every seed, then more from the best result.
 * `scale` is the smile's width in log-moneyness. If the vertex is stuck at the outermost quote, a search beyond the
 * quotes gives a second start, provided that it reduces the error by a quarter.
 */
export function startFor(points: FitPoints, scale: number, columns: SearchColumns): Start {
  const thinned = searchPoints(points, columns)
  const width = Math.min(0.5, Math.max(scale, 0.005))
  const best = bestTrial(thinned, width)
  const inside = searchFrom(thinned, best.svi, SEARCH_STEPS)
  const isFree = inside.svi.m > points.from && inside.svi.m < points.to
  return { inside: inside.svi, beyond: isFree ? undefined : beyondTheQuotes(thinned, inside) }
}

function bestTrial(points: SearchPoints, width: number): Found {
  let best: Found | undefined
  for (const [m, sigma] of seeds) {
    const seed: Seed = { m: m * width, sigma: sigma * width }
    const trial = searchFrom(points, seed, TRIAL_STEPS)
    if (best === undefined || trial.error < best.error) best = trial
  }
  return best!
}

/**
 * Continues beyond the quotes a search whose vertex is stuck at the outermost quote. One step is enough to dismiss most
 * cases in which this gains too little.
 */
function beyondTheQuotes(points: SearchPoints, inside: Found): Svi | undefined {
  const anywhere = { ...points, from: -sviBounds.furthestM, to: sviBounds.furthestM }
  const first = searchFrom(anywhere, inside.svi, 1)
  if (first.error > PROMISING * inside.error) return undefined
  const { svi, error } = searchFrom(anywhere, first.svi, SEARCH_STEPS)
  return error < ASKED_FOR * inside.error ? svi : undefined
}

/**
 * Selects points for the search, evenly and including the outermost ones. Volatility errors become errors of total
 * variance, with weights to match.
 */
function searchPoints(points: FitPoints, columns: SearchColumns): SearchPoints {
  const { size, k, iv, rootWeight, t, from, to, widest } = points
  const count = Math.min(size, SEARCHED)
  let [ofWeight, ofW, ofSquare] = [0, 0, 0]
  for (let n = 0; n < count; n++) {
    const i = count === size ? n : Math.round((n * (size - 1)) / (count - 1))
    const slope = rootWeight[i] / (2 * iv[i] * t)
    const [w, weight] = [iv[i] * iv[i] * t, slope * slope]
    columns.k[n] = k[i]
    columns.w[n] = w
    columns.weight[n] = weight
    ofWeight += weight
    ofW += weight * w
    ofSquare += weight * w * w
  }
  return { size: count, ...columns, ofWeight, ofW, ofSquare, from, to, widest }
}
