import { computed } from '@preact/signals'
import { figures } from '../service/figures.ts'
import { held } from '../service/health.ts'

/** The symbols that the service keeps fresh, and whether each is late. */
const warm = figures('/v1/universe', { params: () => ({ sort: 'symbol', limit: 1000 }), at: () => undefined })

export const all = [held, warm] as const

export interface Age {
  /** When the chain was observed. */
  readonly asOf: string
  /** Seconds behind the newest data of the service. */
  readonly seconds: number
  /** Not refreshed in time, because its source fails or takes no more requests. */
  readonly isLate: boolean
}

const late = computed(
  () => new Set((warm.answer.value?.symbols ?? []).flatMap(({ symbol, is_late }) => (is_late ? [symbol] : [])))
)

/** Ages of all chains in memory; empty before they are known. */
export const ages = computed((): ReadonlyMap<string, Age> => {
  const rows = held.answer.value?.held ?? []
  const newest = Math.max(...[warm.answer.value, ...rows].map((each) => Date.parse(each?.as_of ?? '1970-01-01')))
  return new Map(
    rows.map(({ symbol, as_of: asOf, is_stale }) => {
      const seconds = (newest - Date.parse(asOf)) / 1000
      return [symbol, { asOf, seconds, isLate: is_stale || late.value.has(symbol) }]
    })
  )
})
