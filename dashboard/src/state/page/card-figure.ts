import { CARDS, type Card } from './place.ts'

/** A figure that has a card. */
export interface CardFigure {
  readonly card: Card
  /** The expirations that it is of, as in the address; undefined: those of the page. */
  readonly set?: string | undefined
}

/** Names a figure in the page. */
export const keyOf = ({ card, set }: CardFigure): string => (set === undefined ? card : `${card}@${set}`)

/** Figures of the options that expire today of which a series is kept. */
const TODAYS: readonly Card[] = ['net_gex', 'net_chex', 'call_wall', 'put_wall', 'magnet']
const PREFIX = 'zero_dte.'

/** Name of a figure in a series; undefined: none is kept of it. */
export function fieldOf({ card, set }: CardFigure): string | undefined {
  if (set === '0dte' ? TODAYS.includes(card) : card === 'magnet') return `${PREFIX}${card}`
  return set === undefined ? card : undefined
}

/** The figure that a field of a series names. */
export function figureOf(field: string): CardFigure | undefined {
  const card = CARDS.find((each) => each === field)
  if (card !== undefined) return { card }
  const todays = TODAYS.find((each) => `${PREFIX}${each}` === field)
  return todays && (todays === 'magnet' ? { card: todays } : { card: todays, set: '0dte' })
}
