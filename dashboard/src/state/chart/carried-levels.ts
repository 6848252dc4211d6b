import type { History } from './history.ts'
import type { LevelField } from './level-lines.ts'

/** A level of another symbol as a price of the page's symbol, at each of its bars; NaN where one of the two is not known. */
export interface CarriedLevel extends Omit<LevelField, 'group'> {
  /** The level itself, a price of the other symbol. */
  readonly of: Float64Array
  readonly values: Float64Array
}

/** Sets carried levels apart from those of the chart's own symbol. */
const DASH_DOT = [8, 3, 2, 3]
/** Answers of one minute show one moment, milliseconds. */
const ONE_MOMENT = 60_000

/**
 * Levels of a symbol on the bars of another: level · close / close of the same bar. A bar that is not over is left out
 * where the two answers are of different moments, for its closes are then not of one.
 */
export function carriedOver(own: History, from: History, shown: readonly LevelField[]): readonly CarriedLevel[] {
  if (own.every !== from.every) return []
  const isOneMoment = Math.abs(own.asOf - from.asOf) < ONE_MOMENT
  const until = isOneMoment ? Number.POSITIVE_INFINITY : Math.min(own.asOf, from.asOf)
  const at = new Map(Array.from(from.bars.t, (time, k) => [time, k]))
  const same = Array.from(own.bars.t, (time, i) => (own.ends[i]! <= until ? at.get(time) : undefined))
  return shown.flatMap(({ field, name, tone, isStep }) => {
    const column = from.columns[field]
    if (column === undefined) return []
    const of = Float64Array.from(same, (k) => (k === undefined ? Number.NaN : column[k]!))
    const values = of.map((level, i) => (level * own.bars.c[i]!) / (from.bars.c[same[i] ?? -1] ?? Number.NaN))
    if (values.every(Number.isNaN)) return []
    return [{ field, name: `${from.symbol} ${lowered(name)}`, tone, isStep, dash: DASH_DOT, of, values }]
  })
}

/** Call wall as call wall, 0DTE magnet as it is. */
const lowered = (name: string) => (/^[A-Z][a-z]/.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name)

const FAMILIES = [
  ['SPX', 'SPY', 'XSP', 'ES', 'MES'],
  ['NDX', 'QQQ', 'NQ', 'MNQ'],
  ['RUT', 'IWM', 'MRUT', 'RTY', 'M2K']
]

/** A symbol whose levels are often drawn over another one; undefined: none is known. */
export function sourceFor(symbol: string): string | undefined {
  return FAMILIES.find((family) => family.includes(symbol))?.find((each) => each !== symbol)
}
