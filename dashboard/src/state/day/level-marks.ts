import type { CardFigure } from '../page/card-figure.ts'
import type { Card } from '../page/place.ts'

/** A price at which a line is drawn, with all names of levels at that price. */
export interface Mark {
  readonly names: readonly string[]
  readonly value: number
  readonly tone: Tone
  /** Dash pattern in CSS pixels; empty: a solid line. */
  readonly dash: readonly number[]
}

export type Tone = 'call' | 'put' | 'flip' | 'magnet' | 'good' | 'ink-3'

type Price = number | null | undefined

/** Levels by their wire names. */
export interface Levels {
  readonly gamma_flip: Price
  readonly max_positive_gamma: Price
  readonly max_negative_gamma: Price
  readonly call_wall: Price
  readonly put_wall: Price
  readonly highest_oi_strike: Price
  readonly zero_dte_magnet: Price
}

/** Walls of the contracts that expire today. */
export interface TodaysLevels {
  readonly call_wall: Price
  readonly put_wall: Price
}

/** Levels of the contracts that expire today. */
export interface ExpiringLevels extends Omit<Levels, 'zero_dte_magnet'> {
  readonly magnet: Price
  readonly max_pain: Price
}

export type Named = readonly [name: string, value: Price, tone: Tone, dash: readonly number[]]

export const SOLID: readonly number[] = []
export const DASHED = [6, 3]
export const DOTTED = [2, 3]

/** The levels as marks, highest first. Levels at one price share a mark, the most important name first. */
export function marksOf(levels: Levels, today: TodaysLevels | undefined): readonly Mark[] {
  return merged([
    ['Call wall', levels.call_wall, 'call', SOLID],
    ['Put wall', levels.put_wall, 'put', SOLID],
    ['Flip', levels.gamma_flip, 'flip', DASHED],
    ['0DTE magnet', levels.zero_dte_magnet, 'magnet', DOTTED],
    ['+γ peak', levels.max_positive_gamma, 'call', DOTTED],
    ['−γ peak', levels.max_negative_gamma, 'put', DOTTED],
    ['Top OI', levels.highest_oi_strike, 'ink-3', DOTTED],
    ['0DTE call wall', today?.call_wall, 'call', DASHED],
    ['0DTE put wall', today?.put_wall, 'put', DASHED]
  ])
}

export function expiringMarks(levels: ExpiringLevels): readonly Mark[] {
  return merged([
    ['Call wall', levels.call_wall, 'call', SOLID],
    ['Put wall', levels.put_wall, 'put', SOLID],
    ['0DTE flip', levels.gamma_flip, 'flip', DASHED],
    ['Magnet', levels.magnet, 'magnet', DOTTED],
    ['+γ peak', levels.max_positive_gamma, 'call', DOTTED],
    ['−γ peak', levels.max_negative_gamma, 'put', DOTTED],
    ['Max pain', levels.max_pain, 'ink-3', DOTTED],
    ['Top OI', levels.highest_oi_strike, 'ink-3', DOTTED]
  ])
}

/** Marks of named levels, highest first. */
export function merged(named: readonly Named[]): readonly Mark[] {
  const marks = new Map<number, Mark>()
  for (const [name, value, tone, dash] of named) {
    if (value === null || value === undefined) continue
    const there = marks.get(value)
    marks.set(
      value,
      there === undefined ? { names: [name], value, tone, dash } : { ...there, names: [...there.names, name] }
    )
  }
  return [...marks.values()].sort((a, b) => b.value - a.value)
}

/** Cards of levels by their names. */
const CARDS: Readonly<Record<string, Card>> = {
  'Call wall': 'call_wall',
  'Put wall': 'put_wall',
  Flip: 'gamma_flip',
  '0DTE flip': 'gamma_flip',
  '0DTE magnet': 'magnet',
  Magnet: 'magnet',
  'Max pain': 'max_pain',
  '0DTE call wall': 'call_wall',
  '0DTE put wall': 'put_wall'
}

/** The figure that a level names, of a set of expirations; undefined: it has no card. */
export function figureOfLevel(name: string, set: string | undefined): CardFigure | undefined {
  if (!Object.hasOwn(CARDS, name)) return undefined
  const card = CARDS[name]!
  // The magnet is always of what expires today.
  if (card === 'magnet') return { card }
  return { card, set: name.startsWith('0DTE') ? '0dte' : set }
}

/** All names of a mark or, if there is little room, the first and the number of the others. */
export function labelOf({ names }: Mark, hasRoom: boolean): string {
  const [first, ...others] = names
  if (others.length === 0) return first!
  return hasRoom && others.length <= 2 ? names.join(' · ') : `${first} +${others.length}`
}
