import { computed, effect, signal } from '@preact/signals'
import type { AnswerOf } from 'gammawall/client'
import { date, reaches } from '../day/day.ts'
import { trackOf } from '../day/track.ts'
import { place } from '../page/address.ts'
import { FARTHEST_MOVE, MOVE_STEP } from '../page/place.ts'
import { byModel } from '../service/dealer-model.ts'
import { figures, modelOf } from '../service/figures.ts'
import { levels, narrative } from './overview-state.ts'

type Profile = AnswerOf<'/v1/exposure/profile/{symbol}'>

/** One spot for each stop of the price slider, so that every shown figure comes from the service. */
const POINTS = (2 * FARTHEST_MOVE) / MOVE_STEP + 1
const MIDDLE = (POINTS - 1) / 2
const reach = { range_pct: FARTHEST_MOVE, points: POINTS } as const

/** How long a slider must rest before its value is requested, milliseconds. */
const PAUSE = 150

const settled = signal({ vol: place.peek().vol, when: place.peek().when })

/** Copies the sliders to `settled` once they rest. Must start before the figures that read `settled`. */
export const settling = {
  start(): () => void {
    const { vol, when } = place.peek()
    settled.value = { vol, when }
    return effect(() => {
      const { vol, when } = place.value
      if (vol === settled.peek().vol && when === settled.peek().when) return undefined
      const timer = setTimeout(() => {
        settled.value = { vol, when }
      }, PAUSE)
      return () => clearTimeout(timer)
    })
  }
}

/** Exposures over spot at present volatility and time. */
export const base = figures('/v1/exposure/profile/{symbol}', {
  params: ({ symbol }) => ({ symbol, ...reach, ...byModel() }),
  bySet: true,
  isMain: true
})
/** Exposures over spot at the chosen volatility and time. */
export const moved = figures('/v1/exposure/profile/{symbol}', {
  params: ({ symbol }) => {
    const { vol, when } = settled.value
    return vol === 0 && when === 'now' ? undefined : { symbol, ...reach, when, vol_shift: vol, ...byModel() }
  },
  bySet: true
})
export const series = figures('/v1/series/{symbol}', {
  params: ({ symbol }) =>
    date.value === undefined ? undefined : { symbol, fields: 'net_chex,zero_dte.net_chex,net_vex', every: '1m' },
  suffices: (answer, { at }) => reaches(answer.as_of, at)
})

export const all = [settling, base, moved, series, levels, narrative] as const

/** The present profile. */
export const now = base.answer

/** Whether another volatility or time is chosen. */
export const isMoved = computed(() => place.value.vol !== 0 || place.value.when !== 'now')

/** The profile to draw: that of the chosen volatility and time once it has arrived. */
export const shown = computed(() => {
  const { vol, when } = place.value
  const found = moved.answer.value
  const isSameBook = modelOf(found) === modelOf(now.value) && moved.set.value === base.set.value
  return isMoved.value && found?.vol_shift === vol && found.when === when && isSameBook ? found : now.value
})

/** Dealer exposures at one price. */
export interface PriceExposure {
  readonly price: number
  /** Percent from spot. */
  readonly move: number
  /** USD of delta gained per 1 % move of spot. */
  readonly gex: number
  /** USD of delta gained per point of volatility. */
  readonly vexPerPoint: number
  /** USD of delta gained per calendar day. */
  readonly chex: number
}

/** Exposures at a stop of the price slider, percent from spot. */
export function exposureAt(move: number): PriceExposure | undefined {
  const profile = shown.value
  const i = MIDDLE + move / MOVE_STEP
  const price = profile?.spots[i]
  if (profile === undefined || price === undefined) return undefined
  // The service answers vanna per 1.00 of volatility; the page shows it per point.
  return { price, move, gex: profile.gex[i]!, vexPerPoint: profile.vex[i]! / 100, chex: profile.chex[i]! }
}

/** The slider stop nearest to a price, percent from spot. */
export function moveTo(price: number): number | undefined {
  const spot = shown.value?.spots[MIDDLE]
  if (spot === undefined) return undefined
  const move = Math.round(((price / spot - 1) * 100) / MOVE_STEP) * MOVE_STEP
  return Math.min(FARTHEST_MOVE, Math.max(-FARTHEST_MOVE, move)) + 0
}

export const chosen = computed(() => exposureAt(place.value.move))

/** Gamma at the chosen price by days to expiration. */
export const buckets = computed(() => {
  const i = MIDDLE + place.value.move / MOVE_STEP
  return (shown.value?.by_bucket ?? []).map(({ bucket, gex }) => ({ bucket, gex: gex[i] ?? 0 }))
})

/** Two curves over spot: the chosen setting and the present. */
export interface Curves {
  readonly spots: readonly number[]
  readonly shown: readonly number[]
  /** Undefined if nothing is moved, and at points that only the other curve has. */
  readonly before: readonly (number | undefined)[] | undefined
}

function curvesOf(pick: (profile: Profile) => readonly number[]): Curves {
  const [profile, before] = [shown.value, now.value]
  const isOther = profile !== undefined && profile !== before
  return {
    spots: profile?.spots ?? [],
    shown: profile === undefined ? [] : pick(profile),
    before: isOther && before !== undefined ? pick(before) : undefined
  }
}
const plainGamma = computed(() => curvesOf(({ gex }) => gex))
/** The flips are added as points, so that the filled area ends at them. */
export const gamma = computed((): Curves => {
  const { spots, shown: values, before } = plainGamma.value
  const points = [
    ...spots.map((spot, i) => ({ spot, value: values[i]!, was: before?.[i] })),
    ...(shown.value?.crossings ?? []).map((spot) => ({ spot, value: 0, was: undefined }))
  ].sort((a, b) => a.spot - b.spot)
  return {
    spots: points.map(({ spot }) => spot),
    shown: points.map(({ value }) => value),
    before: before && points.map(({ was }) => was)
  }
})
export const vanna = computed(() => curvesOf(({ vex }) => vex.map((each) => each / 100)))
export const charm = computed(() => curvesOf(({ chex }) => chex))

export const charmToday = computed(() => trackOf(series.answer.value, ['net_chex', 'zero_dte.net_chex']))
export const vannaToday = computed(() => trackOf(series.answer.value, ['net_vex'], 1 / 100))
