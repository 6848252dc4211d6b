import type { FitPoints } from './residuals.ts'
import { type Found, type SearchPoints, type Seed, searchFrom } from './search.ts'
import { type Svi, sviBounds } from './svi.ts'

/** Searching looks at no more points than this; the refinement at all of them. */
const SEARCHED = 40
/** Where searches start, in units of the smile's own width: m, σ. */
const seeds = [
  [0, 1],
  [0.8, 0.4],
  [-0.8, 0.4],
  [0, 4]
] as const
const TRIAL_STEPS = 3
const SEARCH_STEPS = 8
/** The share of the error that a vertex beyond the quotes must come down to. */
export const ASKED_FOR = 0.75
/** What the first step beyond must bring it down to. */
const PROMISING = 0.9

/** Columns for the points of a search. */
export type SearchColumns = Pick<SearchPoints, 'k' | 'w' | 'weight'>

/** Room for the points of one search after another. */
export function emptySearchColumns(): SearchColumns {
  return { k: new Float64Array(SEARCHED), w: new Float64Array(SEARCHED), weight: new Float64Array(SEARCHED) }
}

/** Where refinements start. */
export interface Start {
  readonly inside: Svi
  /** With its vertex beyond the quotes; absent unless they ask for it. */
  readonly beyond: Svi | undefined
}

/**
 * The slice a refinement starts from: a few steps of search from every seed, then the rest of the way from where the
 * error is least. `scale` is the smile's width in log-moneyness.
 *
 * A vertex that is held back at the end of the quotes is followed beyond them, and what that finds is a start of its own
 * where it takes a quarter off the error.
 */
export function startFor(points: FitPoints, scale: number, columns: SearchColumns): Start {
  const thinned = searchPoints(points, columns)
  const width = Math.min(0.5, Math.max(scale, 0.005))
  const starts = seeds.map(([m, sigma]): Seed => ({ m: m * width, sigma: sigma * width }))
  const trials = starts.map((seed) => searchFrom(thinned, seed, TRIAL_STEPS))
  const best = trials.reduce((least, trial) => (trial.error < least.error ? trial : least))
  const inside = searchFrom(thinned, best.svi, SEARCH_STEPS)
  const isFree = inside.svi.m > points.from && inside.svi.m < points.to
  return { inside: inside.svi, beyond: isFree ? undefined : beyondTheQuotes(thinned, inside) }
}

/** Where a vertex goes that is held back at the end of the quotes. One step tells most of those that gain too little. */
function beyondTheQuotes(points: SearchPoints, inside: Found): Svi | undefined {
  const anywhere = { ...points, from: -sviBounds.furthestM, to: sviBounds.furthestM }
  const first = searchFrom(anywhere, inside.svi, 1)
  if (first.error > PROMISING * inside.error) return undefined
  const { svi, error } = searchFrom(anywhere, first.svi, SEARCH_STEPS)
  return error < ASKED_FOR * inside.error ? svi : undefined
}

/** Every n-th point, the outermost ones among them, with the weight a squared error of total variance has. */
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
