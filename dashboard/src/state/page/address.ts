import { computed, signal } from '@preact/signals'
import { addressOf, type Place, readPlace } from './place.ts'

const shown = signal(readPlace(location.hash))

/** Takes over what Back, a link or the reader writes into the address. */
export function followAddress(): void {
  addEventListener('hashchange', () => {
    shown.value = readPlace(location.hash)
  })
}

/** What the page shows, as its address says. */
export const place = computed(() => shown.value)
export const symbol = computed(() => shown.value.symbol)
export const at = computed(() => shown.value.at)
export const screen = computed(() => shown.value.screen)

/** The address of the page with a few things changed, for links. */
export function hrefOf(change: Partial<Place>): string {
  return addressOf({ ...place.value, ...change })
}

/** Changes what is shown: a step that Back undoes. */
export function go(change: Partial<Place>): void {
  location.hash = hrefOf(change)
  shown.value = readPlace(location.hash) // the event comes later, and another change may come before it
}

/** The same without a step of its own: scrubbing would fill the history. */
export function turn(change: Partial<Place>): void {
  history.replaceState(null, '', hrefOf(change))
  shown.value = readPlace(location.hash)
}
