import { computed } from '@preact/signals'
import { place } from '../page/address.ts'
import type { Metric } from '../page/place.ts'
import { byModel } from '../service/dealer-model.ts'
import { figures } from '../service/figures.ts'
import { matrixOf } from './matrix.ts'
import { levels, term } from './overview-state.ts'

const metric = computed(() => place.value.metric)

/** Requested strikes around spot, percent: more than the table shows. */
const REACH = 10
const reach = computed(() => Math.max(REACH, place.value.range ?? 0))

export const answer = figures('/v1/exposure/matrix/{symbol}', {
  params: ({ symbol }) => ({ symbol, by: 'expiration', metric: metric.value, range_pct: reach.value, ...byModel() }),
  bySet: true,
  isMain: true
})

/** Default half of the strike range, percent of spot. */
const HALF = 2.6

/** The matrix to draw; undefined while the newest answer has another metric. */
export const matrix = computed(() => {
  const found = answer.answer.value
  if (found === undefined || found.metric !== metric.value) return undefined
  const { range } = place.value
  const shown = matrixOf(found, range ?? HALF)
  return range === undefined && shown.rows.length < 24 ? matrixOf(found, undefined) : shown
})

/** Dates to pick from: those of the matrix, or all that are listed if it is refused. */
const dates = computed(
  () =>
    answer.answer.value?.columns ??
    (answer.trouble.value === undefined ? [] : (term.answer.value?.by_expiry ?? []).map((each) => each.expiration))
)

/** The expiration of the max-pain curve: the address's, if it is among the dates. */
export const expiration = computed(() => {
  return dates.value.find((date) => date === place.value.expiry) ?? dates.value[0]
})

export const pain = figures('/v1/maxpain/{symbol}', {
  params: ({ symbol }) => (expiration.value === undefined ? undefined : { symbol, expiration: expiration.value })
})
export const painByDate = figures('/v1/maxpain/{symbol}', { params: ({ symbol }) => ({ symbol }), bySet: true })

export const all = [answer, levels, term, pain, painByDate] as const

interface About {
  readonly name: string
  /** Shown under the heading. */
  readonly unit: string
  readonly title: string
}

export const METRIC_WORDS: Readonly<Record<Metric, About>> = {
  gex: { name: 'Gamma', unit: '$ per 1 %', title: 'Net gamma by strike and expiration' },
  dex: { name: 'Delta', unit: '$ of delta', title: 'Net delta by strike and expiration' },
  vex: { name: 'Vanna', unit: '$ per 1.00 of volatility', title: 'Net vanna by strike and expiration' },
  chex: { name: 'Charm', unit: '$ a day; 0DTE to the close', title: 'Net charm by strike and expiration' },
  oi: { name: 'Open interest', unit: 'contracts', title: 'Open interest by strike and expiration' },
  oi_change: { name: 'Change of OI', unit: 'contracts since yesterday', title: 'Change of open interest' }
}
