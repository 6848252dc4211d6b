import type { AnswerOf } from 'gammawall/client'
import type { Step } from '../page/place.ts'
import { STEP_LENGTHS } from './period.ts'
import { NIGHT, sessionsOf } from './sessions.ts'

/** Prices of bars that follow one another, as columns of one length. */
export interface Bars {
  /** Beginnings in milliseconds, ascending. */
  readonly t: Float64Array
  readonly o: Float64Array
  readonly h: Float64Array
  readonly l: Float64Array
  readonly c: Float64Array
  /** NaN where the volume is unknown. */
  readonly v: Float64Array
}

type Answer = AnswerOf<'/v1/bars/{symbol}'>

/** Bars of an answer up to a moment, and the figures at the end of each. */
export interface History {
  readonly symbol: string
  readonly every: Step
  readonly bars: Bars
  /** Ends of the bars in milliseconds, at most that of the session. */
  readonly ends: Float64Array
  /** The moment that the answer was made for. */
  readonly asOf: number
  /** By field; NaN where a figure is not known. */
  readonly columns: Readonly<Record<string, Float64Array>>
  readonly volumeOf: Answer['volume_of']
  /** Beginning of the first recorded session, milliseconds; undefined: none is recorded. */
  readonly recordedSince: number | undefined
}

const SESSION = 23_400_000

/**
 * The bars of an answer that are over by `until`, milliseconds. An answer that was made for that moment or an earlier one
 * also has its last bar, which is not over: it holds nothing later.
 */
export function historyOf(answer: Answer, until: number): History {
  const step = STEP_LENGTHS[answer.every as Step]
  const asOf = Date.parse(answer.as_of)
  const isMadeBefore = asOf <= until
  const kept: number[] = []
  const times: number[] = []
  const ends: number[] = []
  let time = answer.t0 ?? 0
  let open = Number.NaN
  answer.dt.forEach((seconds, k) => {
    time += seconds
    const start = 1000 * time
    if (!(start - (times.at(-1) ?? Number.NEGATIVE_INFINITY) < NIGHT)) open = start
    const end = Math.min(start + step, open + SESSION)
    const close = answer.c[k]
    if (start >= until || (!isMadeBefore && end > until) || close === null || close === undefined) return
    kept.push(k)
    times.push(start)
    ends.push(end)
  })
  const column = (values: readonly (number | null)[] | undefined, instead?: readonly (number | null)[]) =>
    Float64Array.from(kept, (k) => values?.[k] ?? instead?.[k] ?? Number.NaN)
  const since = answer.recorded.map(([from]) => 1000 * Number(from)).find((from) => from <= until)
  return {
    symbol: answer.symbol,
    every: answer.every as Step,
    asOf,
    ends: Float64Array.from(ends),
    bars: {
      t: Float64Array.from(times),
      o: column(answer.o, answer.c),
      h: column(answer.h, answer.c),
      l: column(answer.l, answer.c),
      c: column(answer.c),
      v: column(answer.v)
    },
    columns: Object.fromEntries(Object.entries(answer.columns).map(([name, values]) => [name, column(values)])),
    volumeOf: answer.volume_of,
    recordedSince: since
  }
}

/** The newest sessions of a history. */
export function newestSessions(history: History, count: number): History {
  const sessions = sessionsOf(history.bars)
  const first = sessions.at(-count)?.at ?? 0
  if (sessions.length <= count || first === 0) return history
  const cut = (values: Float64Array) => values.subarray(first)
  const { t, o, h, l, c, v } = history.bars
  return {
    ...history,
    bars: { t: cut(t), o: cut(o), h: cut(h), l: cut(l), c: cut(c), v: cut(v) },
    ends: cut(history.ends),
    columns: Object.fromEntries(Object.entries(history.columns).map(([name, values]) => [name, cut(values)]))
  }
}
