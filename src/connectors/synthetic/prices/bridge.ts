import { gaussian } from '../../../math/random.ts'

const LEVELS = 16 // 2^-16 of a day's variance is finer than one second at the open

const deviations = Float64Array.from({ length: LEVELS }, (_, level) => 0.5 * Math.sqrt(2 ** -level))
const halves = Float64Array.from({ length: LEVELS }, (_, level) => 2 ** -(level + 1))

/**
 * A Brownian bridge from 0 to 0 over a session, at the point where the share `s` of the session's variance has passed.
 * Each midpoint of repeated halving has its own random draw. One point therefore costs sixteen draws, and all points
 * lie on one path. Source: Glasserman, Monte Carlo Methods in Financial Engineering (2003), 3.1.
 */
export function bridge(key: number, session: number, s: number): number {
  if (s <= 0 || s >= 1) return 0
  let left = 0
  let right = 0
  let start = 0
  let node = 1
  for (let level = 0; level < LEVELS; level++) {
    const middle = 0.5 * (left + right) + deviations[level] * gaussian(key, session, node)
    const half = start + halves[level]
    node *= 2
    if (s < half) right = middle
    else {
      left = middle
      start = half
      node++
    }
  }
  return left + (right - left) * (s - start) * 2 ** LEVELS
}

/** Values of `bridge` at the ends of 2^`depth` parts of a session that have equal variance. */
export function bridgeGrid(key: number, session: number, depth: number): Float64Array {
  const grid = new Float64Array(2 ** depth + 1)
  for (let level = 0; level < depth; level++) {
    const width = 2 ** (depth - level)
    for (let at = 0; at < 2 ** level; at++) {
      const start = at * width
      const middle = 0.5 * (grid[start] + grid[start + width])
      grid[start + width / 2] = middle + deviations[level] * gaussian(key, session, 2 ** level + at)
    }
  }
  return grid
}

/**
 * How unevenly variance is spread over the day. With 1.5, a second at the open or close has 2 times the average
 * variance, and a second at noon 0.5 times. `timeShare` holds only for this value.
 */
const SHAPE = 1.5

/**
 * Converts the share of a session's time that has passed to the share of its variance that has passed. The curve is
 * steep at both ends.
 */
export function varianceShare(elapsed: number): number {
  if (elapsed <= 0) return 0
  if (elapsed >= 1) return 1
  return elapsed + SHAPE * (((2 * elapsed - 1) ** 3 + 1) / 6 - elapsed / 3)
}

/**
 * Converts the share of a session's variance that has passed to the share of its time. This is the inverse of
 * `varianceShare`, by Cardano's formula.
 */
export function timeShare(s: number): number {
  if (s <= 0) return 0
  if (s >= 1) return 1
  // With y = 2 elapsed - 1, the share of the variance is 1/2 + (y³ + y)/4.
  const half = 2 * s - 1
  const root = Math.sqrt(half * half + 1 / 27)
  return (1 + Math.cbrt(half + root) + Math.cbrt(half - root)) / 2
}
