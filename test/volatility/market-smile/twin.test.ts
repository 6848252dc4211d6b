import { expect, test } from 'vitest'
import { FIRMNESS, fitCurve } from '../../../src/volatility/market-smile/curve-fit.ts'
import { fitProblem } from '../../../src/volatility/market-smile/fit-problem.ts'
import { knots } from '../../../src/volatility/market-smile/knot-grid.ts'
import type { QuoteIntervals } from '../../../src/volatility/market-smile/quote-intervals.ts'
import { totalVarianceAt } from '../../../src/volatility/market-smile/smile-curve.ts'
import { intervals, month, priced } from './made-quotes.ts'

// The objective of docs/methods/market-smile.md once more, term by term as the page has it, over splines by their
// recursion; and its least by Newton's method on a dense matrix of numerical derivatives. Slow, and easy to believe.

const ALPHA = 2.5
const STEP = 0.2
const knot = (j: number) => ALPHA * Math.sinh((j * STEP) / ALPHA)
const ell = (z: number) => Math.sqrt(1 + (z / ALPHA) ** 2)
const hinge = (x: number, smoothing: number) => (x + Math.sqrt(x * x + smoothing * smoothing)) / 2

/** A B-spline of some degree from knot j, or its derivative of some order. */
function spline(j: number, degree: number, z: number, order = 0): number {
  const [rising, falling] = [knot(j + degree) - knot(j), knot(j + degree + 1) - knot(j + 1)]
  if (degree === 0) return z >= knot(j) && z < knot(j + 1) ? 1 : 0
  if (order > 0) {
    return degree * (spline(j, degree - 1, z, order - 1) / rising - spline(j + 1, degree - 1, z, order - 1) / falling)
  }
  return (
    ((z - knot(j)) / rising) * spline(j, degree - 1, z) +
    ((knot(j + degree + 1) - z) / falling) * spline(j + 1, degree - 1, z)
  )
}

interface Objective {
  readonly size: number
  readonly at: (c: readonly number[]) => number
  /** ω at z. */
  readonly omega: (c: readonly number[], z: number) => number
}

/** The objective of a first listing: nothing before it and nothing after. */
function objectiveOf({ size, k, low, mid, high }: QuoteIntervals, s: number, from: number, to: number): Objective {
  const unknowns = to - from + 3
  const basis = (z: number, order: number) =>
    Array.from({ length: unknowns }, (_, m) => spline(from - 3 + m, 3, z, order))
  const times = (row: readonly number[], c: readonly number[]) => row.reduce((sum, b, m) => sum + b * c[m], 0)
  // A spline ends just below its last knot by the recursion; a hair inside it is continuous.
  const inside = (z: number) => Math.min(z, knot(to) - 1e-12)
  const twoSided = Array.from({ length: size }, (_, i) => i).filter((i) => mid[i] > 0)
  const quotedFrom = k[twoSided[0]] / s
  const quotedTo = k[twoSided.at(-1)!] / s
  const quotes = Array.from({ length: size }, (_, i) => ({
    row: basis(k[i] / s, 0),
    low: low[i] / s ** 2,
    mid: mid[i] / s ** 2,
    high: high[i] / s ** 2
  }))
  const spans = Array.from({ length: to - from }, (_, n) => {
    const [left, right] = [knot(from + n), knot(from + n + 1)]
    const middle = (left + right) / 2
    const outside = right <= quotedFrom || left >= quotedTo
    return { width: right - left, ell: ell(middle), outside, third: basis(middle, 3), second: basis(middle, 2) }
  })
  const places = Array.from({ length: to - from + 1 }, (_, n) => {
    const z = knot(from + n)
    return { z, end: n === 0 || n === to - from, rows: [0, 1, 2].map((order) => basis(inside(z), order)) }
  })
  const shape = (z: number, value: number, slope: number, bend: number) => {
    const omega = Math.max(value, 0.02)
    const t = 1 - (z * slope) / (2 * omega)
    const g = t * t - (slope ** 2 / 4) * (1 / omega + s ** 2 / 4) + bend / 2
    return (
      FIRMNESS * hinge(0.03 - g, 0.01) ** 2 + 10 * FIRMNESS * hinge(0.05 - t + (s * Math.abs(slope)) / 4, 0.01) ** 2
    )
  }
  const at = (c: readonly number[]) => {
    let sum = 0
    for (const { row, low, mid, high } of quotes) {
      const omega = times(row, c)
      if (Number.isNaN(mid)) {
        const e = (omega - high) / (0.1 * high)
        sum += e <= 0 ? 0 : e <= 1 ? e * e : 2 * e - 1
        continue
      }
      const half = (high - low) / 2
      const e = Math.max(0, low - omega, omega - high) / half
      sum += 0.05 * ((omega - mid) / half) ** 2 + (e <= 3 ? e * e : 9 * (1 + 2 * Math.log(e / 3)))
    }
    for (const { width, ell, outside, third, second } of spans) {
      sum += 0.1 * ell ** 5 * width * times(third, c) ** 2
      if (outside) sum += 0.1 * ell ** 3 * width * times(second, c) ** 2
    }
    for (const { z, end, rows } of places) {
      const [value, slope, bend] = rows.map((row) => times(row, c))
      const outward = Math.sign(z) * slope
      sum += shape(z, value, slope, bend)
      if (value < 0.02) sum += 1e4 * (0.02 - value) ** 2
      if (z < quotedFrom || z > quotedTo) sum += 0.1 * Math.min(0, outward) ** 2
      if (!end) continue
      sum += shape(z, value, slope, 0)
      sum += 100 * FIRMNESS * (hinge(0.002 - outward, 0.002) ** 2 + hinge(outward - 1.9 / s, 0.002) ** 2)
    }
    return sum
  }
  return { size: unknowns, at, omega: (c, z) => times(basis(z, 0), c) }
}

/** Newton's method with derivatives by differences, damped until it goes down. */
function least({ size, at }: Objective, start: readonly number[]): readonly number[] {
  const h = 1e-4
  let c = start
  for (let round = 0; round < 30; round++) {
    const here = at(c)
    const moved = (...steps: readonly (readonly [number, number])[]) => {
      const there = [...c]
      for (const [m, step] of steps) there[m] += step
      return at(there)
    }
    const up = c.map((_, m) => moved([m, h]))
    const down = c.map((_, m) => moved([m, -h]))
    const slopes = up.map((value, m) => (value - down[m]) / (2 * h))
    const bend = c.map((_, a) =>
      c.map((_, b) => {
        // Splines five apart meet nowhere.
        if (b < a || b > a + 3) return 0
        if (a === b) return (up[a] - 2 * here + down[a]) / (h * h)
        return (
          (moved([a, h], [b, h]) - up[a] - up[b] + 2 * here - down[a] - down[b] + moved([a, -h], [b, -h])) / (2 * h * h)
        )
      })
    )
    for (let a = 0; a < size; a++) for (let b = 0; b < a; b++) bend[a][b] = bend[b][a]
    let better: readonly number[] | undefined
    for (let damping = 0; better === undefined && damping < 1e12; damping = damping === 0 ? 1e-6 : 10 * damping) {
      const matrix = bend.map((row, a) =>
        row.map((value, b) => (a === b ? value + damping * (1 + Math.abs(value)) : value))
      )
      const step = solved(matrix, slopes)
      const there = c.map((value, m) => value - step[m])
      if (at(there) < here) better = there
    }
    if (better === undefined || here - at(better) < 1e-10) return better ?? c
    c = better
  }
  return c
}

function solved(matrix: number[][], right: readonly number[]): readonly number[] {
  const rows = matrix.map((row, i) => [...row, right[i]])
  rows.forEach((row, i) => {
    for (let r = i + 1; r < rows.length; r++) {
      const factor = rows[r][i] / row[i]
      if (factor !== 0) for (let c = i; c <= rows.length; c++) rows[r][c] -= factor * row[c]
    }
  })
  const out = right.map(() => 0)
  for (let i = rows.length - 1; i >= 0; i--) {
    let sum = rows[i][rows.length]
    for (let c = i + 1; c < rows.length; c++) sum -= rows[i][c] * out[c]
    out[i] = sum / rows[i][i]
  }
  return out
}

const smile = (k: number) => (0.2 - 0.3 * k + 1.5 * k * k) ** 2 / 12
const steep = (k: number) => (0.2 + 0.25 * Math.max(0, Math.abs(k + 0.02) - 0.05)) ** 2 / 12
const strikes = Array.from({ length: 30 }, (_, n) => 84 + n)

// A stale quote is let go by weights that approach their own least only by a ratio each step: the fit stops within a twentieth of half an
// interval.
test.each<readonly [name: string, QuoteIntervals, within: number]>([
  ['a smile', intervals({ ...month, strikes }, priced(smile)), 1e-4],
  ['a smile with a stale quote and asks alone', withTrouble(intervals({ ...month, strikes }, priced(smile))), 1e-3],
  ['a smile of corners, some of them arbitrage', intervals({ ...month, strikes, halfSpread: 1 }, priced(steep)), 1e-4]
])('the fit finds the least of its objective: %s', (_, quotes, within) => {
  const problem = fitProblem(quotes, undefined, undefined)!
  const { curve } = fitCurve(problem, undefined)!
  const centre = knots.indexOf(0)
  const [from, to] = [problem.first - centre, problem.first + problem.intervals - centre]
  const objective = objectiveOf(quotes, problem.scale, from, to)
  const best = least(objective, new Array<number>(objective.size).fill(1))
  // The fit stops where a step gains less than a thousandth.
  const merit = objective.at(Array.from(curve.coefficients))
  expect(merit / objective.at(best)).toBeLessThan(1.001)
  for (let i = 0; i < quotes.size; i++) {
    const z = quotes.k[i] / problem.scale
    const found = totalVarianceAt(curve, quotes.k[i]) / problem.scale ** 2
    expect(Math.abs(found - objective.omega(best, z)), `at z = ${z}`).toBeLessThan(within)
  }
})

/** One quote a third too high, and the outermost three on each side without a bid. */
function withTrouble(quotes: QuoteIntervals): QuoteIntervals {
  for (const column of [quotes.low, quotes.mid, quotes.high]) column[12] *= 1.3
  for (const i of [0, 1, 2, 27, 28, 29]) quotes.low[i] = quotes.mid[i] = Number.NaN
  return { ...quotes, twoSided: quotes.twoSided - 6 }
}
