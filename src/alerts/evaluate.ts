import type { AlertMemory, AlertRule, Side } from '../accounts/alerts/rule.ts'

/** What is known of the metric of a rule at one look; undefined: there is no such figure now. */
export interface RuleValues {
  readonly value: number | undefined
  /** The number it is compared with, or the value of the other metric. */
  readonly target: number | undefined
}

export interface Evaluation {
  readonly fires: boolean
  readonly memory: AlertMemory
}

/** What a rule remembers when it is armed, by its owner or at its creation, with the value that is known then. */
export function freshMemory(value: number | undefined): AlertMemory {
  return { side: undefined, reference: value }
}

/**
 * Whether a rule fires at a look, and what it remembers for the next one.
 *
 * - `above`, `below`: fires when the value comes to stand strictly beyond the target, also at the first look; again only
 *   after a look at which it did not.
 * - `crosses`: fires when the value stands strictly on the other side of the target than the last known value that was not
 *   equal to it. A value equal to the target is on neither side: to touch it and turn back is no crossing. The first known
 *   value fires nothing.
 * - `changes_by`: fires when the value is at least the target away from the reference: the value when the rule was armed
 *   (the first known one where there was none), after a firing the value of it.
 *
 * A look without a value, or without a target, neither fires nor changes anything.
 */
export function evaluateRule(
  { condition, memory }: Pick<AlertRule, 'condition' | 'memory'>,
  { value, target }: RuleValues
): Evaluation {
  if (value === undefined || target === undefined) return { fires: false, memory }
  if (condition === 'changes_by') {
    const { reference = value } = memory
    const fires = Math.abs(value - reference) >= target
    return { fires, memory: { side: undefined, reference: fires ? value : reference } }
  }
  const side = sideOf(value, target)
  if (condition === 'crosses') {
    if (side === 'equal') return { fires: false, memory }
    return { fires: memory.side !== undefined && memory.side !== side, memory: { ...memory, side } }
  }
  return { fires: side === condition && memory.side !== condition, memory: { ...memory, side } }
}

function sideOf(value: number, target: number): Side {
  return value > target ? 'above' : value < target ? 'below' : 'equal'
}
