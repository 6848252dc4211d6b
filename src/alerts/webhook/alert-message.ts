import type { AlertRule } from '../../accounts/alerts/rule.ts'
import { type Instant, isoInstant } from '../../market/units.ts'

export interface FiredFigures {
  readonly value: number
  /** Previous known value of the metric, if there was one. */
  readonly previous: number | undefined
  readonly target: number
  readonly at: Instant
  /** Market time that the value describes; undefined if the metric has no as-of time. */
  readonly asOf: Instant | undefined
  readonly source: string
}

/** The JSON message sent when an alert fires, in the shape that Standard Webhooks recommends. */
export interface FiredMessage {
  readonly type: 'alert.fired'
  readonly timestamp: string
  /** One sentence about the alert. Slack shows `text`, Discord shows `content`. */
  readonly text: string
  readonly content: string
  readonly data: {
    readonly event: string
    readonly alert: ReturnType<typeof alertOf>
    readonly symbol: string
    readonly metric: string
    readonly value: number
    readonly previous: number | null
    readonly target: number
    readonly at: string
    readonly as_of: string | null
    readonly source: string
  }
}

export function firedMessage(event: string, rule: AlertRule, figures: FiredFigures): FiredMessage {
  const { value, previous, target, at, asOf, source } = figures
  const { symbol, metric } = rule
  const text = sentence(rule, figures)
  const data = {
    event,
    alert: alertOf(rule),
    symbol,
    metric,
    value,
    previous: previous ?? null,
    target,
    at: isoInstant(at),
    as_of: asOf === undefined ? null : isoInstant(asOf),
    source
  }
  return { type: 'alert.fired', timestamp: isoInstant(at), text, content: text, data }
}

/** The message of the "send a test" button; it carries no market data. */
export function testMessage(rule: AlertRule, at: Instant): object {
  const text = 'gammawall: this is a test message from an alert webhook'
  return { type: 'alert.test', timestamp: isoInstant(at), text, content: text, data: { alert: alertOf(rule) } }
}

function alertOf({ id, params, condition, value, repeat, note }: AlertRule) {
  return { id, params, condition, value, repeat, note: note ?? null }
}

function sentence({ symbol, metric, condition, value, note }: AlertRule, figures: FiredFigures): string {
  const other = typeof value === 'number' ? `${value}` : `${value.metric} (${figures.target})`
  const what = {
    above: `is above ${other}`,
    below: `is below ${other}`,
    crosses: `crossed ${other}`,
    changes_by: `changed by ${other} or more`
  }[condition]
  return `${symbol} ${metric} ${what}: now ${figures.value}${note === undefined ? '' : `. ${note}`}`
}
