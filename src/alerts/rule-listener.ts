import type { AlertRule } from '../accounts/alerts/rule.ts'
import type { Instant, Ticker } from '../market/units.ts'
import type { Hub } from '../stream/delivery/hub.ts'
import type { Metric, MetricListener } from '../stream/delivery/metric.ts'
import type { AlertFigure } from './alert-figure.ts'
import type { RuleValues } from './evaluate.ts'

/** The metric that an alert rule watches, and the second metric if the rule compares two. */
export interface RuleFigures {
  readonly figure: AlertFigure
  readonly other: AlertFigure | undefined
}

/** Milliseconds after which two metrics are compared although they come from different snapshots. */
const MAX_UNPAIRED = 10_000

/** An alert rule that subscribes to its metrics like a client of the stream. */
export class RuleListener implements MetricListener {
  rule: AlertRule
  /** Market time up to which another service has evaluated the rule; undefined if none has. */
  notBefore: Instant | undefined
  /** Milliseconds between two values of the metric. */
  readonly cadence: number
  readonly metric: Metric
  readonly #hub: Hub
  readonly #other: Metric | undefined
  readonly #onChange: (listener: RuleListener) => void
  /** Since when its two metrics come from different snapshots, milliseconds of the steady clock. */
  #unpairedSince: number | undefined

  constructor(
    rule: AlertRule,
    { figure, other }: RuleFigures,
    { hub, cadence, onChange }: { hub: Hub; cadence: number; onChange: (listener: RuleListener) => void }
  ) {
    this.rule = rule
    this.cadence = cadence
    this.#hub = hub
    this.#onChange = onChange
    this.metric = hub.listen(figure.resolved, figure.query, cadence, this)
    this.#other = other && hub.listen(other.resolved, other.query, cadence, this)
  }

  get metrics(): readonly Metric[] {
    return this.#other === undefined ? [this.metric] : [this.metric, this.#other]
  }

  /** Market time that the metric's value describes; undefined if it has none. */
  get asOf(): Instant | undefined {
    return this.metric.feed.asOf || undefined
  }

  valueChanged(): void {
    this.#onChange(this)
  }

  values(): RuleValues {
    const { value } = this.rule
    const target = typeof value === 'number' ? value : this.#other && numberOf(this.#other)
    return { value: numberOf(this.metric), target }
  }

  /**
   * Whether the rule's two metrics may be compared: they come from one snapshot, or have come from different ones for
   * `MAX_UNPAIRED` milliseconds. `now` is a time of the steady clock.
   */
  isPaired(now: number): boolean {
    const [a, b] = this.metrics.map(({ feed }) => feed.publishedAt)
    if (a === undefined || b === undefined || a === b) this.#unpairedSince = undefined
    else this.#unpairedSince ??= now
    return this.#unpairedSince === undefined || now - this.#unpairedSince >= MAX_UNPAIRED
  }

  /** Whether the values of the rule's metrics are of this run of the service, and not of what was recorded before. */
  isNews(isRestored: (symbol: Ticker, asOf: Instant) => boolean): boolean {
    return !this.metrics.some(({ feed: { asOf, query } }) => asOf > 0 && isRestored(query.symbol as Ticker, asOf))
  }

  end(): void {
    for (const metric of this.metrics) this.#hub.removeListener(metric, this.cadence, this)
  }
}

function numberOf({ value }: Metric): number | undefined {
  const parsed: unknown = value === undefined ? undefined : JSON.parse(value)
  return typeof parsed === 'number' ? parsed : undefined
}
