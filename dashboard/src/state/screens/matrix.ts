import type { AnswerOf } from 'gammawall/client'

type Answer = AnswerOf<'/v1/exposure/matrix/{symbol}'>

export interface Row {
  readonly strike: number
  readonly total: number
  /** One value per shown expiration; null if the strike is not listed there. */
  readonly cells: readonly (number | null)[]
}

export interface Matrix {
  /** Highest strike first. */
  readonly rows: readonly Row[]
  /** Total of each expiration over all strikes, including those not shown. */
  readonly columns: readonly { readonly date: string; readonly net: number }[]
  /** Largest absolute values, for tints and bars; never 0. */
  readonly most: number
  readonly mostTotal: number
}

/** Limits of the table, so that it stays readable and is drawn in one go. */
export const [ROWS, COLUMNS] = [60, 20] as const

/** The part of an answer that the table shows. `half`: percent of spot; undefined: as many strikes as fit. */
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

/** The strongest tint, percent of the colour: beyond it text is not legible in both themes. */
const DEEPEST = 58

/** Tint of a cell, percent of the colour. It grows with the square root, so that small values are visible. */
export function tintOf(value: number, most: number): number {
  return Math.round(Math.sqrt(Math.min(1, Math.abs(value) / most)) * DEEPEST)
}
