import type { ComponentChildren } from 'preact'
import { screen } from '../state/page/address.ts'
import { closeCard, isOpen, openCard } from '../state/page/card.ts'
import { type CardFigure, keyOf } from '../state/page/card-figure.ts'
import { EXPLAINED } from '../state/page/place.ts'
import { embedToken } from '../state/service/sign-in.ts'
import { NONE } from './format.ts'

interface CardButtonProps {
  /** Undefined: the figure has no card, and is text. */
  readonly of: CardFigure | undefined
  /** Name of the figure for screen readers. */
  readonly name: string
  readonly value: string
  readonly children?: ComponentChildren
}

/** A figure that opens its card. In a workspace, and in a panel on a page of others, it is text. */
export function CardButton({ of, name, value, children = value }: CardButtonProps) {
  if (of === undefined || embedToken.value !== undefined || screen.value === 'workspace') return <>{children}</>
  const isShown = isOpen(of)
  const isExplained = EXPLAINED.some((each) => each === of.card)
  return (
    <button
      type="button"
      class="figure-button"
      data-card={keyOf(of)}
      aria-label={`${name} ${value === NONE ? 'none' : value}`}
      aria-expanded={isShown}
      title={isExplained ? 'Why, what it rests on, how sure it is, its history (y)' : 'Its history (y)'}
      onClick={({ currentTarget }) => (isShown ? closeCard(of) : openCard(of, currentTarget))}
    >
      {children}
    </button>
  )
}
