/** A price that a line is drawn at, with every name it has. */
export interface Mark {
  readonly names: readonly string[]
  readonly value: number
  readonly tone: Tone
  /** of the line, CSS pixels; none: solid */
  readonly dash: readonly number[]
}

export type Tone = 'call' | 'put' | 'flip' | 'magnet' | 'ink-3'

type Price = number | null | undefined

/** The levels that marks are made of, as the service names them. */
export interface Levels {
  readonly gamma_flip: Price
  readonly max_positive_gamma: Price
  readonly max_negative_gamma: Price
  readonly call_wall: Price
  readonly put_wall: Price
  readonly highest_oi_strike: Price
  readonly zero_dte_magnet: Price
}

/** Those of the contracts that expire today alone. */
export interface TodaysLevels {
  readonly call_wall: Price
  readonly put_wall: Price
}

/** Those of the contracts that expire today, with what has no name of its own on the whole chain. */
export interface ExpiringLevels extends Omit<Levels, 'zero_dte_magnet'> {
  readonly magnet: Price
  readonly max_pain: Price
}

type Named = readonly [name: string, value: Price, tone: Tone, dash: readonly number[]]

const SOLID: readonly number[] = []
const DASHED = [6, 3]
const DOTTED = [2, 3]

/** The levels as marks, highest first. Those at one price are one mark with several names, the first the weightiest. */
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

/** The levels of what expires today alone, where nothing else is drawn. */
export function expiringMarks(levels: ExpiringLevels): readonly Mark[] {
  return merged([
    ['Call wall', levels.call_wall, 'call', SOLID],
    ['Put wall', levels.put_wall, 'put', SOLID],
    ['Flip', levels.gamma_flip, 'flip', DASHED],
    ['Magnet', levels.magnet, 'magnet', DOTTED],
    ['+γ peak', levels.max_positive_gamma, 'call', DOTTED],
    ['−γ peak', levels.max_negative_gamma, 'put', DOTTED],
    ['Max pain', levels.max_pain, 'ink-3', DOTTED],
    ['Top OI', levels.highest_oi_strike, 'ink-3', DOTTED]
  ])
}

function merged(named: readonly Named[]): readonly Mark[] {
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

/** Every name of a mark in a line, or, where there is little room, the first and how many more. */
export function labelOf({ names }: Mark, hasRoom: boolean): string {
  const [first, ...others] = names
  if (others.length === 0) return first!
  return hasRoom && others.length <= 2 ? names.join(' · ') : `${first} +${others.length}`
}
