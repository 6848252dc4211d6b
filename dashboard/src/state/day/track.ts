import type { AnswerOf } from 'gammawall/client'
import { isDrawn } from './price-stage.ts'

/** Lines through the session. */
export interface Track {
  /** Milliseconds, ascending. */
  readonly times: readonly number[]
  /** One value per time for each line. */
  readonly lines: readonly (readonly (number | null)[])[]
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
