import { gaussian } from '../../../math/random.ts'
import { sessions } from '../market-sessions.ts'
import { bridge, bridgeGrid } from './bridge.ts'

/** Parameters of one source of price moves: the market, a sector, or a single company. */
export interface FactorTerms {
  /** Long-run volatility, an annual fraction. */
  readonly volatility: number
  /** Speed at which the level returns towards zero, per year. */
  readonly reversion: number
  /**
   * Correlation between shocks to the return and shocks to the volatility; negative if volatility rises when prices
   * fall.
   */
  readonly leverage: number
  /** Size of the volatility's own moves, relative to the market's. */
  readonly clustering: number
}

/**
 * State of a factor at a moment. `slow` and `fast` are logarithms whose sum drives the variance. Both return to zero,
 * one slowly and one fast.
 */
export interface FactorState {
  /** Sum of the factor's log returns so far. */
  readonly level: number
  readonly slow: number
  readonly fast: number
}

/** Values of a factor at the open and the close of every session of the synthetic market. */
export interface FactorPath {
  readonly key: number
  readonly terms: FactorTerms
  readonly open: Float64Array
  readonly close: Float64Array
  /**
   * `slow` and `fast` of `FactorState` at each close. `deviation` is the standard deviation of the day's return as
   * known on the evening before.
   */
  readonly slow: Float32Array
  readonly fast: Float32Array
  readonly deviation: Float32Array
  newest?: { readonly n: number; readonly s: number; readonly state: FactorState }
}

/**
 * Share of a shock to the slow logarithm that remains after one session; `FAST_STAY` is the share for the fast one.
 * Half of a slow shock is gone after 31 sessions, half of a fast one after 3.5.
 */
const SLOW_STAY = Math.exp(-1 / 45)
const FAST_STAY = Math.exp(-1 / 5)
/** Speed at which the slow and fast logarithms return to zero, per year of trading time. */
const SLOW_RATE = 252 / 45
const FAST_RATE = 252 / 5
const SLOW_DEVIATION = 0.5
const FAST_DEVIATION = 0.35
const SLOW_KICK = SLOW_DEVIATION * Math.sqrt(1 - SLOW_STAY ** 2)
const FAST_KICK = FAST_DEVIATION * Math.sqrt(1 - FAST_STAY ** 2)
const MIN_LOG = -1.3
const MAX_LOG = 2.5
/** Share of a day's variance that falls between the close and the next open. */
const OVERNIGHT = 0.25

// Counters from which the random draws of a session are made. Counters from 1 on belong to its Brownian bridges.
const GAP = -1
const DAY = -2
const SLOW = -3
const FAST = -4

/**
 * Generates a factor for all sessions. `jumps` are log returns by session number; each is added between the previous
 * close and the open.
 */
export function factorPath(key: number, terms: FactorTerms, jumps?: ReadonlyMap<number, number>): FactorPath {
  const count = sessions.length
  const prices = () => new Float64Array(count)
  const states = () => new Float32Array(count)
  const path = { key, terms, open: prices(), close: prices(), slow: states(), fast: states(), deviation: states() }
  let level = 0
  let slow = 0
  let fast = 0
  for (let n = 0; n < count; n++) {
    const deviation = Math.sqrt(varianceNow(terms, slow, fast) / 252)
    const gap = gapShock(key, n)
    const day = gaussian(key, n, DAY)
    path.deviation[n] = deviation
    path.open[n] = level * (1 - terms.reversion / 252) + deviation * gap + (jumps?.get(n) ?? 0)
    path.close[n] = level = path.open[n] + deviation * Math.sqrt(1 - OVERNIGHT) * day
    const shock = gap + Math.sqrt(1 - OVERNIGHT) * day
    path.slow[n] = slow = nextLog(slow, SLOW_STAY, SLOW_KICK, terms, shock, gaussian(key, n, SLOW))
    path.fast[n] = fast = nextLog(fast, FAST_STAY, FAST_KICK, terms, shock, gaussian(key, n, FAST))
  }
  return path
}

/**
 * State of a factor in session number `n` when the share `s` of the session's variance has passed: 0 at the open, 1 at
 * the close.
 */
export function factorAt(path: FactorPath, n: number, s: number): FactorState {
  if (s >= 1) return { level: path.close[n], slow: path.slow[n], fast: path.fast[n] }
  if (path.newest?.s !== s || path.newest.n !== n) path.newest = { n, s, state: stateWithin(path, n, s) }
  return path.newest.state
}

function stateWithin(path: FactorPath, n: number, s: number): FactorState {
  const { key, terms } = path
  const swing = path.deviation[n] * Math.sqrt(1 - OVERNIGHT)
  const move = s * (path.close[n] - path.open[n]) + swing * bridge(key, n, s)
  const shock = gapShock(key, n) + move / path.deviation[n]
  const own = 0.6 * bridge(key ^ 0x3c6ef372, n, s)
  const before = { slow: n === 0 ? 0 : path.slow[n - 1], fast: n === 0 ? 0 : path.fast[n - 1] }
  return {
    level: path.open[n] + move,
    slow: nextLog(before.slow, 1 - s * (1 - SLOW_STAY), SLOW_KICK, terms, shock, s * gaussian(key, n, SLOW) + own),
    fast: nextLog(before.fast, 1 - s * (1 - FAST_STAY), FAST_KICK, terms, shock, s * gaussian(key, n, FAST) + own)
  }
}

/** Levels of a factor (sums of log returns) at the ends of 2^`depth` parts of session `n` that have equal variance. */
export function factorLevels(path: FactorPath, n: number, depth: number): Float64Array {
  const levels = bridgeGrid(path.key, n, depth)
  const swing = path.deviation[n] * Math.sqrt(1 - OVERNIGHT)
  const step = (path.close[n] - path.open[n]) / (levels.length - 1)
  for (let i = 0; i < levels.length; i++) levels[i] = path.open[n] + i * step + swing * levels[i]
  return levels
}

/**
 * Expected variance of a factor, summed over the next `t` years. The expected variance per year moves from the current
 * value through a value that keeps only the slow part to the long-run value. All weights are positive, so the result
 * rises with `t`.
 */
export function expectedVariance(terms: FactorTerms, { slow, fast }: FactorState, t: number): number {
  const slowTime = -Math.expm1(-SLOW_RATE * t) / SLOW_RATE
  const fastTime = -Math.expm1(-FAST_RATE * t) / FAST_RATE
  const longRun = terms.volatility ** 2
  const afterFast = varianceNow(terms, slow, 0.5 * (terms.clustering * FAST_DEVIATION) ** 2)
  return longRun * (t - slowTime) + afterFast * (slowTime - fastTime) + varianceNow(terms, slow, fast) * fastTime
}

/** Current variance per year. Its long-run mean is the square of the factor's volatility. */
function varianceNow(terms: FactorTerms, slow: number, fast: number): number {
  const spread = 0.5 * terms.clustering ** 2 * (SLOW_DEVIATION ** 2 + FAST_DEVIATION ** 2)
  return terms.volatility ** 2 * Math.exp(Math.max(MIN_LOG, Math.min(MAX_LOG, slow + fast)) - spread)
}

function gapShock(key: number, n: number): number {
  return Math.sqrt(OVERNIGHT) * gaussian(key, n, GAP)
}

function nextLog(log: number, stay: number, kick: number, terms: FactorTerms, shock: number, own: number): number {
  const { leverage, clustering } = terms
  return log * stay + clustering * kick * (leverage * shock + Math.sqrt(1 - leverage ** 2) * own)
}
