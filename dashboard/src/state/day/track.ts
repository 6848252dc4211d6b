import type { AnswerOf } from 'gammawall/client'
import { isDrawn } from './price-stage.ts'

/** Lines through the session. */
export interface Track {
  /** Milliseconds, ascending. */
  readonly times: readonly number[]
  /** One value per time for each line. */
  readonly lines: readonly (readonly (number | null)[])[]
}

/** Rows of `length` milliseconds that begin at `at`, each with the time of its end, up to the shown moment. */
export function ended<Row>(rows: readonly Row[], at: (row: Row) => string, length: number, newest: number) {
  return rows
    .map((row) => ({ row, time: Math.min(Date.parse(at(row)) + length, newest) }))
    .filter(({ time }) => isDrawn(time))
}

type Series = AnswerOf<'/v1/series/{symbol}'>

/** Columns of a series, multiplied by `factor`, up to the shown moment. */
export function trackOf(series: Series | undefined, names: readonly string[], factor = 1): Track {
  const drawn = (series?.t ?? []).flatMap((text, i) => (isDrawn(Date.parse(text)) ? [i] : []))
  const line = (name: string) =>
    drawn.map((i) => {
      const value = series!.columns[name]?.[i]
      return value === null || value === undefined ? null : value * factor
    })
  return { times: drawn.map((i) => Date.parse(series!.t[i]!)), lines: names.map(line) }
}
