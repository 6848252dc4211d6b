import { computed } from '@preact/signals'
import { figures } from '../service/figures.ts'
import { held } from '../service/health.ts'

/** The symbols that are kept warm: whether each is renewed in time. */
const warm = figures('/v1/universe', { params: () => ({ sort: 'symbol', limit: 1000 }), at: () => undefined })

/** What says how old the chain of a symbol is. */
export const all = [held, warm] as const

export interface Age {
  /** when its chain was observed */
  readonly asOf: string
  /** the same behind the newest that the service says of the market, seconds */
  readonly seconds: number
  /** Not renewed as it is to be: its source fails, or takes no more requests. */
  readonly isLate: boolean
}

const late = computed(
  () => new Set((warm.answer.value?.symbols ?? []).flatMap(({ symbol, is_late }) => (is_late ? [symbol] : [])))
)

/** The age of every symbol that is held; empty before it is known. */
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
