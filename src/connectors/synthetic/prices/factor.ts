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

/** Values of a factor at the open and the close of sessions in a row, of which the first has the number `first`. */
export interface FactorSessions {
  readonly first: number
  readonly open: Float64Array
  readonly close: Float64Array
  /**
   * `slow` and `fast` of `FactorState` at each close. `deviation` is the standard deviation of the day's return as
   * known on the evening before.
   */
  readonly slow: Float32Array
  readonly fast: Float32Array
  readonly deviation: Float32Array
}

/** A factor over all sessions of the synthetic market. */
export interface FactorPath {
  readonly key: number
  readonly terms: FactorTerms
  /** Finds the values of a session among those of its neighbours. */
  readonly around: (n: number) => FactorSessions
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

/** Log returns by session number; each is added between the previous close and the open. */
type Jumps = ReadonlyMap<number, number>

/** State of a factor before its first session. */
const BEGIN: FactorState = { level: 0, slow: 0, fast: 0 }

/** Generates a factor for all sessions. Each takes 28 bytes. */
export function factorPath(key: number, terms: FactorTerms): FactorPath {
  const { made } = factorSessions(key, terms, BEGIN, 0, sessions.length)
  return { key, terms, around: () => made }
}

/** Number of sessions that a paged factor generates at once. */
const PAGE = 256
/** Number of pages that a paged factor keeps: one, and a second where a reader crosses from one to the other. */
const KEPT_PAGES = 2

/**
 * A factor that keeps the values of the sessions that were read last, 14 KB in place of 99. Values of others are
 * generated again from the state at the begin of their page.
 */
export function pagedPath(key: number, terms: FactorTerms, jumps: Jumps): FactorPath {
  /** States at the begin of the pages that are known so far. */
  const begins: FactorState[] = [BEGIN]
  let kept: readonly FactorSessions[] = []
  const make = (page: number): FactorSessions => {
    const first = PAGE * page
    const count = Math.min(PAGE, sessions.length - first)
    const { made, end } = factorSessions(key, terms, begins[page], first, count, jumps)
    begins[page + 1] = end
    return made
  }
  const around = (n: number): FactorSessions => {
    const page = Math.floor(n / PAGE)
    const [newest] = kept
    if (newest?.first === PAGE * page) return newest
    let found = kept.find(({ first }) => first === PAGE * page)
    if (found === undefined) {
      while (begins.length <= page) make(begins.length - 1)
      found = make(page)
    }
    kept = [found, ...kept.filter((each) => each !== found)].slice(0, KEPT_PAGES)
    return found
  }
  return { key, terms, around }
}

/** Generates `count` sessions of a factor from the state before them, and the state after them. */
function factorSessions(
  key: number,
  terms: FactorTerms,
  before: FactorState,
  first: number,
  count: number,
  jumps?: Jumps
): { readonly made: FactorSessions; readonly end: FactorState } {
  const prices = () => new Float64Array(count)
  const states = () => new Float32Array(count)
  const made = { first, open: prices(), close: prices(), slow: states(), fast: states(), deviation: states() }
  let { level, slow, fast } = before
  for (let at = 0; at < count; at++) {
    const n = first + at
    const deviation = Math.sqrt(varianceNow(terms, slow, fast) / 252)
    const gap = gapShock(key, n)
    const day = gaussian(key, n, DAY)
    made.deviation[at] = deviation
    made.open[at] = level * (1 - terms.reversion / 252) + deviation * gap + (jumps?.get(n) ?? 0)
    made.close[at] = level = made.open[at] + deviation * Math.sqrt(1 - OVERNIGHT) * day
    const shock = gap + Math.sqrt(1 - OVERNIGHT) * day
    made.slow[at] = slow = nextLog(slow, SLOW_STAY, SLOW_KICK, terms, shock, gaussian(key, n, SLOW))
    made.fast[at] = fast = nextLog(fast, FAST_STAY, FAST_KICK, terms, shock, gaussian(key, n, FAST))
  }
  return { made, end: { level, slow, fast } }
}

/**
 * State of a factor in session number `n` when the share `s` of the session's variance has passed: 0 at the open, 1 at
 * the close.
 */
export function factorAt(path: FactorPath, n: number, s: number): FactorState {
  if (s >= 1) return stateAtClose(path, n)
  if (path.newest?.s !== s || path.newest.n !== n) path.newest = { n, s, state: stateWithin(path, n, s) }
  return path.newest.state
}

function stateAtClose({ around }: FactorPath, n: number): FactorState {
  const { first, close, slow, fast } = around(n)
  const at = n - first
  return { level: close[at], slow: slow[at], fast: fast[at] }
}

/** The fixed figures of session `n`: level at its open, how far its close lies from there, and the scale of its bridge. */
function sessionOf({ around }: FactorPath, n: number) {
  const { first, open, close, deviation } = around(n)
  const at = n - first
  return {
    open: open[at],
    gain: close[at] - open[at],
    deviation: deviation[at],
    swing: deviation[at] * Math.sqrt(1 - OVERNIGHT)
  }
}

function stateWithin(path: FactorPath, n: number, s: number): FactorState {
  const { key, terms } = path
  const before = n === 0 ? BEGIN : stateAtClose(path, n - 1)
  const { open, gain, deviation, swing } = sessionOf(path, n)
  const move = s * gain + swing * bridge(key, n, s)
  const shock = gapShock(key, n) + move / deviation
  const own = 0.6 * bridge(key ^ 0x3c6ef372, n, s)
  return {
    level: open + move,
    slow: nextLog(before.slow, 1 - s * (1 - SLOW_STAY), SLOW_KICK, terms, shock, s * gaussian(key, n, SLOW) + own),
    fast: nextLog(before.fast, 1 - s * (1 - FAST_STAY), FAST_KICK, terms, shock, s * gaussian(key, n, FAST) + own)
  }
}

/** Levels of a factor (sums of log returns) at the ends of 2^`depth` parts of session `n` that have equal variance. */
export function factorLevels(path: FactorPath, n: number, depth: number): Float64Array {
  const levels = bridgeGrid(path.key, n, depth)
  const { open, gain, swing } = sessionOf(path, n)
  const step = gain / (levels.length - 1)
  for (let i = 0; i < levels.length; i++) levels[i] = open + i * step + swing * levels[i]
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
