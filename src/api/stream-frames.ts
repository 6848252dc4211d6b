// Every frame of the stream, both ways, with the names on the wire: streaming contract, sections 3 to 7. Types only, so
// that the server and the client share one declaration and the client carries none of this code. Fields that end in
// `ts` are epoch milliseconds, UTC; fields that end in `_ms` are milliseconds.

/** The name a client gives a command; the reply repeats it. A text has at most 64 characters. */
export type RequestId = number | string

/** Query parameters of the endpoint behind a metric. */
export type MetricParams = Readonly<Record<string, string | number | boolean>>

/** The JSON type of a value, null aside. */
export type ValueType = 'number' | 'string' | 'boolean' | 'object' | 'array'

/** How a row of an array is picked: by its key, by its distance from spot, by its date, by its place in a ranking. */
export type SelectorKind = 'key' | 'atm' | 'front' | 'position'

export type Value = number | string | boolean | null | object | readonly unknown[]

/** A subscription is `warming` until its first value is known. */
export type SubscriptionState = 'active' | 'warming'

// Parts of several frames.

/** A subscription as a client asks for it: one field of one endpoint. */
export interface SubscribeItem {
  /** A ticker, or _MARKET for an endpoint without one. */
  readonly symbol: string
  /** Such as exposure.summary.exposures.net_gex; the catalog lists them all. */
  readonly metric: string
  /** Milliseconds between updates: 0 for each recompute, or 100 to 60000. Default 1000. */
  readonly cadence_ms?: number
  /** Query parameters of the endpoint behind the metric. */
  readonly params?: MetricParams
  /** Skip values equal to the last one sent. Default false: each recompute counts. */
  readonly on_change?: boolean
  /** Send the present value at once. Default true. */
  readonly snapshot?: boolean
  /** Repeat symbol and metric in each update. Default false. */
  readonly echo?: boolean
}

/** A subscription as the server acknowledges it. */
export interface Acknowledged {
  readonly sub_id: string
  readonly symbol: string
  /** The canonical id. */
  readonly metric: string
  readonly params: MetricParams
  /** Milliseconds. */
  readonly cadence_ms: number
  readonly state: SubscriptionState
  /** Whether the connection had a subscription to the same metric, whose settings are changed by this one. */
  readonly replaced: boolean
  /** Names the run of the service: `seq` of one epoch says nothing about that of another. */
  readonly epoch: string
  /** Subscriptions of the bundle that it counts for. */
  readonly cost: 1 | 10
}

/** A subscription as lists show it. */
export interface SubscriptionRow extends Omit<Acknowledged, 'replaced' | 'epoch'> {
  readonly on_change: boolean
  /** Of the update sent last; null before the first. */
  readonly last_seq: number | null
  readonly created_ts: number
}

/** A metric as the catalog describes it. */
export interface CatalogRow {
  /** Canonical, with [*] where a selector is needed. */
  readonly id: string
  readonly value_type: ValueType
  readonly nullable: boolean
  readonly unit: string | null
  /** Method and path of the REST operation behind the metric. */
  readonly operation: string
  /** The field that tells the rows of its array apart; null where there is none. */
  readonly key_field: string | null
  readonly selectors: readonly SelectorKind[]
  /** Names of the query parameters of the operation. */
  readonly params: readonly string[]
  /** Shorter ids of the same metric. */
  readonly short_forms: readonly string[]
  /** How often the value may change. */
  readonly recompute: 'tick' | 'second' | 'minute' | 'daily'
  /** Subscriptions of the bundle that a subscription to it counts for. */
  readonly cost: 1 | 10
  readonly min_cadence_ms: number
}

/** Settings of a connection. */
export interface Configuration {
  /** Milliseconds without a frame after which a heartbeat is sent; 0 for no heartbeats. */
  readonly heartbeat_ms: number
  /** Whether updates that are due together are joined into one frame. */
  readonly batch: boolean
}

/** Place of a page in a list. */
export interface Page {
  /** Rows of all pages. */
  readonly count: number
  /** From 1. */
  readonly page: number
  readonly pages: number
}

/** One page of the catalog, over the stream and over REST. */
export interface CatalogPage extends Page {
  /** Changes when any row does. */
  readonly version: string
  readonly metrics: readonly CatalogRow[]
}

// From client to server.

/** What a subscription is known by when it is ended; every subscription of the connection with `all`. */
export type UnsubscribeTarget =
  | { readonly sub_id: string }
  | Pick<SubscribeItem, 'symbol' | 'metric' | 'params'>
  | { readonly all: true }

/** Every command: its fields beside `action` and `req_id`, and the frame that replies to it. */
export interface Commands {
  readonly subscribe: { readonly asked: SubscribeItem; readonly reply: SubscribeAck }
  readonly subscribe_many: { readonly asked: { readonly items: readonly SubscribeItem[] }; readonly reply: ManyAck }
  readonly unsubscribe: { readonly asked: UnsubscribeTarget; readonly reply: UnsubscribeAck }
  readonly list: { readonly asked: { readonly page?: number }; readonly reply: SubscriptionList }
  readonly catalog: {
    readonly asked: { readonly prefix?: string; readonly value_type?: ValueType; readonly page?: number }
    readonly reply: CatalogFrame
  }
  readonly status: { readonly asked: object; readonly reply: Status }
  readonly configure: { readonly asked: Partial<Configuration>; readonly reply: ConfigureAck }
  readonly ping: { readonly asked: object; readonly reply: Pong }
  readonly resume: { readonly asked: { readonly token: string }; readonly reply: ResumeAck }
}

export type Action = keyof Commands
/** A command without its request id. */
export type Asked<A extends Action> = { readonly action: A } & Commands[A]['asked']
export type Reply<A extends Action> = Commands[A]['reply']

// From server to client: replies.

interface Numbered {
  readonly req_id?: RequestId
}

interface Ack<A extends Action> extends Numbered {
  readonly type: 'ack'
  readonly action: A
  readonly ts: number
}

interface Resumable {
  /** Restores the subscriptions of this connection on another one, for two minutes after this one was lost. */
  readonly resume_token: string
}

export interface SubscribeAck extends Ack<'subscribe'>, Acknowledged, Resumable {}

/** The outcome of one item, named by its place among the items of the command, from 0. */
export type ManyResult =
  | (Acknowledged & { readonly index: number })
  | { readonly index: number; readonly error: Pick<ErrorFrame, 'code' | 'message' | 'candidates'> }

export interface ManyAck extends Ack<'subscribe_many'>, Resumable {
  readonly results: readonly ManyResult[]
}

export interface UnsubscribeAck extends Ack<'unsubscribe'> {
  /** Ids of the subscriptions that have ended. */
  readonly removed: readonly string[]
}

export interface ConfigureAck extends Ack<'configure'> {
  readonly config: Configuration
}

export interface ResumeAck extends Ack<'resume'>, Resumable {
  readonly epoch: string
  readonly subscriptions: readonly SubscriptionRow[]
}

export interface SubscriptionList extends Page, Numbered {
  readonly type: 'subscriptions'
  readonly subscriptions: readonly SubscriptionRow[]
  readonly ts: number
}

export interface CatalogFrame extends CatalogPage, Numbered {
  readonly type: 'catalog'
  readonly ts: number
}

export interface Status extends Numbered, Resumable {
  readonly type: 'status'
  readonly connection_id: string
  readonly epoch: string
  readonly server_ts: number
  readonly market_open: boolean
  readonly limits: {
    /** Of the bundle. */
    readonly subscriptions: number
    /** Of the bundle. */
    readonly connections: number
    readonly min_cadence_ms: number
    readonly max_cadence_ms: number
    readonly client_frame_bytes: number
    readonly server_frame_bytes: number
    readonly commands_per_second: number
  }
  /** By all connections of the bundle together. */
  readonly used: { readonly subscriptions: number; readonly connections: number }
  readonly config: Configuration
}

export interface Pong extends Numbered {
  readonly type: 'pong'
  readonly ts: number
}

/** What can be wrong with a command, or with a subscription. Streaming contract, section 7. */
export type StreamErrorCode =
  | 'bad_json'
  | 'invalid_frame'
  | 'unsupported_frame'
  | 'unknown_action'
  | 'missing_field'
  | 'symbol_not_found'
  | 'unknown_metric'
  | 'ambiguous_metric'
  | 'not_streamable'
  | 'invalid_selector'
  | 'invalid_params'
  | 'invalid_cadence'
  | 'subscription_limit'
  | 'rate_limited'
  | 'frame_too_large'
  | 'value_too_large'
  | 'unknown_subscription'
  | 'resume_expired'
  | 'no_data'
  | 'internal'

/** The reply to a command that is refused; without `req_id` and `action`, what is wrong with a subscription. */
export interface ErrorFrame extends Numbered {
  readonly type: 'error'
  readonly code: StreamErrorCode
  readonly message: string
  readonly ts: number
  readonly action?: string
  readonly symbol?: string
  readonly metric?: string
  readonly sub_id?: string
  /** Ids that an ambiguous metric may mean. */
  readonly candidates?: readonly string[]
  /** Subscriptions of the bundle, and how many of them are used. */
  readonly limit?: number
  readonly used?: number
  readonly retry_after_ms?: number
}

// From server to client: unasked.

/** A value of a subscription. */
export interface Update {
  readonly type: 'update'
  readonly sub_id: string
  /** Counts recomputes of the value; the same for every client. A step above 1 means that values were skipped. */
  readonly seq: number
  /** as_of of the data behind the value, not the time of sending. */
  readonly ts: number
  readonly value: Value
  /** On the first update after subscribing or resuming. */
  readonly snapshot?: true
  /** The session is closed, or the source has stopped. */
  readonly stale?: true
  /** The row that a moving selector picked. */
  readonly key?: number | string
  readonly symbol?: string
  readonly metric?: string
}

/** Updates that were due together, where the client has configured it. */
export interface Batch {
  readonly type: 'batch'
  readonly updates: readonly Update[]
}

export interface Heartbeat {
  readonly type: 'heartbeat'
  readonly ts: number
  readonly epoch: string
  readonly market_open: boolean
  /** Of this connection. */
  readonly subscriptions: number
}

export interface Notice {
  readonly type: 'notice'
  readonly code: 'draining' | 'epoch_changed' | 'slow_consumer' | 'feed_stale' | 'feed_recovered' | 'bundle_expiring'
  readonly message: string
  readonly ts: number
  readonly epoch?: string
  /** Updates that were replaced by newer ones. */
  readonly skipped?: number
  readonly symbol?: string
  readonly reconnect_after_ms?: number
  readonly expires_ts?: number
}

export type ReplyFrame = Reply<Action> | ErrorFrame
export type ServerFrame = ReplyFrame | Update | Batch | Heartbeat | Notice
