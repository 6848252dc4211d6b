import type { LineCondition } from './aim.ts'
import type { History } from './history.ts'
import { NIGHT, STANDS } from './sessions.ts'

/** Firings of an alert line in the bars of a chart. */
export interface Backtest {
  /** Positions of the bars at whose close it would have fired, ascending. */
  readonly fired: readonly number[]
  /** Bars that were looked at: those that are over. */
  readonly count: number
  readonly sessions: number
  /** Bars of these at which the level was not known. */
  readonly unknown: number
}

type Known = Pick<History, 'bars' | 'ends' | 'asOf' | 'every'>

/**
 * How often an alert about the price would have fired, by the rule of the service: `crosses` from one side of the target
 * strictly to the other, a close at the target being on neither; `above` and `below` when the close comes strictly beyond it.
 * Compared are the closes of neighbouring bars that are over, within a session, or from day to day where bars are days. A
 * level is that of the end of each bar, or the one before it for as long as it stands, and never a later one; after a bar
 * without a level the next one begins anew. `target`: a price, or a level at the end of each bar, NaN where it is not known.
 */
export function backtest(
  { bars, ends, asOf, every }: Known,
  target: number | Float64Array,
  condition: LineCondition
): Backtest {
  const { t, c } = bars
  const fired: number[] = []
  let [count, sessions, unknown] = [0, 0, 0]
  let standing = { value: Number.NaN, at: Number.NEGATIVE_INFINITY }
  /** Sign of the close less the target at the bar before; NaN: nothing to compare with. */
  let before = Number.NaN
  for (let i = 0; i < t.length && ends[i]! <= asOf; i++) {
    count++
    const isFirst = i === 0 || t[i]! - t[i - 1]! > NIGHT
    if (isFirst) sessions++
    if (isFirst && every !== '1d') {
      before = Number.NaN
      standing = { value: Number.NaN, at: Number.NEGATIVE_INFINITY }
    }
    const now = typeof target === 'number' ? target : target[i]!
    if (!Number.isNaN(now)) standing = { value: now, at: ends[i]! }
    const held = ends[i]! - standing.at <= STANDS ? standing.value : Number.NaN
    const side = Math.sign(c[i]! - held)
    if (Number.isNaN(side)) unknown++
    const isBeyond = condition === 'crosses' ? before * side < 0 : side === (condition === 'above' ? 1 : -1)
    if (isBeyond && !Number.isNaN(before) && side !== before) fired.push(i)
    if (condition !== 'crosses' || side !== 0) before = side
  }
  return { fired, count, sessions, unknown }
}
