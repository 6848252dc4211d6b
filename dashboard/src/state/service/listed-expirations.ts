import { computed, effect, signal } from '@preact/signals'
import { expirations, place, turn } from '../page/address.ts'
import { datesOf, setAmong } from '../page/expiration-set.ts'
import { figures } from './figures.ts'

/** Whether the choice of expirations is open. Listed dates are requested only then, or once single dates are chosen. */
export const isChoosing = signal(false)

export const listing = figures('/v1/options/{ticker}', {
  params: ({ symbol }) => (isChoosing.value || datesOf(expirations.value).length > 0 ? { ticker: symbol } : undefined),
  isDaily: true
})

/** The dates that the symbol lists, ascending; undefined before they are known. */
export const listed = computed(() => listing.answer.value?.expirations.map(({ expiration }) => expiration))

/** The dates that were taken out of the set because the symbol does not list them. */
export const takenOut = signal<{ readonly symbol: string; readonly dates: readonly string[] }>()

/** Takes dates out of the chosen set that another symbol does not list. A set that came with the address stays as it is. */
export function followListing(): void {
  let chosen = { symbol: place.peek().symbol, set: expirations.peek() }
  effect(() => {
    const { symbol, expirations: set } = place.value
    if (set !== chosen.set) {
      chosen = { symbol, set }
      takenOut.value = undefined
    }
    if (symbol === chosen.symbol || listed.value === undefined) return
    const left = setAmong(set, listed.value)
    chosen = { symbol, set: left }
    const kept = datesOf(left)
    takenOut.value = left === set ? undefined : { symbol, dates: datesOf(set).filter((date) => !kept.includes(date)) }
    if (left !== set) turn({ expirations: left })
  })
}
