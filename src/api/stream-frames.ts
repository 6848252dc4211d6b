// All frames of the stream in both directions, with their wire names (streaming contract, sections 3 to 7). Types only,
// so that server and client share one declaration. Fields ending in `ts` are epoch milliseconds, UTC; fields ending in
// `_ms` are milliseconds.

/** Id that a client gives a command; the reply repeats it. Texts have at most 64 characters. */
export type RequestId = number | string

export type MetricParams = Readonly<Record<string, string | number | boolean>>

/** JSON type of a metric's value. Any metric may also be null. */
export type ValueType = 'number' | 'string' | 'boolean' | 'object' | 'array'

/** How a client picks one row of an array: by its key, as the row nearest to spot, by date, or by rank. */
export type SelectorKind = 'key' | 'atm' | 'front' | 'position'

export type Value = number | string | boolean | null | object | readonly unknown[]

/** State of a subscription: `warming` until its first value is known, then `active`. */
export type SubscriptionState = 'active' | 'warming'

export interface SubscribeItem {
  /** Ticker, or _MARKET for an endpoint without a symbol. */
  readonly symbol: string
  /** Metric id such as exposure.summary.exposures.net_gex; the catalog lists all. */
  readonly metric: string
  /** Milliseconds between two updates: 100 to 60000, or 0 for an update at each recomputation. Default 1000. */
  readonly cadence_ms?: number
  readonly params?: MetricParams
  /** If true, a value that equals the last one sent is not sent again. Default false. */
  readonly on_change?: boolean
  /** If true, the current value is sent at once after subscribing. Default true. */
  readonly snapshot?: boolean
  /** If true, each update also names the symbol and the metric. Default false. */
  readonly echo?: boolean
}

export interface Acknowledged {
  readonly sub_id: string
  readonly symbol: string
  readonly metric: string
  readonly params: MetricParams
  readonly cadence_ms: number
  readonly state: SubscriptionState
  /**
   * True if the client had already subscribed to the metric and the command changed the settings of that subscription.
   */
  readonly replaced: boolean
  /**
   * Name of this run of the service. After a restart it changes, and values of `seq` cannot be compared with earlier
   * ones.
   */
  readonly epoch: string
  /** How much of the subscription limit this subscription uses: as much as 1 or 10 ordinary ones. */
  readonly cost: 1 | 10
}

export interface SubscriptionRow extends Omit<Acknowledged, 'replaced' | 'epoch'> {
  readonly on_change: boolean
  /** Field `seq` of the last update that was sent; null before the first. */
  readonly last_seq: number | null
  readonly created_ts: number
}

export interface CatalogRow {
  /** Metric id in its general form, with [*] in place of selectors. */
  readonly id: string
  readonly value_type: ValueType
  readonly nullable: boolean
  readonly unit: string | null
  /** Method and path of the REST request that returns the same value. */
  readonly operation: string
  /** Field that identifies a row of the array in which the metric lies; null if there is no such field. */
  readonly key_field: string | null
  readonly selectors: readonly SelectorKind[]
  readonly params: readonly string[]
  readonly short_forms: readonly string[]
  /** How often the service may recompute the value. */
  readonly recompute: 'tick' | 'second' | 'minute' | 'daily'
  /** How much of the subscription limit a subscription to the metric uses: as much as 1 or 10 ordinary ones. */
  readonly cost: 1 | 10
  readonly min_cadence_ms: number
}

export interface Configuration {
  /** If no frame is sent for this many milliseconds, a heartbeat is sent; 0 for no heartbeats. */
  readonly heartbeat_ms: number
  readonly batch: boolean
}

export interface Page {
  /** Number of rows on all pages together. */
  readonly count: number
  readonly page: number
  readonly pages: number
}

export interface CatalogPage extends Page {
  /** Version text that changes when any catalog row does. */
  readonly version: string
  readonly metrics: readonly CatalogRow[]
}

// Frames from client to server.

/** Subscriptions to end: one, given by its id or by its metric, or with `all` every subscription of the connection. */
export type UnsubscribeTarget =
  | { readonly sub_id: string }
  | Pick<SubscribeItem, 'symbol' | 'metric' | 'params'>
  | { readonly all: true }

/** All commands of a client: the fields that it sends besides `action` and `req_id`, and the reply. */
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

// Frames from server to client: replies.

interface Numbered {
  readonly req_id?: RequestId
}

interface Ack<A extends Action> extends Numbered {
  readonly type: 'ack'
  readonly action: A
  readonly ts: number
}

interface Resumable {
  /** After the connection is lost, this token restores its subscriptions on a new connection, for two minutes. */
  readonly resume_token: string
}

export interface SubscribeAck extends Ack<'subscribe'>, Acknowledged, Resumable {}

/** Result for one item of a command with several items; `index` is the item's position, from 0. */
export type ManyResult =
  | (Acknowledged & { readonly index: number })
  | { readonly index: number; readonly error: Pick<ErrorFrame, 'code' | 'message' | 'candidates'> }

export interface ManyAck extends Ack<'subscribe_many'>, Resumable {
  readonly results: readonly ManyResult[]
}

export interface UnsubscribeAck extends Ack<'unsubscribe'> {
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
    readonly subscriptions: number
    readonly connections: number
    readonly min_cadence_ms: number
    readonly max_cadence_ms: number
    readonly client_frame_bytes: number
    readonly server_frame_bytes: number
    readonly commands_per_second: number
  }
  /** Current usage, summed over all connections that share the account's limits. */
  readonly used: { readonly subscriptions: number; readonly connections: number }
  readonly config: Configuration
}

export interface Pong extends Numbered {
  readonly type: 'pong'
  readonly ts: number
}

/** Error codes of commands and subscriptions (streaming contract, section 7). */
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

/** Reply to a refused command. Without `req_id` and `action` it reports that a subscription failed. */
export interface ErrorFrame extends Numbered {
  readonly type: 'error'
  readonly code: StreamErrorCode
  readonly message: string
  readonly ts: number
  readonly action?: string
  readonly symbol?: string
  readonly metric?: string
  readonly sub_id?: string
  readonly candidates?: readonly string[]
  /** Number of subscriptions that the account may have; `used` is the number that it has now. */
  readonly limit?: number
  readonly used?: number
  readonly retry_after_ms?: number
}

// Frames from server to client: events.

export interface Update {
  readonly type: 'update'
  readonly sub_id: string
  /**
   * How often the value has been recomputed; the count is the same for all clients. A step of more than 1 between two
   * updates means that values between them were not sent.
   */
  readonly seq: number
  /** Time of the data behind the value (`as_of` in REST responses), not the time of sending. */
  readonly ts: number
  readonly value: Value
  /** Set on the first update after subscribing or resuming. */
  readonly snapshot?: true
  /** Set if the trading session is closed or the data source has stopped responding. */
  readonly stale?: true
  /**
   * Key of the row to which the value belongs, if the selector may pick another row over time, such as the strike
   * nearest to spot.
   */
  readonly key?: number | string
  readonly symbol?: string
  readonly metric?: string
}

/** Several updates in one frame, because they were due at the same time. Sent only if the client asked for batches. */
export interface Batch {
  readonly type: 'batch'
  readonly updates: readonly Update[]
}

export interface Heartbeat {
  readonly type: 'heartbeat'
  readonly ts: number
  readonly epoch: string
  readonly market_open: boolean
  readonly subscriptions: number
}

export interface Notice {
  readonly type: 'notice'
  readonly code: 'draining' | 'epoch_changed' | 'slow_consumer' | 'feed_stale' | 'feed_recovered' | 'bundle_expiring'
  readonly message: string
  readonly ts: number
  readonly epoch?: string
  readonly skipped?: number
  readonly symbol?: string
  readonly reconnect_after_ms?: number
  readonly expires_ts?: number
}

export type ReplyFrame = Reply<Action> | ErrorFrame
export type ServerFrame = ReplyFrame | Update | Batch | Heartbeat | Notice
