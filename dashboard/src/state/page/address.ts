import { computed, signal } from '@preact/signals'
import { addressOf, type Place, readPlace } from './place.ts'

const shown = signal(readPlace(location.hash))

/** Follows changes of the address: Back, links, typing. */
export function followAddress(): void {
  addEventListener('hashchange', () => {
    shown.value = readPlace(location.hash)
  })
}

/** Content of the page, read from its address. */
export const place = computed(() => shown.value)
export const symbol = computed(() => shown.value.symbol)
export const at = computed(() => shown.value.at)
export const screen = computed(() => shown.value.screen)
export const expirations = computed(() => shown.value.expirations)

/** No open card. */
export const NO_CARD = { card: undefined, cardSet: undefined, tab: 'why', since: undefined } as const

/** The address after a change, for links. Another screen begins without a card. */
export function hrefOf(change: Partial<Place>): string {
  const isLeft = change.screen !== undefined && change.screen !== place.value.screen
  return addressOf({ ...place.value, ...(isLeft && NO_CARD), ...change })
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
