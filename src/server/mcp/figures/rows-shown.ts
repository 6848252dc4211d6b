import type { Shape } from './shape.ts'

export interface RowChoice extends Pick<Shape, 'detail' | 'fromRow'> {
  /** Most rows of a list. */
  readonly rows: number
  /** Spot of the answer, to which strikes are near or far; undefined if it states none. */
  readonly spot: number | undefined
}

export interface ShownRows {
  readonly rows: readonly unknown[]
  /** Which rows these are, in words; undefined if they are all. */
  readonly shown: string | undefined
}

/**
 * Chooses rows of a list: from a given one on, or else the strikes nearest to spot, the newest of a list over time, or
 * the first. They stay in the order of the answer.
 */
export function rowsShown(list: readonly unknown[], choice: RowChoice): ShownRows {
  const { rows: most, fromRow, detail, spot } = choice
  if (list.length <= most && fromRow === undefined) return { rows: list, shown: undefined }
  const nearest =
    fromRow === undefined && detail === 'brief' && spot !== undefined ? nearestStrikes(list, spot, most) : undefined
  if (nearest !== undefined) return { rows: nearest, shown: `${nearest.length} nearest to spot` }
  const first = fromRow ?? (detail === 'brief' && isOverTime(list) ? list.length - most : 0)
  const rows = list.slice(first, first + most)
  const last = first + rows.length - 1
  return { rows, shown: rows.length === 0 ? `none from row ${first}` : `rows ${first} to ${last}` }
}

/** The rows whose strike is nearest to spot; undefined if the list is not one of strikes. */
function nearestStrikes(list: readonly unknown[], spot: number, most: number): readonly unknown[] | undefined {
  const distances: { readonly at: number; readonly far: number }[] = []
  for (const [at, row] of list.entries()) {
    const strike = (row as { readonly strike?: unknown } | null)?.strike
    if (typeof strike !== 'number') return undefined
    distances.push({ at, far: Math.abs(strike - spot) })
  }
  const near = distances.sort((a, b) => a.far - b.far).slice(0, most)
  return near.sort((a, b) => a.at - b.at).map(({ at }) => list[at])
}

/** Whether rows run from the oldest to the newest, by the time that each states. */
function isOverTime(list: readonly unknown[]): boolean {
  const [first, last] = [timeOf(list[0]), timeOf(list.at(-1))]
  return first !== undefined && last !== undefined && first < last
}

function timeOf(row: unknown): string | undefined {
  const { ts, t, time, date } = (row ?? {}) as Readonly<Record<string, unknown>>
  return [ts, t, time, date].find((each) => typeof each === 'string') as string | undefined
}
