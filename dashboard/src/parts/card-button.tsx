import type { ComponentChildren } from 'preact'
import { place } from '../state/page/address.ts'
import { closeCard, openCard } from '../state/page/card.ts'
import type { Card } from '../state/page/place.ts'
import { NONE } from './format.ts'

interface CardButtonProps {
  /** Undefined: the figure has no card, and is text. */
  readonly card: Card | undefined
  /** Name of the figure for screen readers. */
  readonly name: string
  readonly value: string
  readonly children?: ComponentChildren
}

/** A figure that opens its card. */
export function CardButton({ card, name, value, children = value }: CardButtonProps) {
  if (card === undefined) return <>{children}</>
  const isOpen = place.value.card === card
  return (
    <button
      type="button"
      class="figure-button"
      data-card={card}
      aria-label={`${name} ${value === NONE ? 'none' : value}`}
      aria-expanded={isOpen}
      title="Why, what it rests on, how sure it is, its history"
      onClick={({ currentTarget }) => (isOpen ? closeCard(card) : openCard(card, currentTarget))}
    >
      {children}
    </button>
  )
}
