import { computed, signal } from '@preact/signals'
import { date, reaches, session } from '../day/day.ts'
import { type Point, type Stage, times, upToNow } from '../day/price-stage.ts'
import { priceWindow } from '../day/price-window.ts'
import { place } from '../page/address.ts'
import { figures, modelOf } from '../service/figures.ts'
import { PAGE } from '../service/question.ts'
import { exposuresAt } from './exposures.ts'

/** Exposures and levels of the page. */
export const page = exposuresAt(PAGE)
export const { summary, gex, levels, term, narrative, zeroDte, today, nothingToday, marks } = page
const { rows } = page
export const openInterest = figures('/v1/exposure/oi-diff/{symbol}', { params: ({ symbol }) => ({ symbol }) })

/**
 * How long the time slider must rest before the day is requested again, milliseconds. Meanwhile only the figures of the
 * moment are requested.
 */
const REST = 250

/** The day so far, for the embedded picture. Earlier moments are cut out of the loaded series instead of being requested. */
export const series = figures('/v1/series/{symbol}', {
  params: ({ symbol }) =>
    date.value === undefined ? undefined : { symbol, fields: 'underlying_price,gamma_flip', every: '1m' },
  rest: REST,
  suffices: (answer, { at }) => reaches(answer.as_of, at)
})
const isMapShown = computed(() => place.value.map)
/** The map of the day, for the embedded picture. */
export const map = figures('/v1/exposure/matrix/{symbol}', {
  params: ({ symbol }) =>
    date.value === undefined || !isMapShown.value
      ? undefined
      : { symbol, by: 'time', metric: 'gex', every: '5m', range_pct: 10 },
  rest: REST,
  suffices: (answer, { at }) => reaches(answer.as_of, at)
})

export const all = [summary, gex, levels, zeroDte, term, openInterest, narrative] as const

const markPrices = computed(() => marks.value.map(({ value }) => value).join())
const strikePrices = computed(() => (gex.answer.value?.strikes ?? []).map(({ strike }) => strike).join())
const numbers = (text: string) => (text === '' ? [] : text.split(',').map(Number))

/** Price from answers rather than ticks, so that the window stands still while the price moves inside it. */
const middle = computed(
  () => summary.answer.value?.underlying_price ?? session.answer.value?.underlying_price ?? undefined
)

/** The price axis of the stage; undefined before there is a price. */
export const prices = computed(() => {
  if (middle.value === undefined) return undefined
  return priceWindow({
    spot: middle.value,
    move: today.value?.expected_move.implied_1sd_dollars ?? undefined,
    levels: numbers(markPrices.value),
    strikes: numbers(strikePrices.value),
    range: place.value.range
  })
})

const recorded = computed((): readonly Point[] => {
  const answer = series.answer.value
  if (answer === undefined) return []
  const { underlying_price: seen = [], gamma_flip: flips = [] } = answer.columns
  return answer.t.flatMap((text, i) => {
    const at = seen[i]
    return at === null || at === undefined ? [] : [{ time: Date.parse(text), price: at, flip: flips[i] ?? null }]
  })
})

/**
 * The newest flip, appended to the recorded ones. They are of all expirations by the convention, so that of another
 * model or set is left out.
 */
const flipNow = computed(() =>
  modelOf(summary.answer.value) === undefined && summary.set.value === 'all'
    ? (summary.answer.value?.gamma_flip ?? null)
    : null
)

/** Price chart with levels, and gamma by strike. */
export const stage: Stage = {
  day: computed(() => upToNow(recorded.value, { flip: flipNow.value })),
  marks,
  prices,
  times,
  move: computed(() => today.value?.expected_move.remaining_1sd_dollars ?? undefined),
  map: computed(() => (isMapShown.value ? map.answer.value : undefined)),
  rows,
  pointed: signal<number>()
}
