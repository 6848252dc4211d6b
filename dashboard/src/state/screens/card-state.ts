import { computed } from '@preact/signals'
import { date } from '../day/day.ts'
import { place } from '../page/address.ts'
import type { Card } from '../page/place.ts'
import { figures } from '../service/figures.ts'

/** Net exposures that are attributed, by their cards. */
export const MEASURES = { net_gex: 'gex', net_dex: 'dex', net_vex: 'vex', net_chex: 'chex' } as const
export type Net = keyof typeof MEASURES

export const isNet = (card: Card | undefined): card is Net => card !== undefined && Object.hasOwn(MEASURES, card)
/** Whether a level follows from gamma, so that what changes gamma may change it. */
export const isOfGamma = (card: Card | undefined) =>
  card === 'gamma_flip' || card === 'call_wall' || card === 'put_wall'

/** Name of a figure in a series. */
export const fieldOf = (card: Card) => (card === 'magnet' ? 'zero_dte.magnet' : card)

/** Rows of each list of an explanation. */
const TOP = 5
/** Calendar days that the history of a figure goes back. */
const DAYS_BACK = 30
const DAY = 86_400_000

// Signals of their own, so that other changes of the address request nothing again.
const card = computed(() => place.value.card)
const tab = computed(() => place.value.tab)
const since = computed(() => place.value.since)

const explained = computed(() => {
  const isShown = tab.value === 'rests' || (tab.value === 'why' && !isNet(card.value))
  return isShown ? card.value : undefined
})

const requested = figures('/v1/exposure/explain/{symbol}', {
  params: ({ symbol }) => (explained.value === undefined ? undefined : { symbol, metric: explained.value, top: TOP }),
  bySet: true
})

/** Explanation of the card's figure: what it rests on. An answer about another figure does not count. */
export const explain = {
  ...requested,
  answer: computed(() => {
    const answer = requested.answer.value
    return answer?.metric === card.value ? answer : undefined
  })
}

const isAttributed = computed(() => tab.value === 'why' && (isNet(card.value) || isOfGamma(card.value)))

/** Why net exposures changed. */
export const attribution = figures('/v1/exposure/attribution/{symbol}', {
  params: ({ symbol }) =>
    isAttributed.value ? { symbol, ...(since.value !== undefined && { since: since.value }) } : undefined,
  bySet: true
})

const isBanded = computed(() => tab.value === 'sure' && (isNet(card.value) || isOfGamma(card.value)))

export const bands = figures('/v1/exposure/bands/{symbol}', {
  params: ({ symbol }) => (isBanded.value ? { symbol } : undefined),
  bySet: true
})

// Net delta counts all open options, whoever holds them.
const isModelled = computed(() => isBanded.value && card.value !== 'net_dex')

export const models = figures('/v1/exposure/models/{symbol}', {
  params: ({ symbol }) => (isModelled.value ? { symbol } : undefined),
  bySet: true
})

const closes = figures('/v1/series/{symbol}', {
  params: ({ symbol }) => {
    if (tab.value !== 'history' || card.value === undefined || date.value === undefined) return undefined
    const from = new Date(Date.parse(`${date.value}T12:00Z`) - DAYS_BACK * DAY).toISOString().slice(0, 10)
    return { symbol, fields: fieldOf(card.value), every: '1d', from }
  }
})

/** Closes of the figure of the card over the last weeks. An answer about another figure does not count. */
export const past = {
  ...closes,
  answer: computed(() => {
    const answer = closes.answer.value
    return card.value !== undefined && answer !== undefined && Object.hasOwn(answer.columns, fieldOf(card.value))
      ? answer
      : undefined
  })
}

export const cardFigures = [explain, attribution, bands, models, past] as const
