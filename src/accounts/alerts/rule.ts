import type { MetricParams } from '../../api/stream-frames.ts'
import type { Instant } from '../../market/units.ts'

/** When an alert rule fires; `evaluateRule` in src/alerts defines each condition exactly. */
export const conditions = ['above', 'below', 'crosses', 'changes_by'] as const
export type Condition = (typeof conditions)[number]

/** Whether an alert rule ends after its first firing or fires again. */
export const repeats = ['once', 'each_time'] as const
export type Repeat = (typeof repeats)[number]

export const ruleStates = ['armed', 'paused', 'done'] as const
export type RuleState = (typeof ruleStates)[number]

export interface MetricName {
  readonly metric: string
  readonly params: MetricParams
}

/** Position of a rule's value relative to its target. */
export type Side = 'above' | 'below' | 'equal'

/** State that one evaluation of a rule leaves for the next. It is stored, so it survives a restart. */
export interface AlertMemory {
  /**
   * Side of the target on which the value last lay, for comparison at the next evaluation; undefined before the first
   * value.
   */
  readonly side: Side | undefined
  /** Value from which changes are measured (condition `changes_by`); undefined before the first value. */
  readonly reference: number | undefined
}

export interface AlertRule extends MetricName {
  readonly id: string
  readonly userId: string
  /** A ticker, or _MARKET. */
  readonly symbol: string
  readonly condition: Condition
  /** Comparison value of the metric: a number, or another metric of the symbol. */
  readonly value: number | MetricName
  readonly repeat: Repeat
  readonly note: string | undefined
  readonly webhookId: string | undefined
  readonly state: RuleState
  /** Why the service paused the rule; undefined if its owner paused it. */
  readonly pausedBecause: string | undefined
  readonly createdAt: Instant
  readonly memory: AlertMemory
  readonly lastValue: number | undefined
  /** Market time that `lastValue` describes. */
  readonly lastValueAt: Instant | undefined
  readonly lastFiredAt: Instant | undefined
  readonly firedCount: number
  /** Number of the stored rule; each change and each evaluation that matters for the next makes another. */
  readonly version: number
}
