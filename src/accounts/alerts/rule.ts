import type { MetricParams } from '../../api/stream-frames.ts'
import type { Instant } from '../../market/units.ts'

/** When a rule fires; `evaluate` in src/alerts defines each exactly. */
export const conditions = ['above', 'below', 'crosses', 'changes_by'] as const
export type Condition = (typeof conditions)[number]

/** Whether a rule ends with its first firing. */
export const repeats = ['once', 'each_time'] as const
export type Repeat = (typeof repeats)[number]

export const ruleStates = ['armed', 'paused', 'done'] as const
export type RuleState = (typeof ruleStates)[number]

/** A metric of the stream with its parameters. */
export interface MetricName {
  readonly metric: string
  readonly params: MetricParams
}

/** The value relative to what it is compared with. */
export type Side = 'above' | 'below' | 'equal'

/** State that one evaluation of a rule leaves for the next. It survives a restart. */
export interface AlertMemory {
  /** The side of the last known value that counts; undefined before the first. */
  readonly side: Side | undefined
  /** The value that changes are measured from; undefined before the first. */
  readonly reference: number | undefined
}

/** A rule on one metric of one symbol. */
export interface AlertRule extends MetricName {
  readonly id: string
  readonly userId: string
  /** A ticker, or _MARKET. */
  readonly symbol: string
  readonly condition: Condition
  /** The metric is compared with a number, or with another metric of the same symbol. */
  readonly value: number | MetricName
  readonly repeat: Repeat
  readonly note: string | undefined
  readonly webhookId: string | undefined
  readonly state: RuleState
  /** Why the service paused it; undefined if its owner did. */
  readonly pausedBecause: string | undefined
  readonly createdAt: Instant
  readonly memory: AlertMemory
  readonly lastValue: number | undefined
  /** The moment that value describes. */
  readonly lastValueAt: Instant | undefined
  readonly lastFiredAt: Instant | undefined
  readonly firedCount: number
}
