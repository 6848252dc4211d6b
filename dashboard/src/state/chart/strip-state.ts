import { computed } from '@preact/signals'
import { date, horizon, reaches } from '../day/day.ts'
import { newYork } from '../day/time.ts'
import { at, place } from '../page/address.ts'
import { figures } from '../service/figures.ts'
import { isOfPage, isOfSymbol } from '../service/stamp.ts'
import { history, period } from './chart-state.ts'
import { historyOf } from './history.ts'
import { sessionsOfPeriod, startOf } from './period.ts'

// A signal of its own, so that other changes of the address request nothing again.
const hasBars = computed(() => history.value !== undefined)

/** The sessions of three months, requested once the chart has its own bars. */
export const stripDays = figures('/v1/bars/{symbol}', {
  params: ({ symbol }) =>
    date.value === undefined || !hasBars.value ? undefined : { symbol, every: '1d', from: startOf('3m', date.value) },
  suffices: (answer, { at: wall }) => reaches(answer.as_of, wall),
  rest: 250,
  isDaily: true
})

export interface StripDay {
  /** yyyy-MM-dd */
  readonly date: string
  readonly close: number
  /** How the session was recorded; undefined: it was not. */
  readonly recorded: string | undefined
}

/** Sessions up to the shown moment, ascending. */
export const strip = computed((): readonly StripDay[] => {
  const held = stripDays.held.value
  if (held === undefined || !isOfSymbol(held.stamp) || held.answer.symbol !== place.value.symbol) return []
  if (at.value === undefined && !isOfPage(held.stamp)) return []
  const { bars } = historyOf(held.answer, horizon.value)
  return Array.from(bars.t, (time, i) => ({
    date: newYork(time).slice(0, 10),
    close: bars.c[i]!,
    recorded: held.answer.recorded.find(
      ([from, to]) => 1000 * Number(from) <= time + DAY && time <= 1000 * Number(to)
    )?.[2] as string | undefined
  }))
})

/** Milliseconds from the open of a session to a time after its close. */
const DAY = 43_200_000

/** First and last session that the chart shows, positions in the strip. */
export const stripWindow = computed((): readonly [first: number, last: number] | undefined => {
  const days = strip.value
  const last = days.length - 1
  if (last < 1 || date.value === undefined) return undefined
  const position = (wanted: string) =>
    Math.max(
      0,
      days.findLastIndex((day) => day.date <= wanted)
    )
  const { from, to } = place.value
  const count = from === undefined ? sessionsOfPeriod(period.value) : undefined
  const first =
    count === undefined
      ? position(from?.slice(0, 10) ?? startOf(period.value, date.value))
      : Math.max(0, last + 1 - count)
  return [first, to === undefined ? last : position(to.slice(0, 10))]
})
