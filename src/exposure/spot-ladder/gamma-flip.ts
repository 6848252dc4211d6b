import { memoize } from '../../market/memoize.ts'
import { findRoot } from '../../math/root.ts'
import type { Scope } from '../scope.ts'
import { anyGammaAt, earlyAt, type GammaBySpot, gammaAt, gammaBySpot, kernelColumns, logOf } from './gamma-by-spot.ts'
import { europeanGammaOn, gammaOn, gammaStretch } from './gamma-stretch.ts'
import { isWithin, strikeRange } from './strike-range.ts'

/**
 * The gamma flip: the nearest price at which net gamma exposure crosses zero. It is searched below spot if net gamma is
 * positive, and above spot if it is negative. So spot is above the flip exactly if net gamma is positive. Undefined if
 * no contract has exposure, if there is no crossing within 50 % of spot, or if the nearest one lies outside all listed
 * strikes of the scope, where no quote supports it.
 */
export const gammaFlip = memoize((scope: Scope): number | undefined => {
  const crossing = nearestCrossing(scope)
  return crossing !== undefined && isWithin(strikeRange(scope), crossing) ? crossing : undefined
})

/** The crossing that is the gamma flip if it lies among the listed strikes. */
export const nearestCrossing = memoize((scope: Scope): number | undefined => {
  const { spot } = scope.chain
  if (room.center.length < scope.slots.length) room = kernelColumns(scope.slots.length)
  const profile = gammaBySpot(scope, room)
  if (profile.size === 0) return undefined
  const here = gammaAt(profile, logOf(spot))
  if (here === 0) return spot
  const side = here > 0 ? -1 : 1
  const first = (steps: readonly number[]) => crossingsAlong(profile, spot, here, nodesOf(spot, side, steps), 1)[0]
  return first(fineSteps) ?? first(coarseSteps)
})

/**
 * All prices within `reach` of spot at which net gamma exposure changes sign, ascending. `reach` is a fraction of spot,
 * at most 0.5. The search uses the same grid as `gammaFlip`, so the flip is among the results if it is within reach.
 * Empty if no contract has exposure.
 */
export function gammaCrossings(scope: Scope, reach: number): readonly number[] {
  const { spot } = scope.chain
  const profile = gammaBySpot(scope)
  if (profile.size === 0) return []
  const here = gammaAt(profile, logOf(spot))
  const steps = [
    ...[...fineSteps, ...coarseSteps.filter((step) => step > lastFine)].filter((step) => step < reach),
    reach
  ]
  const along = (side: 1 | -1) => crossingsAlong(profile, spot, here, nodesOf(spot, side, steps))
  return [...along(-1).reverse(), ...(here === 0 ? [spot] : []), ...along(1)]
}

/**
 * Working memory for the gamma profile of one flip at a time. Allocating new arrays would take 8 % of the time of a
 * flip.
 */
let room = kernelColumns(0)

/** Net gamma exposure of a scope if spot were `x`, USD per 1 % move. */
export function netGammaAt(scope: Scope, x: number): number {
  return x * gammaAt(gammaBySpot(scope), logOf(x))
}

const steps = (count: number, step: (j: number) => number) => Array.from({ length: count }, (_, j) => step(j + 1))
const fineSteps = [...steps(50, (j) => 0.001 * j), ...steps(50, (j) => 0.05 + 0.005 * j)]
const coarseSteps = steps(50, (j) => 0.01 * j)
const lastFine = fineSteps[fineSteps.length - 1]

function nodesOf(spot: number, side: 1 | -1, steps: readonly number[]): readonly number[] {
  const nodes: number[] = []
  for (const step of steps) nodes.push(spot * (1 + side * step))
  return nodes
}

/** Number of search steps that share one pass over the contracts. At the finest step, they cover 2.5 % of spot. */
const STEPS_IN_STRETCH = 25

/**
 * Walks outward from spot and computes at most `most` changes of sign exactly. The sign at each step comes from the
 * polynomial of its stretch. If the polynomial's value is within its error bound, all contracts are summed instead. A
 * step at which net gamma is exactly zero is a crossing, unless the step before was zero too.
 */
function crossingsAlong(
  profile: GammaBySpot,
  spot: number,
  here: number,
  nodes: readonly number[],
  most = Number.POSITIVE_INFINITY
): number[] {
  const logs = nodes.map(logOf)
  const found: number[] = []
  let near = logOf(spot)
  let sign = Math.sign(here)
  for (let start = 0; start < nodes.length; start += STEPS_IN_STRETCH) {
    const end = Math.min(start + STEPS_IN_STRETCH, nodes.length)
    const stretch = gammaStretch(profile, near, logs[end - 1])
    for (let k = start; k < end; k++) {
      const about = gammaOn(stretch, logs[k])
      const there = Math.abs(about) > stretch.errorBound ? about : gammaAt(profile, logs[k])
      if (there === 0 && sign !== 0 && anyGammaAt(profile, logs[k])) {
        found.push(nodes[k])
        sign = 0
      } else if (there * sign < 0) {
        const root = rootBetween(profile, Math.min(near, logs[k]), Math.max(near, logs[k]))
        if (root !== undefined) found.push(root)
      }
      if (found.length >= most) return found
      if (there !== 0) sign = Math.sign(there)
      near = logs[k]
    }
  }
  return found
}

/**
 * Price at which net gamma is zero, between two logarithms of spot at which it has opposite signs. A polynomial for the
 * stretch and a parabola for early exercise give an approximate result, which the full sum then corrects. If that
 * fails, the search uses the full sum alone.
 */
function rootBetween(profile: GammaBySpot, lo: number, hi: number): number | undefined {
  const stretch = gammaStretch(profile, lo, hi)
  const early = parabolaThrough((logX) => earlyAt(profile, logX), lo, hi)
  const about = findRoot((logX) => europeanGammaOn(stretch, logX) + early(logX), lo, hi, TOLERANCE)
  const root =
    (about === undefined ? undefined : chordRoot(profile, Math.max(about - CLOSE, lo), Math.min(about + CLOSE, hi))) ??
    findRoot((logX) => gammaAt(profile, logX), lo, hi, TOLERANCE)
  return root === undefined ? undefined : Math.exp(root)
}

function parabolaThrough(f: (x: number) => number, lo: number, hi: number): (x: number) => number {
  const middle = (lo + hi) / 2
  const [low, here, high] = [f(lo), f(middle), f(hi)]
  return (x) => {
    const z = (x - middle) / (hi - middle)
    return here + (z * (high - low) + z * z * (high - 2 * here + low)) / 2
  }
}

const TOLERANCE = 1e-10
/**
 * Within this distance in ln x of the approximate result, net gamma is treated as linear. The relative error is usually
 * 1e-10, and at most 4e-9 in the last minutes before an expiration.
 */
const CLOSE = 1e-7

/**
 * Point at which a straight line between two values of net gamma is zero. Undefined unless the values have opposite
 * signs.
 */
function chordRoot(profile: GammaBySpot, lo: number, hi: number): number | undefined {
  const [low, high] = [gammaAt(profile, lo), gammaAt(profile, hi)]
  return low * high < 0 ? lo + ((hi - lo) * low) / (low - high) : undefined
}
