import { describe, expect, test } from 'vitest'
import type * as frames from '../../src/api/stream-frames.ts'
import { faultOf, schemaOf } from '../stream/frames.ts'

// The frame types beside the schema of the contract: an example with every field of a type, which the compiler holds to
// that, has the fields of the schema, and its required fields are those that the schema requires.

type IsOptional<Frame, Name extends keyof Frame> = Record<never, never> extends Pick<Frame, Name> ? true : false
type RequiredNames<Frame> = {
  [Name in keyof Frame]-?: IsOptional<Frame, Name> extends true ? never : Name
}[keyof Frame]

interface Example {
  readonly shape: string
  readonly whole: object
  readonly required: readonly string[]
}

/** An example of a frame type with all its fields. `required` are the names that may not be left out, each once. */
function example<Frame extends object>(
  shape: string,
  whole: Required<Frame>,
  required: Readonly<Record<RequiredNames<Frame>, true>>
): Example {
  return { shape, whole, required: Object.keys(required) }
}

const symbol = 'SPY'
const metric = 'exposure.gex.net_gex'
const params = { min_oi: 100 }
const ts = 1_785_336_000_101
const epoch = '20260729abcd'
const resume_token = 'r_abc'
const item = { symbol, metric, cadence_ms: 250, params, on_change: true, snapshot: false, echo: true }
const settings = { heartbeat_ms: 5000, batch: true }
const place = { sub_id: 's_01', symbol, metric, params, cadence_ms: 250, state: 'active', cost: 1 } as const
const acknowledged = { ...place, replaced: false, epoch }
const row = { ...place, on_change: false, last_seq: null, created_ts: ts }
const page = { count: 1, page: 1, pages: 1 }
const update: frames.Update = { type: 'update', sub_id: 's_01', seq: 1, ts, value: 4.5 }
const catalogRow: frames.CatalogRow = {
  id: 'exposure.gex.strikes[*].net_gex',
  value_type: 'number',
  nullable: false,
  unit: 'usd-notional',
  operation: 'GET /v1/exposure/gex/{symbol}',
  key_field: 'strike',
  selectors: ['key', 'atm'],
  params: ['expiration'],
  short_forms: [],
  recompute: 'tick',
  cost: 1,
  min_cadence_ms: 0
}

const yes = true as const
const reply = { type: yes, ts: yes }
const ack = { ...reply, action: yes }
const pages = { count: yes, page: yes, pages: yes }
const placed = { sub_id: yes, symbol: yes, metric: yes, params: yes, cadence_ms: yes, state: yes, cost: yes }
const command = { action: yes }

type Sent<A extends frames.Action> = frames.Asked<A> & { readonly req_id?: frames.RequestId }

const examples: readonly Example[] = [
  example<frames.SubscribeItem>('subscribe_item', item, { symbol: yes, metric: yes }),
  example<Sent<'subscribe'>>(
    'subscribe',
    { action: 'subscribe', req_id: 1, ...item },
    { ...command, symbol: yes, metric: yes }
  ),
  example<Sent<'subscribe_many'>>(
    'subscribe_many',
    { action: 'subscribe_many', req_id: 'a', items: [item] },
    { ...command, items: yes }
  ),
  example<Sent<'list'>>('list', { action: 'list', req_id: 1, page: 2 }, command),
  example<Sent<'catalog'>>(
    'catalog_request',
    { action: 'catalog', req_id: 1, prefix: 'exposure', value_type: 'number', page: 1 },
    command
  ),
  example<Sent<'status'>>('status_request', { action: 'status', req_id: 1 }, command),
  example<Sent<'configure'>>('configure', { action: 'configure', req_id: 1, ...settings }, command),
  example<Sent<'ping'>>('ping', { action: 'ping', req_id: 1 }, command),
  example<Sent<'resume'>>('resume', { action: 'resume', req_id: 1, token: 'r_abc' }, { ...command, token: yes }),

  example<frames.Configuration>('config', settings, { heartbeat_ms: yes, batch: yes }),
  example<frames.Acknowledged>('sub_ack', acknowledged, { ...placed, replaced: yes, epoch: yes }),
  example<frames.SubscriptionRow>('subscription_row', row, {
    ...placed,
    on_change: yes,
    last_seq: yes,
    created_ts: yes
  }),
  example<frames.CatalogRow>(
    'catalog_row',
    catalogRow,
    Object.fromEntries(Object.keys(catalogRow).map((name) => [name, yes])) as Record<keyof frames.CatalogRow, true>
  ),
  example<frames.SubscribeAck>(
    'ack_subscribe',
    { type: 'ack', action: 'subscribe', req_id: 1, ...acknowledged, resume_token, ts },
    { ...ack, ...placed, replaced: yes, epoch: yes, resume_token: yes }
  ),
  example<frames.ManyAck>(
    'ack_subscribe_many',
    {
      type: 'ack',
      action: 'subscribe_many',
      req_id: 1,
      results: [
        { index: 0, ...acknowledged },
        { index: 1, error: { code: 'ambiguous_metric', message: 'give the full path', candidates: [metric] } }
      ],
      resume_token,
      ts
    },
    { ...ack, results: yes, resume_token: yes }
  ),
  example<frames.UnsubscribeAck>(
    'ack_unsubscribe',
    { type: 'ack', action: 'unsubscribe', req_id: 1, removed: ['s_01'], ts },
    { ...ack, removed: yes }
  ),
  example<frames.ConfigureAck>(
    'ack_configure',
    { type: 'ack', action: 'configure', req_id: 1, config: settings, ts },
    { ...ack, config: yes }
  ),
  example<frames.ResumeAck>(
    'ack_resume',
    { type: 'ack', action: 'resume', req_id: 1, subscriptions: [row], epoch, resume_token, ts },
    { ...ack, subscriptions: yes, epoch: yes, resume_token: yes }
  ),
  example<frames.SubscriptionList>(
    'subscriptions',
    { type: 'subscriptions', req_id: 1, ...page, subscriptions: [row], ts },
    { ...reply, ...pages, subscriptions: yes }
  ),
  example<frames.CatalogFrame>(
    'catalog',
    { type: 'catalog', req_id: 1, version: 'a1', ...page, metrics: [catalogRow], ts },
    { ...reply, ...pages, version: yes, metrics: yes }
  ),
  example<frames.CatalogPage>(
    'catalog_document',
    { version: 'a1', ...page, metrics: [catalogRow] },
    { ...pages, version: yes, metrics: yes }
  ),
  example<frames.Status>(
    'status',
    {
      type: 'status',
      req_id: 1,
      connection_id: 'c_1',
      epoch,
      resume_token,
      server_ts: ts,
      market_open: true,
      limits: {
        subscriptions: 500,
        connections: 5,
        min_cadence_ms: 100,
        max_cadence_ms: 60_000,
        client_frame_bytes: 65_536,
        server_frame_bytes: 262_144,
        commands_per_second: 50
      },
      used: { subscriptions: 1, connections: 1 },
      config: settings
    },
    {
      type: yes,
      connection_id: yes,
      epoch: yes,
      resume_token: yes,
      server_ts: yes,
      market_open: yes,
      limits: yes,
      used: yes,
      config: yes
    }
  ),
  example<frames.Pong>('pong', { type: 'pong', req_id: 1, ts }, reply),
  example<frames.ErrorFrame>(
    'error',
    {
      type: 'error',
      req_id: 1,
      code: 'subscription_limit',
      message: 'all are used',
      ts,
      action: 'subscribe',
      symbol,
      metric,
      sub_id: 's_01',
      candidates: [metric],
      limit: 500,
      used: 500,
      retry_after_ms: 20
    },
    { ...reply, code: yes, message: yes }
  ),
  example<frames.Update>(
    'update',
    { ...update, snapshot: true, stale: true, key: 600, symbol, metric },
    { ...reply, sub_id: yes, seq: yes, value: yes }
  ),
  example<frames.Batch>('batch', { type: 'batch', updates: [update] }, { type: yes, updates: yes }),
  example<frames.Heartbeat>(
    'heartbeat',
    { type: 'heartbeat', ts, epoch, market_open: true, subscriptions: 1 },
    { ...reply, epoch: yes, market_open: yes, subscriptions: yes }
  ),
  example<frames.Notice>(
    'notice',
    {
      type: 'notice',
      code: 'draining',
      message: 'the service stops',
      ts,
      epoch,
      skipped: 1,
      symbol,
      reconnect_after_ms: 500,
      expires_ts: ts
    },
    { ...reply, code: yes, message: yes }
  )
]

const unsubscribeTargets: readonly Sent<'unsubscribe'>[] = [
  { action: 'unsubscribe', req_id: 1, sub_id: 's_01' },
  { action: 'unsubscribe', symbol, metric, params },
  { action: 'unsubscribe', all: true }
]

describe.each(examples)('the frame type beside $shape of the contract', ({ shape, whole, required }) => {
  const schema = schemaOf(shape)

  test('fits it with all its fields, and with the required ones alone', () => {
    const least = Object.fromEntries(Object.entries(whole).filter(([name]) => required.includes(name)))
    expect(faultOf(shape, whole)).toBeUndefined()
    // A configure command needs one of its two settings, which no field alone is required to be.
    if (shape !== 'configure') expect(faultOf(shape, least)).toBeUndefined()
  })

  test.runIf(schema !== undefined)('has its fields and requires those that it requires', () => {
    expect(Object.keys(whole).sort()).toEqual([...schema!.properties].sort())
    expect([...required].sort()).toEqual([...schema!.required].sort())
  })
})

test.each(unsubscribeTargets)('%j fits the contract', (frame) => {
  expect(faultOf('unsubscribe', frame)).toBeUndefined()
})

test('every frame of the contract has a type', () => {
  const shapes = [...examples.map(({ shape }) => shape), 'unsubscribe']
  const missing = ['client_frame', 'server_frame'].flatMap((side) => schemaOf(side)?.alternatives ?? [])
  expect(missing.filter((shape) => !shapes.includes(shape))).toEqual([])
})
