import type { AlertMemory, AlertRule, Side } from '../accounts/alerts/rule.ts'

/** Current value and target of an alert rule; undefined where the metric has no value. */
export interface RuleValues {
  readonly value: number | undefined
  /** A fixed number, or the current value of the second metric. */
  readonly target: number | undefined
}

export interface Evaluation {
  readonly fires: boolean
  readonly memory: AlertMemory
}

/** Initial memory of an alert rule armed while its metric stands at `value`. */
export function freshMemory(value: number | undefined): AlertMemory {
  return { side: undefined, reference: value }
}

/**
 * Whether an alert rule fires at these values, and the memory it keeps for the next evaluation.
 *
 * - `above`, `below`: fires when the value is strictly beyond the target, also at the first evaluation; fires again
 *   only after an evaluation in which the value was not beyond the target.
 * - `crosses`: fires when the value is strictly on the other side of the target than the last value that differed from
 *   the target. A value equal to the target is on neither side, so touching it and turning back is no crossing. The
 *   first value never fires.
 * - `changes_by`: fires when the value is at least `target` away from the reference. The reference is the value at
 *   arming, or else the first known value; after a firing it is the value that fired.
 *
 * Without a value or a target the rule neither fires nor changes.
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
