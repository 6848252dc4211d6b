import { computed } from '@preact/signals'
import type { AnswerOf, GetPath } from 'gammawall/client'
import { date } from '../day/day.ts'
import { expirations, place } from '../page/address.ts'
import { fieldOf } from '../page/card-figure.ts'
import { type Card, EXPLAINED, type Explained, TABS, type Tab } from '../page/place.ts'
import { type Figures, figures } from '../service/figures.ts'

/** Net exposures that are attributed, by their cards. */
export const MEASURES = { net_gex: 'gex', net_dex: 'dex', net_vex: 'vex', net_chex: 'chex' } as const
export type Net = keyof typeof MEASURES

export const isNet = (card: Card | undefined): card is Net => card !== undefined && Object.hasOwn(MEASURES, card)
export const isExplained = (card: Card | undefined): card is Explained => EXPLAINED.some((each) => each === card)
/** Whether a level follows from gamma, so that what changes gamma may change it. */
export const isOfGamma = (card: Card | undefined) =>
  card === 'gamma_flip' || card === 'call_wall' || card === 'put_wall'

/** Whether a field means something within a session only: what expires today, and what is counted since the open. */
export const isOfSession = (field: string) => /^(zero_dte|flow)\./.test(field)

/** The parts that the card of a figure has. */
export const tabsOf = (card: Card): readonly Tab[] => (isExplained(card) ? TABS : ['history'])

/** Rows of each list of an explanation. */
const TOP = 5
/** Calendar days that the history of a figure goes back. */
const DAYS_BACK = 30
const DAY = 86_400_000

// Signals of their own, so that other changes of the address request nothing again.
const card = computed(() => place.value.card)
const since = computed(() => place.value.since)
const cardSet = computed(() => place.value.cardSet)
const chosenSet = computed(() => cardSet.value ?? expirations.value)
const explained = computed(() => (isExplained(card.value) ? card.value : undefined))

/** The part that is shown: that of the address if the card has it. */
export const tab = computed((): Tab => {
  const tabs = card.value === undefined ? TABS : tabsOf(card.value)
  return tabs.find((each) => each === place.value.tab) ?? tabs[0]!
})

/** Figures whose answer counts only if it is about the expirations of the card. */
function ofSet<Path extends GetPath>(
  requested: Figures<Path>,
  isMeant: (answer: AnswerOf<Path>) => boolean = () => true
) {
  const answer = computed(() => {
    const held = requested.answer.value
    const isOfSet = requested.set.value === (chosenSet.value ?? 'all')
    return held !== undefined && isOfSet && isMeant(held) ? held : undefined
  })
  return { ...requested, answer }
}

const asksExplanation = computed(() => tab.value === 'rests' || (tab.value === 'why' && !isNet(card.value)))

/** Explanation of the card's figure: what it rests on. An answer about another figure does not count. */
export const explain = ofSet(
  figures('/v1/exposure/explain/{symbol}', {
    params: ({ symbol }) =>
      asksExplanation.value && explained.value !== undefined
        ? { symbol, metric: explained.value, top: TOP }
        : undefined,
    bySet: () => chosenSet.value
  }),
  ({ metric }) => metric === card.value
)

const isAttributed = computed(() => tab.value === 'why' && (isNet(card.value) || isOfGamma(card.value)))

/** Why net exposures changed. */
export const attribution = ofSet(
  figures('/v1/exposure/attribution/{symbol}', {
    params: ({ symbol }) =>
      isAttributed.value ? { symbol, ...(since.value !== undefined && { since: since.value }) } : undefined,
    bySet: () => chosenSet.value
  })
)

const isBanded = computed(() => tab.value === 'sure' && (isNet(card.value) || isOfGamma(card.value)))

export const bands = ofSet(
  figures('/v1/exposure/bands/{symbol}', {
    params: ({ symbol }) => (isBanded.value ? { symbol } : undefined),
    bySet: () => chosenSet.value
  })
)

// Net delta counts all open options, whoever holds them.
const isModelled = computed(() => isBanded.value && card.value !== 'net_dex')

export const models = ofSet(
  figures('/v1/exposure/models/{symbol}', {
    params: ({ symbol }) => (isModelled.value ? { symbol } : undefined),
    bySet: () => chosenSet.value
  })
)

/** Series of the figure of the card. */
export const field = computed(() =>
  card.value === undefined ? undefined : fieldOf({ card: card.value, set: cardSet.value })
)

const kept = figures('/v1/series/{symbol}', {
  params: ({ symbol }) => {
    if (tab.value !== 'history' || field.value === undefined || date.value === undefined) return undefined
    if (isOfSession(field.value)) return { symbol, fields: field.value, every: '5m', from: date.value }
    const from = new Date(Date.parse(`${date.value}T12:00Z`) - DAYS_BACK * DAY).toISOString().slice(0, 10)
    return { symbol, fields: field.value, every: '1d', from }
  }
})

/**
 * The figure of the card over the last weeks by closes, or through the session. An answer about another figure does not
 * count.
 */
export const past = {
  ...kept,
  answer: computed(() => {
    const answer = kept.answer.value
    return field.value !== undefined && answer !== undefined && Object.hasOwn(answer.columns, field.value)
      ? answer
      : undefined
  })
}

export const cardFigures = [explain, attribution, bands, models, past] as const
