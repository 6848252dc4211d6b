import Type, { type Static, type TSchema } from 'typebox'
import type { Alerts } from '../../alerts/alerts.ts'
import type { ErrorCode } from '../../api/error.ts'
import { type Parameter, type Parameters, text } from '../../api/params.ts'
import { Count, Nullable } from '../../api/quantity.ts'
import { pageFields, paging } from '../admin/admin-route.ts'
import type { OwnedDeclaration, OwnedRoute } from '../http/owned-routes.ts'
import {
  alertChangeShape,
  alertShape,
  alertView,
  browserShape,
  browserView,
  eventShape,
  eventView,
  madeAlertShape,
  newAlertShape,
  newBrowserShape
} from './alert-shapes.ts'

export type AlertRoute = OwnedRoute<Alerts>

function route<Params extends Parameters, Body extends TSchema>(
  declaration: OwnedDeclaration<Alerts, Params, Body>
): AlertRoute {
  return declaration
}

const readId = (written: string) => (/^[0-9a-f-]{36}$/.test(written) ? written : undefined)
const id: Parameter<string> = {
  in: 'path',
  schema: Type.String({ maxLength: 36, description: 'the id of an alert of the caller' }),
  required: true,
  code: 'alert_not_found',
  missing: 'alert_not_found',
  example: '3f2c8b1e-5d94-4a6f-9c07-2e1b8d4f6a53',
  read: readId,
  absent: undefined
}
const browser = { ...id, schema: Type.String({ maxLength: 36, description: 'the id of a browser of the caller' }) }
const alert = {
  ...text({ description: 'the id of one alert; default: all of them', example: id.example }),
  read: readId
}

/** Body of requests whose path and parameters say everything: it may be empty. */
const noBody = {
  schema: Type.Object({}, { title: 'NoFields', additionalProperties: false }),
  example: {},
  optional: true
} as const

const testShape = Type.Object(
  {
    delivered: Type.Boolean(),
    status: Nullable(Type.Integer({ description: 'what was answered; null: nothing was' })),
    failure: Nullable(Type.String())
  },
  { title: 'TestAlertAnswer' }
)

/** Error codes of requests that name a metric or a webhook URL. */
const ofNames: readonly ErrorCode[] = [
  'tier_restricted',
  'invalid_metric',
  'invalid_parameter',
  'symbol_not_found',
  'invalid_webhook',
  'alert_limit',
  'overloaded'
]

export const alertRoutes: readonly AlertRoute[] = [
  route({
    method: 'GET',
    path: '/v1/alerts',
    operationId: 'listAlerts',
    summary: 'The alerts of the caller, in the order they were made',
    description: 'With the newest value of each metric and how often it fired. Send `If-None-Match` when polling.',
    params: {},
    response: Type.Object({ alerts: Type.Array(alertShape), total: Count() }),
    errors: [],
    answer: async (alerts, owner) => {
      const all = await alerts.list(owner)
      return { alerts: all.map(alertView), total: all.length }
    }
  }),
  route({
    method: 'POST',
    path: '/v1/alerts',
    operationId: 'createAlert',
    summary: 'Makes an alert on a metric of the stream; a new webhook has its secret in this answer and never again',
    description:
      'Compares a metric of the stream with a number or with another metric, and sends a signed webhook when it fires. Any plan may; the metric needs the plan of its endpoint.',
    params: {},
    body: {
      schema: newAlertShape,
      example: {
        symbol: 'SPY',
        metric: 'stockquote.current.mid',
        condition: 'crosses',
        value: { metric: 'exposure.summary.gamma_flip' },
        repeat: 'each_time'
      }
    },
    response: madeAlertShape,
    errors: ofNames,
    pace: 'creations',
    answer: async (alerts, owner, _params, body) => {
      const { symbol, metric, params = {}, condition, value, repeat = 'once', note, webhook } = body
      const wanted = { symbol, metric, params, condition, value: comparedWith(value), repeat, note }
      const made = await alerts.create(owner, { ...wanted, webhookUrl: webhook?.url })
      return { ...alertView(made), webhook_secret: made.secret }
    }
  }),
  route({
    method: 'GET',
    path: '/v1/alerts/events',
    operationId: 'listAlertEvents',
    summary: 'What fired in the last 30 days and how far its delivery is, newest first',
    description:
      'What fired, with value, target and a sentence, and whether its webhook was delivered. For inboxes and for finding out why a webhook fails.',
    params: { alert, ...paging },
    response: Type.Object({ events: Type.Array(eventShape), ...pageFields }),
    errors: [],
    answer: async (alerts, owner, { alert: alertId, limit, offset }) => {
      const page = { limit, offset, ...(alertId !== undefined && { alertId }) }
      return { events: (await alerts.events(owner, page)).map(eventView), limit, offset }
    }
  }),
  route({
    method: 'GET',
    path: '/v1/alerts/browsers',
    operationId: 'listBrowsers',
    summary: 'The browsers that are told of what fires while no page is open, and the key with which one subscribes',
    description: 'For pages: `public_key` is the `applicationServerKey` of `PushManager.subscribe()`.',
    params: {},
    response: Type.Object({
      public_key: Type.String({ description: 'point of P-256, uncompressed, base64url' }),
      browsers: Type.Array(browserShape),
      total: Count()
    }),
    errors: [],
    answer: async ({ browsers }, owner) => {
      const all = await browsers.list(owner)
      return { public_key: await browsers.publicKey(), browsers: all.map(browserView), total: all.length }
    }
  }),
  route({
    method: 'POST',
    path: '/v1/alerts/browsers',
    operationId: 'addBrowser',
    summary: 'Tells a browser of whatever fires from now on, by Web Push',
    description:
      'The body is `PushSubscription.toJSON()`. Messages are encrypted to the browser (RFC 8291). A browser whose subscription has ended is removed by itself.',
    params: {},
    body: {
      schema: newBrowserShape,
      example: {
        endpoint: 'https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV',
        keys: {
          p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
          auth: 'BTBZMqHH6r4Tts7J_aSIgg'
        }
      }
    },
    response: browserShape,
    errors: ['invalid_webhook', 'alert_limit'],
    answer: async ({ browsers }, owner, _params, { endpoint, keys }) =>
      browserView(await browsers.add(owner, endpoint, keys))
  }),
  route({
    method: 'DELETE',
    path: '/v1/alerts/browsers/{id}',
    operationId: 'removeBrowser',
    summary: 'Tells a browser of no alerts any more',
    description: 'What was not delivered to it yet is not any more.',
    params: { id: browser },
    response: browserShape,
    errors: [],
    answer: async ({ browsers }, owner, params) => browserView(await browsers.remove(owner, params.id))
  }),
  route({
    method: 'POST',
    path: '/v1/alerts/browsers/{id}/test',
    operationId: 'testBrowser',
    summary: 'Sends a test to a browser now, and says what its push service answered',
    description: 'For checking that its notifications are shown. Counts against the pace of tests.',
    params: { id: browser },
    body: noBody,
    response: testShape,
    errors: [],
    pace: 'tests',
    answer: ({ browsers }, owner, params) => browsers.test(owner, params.id)
  }),
  route({
    method: 'GET',
    path: '/v1/alerts/{id}',
    operationId: 'getAlert',
    summary: 'An alert of the caller',
    description: 'With its newest value and how often it fired.',
    params: { id },
    response: alertShape,
    errors: [],
    answer: async (alerts, owner, params) => alertView(await alerts.get(owner, params.id))
  }),
  route({
    method: 'PATCH',
    path: '/v1/alerts/{id}',
    operationId: 'changeAlert',
    summary: 'Changes, pauses or arms an alert; one that is armed, or compared otherwise, begins anew',
    description: 'Send only the fields to change. A changed condition forgets the values seen before.',
    params: { id },
    body: { schema: alertChangeShape, example: { state: 'paused' } },
    response: madeAlertShape,
    errors: ofNames,
    answer: async (alerts, owner, params, { value, note, webhook, ...change }) => {
      const changed = await alerts.change(owner, params.id, {
        ...change,
        ...(value !== undefined && { value: comparedWith(value) }),
        ...(note !== undefined && { note: note ?? undefined }),
        ...(webhook !== undefined && { webhookUrl: webhook?.url })
      })
      return { ...alertView(changed), webhook_secret: changed.secret }
    }
  }),
  route({
    method: 'DELETE',
    path: '/v1/alerts/{id}',
    operationId: 'removeAlert',
    summary: 'Removes an alert with what it fired; what was not delivered yet is not any more',
    description: 'Cannot be undone. The secret of its webhook ends with it.',
    params: { id },
    response: alertShape,
    errors: [],
    answer: async (alerts, owner, params) => alertView(await alerts.remove(owner, params.id))
  }),
  route({
    method: 'POST',
    path: '/v1/alerts/{id}/test',
    operationId: 'testAlert',
    summary: 'Sends a signed test to the webhook of an alert now, and says what came back',
    description: 'For checking address and signature before the market moves. Counts against the pace of tests.',
    params: { id },
    body: noBody,
    response: testShape,
    errors: ['invalid_webhook'],
    pace: 'tests',
    answer: (alerts, owner, params) => alerts.test(owner, params.id)
  }),
  route({
    method: 'POST',
    path: '/v1/alerts/{id}/secret',
    operationId: 'rotateAlertSecret',
    summary:
      'Makes a new secret for the webhook of an alert, shown in this answer alone; the old one signs for a day too',
    description: 'Change the receiver within a day: messages carry both signatures until then.',
    params: { id },
    body: noBody,
    response: Type.Object({ webhook_secret: Type.String() }),
    errors: ['invalid_webhook'],
    answer: async (alerts, owner, params) => ({ webhook_secret: await alerts.rotate(owner, params.id) })
  })
]

/**
 * The value with which an alert compares its metric. If the caller sent no parameters for a metric, they become an
 * empty object.
 */
function comparedWith(value: Static<typeof newAlertShape>['value']) {
  return typeof value === 'number' ? value : { metric: value.metric, params: value.params ?? {} }
}
