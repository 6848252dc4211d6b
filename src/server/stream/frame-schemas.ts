import Type, { type TSchema } from 'typebox'
import type * as Frames from '../../api/stream-frames.ts'

/** One schema for each field of a type. The compiler checks that none is missing. */
type SchemasOf<Shape> = Readonly<Record<keyof Shape, TSchema>>
/** The fields of a command besides its request id. */
type FieldsOf<A extends Frames.Action> = { readonly action: A } & Frames.Commands[A]['asked']

const { String: Text, Boolean: Flag, Optional } = Type
const Words = (...words: readonly string[]) => Type.Unsafe<string>({ type: 'string', enum: words })
const Whole = () => Type.Integer({ minimum: 0 })
const Milliseconds = (description = 'milliseconds') => Type.Integer({ minimum: 0, description })
const Moment = () => Milliseconds('milliseconds since 1970, UTC')
const Fixed = (text: string) => Type.Literal(text)
const Id = Optional(Type.Union([Type.Integer(), Text({ maxLength: 64 })], { description: 'id of the command' }))
const Parameters = Type.Record(Text(), Type.Union([Text(), Type.Number(), Flag()]))
const valueType = Words('number', 'string', 'boolean', 'object', 'array')

const item = {
  symbol: Text({ description: 'a ticker, or _MARKET for an endpoint without a symbol' }),
  metric: Text({ description: 'id of a metric; the catalog lists all' }),
  cadence_ms: Optional(Milliseconds('0, or 100 to 60000')),
  params: Optional(Parameters),
  on_change: Optional(Flag()),
  snapshot: Optional(Flag()),
  echo: Optional(Flag())
} satisfies SchemasOf<Frames.SubscribeItem>

const command = (name: Frames.Action, fields: Readonly<Record<string, TSchema>>) =>
  Type.Object({ action: Fixed(name), req_id: Id, ...fields })

/** What clients send, by action. */
export const commandSchemas = {
  subscribe: command('subscribe', item),
  subscribe_many: command('subscribe_many', { items: Type.Array(Type.Object(item), { maxItems: 100 }) }),
  unsubscribe: command('unsubscribe', {
    sub_id: Optional(Text()),
    symbol: Optional(Text()),
    metric: Optional(Text()),
    params: Optional(Parameters),
    all: Optional(Type.Literal(true))
  }),
  list: command('list', { page: Optional(Whole()) }),
  catalog: command('catalog', {
    prefix: Optional(Text()),
    value_type: Optional(valueType),
    page: Optional(Whole())
  } satisfies Omit<SchemasOf<FieldsOf<'catalog'>>, 'action'>),
  status: command('status', {}),
  configure: command('configure', { heartbeat_ms: Optional(Milliseconds()), batch: Optional(Flag()) }),
  ping: command('ping', {}),
  resume: command('resume', { token: Text() })
} satisfies Readonly<Record<Frames.Action, TSchema>>

const acknowledged = {
  sub_id: Text(),
  symbol: Text(),
  metric: Text(),
  params: Parameters,
  cadence_ms: Milliseconds(),
  state: Words('active', 'warming'),
  replaced: Flag(),
  epoch: Text(),
  cost: Whole()
} satisfies SchemasOf<Frames.Acknowledged>
const { replaced: _replaced, epoch: _epoch, ...held } = acknowledged

const row = Type.Object({
  ...held,
  on_change: Flag(),
  last_seq: Type.Union([Whole(), Type.Null()]),
  created_ts: Moment()
} satisfies SchemasOf<Frames.SubscriptionRow>)

const configuration = { heartbeat_ms: Milliseconds(), batch: Flag() } satisfies SchemasOf<Frames.Configuration>
const page = { count: Whole(), page: Whole(), pages: Whole() } satisfies SchemasOf<Frames.Page>
const ack = (action: Frames.Action) => ({ type: Fixed('ack'), action: Fixed(action), req_id: Id, ts: Moment() })

const update = Type.Object({
  type: Fixed('update'),
  sub_id: Text(),
  seq: Whole(),
  ts: Moment(),
  value: Type.Unknown({ description: 'the value of a REST answer of that moment, or null' }),
  snapshot: Optional(Type.Literal(true)),
  stale: Optional(Type.Literal(true)),
  key: Optional(Type.Union([Type.Number(), Text()])),
  symbol: Optional(Text()),
  metric: Optional(Text())
} satisfies SchemasOf<Frames.Update>)

/** What the service sends, by the name of the message. */
export const serverSchemas = {
  subscribed: Type.Object({
    ...ack('subscribe'),
    ...acknowledged,
    resume_token: Text()
  } satisfies SchemasOf<Frames.SubscribeAck>),
  subscribed_many: Type.Object({
    ...ack('subscribe_many'),
    resume_token: Text(),
    results: Type.Array(
      Type.Union([
        Type.Object({ index: Whole(), ...acknowledged }),
        Type.Object({
          index: Whole(),
          error: Type.Object({ code: Text(), message: Text(), candidates: Optional(Type.Array(Text())) })
        })
      ])
    )
  } satisfies SchemasOf<Frames.ManyAck>),
  unsubscribed: Type.Object({
    ...ack('unsubscribe'),
    removed: Type.Array(Text())
  } satisfies SchemasOf<Frames.UnsubscribeAck>),
  configured: Type.Object({
    ...ack('configure'),
    config: Type.Object(configuration)
  } satisfies SchemasOf<Frames.ConfigureAck>),
  resumed: Type.Object({
    ...ack('resume'),
    resume_token: Text(),
    epoch: Text(),
    subscriptions: Type.Array(row)
  } satisfies SchemasOf<Frames.ResumeAck>),
  subscriptions: Type.Object({
    type: Fixed('subscriptions'),
    req_id: Id,
    ...page,
    subscriptions: Type.Array(row),
    ts: Moment()
  } satisfies SchemasOf<Frames.SubscriptionList>),
  catalog: Type.Object({
    type: Fixed('catalog'),
    req_id: Id,
    ...page,
    version: Text(),
    metrics: Type.Array(Type.Unsafe<unknown>({ $ref: '/openapi.json#/components/schemas/StreamMetric' })),
    ts: Moment()
  } satisfies SchemasOf<Frames.CatalogFrame>),
  status: Type.Object({
    type: Fixed('status'),
    req_id: Id,
    connection_id: Text(),
    epoch: Text(),
    resume_token: Text(),
    server_ts: Moment(),
    market_open: Flag(),
    limits: Type.Object({
      subscriptions: Whole(),
      connections: Whole(),
      min_cadence_ms: Milliseconds(),
      max_cadence_ms: Milliseconds(),
      client_frame_bytes: Whole(),
      server_frame_bytes: Whole(),
      commands_per_second: Whole()
    } satisfies SchemasOf<Frames.Status['limits']>),
    used: Type.Object({ subscriptions: Whole(), connections: Whole() }),
    config: Type.Object(configuration)
  } satisfies SchemasOf<Frames.Status>),
  pong: Type.Object({ type: Fixed('pong'), req_id: Id, ts: Moment() } satisfies SchemasOf<Frames.Pong>),
  error: Type.Object({
    type: Fixed('error'),
    req_id: Id,
    code: Text(),
    message: Text(),
    ts: Moment(),
    action: Optional(Text()),
    symbol: Optional(Text()),
    metric: Optional(Text()),
    sub_id: Optional(Text()),
    candidates: Optional(Type.Array(Text())),
    limit: Optional(Whole()),
    used: Optional(Whole()),
    retry_after_ms: Optional(Milliseconds())
  } satisfies SchemasOf<Frames.ErrorFrame>),
  update,
  batch: Type.Object({ type: Fixed('batch'), updates: Type.Array(update) } satisfies SchemasOf<Frames.Batch>),
  heartbeat: Type.Object({
    type: Fixed('heartbeat'),
    ts: Moment(),
    epoch: Text(),
    market_open: Flag(),
    subscriptions: Whole()
  } satisfies SchemasOf<Frames.Heartbeat>),
  notice: Type.Object({
    type: Fixed('notice'),
    code: Text(),
    message: Text(),
    ts: Moment(),
    epoch: Optional(Text()),
    skipped: Optional(Whole()),
    symbol: Optional(Text()),
    reconnect_after_ms: Optional(Milliseconds()),
    expires_ts: Optional(Moment())
  } satisfies SchemasOf<Frames.Notice>)
}
