import type { AnswerOf } from 'gammawall/client'

type Answer = AnswerOf<'/v1/exposure/matrix/{symbol}'>

export interface Row {
  readonly strike: number
  readonly total: number
  /** of each expiration shown; null where it does not list the strike */
  readonly cells: readonly (number | null)[]
}

export interface Matrix {
  /** Highest strike first. */
  readonly rows: readonly Row[]
  /** The net of each expiration over all of its strikes, shown or not. */
  readonly columns: readonly { readonly date: string; readonly net: number }[]
  /** The largest sizes, for the tints and the bars; never 0. */
  readonly most: number
  readonly mostTotal: number
}

/** More would be read by nobody, and a table of this size is drawn in one go. */
export const [ROWS, COLUMNS] = [60, 20] as const

/** The part of the answer around spot that a table holds; `half` is in percent of spot, undefined: what fits. */
export function matrixOf(answer: Answer, half: number | undefined): Matrix {
  const { underlying_price: spot, strikes } = answer
  const nearness = (i: number) => Math.abs(strikes[i]! - spot)
  const inside = strikes
    .map((_, i) => i)
    .filter((i) => half === undefined || nearness(i) <= (spot * half) / 100)
    .sort((a, b) => nearness(a) - nearness(b))
    .slice(0, ROWS)
    .sort((a, b) => b - a)
  const rows = inside.map((i) => ({
    strike: strikes[i]!,
    total: answer.row_totals[i]!,
    cells: answer.values[i]!.slice(0, COLUMNS)
  }))
  const columns = answer.columns.slice(0, COLUMNS).map((date, i) => ({
    date,
    net: answer.column_totals[i]! + answer.outside[i]!
  }))
  const largest = (values: readonly (number | null)[]) =>
    values.reduce<number>((most, value) => Math.max(most, Math.abs(value ?? 0)), 0) || 1
  return {
    rows,
    columns,
    most: largest(rows.flatMap(({ cells }) => cells)),
    mostTotal: largest(rows.map(({ total }) => total))
  }
}

/** Percent of the colour in the deepest tint: beyond it no text would be legible on every cell in both themes. */
const DEEPEST = 58

/** The tint of a cell in percent of its colour: it grows with the root, so that the small ones are seen too. */
export function tintOf(value: number, most: number): number {
  return Math.round(Math.sqrt(Math.min(1, Math.abs(value) / most)) * DEEPEST)
}
