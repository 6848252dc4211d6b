import type { MetricParams } from '../../api/stream-frames.ts'
import type { Instant } from '../../market/units.ts'

/** When a rule fires; `evaluate` in src/alerts says exactly what each means. */
export const conditions = ['above', 'below', 'crosses', 'changes_by'] as const
export type Condition = (typeof conditions)[number]

/** Whether a rule is done with its first firing. */
export const repeats = ['once', 'each_time'] as const
export type Repeat = (typeof repeats)[number]

export const ruleStates = ['armed', 'paused', 'done'] as const
export type RuleState = (typeof ruleStates)[number]

/** A metric of the stream with its parameters. */
export interface MetricName {
  readonly metric: string
  readonly params: MetricParams
}

/** Where a value stands beside what it is compared with. */
export type Side = 'above' | 'below' | 'equal'

/** What the looks at a rule so far leave for the next one to decide. It outlives a restart. */
export interface AlertMemory {
  /** The side of the last known value that counts; undefined before the first. */
  readonly side: Side | undefined
  /** What a change is counted from; undefined before the first value. */
  readonly reference: number | undefined
}

/** A rule on one metric of one symbol. */
export interface AlertRule extends MetricName {
  readonly id: string
  readonly userId: string
  /** A ticker, or _MARKET. */
  readonly symbol: string
  readonly condition: Condition
  /** What the metric is compared with: a number, or another metric of the same symbol. */
  readonly value: number | MetricName
  readonly repeat: Repeat
  readonly note: string | undefined
  readonly webhookId: string | undefined
  readonly state: RuleState
  /** Why the service paused it; undefined where its owner did. */
  readonly pausedBecause: string | undefined
  readonly createdAt: Instant
  readonly memory: AlertMemory
  readonly lastValue: number | undefined
  /** The moment that value describes. */
  readonly lastValueAt: Instant | undefined
  readonly lastFiredAt: Instant | undefined
  readonly firedCount: number
}
