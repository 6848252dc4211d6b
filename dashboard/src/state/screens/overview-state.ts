import { computed, signal } from '@preact/signals'
import type { AnswerOf } from 'gammawall/client'
import { date, reaches, session } from '../day/day.ts'
import { marksOf } from '../day/level-marks.ts'
import { type Point, type Stage, times, upToNow } from '../day/price-stage.ts'
import { priceWindow } from '../day/price-window.ts'
import { place } from '../page/address.ts'
import { byModel } from '../service/dealer-model.ts'
import { figures, modelOf } from '../service/figures.ts'

type ZeroDteAnswer = AnswerOf<'/v1/exposure/zero-dte/{symbol}'>
export type ZeroDte = Exclude<ZeroDteAnswer, { readonly no_zero_dte: true }>
export type NoZeroDte = Extract<ZeroDteAnswer, { readonly no_zero_dte: true }>
export type Strike = AnswerOf<'/v1/exposure/gex/{symbol}'>['strikes'][number]

export const summary = figures('/v1/exposure/summary/{symbol}', {
  params: ({ symbol }) => ({ symbol, ...byModel() }),
  bySet: true,
  isMain: true
})
export const gex = figures('/v1/exposure/gex/{symbol}', {
  params: ({ symbol }) => ({ symbol, ...byModel() }),
  bySet: true
})
export const levels = figures('/v1/exposure/levels/{symbol}', {
  params: ({ symbol }) => ({ symbol, ...byModel() }),
  bySet: true
})
export const term = figures('/v1/exposure/term-structure/{symbol}', { params: ({ symbol }) => ({ symbol }) })
export const narrative = figures('/v1/exposure/narrative/{symbol}', { params: ({ symbol }) => ({ symbol }) })
export const openInterest = figures('/v1/exposure/oi-diff/{symbol}', { params: ({ symbol }) => ({ symbol }) })
/** Share of spot within which strikes are requested: more than any price window shows of today's expiration. */
export const STRIKE_RANGE = 0.1
export const zeroDte = figures('/v1/exposure/zero-dte/{symbol}', {
  params: ({ symbol }) => ({ symbol, strike_range: STRIKE_RANGE, ...byModel() })
})

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

/** Contracts that expire today; undefined if there are none. */
export const today = computed((): ZeroDte | undefined => {
  const answer = zeroDte.answer.value
  return answer === undefined || 'no_zero_dte' in answer ? undefined : answer
})
export const nothingToday = computed((): NoZeroDte | undefined => {
  const answer = zeroDte.answer.value
  return answer !== undefined && 'no_zero_dte' in answer ? answer : undefined
})

/** Replaces the gamma of strikes in the answer about today. */
export function withStrikes(answer: ZeroDteAnswer, newer: readonly Strike[]): ZeroDteAnswer {
  if ('no_zero_dte' in answer) return answer
  const known = new Map(newer.map((each) => [each.strike, each]))
  const strikes = answer.strikes.map((each) => {
    const now = known.get(each.strike)
    return now === undefined ? each : { ...each, call_gex: now.call_gex, put_gex: now.put_gex, net_gex: now.net_gex }
  })
  return { ...answer, strikes }
}

export const marks = computed(() => {
  const answer = levels.answer.value
  return answer === undefined ? [] : marksOf(answer.levels, today.value?.levels)
})

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

/** Whether what expires today is a part of the gamma by strike. */
const isTodayInside = computed(() => {
  const dates = gex.answer.value?.scope.expirations
  return gex.set.value === 'all' || (today.value !== undefined && dates?.includes(today.value.expiration) === true)
})

/** Price chart with levels, and gamma by strike. */
export const stage: Stage = {
  day: computed(() => upToNow(recorded.value, { flip: flipNow.value })),
  marks,
  prices,
  times,
  move: computed(() => today.value?.expected_move.remaining_1sd_dollars ?? undefined),
  map: computed(() => (isMapShown.value ? map.answer.value : undefined)),
  rows: computed(() => {
    const isToday = place.value.today
    const expiring = new Map(
      (isToday || isTodayInside.value ? (today.value?.strikes ?? []) : []).map((each) => [each.strike, each])
    )
    return (gex.answer.value?.strikes ?? []).map(({ strike, call_gex, put_gex }) => ({
      strike,
      call: isToday ? null : call_gex,
      put: isToday ? null : put_gex,
      callToday: expiring.get(strike)?.call_gex ?? null,
      putToday: expiring.get(strike)?.put_gex ?? null
    }))
  }),
  pointed: signal<number>()
}
