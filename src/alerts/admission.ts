import type { AlertRule, MetricName } from '../accounts/alerts/rule.ts'
import type { AlertRules } from '../accounts/alerts/rules.ts'
import type { Queries } from '../accounts/database.ts'
import { type ApiError, apiError } from '../api/error.ts'
import { easternDate } from '../market/eastern.ts'
import type { Instant, Ticker } from '../market/units.ts'
import type { Catalog } from '../stream/catalog/catalog.ts'
import type { Hub } from '../stream/delivery/hub.ts'
import { firstAnswerError } from '../stream/delivery/metric.ts'
import type { TimerQueue } from '../stream/delivery/timer-queue.ts'
import { ACK_TIMEOUT, MAX_CADENCE } from '../stream/protocol/limits.ts'
import { type AlertFigure, findFigure, refusalOf } from './alert-figure.ts'
import { type RuleFigures, RuleListener } from './rule-listener.ts'

/** Limits of a user's plan on alerts: number of rules, time between values, and which metrics. */
export interface AlertTerms {
  readonly limit: number
  /** Milliseconds between two values of a metric. */
  readonly cadence: number
  /** Milliseconds that a shown value may be old before a newer one takes its place. */
  readonly freshness: number
  readonly planName: string
  refusalOf(figure: AlertFigure): ApiError | undefined
}

export interface AdmissionOptions {
  readonly rules: Pick<AlertRules, 'counts'>
  readonly hub: Hub
  readonly catalog: Catalog
  readonly timers: TimerQueue
  readonly wallNow: () => Instant
  readonly marketNow: () => Instant
  /** Whether the data of a symbol at a moment was recorded before the start, so that it is no news. */
  readonly isRestored: (symbol: Ticker, asOf: Instant) => boolean
  /** Alert terms of a user; undefined if the user no longer exists. */
  readonly termsOf: (userId: string) => AlertTerms | undefined
}

/** Maximum number of armed rules of all users together; each subscribes to metrics of the stream. */
const MAX_ARMED = 5000

/**
 * Decides which alert rules may exist: their metrics exist and are open to the owner's plan, and the owner has room for
 * another rule.
 */
export class Admission {
  readonly #options: AdmissionOptions

  constructor(options: AdmissionOptions) {
    this.#options = options
  }

  /** Fails if a user who has `used` alert rules may not create another. */
  async requireRoom(userId: string, used: number, read?: Queries): Promise<void> {
    const { termsOf, rules } = this.#options
    const { limit, planName } = termsOf(userId) ?? { limit: 0, planName: '' }
    if (used >= limit) {
      throw apiError('alert_limit', `the ${planName} plan has room for ${limit} alerts: remove one first`, { limit })
    }
    if (((await rules.counts(read)).get('armed') ?? 0) >= MAX_ARMED) {
      throw apiError('overloaded', 'the service watches as many alerts as it can; try again later')
    }
  }

  /**
   * Replaces the metrics of an alert rule by their canonical names. Throws if they do not exist or the owner may not
   * have them.
   */
  named(wanted: AlertRule): { readonly rule: AlertRule; readonly figures: RuleFigures } {
    const figures = this.figuresOf(wanted)
    const refusal = this.#refusalOf(wanted.userId, figures)
    if (refusal !== undefined) throw refusal
    const { figure, other } = figures
    const value = other === undefined ? wanted.value : nameOf(other)
    if (wanted.condition === 'changes_by' && (typeof value !== 'number' || value <= 0)) {
      throw apiError('invalid_body', 'changes_by needs a number above 0 as its value', { parameter: 'value' })
    }
    if (other !== undefined && other.query.key === figure.query.key && other.resolved.id === figure.resolved.id) {
      throw apiError('invalid_body', 'a metric cannot be compared with itself', { parameter: 'value' })
    }
    return { rule: { ...wanted, symbol: figure.query.symbol, ...nameOf(figure), value }, figures }
  }

  /** Finds the metrics of an alert rule. Throws if the stream no longer has them. */
  figuresOf(rule: Pick<AlertRule, 'symbol' | 'metric' | 'params' | 'value'>): RuleFigures {
    const { catalog, marketNow } = this.#options
    const today = easternDate(marketNow())
    const of = (name: MetricName) => findFigure(catalog, rule.symbol, name, today)
    return { figure: of(rule), other: typeof rule.value === 'number' ? undefined : of(rule.value) }
  }

  #refusalOf(userId: string, { figure, other }: RuleFigures): ApiError | undefined {
    const terms = this.#options.termsOf(userId)
    if (terms === undefined) return apiError('user_not_found')
    return terms.refusalOf(figure) ?? (other && terms.refusalOf(other))
  }

  /** Why an alert rule cannot continue; undefined if it can. */
  lostBy(rule: AlertRule): string | undefined {
    try {
      return this.#refusalOf(rule.userId, this.figuresOf(rule))?.message
    } catch (error) {
      return (error as Error).message
    }
  }

  /**
   * Waits briefly for the first value of a new rule's metric; undefined if it does not come in time or is no news.
   * Throws if the symbol, or the row that the metric names, is unknown.
   */
  async firstValue(rule: AlertRule, figures: RuleFigures): Promise<number | undefined> {
    const { hub, timers, isRestored } = this.#options
    const cadence = this.cadenceOf(rule)
    const listener = new RuleListener(rule, figures, { hub, cadence, onChange: () => {} })
    try {
      const answers = listener.metrics.flatMap(({ feed }) => hub.firstAnswer(feed) ?? [])
      const timeLimit = new Promise<void>((resolve) => timers.after(ACK_TIMEOUT, resolve))
      if (answers.length > 0) await Promise.race([Promise.all(answers), timeLimit])
      for (const metric of listener.metrics) {
        const error = firstAnswerError(hub, metric)
        if (error !== undefined) throw refusalOf(error)
      }
      return listener.isNews(isRestored) ? listener.values().value : undefined
    } finally {
      listener.end()
    }
  }

  /** Milliseconds for which a value that was shown to a user stays the one that is shown. */
  freshnessOf(userId: string): number {
    return this.#options.termsOf(userId)?.freshness ?? Number.POSITIVE_INFINITY
  }

  /** Milliseconds between two values of an alert rule's metric. */
  cadenceOf({ userId }: AlertRule): number {
    return this.#options.termsOf(userId)?.cadence ?? MAX_CADENCE
  }
}

const nameOf = ({ resolved, query }: AlertFigure): MetricName => ({ metric: resolved.id, params: query.params })
