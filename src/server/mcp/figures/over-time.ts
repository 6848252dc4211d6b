import { isoInstant } from '../../../market/units.ts'

type Fields = Readonly<Record<string, unknown>>

/** Columns of bars beside their figures, as they are called in rows. */
const barColumns = { o: 'open', h: 'high', l: 'low', c: 'close', v: 'volume' } as const

/**
 * Turns figures over time from arrays beside each other into rows with their time, which a reader cannot mismatch:
 * `t` with columns, or `t0` and the seconds between bars. Undefined if an answer is no such thing.
 */
export function rowsOverTime(answer: unknown): { readonly rest: Fields; readonly rows: readonly Fields[] } | undefined {
  const { t, t0, dt, columns, ...rest } = (answer ?? {}) as Fields
  const isColumns = typeof columns === 'object' && columns !== null
  if (Array.isArray(t) && isColumns) return { rest, rows: rowsOf(t, columns as Lists) }
  if (!Array.isArray(dt) || !isColumns) return undefined
  const prices = Object.entries(barColumns).map(([short, name]) => [name, rest[short] as readonly unknown[]] as const)
  const others = Object.entries(rest).filter(([name]) => !Object.hasOwn(barColumns, name))
  const lists = { ...Object.fromEntries(prices), ...(columns as Lists) }
  return { rest: Object.fromEntries(others), rows: rowsOf(timesOf(t0, dt as readonly number[]), lists) }
}

type Lists = Readonly<Record<string, readonly unknown[]>>

function rowsOf(times: readonly unknown[], lists: Lists): readonly Fields[] {
  const columns = Object.entries(lists)
  return times.map((time, k) => Object.fromEntries([['time', time], ...columns.map(([name, list]) => [name, list[k]])]))
}

/** Beginnings of bars, from seconds since 1970 of the first and the seconds between them. */
function timesOf(first: unknown, between: readonly number[]): readonly string[] {
  let at = typeof first === 'number' ? first : 0
  return between.map((seconds) => isoInstant(1000 * (at += seconds)))
}
