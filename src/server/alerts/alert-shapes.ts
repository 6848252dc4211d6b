import Type, { type Static } from 'typebox'
import { deliveryStates, type Firing } from '../../accounts/alerts/firings.ts'
import { conditions, repeats, ruleStates } from '../../accounts/alerts/rule.ts'
import type { Webhook } from '../../accounts/alerts/webhooks.ts'
import type { OwnRule } from '../../alerts/alerts.ts'
import type { FiredMessage } from '../../alerts/webhook/alert-message.ts'
import { Count, Echo, Nullable, Timestamp, Words } from '../../api/quantity.ts'
import { isoInstant, type Instant as Moment } from '../../market/units.ts'
import { PARAMS_PER_SUBSCRIPTION } from '../../stream/protocol/limits.ts'

const closed = { additionalProperties: false }

const params = Type.Record(
  Type.String(),
  Type.Union([Type.String({ maxLength: 200 }), Type.Number(), Type.Boolean()]),
  {
    maxProperties: PARAMS_PER_SUBSCRIPTION,
    description: 'query parameters of the endpoint behind the metric'
  }
)
const metric = Type.String({ maxLength: 200, description: 'a metric of /v1/stream/catalog that is a number' })
const other = Type.Object({ metric, params: Type.Optional(params) }, { title: 'OtherMetric', ...closed })
const value = Type.Union([Type.Number(), other], {
  description: 'what the metric is compared with: a number, or another metric of the same symbol'
})
const condition = Words(...conditions)
const repeat = Words(...repeats)
const note = Type.String({ maxLength: 200 })
const webhook = Type.Object(
  { url: Type.String({ maxLength: 2000, description: 'https://' }) },
  { title: 'NewWebhook', ...closed }
)

export const newAlertShape = Type.Object(
  {
    symbol: Type.String({ maxLength: 20, description: 'a ticker; _MARKET for a metric of the whole market' }),
    metric,
    params: Type.Optional(params),
    condition,
    value,
    repeat: Type.Optional(repeat),
    note: Type.Optional(note),
    webhook: Type.Optional(webhook)
  },
  { title: 'NewAlert', ...closed }
)

export const alertChangeShape = Type.Object(
  {
    state: Type.Optional(Words('armed', 'paused')),
    condition: Type.Optional(condition),
    value: Type.Optional(value),
    repeat: Type.Optional(repeat),
    note: Type.Optional(Nullable(note)),
    webhook: Type.Optional(Nullable(webhook))
  },
  { title: 'AlertChange', ...closed, minProperties: 1 }
)

const figure = (description: string) => Echo('as of the metric', description)

export const alertShape = Type.Object(
  {
    id: Type.String(),
    symbol: Type.String(),
    metric: Type.String({ description: 'the canonical id' }),
    params: Type.Record(Type.String(), Type.Unknown()),
    condition,
    value: Type.Union([
      figure('the number'),
      Type.Object({ metric: Type.String(), params: Type.Unknown() }, { title: 'ComparedMetric' })
    ]),
    repeat,
    note: Nullable(Type.String()),
    webhook: Nullable(Type.Object({ url: Type.String() }, { title: 'Webhook' })),
    state: Words(...ruleStates),
    paused_because: Nullable(Type.String({ description: 'null where its owner paused it, or nobody did' })),
    created_at: Timestamp(),
    last_value: Nullable(figure('null: none is known yet')),
    last_value_at: Nullable(Timestamp('the moment it describes')),
    last_fired_at: Nullable(Timestamp()),
    fired_count: Count()
  },
  { title: 'Alert' }
)

export const madeAlertShape = Type.Object(
  {
    ...alertShape.properties,
    webhook_secret: Nullable(
      Type.String({ description: 'what messages are signed with; shown where the webhook is new, and never again' })
    )
  },
  { title: 'MadeAlert' }
)

export const eventShape = Type.Object(
  {
    id: Type.String({ description: 'also the webhook-id of its message' }),
    alert: Type.String({ description: 'id of the alert' }),
    symbol: Type.String(),
    metric: Type.String(),
    text: Type.String({ description: 'what happened, in a sentence' }),
    at: Timestamp(),
    value: figure('the value that it fired at'),
    previous: Nullable(figure('the known value before')),
    target: figure('what the value was compared with'),
    as_of: Nullable(Timestamp('the moment the value describes')),
    source: Type.String({ description: 'where the data comes from' }),
    delivery: Words(...deliveryStates),
    attempts: Count(),
    attempted_at: Nullable(Timestamp()),
    next_attempt_at: Nullable(Timestamp()),
    failure: Nullable(Type.String({ description: 'why the last attempt failed' }))
  },
  { title: 'AlertEvent' }
)

const browserKey = (length: number, description: string) =>
  Type.String({ minLength: length, maxLength: length, pattern: '^[\\w-]+$', description })

/** A subscription as `PushSubscription.toJSON()` of a browser gives it. */
export const newBrowserShape = Type.Object(
  {
    endpoint: Type.String({ maxLength: 2000, description: 'https:// address at the push service of the browser' }),
    keys: Type.Object(
      {
        p256dh: browserKey(87, 'public key of the browser on P-256, base64url'),
        auth: browserKey(22, 'secret of the browser, base64url')
      },
      { title: 'BrowserKeys', ...closed }
    ),
    expirationTime: Type.Optional(
      Nullable(Type.Number({ description: 'not used: the push service says when it ends' }))
    )
  },
  { title: 'NewBrowser', ...closed }
)

export const browserShape = Type.Object(
  {
    id: Type.String(),
    host: Type.String({ description: 'the push service; the rest of the address is shown to nobody' }),
    created_at: Timestamp()
  },
  { title: 'ToldBrowser' }
)

export function browserView({ id, url, createdAt }: Webhook): Static<typeof browserShape> {
  return { id, host: new URL(url).host, created_at: isoInstant(createdAt) }
}

const momentOf = (at: Moment | undefined) => (at === undefined ? null : isoInstant(at))

export function alertView({ rule, url }: OwnRule) {
  return {
    id: rule.id,
    symbol: rule.symbol,
    metric: rule.metric,
    params: rule.params,
    condition: rule.condition,
    value: rule.value,
    repeat: rule.repeat,
    note: rule.note,
    webhook: url === undefined ? null : { url },
    state: rule.state,
    paused_because: rule.pausedBecause,
    created_at: isoInstant(rule.createdAt),
    last_value: rule.lastValue,
    last_value_at: momentOf(rule.lastValueAt),
    last_fired_at: momentOf(rule.lastFiredAt),
    fired_count: rule.firedCount
  }
}

export function eventView({ id, alertId, body, ...firing }: Firing): Static<typeof eventShape> {
  const { text, data } = JSON.parse(body) as FiredMessage
  const { symbol, metric, at, value, previous, target, as_of, source } = data
  return {
    id,
    alert: alertId,
    ...{ symbol, metric, text, at, value, previous, target, as_of, source },
    delivery: firing.delivery,
    attempts: firing.attempts,
    attempted_at: momentOf(firing.attemptedAt),
    next_attempt_at: momentOf(firing.nextAttemptAt),
    failure: firing.failure ?? null
  }
}
