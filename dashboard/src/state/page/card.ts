import { go, turn } from './address.ts'
import type { Card } from './place.ts'

/** The element that opened the card, which gets the focus back. */
let opener: HTMLElement | undefined

/** Opens the card of a figure. Back closes it. */
export function openCard(card: Card, by: HTMLElement): void {
  opener = by
  go({ card, tab: 'why', since: undefined })
}

/** Whether the reader opened the card on this page, rather than by its address. */
export const isOpenedHere = (): boolean => opener?.isConnected === true

/** Closes the card and gives the focus back to the figure it was opened from. */
export function closeCard(card: Card): void {
  turn({ card: undefined, tab: 'why', since: undefined })
  const figure = opener?.isConnected ? opener : document.querySelector<HTMLElement>(`[data-card="${card}"]`)
  opener = undefined
  figure?.focus()
}
