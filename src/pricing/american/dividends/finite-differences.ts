import { asPut, type DividendTerms, deepPlans, type Jump, type Put } from './dividend-terms.ts'

export interface GridResolution {
  readonly nodes: number
  readonly steps: number
}

/** Errors of premiums are below 1.5e-5 of the strike for up to half a year; see docs/methods/discrete-dividends.md. */
export const defaultResolution: GridResolution = { nodes: 300, steps: 60 }

/**
 * Early-exercise premiums at one volatility on an evenly spaced grid of x, the log-moneyness. For a put, x = ln(S/K)
 * and premiums are in units of the strike. For a call, x = ln(K/S) and premiums are in units of the spot. So both are
 * exercised at the low end of the grid.
 */
export interface PremiumCurve {
  /** x of the first node (`start`), and the distance between two nodes (`step`). */
  readonly start: number
  readonly step: number
  readonly premium: Float64Array
  /**
   * The option is exercised at once at this x and below. It equals `start` if the option is exercised nowhere on the
   * grid.
   */
  readonly boundary: number
}

/** Half the width of the grid in standard deviations of the log price, before the widening for drift and dividends. */
const DEVIATIONS = 6

/**
 * Half the width of the grid in standard deviations, wide enough at the `lowest` volatility. All tables of an
 * expiration use one `lowest` volatility, so that they have the same width.
 */
export function gridWidth({ t, rate, dividendYield, dividends }: DividendTerms, lowest: number): number {
  const moved = dividends.reduce((sum, { fraction }) => sum - Math.log(1 - fraction), 0)
  return DEVIATIONS + (Math.abs(rate - dividendYield) * t + moved) / (lowest * Math.sqrt(t))
}

/**
 * Early-exercise premium of an option on a stock with discrete dividends, each a share of the stock price. It is the
 * value with early exercise minus the value without, both by finite differences on one grid in ln S. `width` is half
 * the width of the grid, in standard deviations σ√t.
 * Method: Crank-Nicolson with central differences; after expiry and after every ex-date, four implicit half steps
 * (Rannacher 1984). Early exercise within a step by Brennan and Schwartz (1977). At an ex-date V(x) = max(V(x + ln(1 -
 * d)), exercise), with cubic interpolation between nodes.
 */
export function earlyExercisePremium(
  terms: DividendTerms,
  sigma: number,
  { nodes, steps }: GridResolution = defaultResolution,
  width = gridWidth(terms, sigma)
): PremiumCurve {
  const half = Math.ceil(nodes / 2)
  const step = (width * sigma * Math.sqrt(terms.t)) / half
  const grid: Grid = { start: -half * step, step, size: 2 * half + 1, sigma }
  const { early, held } = valuesBefore(asPut(terms), grid, steps)
  const boundary = boundaryOf(early, grid)
  const premium = early.map((value, i) => Math.max(0, value - held[i]))
  return { start: grid.start, step, premium, boundary }
}

const CLOSE = 1e-12

/**
 * Finds the exercise boundary between the nodes of the grid. Above the boundary, value minus exercise value grows with
 * the square of the distance, so its square root is a line: the boundary is where this line is zero. The scheme itself
 * exercises up to two nodes too far.
 */
function boundaryOf(value: Float64Array, { start, step, size }: Grid): number {
  const above = (i: number) => Math.max(0, value[i] - 1 + Math.exp(start + i * step))
  let last = -1
  while (last + 3 < size && above(last + 1) < CLOSE) last++
  if (last === -1) return start
  const [first, second] = [Math.sqrt(above(last + 1)), Math.sqrt(above(last + 2))]
  const back = second > first ? Math.min(first / (second - first), 2) : 0
  return start + Math.max(last + 1 - back, 0) * step
}

interface Grid {
  readonly start: number
  readonly step: number
  readonly size: number
  readonly sigma: number
}

/**
 * Implicit half steps that follow each kink in the value. Crank-Nicolson alone would turn a kink into an oscillation.
 */
const IMPLICIT_HALF_STEPS = 4
const MIN_STEPS = 4

interface Values {
  readonly early: Float64Array
  readonly held: Float64Array
}

function valuesBefore(put: Put, grid: Grid, steps: number): Values {
  const { start, step, size } = grid
  const exercise = new Float64Array(size)
  for (let i = 0; i < size; i++) exercise[i] = 1 - Math.exp(start + i * step)
  let early: Float64Array = exercise.map((worth) => Math.max(0, worth))
  let held: Float64Array = early.slice()
  let from = 0
  for (let k = 0; k <= put.jumps.length; k++) {
    const jump = k < put.jumps.length ? put.jumps[k] : undefined
    const to = jump?.tau ?? put.t
    // Time runs backwards: only the ex-dates passed so far lie ahead of a holder.
    const ahead = { ...put, jumps: put.jumps.slice(0, k) }
    if (to > from) advance(ahead, grid, { early, held }, { from, to, all: put.t, steps, exercise })
    from = to
    if (jump === undefined) continue
    early = jumped(ahead, grid, early, jump, true)
    held = jumped(ahead, grid, held, jump, false)
    for (let i = 0; i < size; i++) early[i] = Math.max(early[i], exercise[i])
  }
  return { early, held }
}

interface Stretch {
  readonly from: number
  readonly to: number
  readonly all: number
  readonly steps: number
  readonly exercise: Float64Array
}

/**
 * Moves the option values back in time, in place, over a stretch without an ex-date. Steps are shortest at the late end
 * of the stretch, where the exercise boundary moves like a square root (Forsyth and Vetzal 2002). Each pass over the
 * grid handles the option with early exercise and the one without: a node must wait for the node before it, so the
 * second option adds little time.
 */
function advance(put: Put, grid: Grid, values: Values, { from, to, all, steps, exercise }: Stretch): void {
  const { size, start } = grid
  const { early, held } = values
  const count = Math.max(MIN_STEPS, Math.ceil(steps * Math.sqrt((to - from) / all)))
  const inverse = new Float64Array(size)
  const fromAbove = new Float64Array(size)
  const fromBelow = new Float64Array(size)
  const right = { early: new Float64Array(size), held: new Float64Array(size) }
  const plans = deepPlans(put, from)
  const spot = Math.exp(start)
  for (let k = 1; k <= count; k++) {
    const before = from + (to - from) * ((k - 1) / count) ** 2
    const after = from + (to - from) * (k / count) ** 2
    const isImplicit = k <= IMPLICIT_HALF_STEPS / 2
    const half = (after - before) / 2
    const { lower, middle, upper } = halfStep(put, grid, half)
    // The upper diagonal is eliminated from the high end down, so that the sweep back meets exercise, at the low end,
    // first.
    let pivot = 1 / (1 - middle)
    inverse[size - 2] = pivot
    for (let i = size - 3; i > 0; i--) {
      pivot = 1 / (1 - middle - upper * lower * pivot)
      inverse[i] = pivot
      if (pivot !== inverse[i + 1]) continue
      inverse.fill(pivot, 1, i)
      break
    }
    for (let i = 1; i < size - 1; i++) {
      fromAbove[i] = upper * inverse[i + 1]
      fromBelow[i] = lower * inverse[i]
    }
    for (let part = isImplicit ? 1 : 2; part <= 2; part++) {
      explicitHalf(early, isImplicit ? 0 : 1, lower, middle, upper, right.early)
      explicitHalf(held, isImplicit ? 0 : 1, lower, middle, upper, right.held)
      eliminate(right.early, right.held, fromAbove)
      const waited = before + part * half - from
      const [strikePart, spotPart] = [Math.exp(-put.rate * waited), spot * Math.exp(-put.dividendYield * waited)]
      early[0] = 1 - spot
      for (const plan of plans) {
        held[0] = plan.strike * strikePart - plan.spot * spotPart
        if (held[0] > early[0]) early[0] = held[0]
      }
      substitute(early, held, right.early, right.held, inverse, fromBelow, exercise)
    }
  }
}

function explicitHalf(
  value: Float64Array,
  part: number,
  lower: number,
  middle: number,
  upper: number,
  right: Float64Array
): void {
  const [below, here, above] = [part * lower, 1 + part * middle, part * upper]
  for (let i = 1; i < value.length - 1; i++) {
    right[i] = below * value[i - 1] + here * value[i] + above * value[i + 1]
  }
}

function eliminate(early: Float64Array, held: Float64Array, fromAbove: Float64Array): void {
  const last = early.length - 2
  let [a, b] = [early[last], held[last]]
  for (let i = last - 1; i > 0; i--) {
    a = early[i] + fromAbove[i] * a
    b = held[i] + fromAbove[i] * b
    early[i] = a
    held[i] = b
  }
}

function substitute(
  early: Float64Array,
  held: Float64Array,
  rightEarly: Float64Array,
  rightHeld: Float64Array,
  inverse: Float64Array,
  fromBelow: Float64Array,
  exercise: Float64Array
): void {
  let [a, b] = [early[0], held[0]]
  for (let i = 1; i < early.length - 1; i++) {
    a = rightEarly[i] * inverse[i] + fromBelow[i] * a
    b = rightHeld[i] * inverse[i] + fromBelow[i] * b
    if (a < exercise[i]) a = exercise[i]
    early[i] = a
    held[i] = b
  }
}

function halfStep({ rate, dividendYield }: Put, { sigma, step }: Grid, dt: number) {
  const diffusion = (dt * (sigma / step) ** 2) / 2
  const drift = (dt * (rate - dividendYield - sigma ** 2 / 2)) / (2 * step)
  return { lower: diffusion - drift, middle: -2 * diffusion - dt * rate, upper: diffusion + drift }
}

/**
 * Computes option values just before an ex-date from those just after it, by cubic interpolation through four nodes.
 */
function jumped(put: Put, grid: Grid, value: Float64Array, { tau, scale, shift }: Jump, early: boolean): Float64Array {
  const { start, step, size } = grid
  const before = new Float64Array(size)
  for (let i = 0; i < size; i++) {
    const place = i + shift / step
    if (place >= size - 1) continue // the put is worthless there
    if (place < 0) {
      before[i] = scale * deepValue(put, start + place * step, tau, early)
      continue
    }
    const at = Math.min(Math.max(Math.floor(place), 1), size - 3)
    before[i] = scale * cubic(value, at, place - at)
  }
  return before
}

function cubic(value: Float64Array, at: number, u: number): number {
  return (
    (-u * (u - 1) * (u - 2) * value[at - 1]) / 6 +
    ((u * u - 1) * (u - 2) * value[at]) / 2 -
    (u * (u + 1) * (u - 2) * value[at + 1]) / 2 +
    (u * (u * u - 1) * value[at + 2]) / 6
  )
}

function deepValue(put: Put, x: number, tau: number, early: boolean): number {
  const plans = deepPlans(put, tau)
  const spot = Math.exp(x)
  const worth = plans.map((plan) => plan.strike - spot * plan.spot)
  return early ? Math.max(...worth) : worth[worth.length - 1]
}
