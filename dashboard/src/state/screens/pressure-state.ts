import { computed, type ReadonlySignal } from '@preact/signals'
import type { AnswerOf, ParamsOf } from 'gammawall/client'
import { date, hours } from '../day/day.ts'
import { isDrawn } from '../day/price-stage.ts'
import { ended, type Track } from '../day/track.ts'
import { place } from '../page/address.ts'
import { figures } from '../service/figures.ts'
import { SESSION } from './flow-state.ts'
import { runningSums } from './running-sums.ts'

const PATH = '/v1/flow/hedge-flow/{symbol}'
type Answer = AnswerOf<typeof PATH>
type Bar = Answer['bars'][number]
type Measure = Answer['measure']
export type Usual = NonNullable<Answer['usual']>

/** How often the service has a new half minute, milliseconds. */
const HALF_MINUTE = 30_000
/** Length of a bar, milliseconds. */
const BAR = 300_000

const scope = computed(() => place.value.scope)
const greek = computed(() => place.value.greek)

/** Pressure of the chosen expirations. An answer to another choice is never shown under this one. */
function pressureOf(measure: () => Measure, split: ParamsOf<typeof PATH>['split']) {
  const loaded = figures(PATH, {
    params: ({ symbol }) =>
      date.value === undefined
        ? undefined
        : { symbol, scope: scope.value, measure: measure(), split, bar: '5m', minutes: SESSION },
    every: HALF_MINUTE
  })
  const answer = computed(() => {
    const held = loaded.answer.value
    return held?.scope === scope.value && held.measure === measure() ? held : undefined
  })
  return { ...loaded, answer }
}

/** Delta by right, delta by size of print, and the greek beside it. */
export const delta = pressureOf(() => 'delta', 'right')
export const sizes = pressureOf(() => 'delta', 'size')
export const second = pressureOf(() => greek.value, 'none')
export const pressures = [delta, sizes, second] as const

type Held = ReadonlySignal<Answer | undefined>

/** The answer if it is of the session of the page and not of later than the shown moment. */
function ofMoment({ value }: Held): Answer | undefined {
  return value !== undefined && value.session === date.value && isDrawn(Date.parse(value.as_of)) ? value : undefined
}

/** Bars of the session of the page, each with the time of its end. */
function barsOf({ value }: Held): readonly { readonly row: Bar; readonly time: number }[] {
  if (value?.session !== date.value || value === undefined) return []
  return ended(value.bars, ({ t }) => t, BAR, Date.parse(value.as_of))
}

const trackOf = (of: Held, parts: readonly string[] = []) =>
  computed((): Track => {
    const bars = barsOf(of)
    const sums = bars.map(({ row }) => row.cumulative)
    return {
      times: bars.map(({ time }) => time),
      lines: [
        sums,
        ...parts.map((part) =>
          runningSums(
            bars.map(({ row }) => row),
            part
          )
        )
      ]
    }
  })

/** Delta since the open, USD: all, calls, puts. */
export const deltaTrack = trackOf(delta.answer, ['calls', 'puts'])
/** Gamma or vega since the open. */
export const secondTrack = trackOf(second.answer)
/** Classes of prints by their size, smallest first. */
export const SIZES = ['small', 'medium', 'large'] as const
/** Delta since the open by size of print, USD: all, then each of `SIZES`. */
export const sizeTrack = trackOf(sizes.answer, SIZES)

const usualOf = (of: Held) => computed((): Usual | undefined => ofMoment(of)?.usual ?? undefined)
/** Usual range at the moment of the answers; undefined with too few sessions. */
export const deltaUsual = usualOf(delta.answer)
export const secondUsual = usualOf(second.answer)

/** Whether nothing of the scope has printed. Bars go on at 0 then. */
export const isUntraded = computed(() => {
  const held = delta.answer.value
  return held?.sided_share === null && deltaTrack.value.lines.every((line) => line.every((value) => value === 0))
})

/** Other facts about the chosen expirations. */
export const facts = computed(() => {
  const held = ofMoment(delta.answer)
  const from = held?.recorded_from
  const began = from === null || from === undefined ? undefined : Date.parse(from)
  return {
    sidedShare: held?.sided_share ?? undefined,
    next: held?.next_expiration ?? undefined,
    /** Time at which the figures begin, milliseconds; undefined if they begin at the open. */
    began: began !== undefined && hours.value !== undefined && began > hours.value.open ? began : undefined
  }
})
