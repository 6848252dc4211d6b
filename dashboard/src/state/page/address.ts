import { computed } from '@preact/signals'
import { closing } from './closing.ts'
import { addressOf, type Place, readPlace } from './place.ts'
import { shown } from './shown.ts'

/** Follows changes of the address: Back, links, typing. */
export function followAddress(): void {
  addEventListener('hashchange', () => {
    shown.value = readPlace(location.hash)
  })
}

/** Content of the page, read from its address. A plan may show nothing later than the last close. */
export const place = computed((): Place => {
  const { at } = shown.value
  const last = closing.value?.at
  return last === undefined || (at !== undefined && at <= last) ? shown.value : { ...shown.value, at: last }
})
export const symbol = computed(() => shown.value.symbol)
export const at = computed(() => place.value.at)
export const screen = computed(() => shown.value.screen)
export const expirations = computed(() => shown.value.expirations)

/** No open card. */
export const NO_CARD = { card: undefined, cardSet: undefined, tab: 'why', since: undefined } as const

/** The address after a change, for links. Another screen begins without a card. */
export function hrefOf(change: Partial<Place>): string {
  const isLeft = change.screen !== undefined && change.screen !== place.value.screen
  return addressOf({ ...shown.value, ...(isLeft && NO_CARD), ...change })
}

/** Changes what is shown. Back undoes it. */
export function go(change: Partial<Place>): void {
  location.hash = hrefOf(change)
  shown.value = readPlace(location.hash) // The event comes later, and another change may come before it.
}

/** Changes what is shown without a new entry in the history, which dragging a slider would fill. */
export function turn(change: Partial<Place>): void {
  history.replaceState(null, '', hrefOf(change))
  shown.value = readPlace(location.hash)
}
