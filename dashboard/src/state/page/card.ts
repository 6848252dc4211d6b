import { go, NO_CARD, place, turn } from './address.ts'
import { type CardFigure, keyOf } from './card-figure.ts'

/** The element that opened the card, which gets the focus back. */
let opener: HTMLElement | undefined

export const isOpen = ({ card, set }: CardFigure): boolean => place.value.card === card && place.value.cardSet === set

/** Opens the card of a figure. Back closes it. */
export function openCard({ card, set }: CardFigure, by: HTMLElement): void {
  opener = by
  go({ ...NO_CARD, card, cardSet: set })
}

/** Whether the reader opened the card on this page, rather than by its address. */
export const isOpenedHere = (): boolean => opener !== undefined

/** Closes the card and gives the focus back to the figure it was opened from. */
export function closeCard(of: CardFigure): void {
  turn(NO_CARD)
  const figure = opener
  opener = undefined
  if (figure?.isConnected) figure.focus()
  // The card stood in place of the figure, which is in the page again with the next frame.
  else requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-card="${keyOf(of)}"]`)?.focus())
}
