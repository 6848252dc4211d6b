import { computed, signal } from '@preact/signals'
import type { AnswerOf } from 'gammawall/client'
import { date, reaches, session } from '../day/day.ts'
import { expiringMarks } from '../day/level-marks.ts'
import { isDrawn, type Point, type Stage, type StrikeMap, times, upToNow } from '../day/price-stage.ts'
import { priceWindow } from '../day/price-window.ts'
import { type Track, trackOf } from '../day/track.ts'
import { place } from '../page/address.ts'
import { byModel, patchByModel } from '../service/dealer-model.ts'
import { figures } from '../service/figures.ts'
import type { Follow } from '../stream/stream-state.ts'
import { STRIKE_RANGE, type ZeroDte } from './exposures.ts'
import { nothingToday, summary, today, zeroDte } from './overview-state.ts'

const hasDay = computed(() => date.value !== undefined && nothingToday.value === undefined)

export const series = figures('/v1/series/{symbol}', {
  params: ({ symbol }) =>
    hasDay.value
      ? {
          symbol,
          fields: [
            'underlying_price',
            ...['net_chex', 'pin_score', 'theta_per_hour', 'remaining_1sd_dollars'].map(ofDay)
          ].join(),
          every: '1m'
        }
      : undefined,
  suffices: (answer, { at }) => reaches(answer.as_of, at)
})

/** Name of a field of the series that covers today's expiration. */
function ofDay(name: string): string {
  return `zero_dte.${name}`
}

/** Minutes of a full session. */
const SESSION = 390

/** The day, computed from positions that the prints of the day imply. */
export const flow = figures('/v1/flow/zero-dte/series/{symbol}', {
  params: ({ symbol }) => (hasDay.value ? { symbol, bar: '1m', minutes: SESSION } : undefined),
  suffices: (answer, { at }) => reaches(answer.as_of, at)
})
/** Present exposures from those positions, and from the positions of the morning. */
export const shifted = figures('/v1/flow/zero-dte/snapshot/{symbol}', {
  params: ({ symbol }) => (hasDay.value ? { symbol } : undefined)
})

const metric = computed(() => (place.value.heat === 'flow' ? 'signed_flow' : 'gex'))
const isMapShown = computed(() => place.value.map && hasDay.value)
export const heat = figures('/v1/flow/zero-dte/heatmap/{symbol}', {
  params: ({ symbol }) => (isMapShown.value ? { symbol, minutes: SESSION, metric: metric.value } : undefined),
  suffices: (answer, { at }) => answer.metric === metric.value && reaches(answer.as_of, at)
})

export const all = [summary, zeroDte, series, flow, shifted, heat] as const

export const marks = computed(() => {
  const found = today.value
  if (found === undefined) return []
  const { levels, regime, pin_risk: pin } = found
  return expiringMarks({
    ...levels,
    gamma_flip: regime.gamma_flip,
    magnet: pin.magnet_strike,
    max_pain: pin.max_pain
  })
})

/** Levels farther away than this number of daily moves do not widen the window. */
const NEAR = 3

const prices = computed(() => {
  const found = today.value
  const middle = found?.underlying_price ?? session.answer.value?.underlying_price ?? undefined
  if (middle === undefined) return undefined
  const move = found?.expected_move.implied_1sd_dollars ?? undefined
  return priceWindow({
    spot: middle,
    move,
    levels: marks.value.flatMap(({ value }) =>
      move !== undefined && Math.abs(value - middle) < NEAR * move ? [value] : []
    ),
    strikes: found?.strikes.map(({ strike }) => strike) ?? [],
    range: place.value.range
  })
})

const recorded = computed((): readonly Point[] => {
  const answer = series.answer.value
  const { underlying_price: seen = [], 'zero_dte.remaining_1sd_dollars': left = [] } = answer?.columns ?? {}
  return (answer?.t ?? []).flatMap((text, i) => {
    const price = seen[i]
    return price === null || price === undefined
      ? []
      : [{ time: Date.parse(text), price, flip: null, move: left[i] ?? null }]
  })
})

/** The part of the map that may be drawn. */
const map = computed((): StrikeMap | undefined => {
  const answer = heat.answer.value
  if (!place.value.map || answer?.metric !== metric.value) return undefined
  const bars = answer.bars.filter(({ t }) => isDrawn(Date.parse(t)))
  return {
    strikes: answer.strikes_grid,
    columns: bars.map(({ t }) => t),
    values: answer.strikes_grid.map((_, i) => bars.map(({ values }) => values[i] ?? null))
  }
})

/** Price chart with today's levels, and gamma of today's expiration by strike. */
export const stage: Stage = {
  day: computed(() => upToNow(recorded.value, { flip: null, move: stage.move.value ?? null })),
  marks,
  prices,
  times,
  move: computed(() => today.value?.expected_move.remaining_1sd_dollars ?? undefined),
  map,
  rows: computed(() =>
    (today.value?.strikes ?? []).map(({ strike, call_gex: callToday, put_gex: putToday }) => ({
      strike,
      call: null,
      put: null,
      callToday,
      putToday
    }))
  ),
  pointed: signal<number>()
}

export const theta = computed(() => trackOf(series.answer.value, [ofDay('theta_per_hour')]))
export const charm = computed(() => trackOf(series.answer.value, [ofDay('net_chex')]))
export const pin = computed(() => trackOf(series.answer.value, [ofDay('pin_score')]))

/** Milliseconds of a bar. */
const BAR = 60_000

type Bar = AnswerOf<'/v1/flow/zero-dte/series/{symbol}'>['bars'][number]

/** Flow bars up to the shown moment, each with the time of its end. */
const bars = computed((): readonly (Bar & { readonly time: number })[] => {
  const answer = flow.answer.value
  if (answer === undefined || answer.expiration !== date.value) return []
  const newest = Date.parse(answer.as_of)
  return answer.bars
    .map((bar) => ({ ...bar, time: Math.min(Date.parse(bar.t) + BAR, newest) }))
    .filter(({ time }) => isDrawn(time))
})

/** Estimated hedging of dealers since the open, USD, positive if they bought: all, calls, puts. */
export const hedgeFlow = computed(
  (): Track => ({
    times: bars.value.map(({ time }) => time),
    lines: [
      bars.value.map((each) => each.hedge_flow_cumulative_all),
      bars.value.map((each) => each.hedge_flow_call_cumulative),
      bars.value.map((each) => each.hedge_flow_put_cumulative)
    ]
  })
)

/** How today's flow moved dealer gamma; undefined if the service does not say. */
export const shift = computed(() => {
  const answer = shifted.answer.value
  return answer !== undefined && 'flow_direction' in answer ? answer.flow_direction : undefined
})

/** Streamed parts of the answer. Each is an object that arrives at most once a second. */
const PARTS = ['regime', 'exposures', 'expected_move', 'pin_risk', 'decay', 'hedging', 'levels', 'flow'] as const

/** Follows live figures of today's expiration. */
export function followDay(follow: Follow): void {
  const put = (part: keyof ZeroDte) => (value: unknown) =>
    patchByModel(zeroDte, (answer) =>
      'no_zero_dte' in answer || value === null || typeof value !== 'object' ? answer : { ...answer, [part]: value }
    )
  const given = byModel()
  for (const part of PARTS) follow(`exposure.zero_dte.${part}`, 1000, put(part), given)
  follow('exposure.zero_dte.strikes', 1000, put('strikes'), { strike_range: STRIKE_RANGE, ...given })
}
