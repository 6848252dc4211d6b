// The frames of the streaming channel, with the names they have on the wire. Instants are epoch milliseconds, UTC.

/** What is listened to: one field of one endpoint. */
export interface SubscribeItem {
  /** A ticker, or _MARKET for an endpoint without one. */
  readonly symbol: string
  /** Such as exposure.summary.exposures.net_gex; the catalog lists them all. */
  readonly metric: string
  /** Longest pace of updates, milliseconds: 0 for each recompute, or 100 to 60000. Default 1000. */
  readonly cadence_ms?: number
  /** Query parameters of the endpoint behind the metric. */
  readonly params?: Readonly<Record<string, string | number | boolean>>
  /** Skip values equal to the last one sent. Default false: each recompute counts. */
  readonly on_change?: boolean
  /** Send the value of the moment at once. Default true. */
  readonly snapshot?: boolean
  /** Repeat symbol and metric in each update. */
  readonly echo?: boolean
}

export type Value = number | string | boolean | null | object | readonly unknown[]

export interface Update {
  readonly type: 'update'
  readonly sub_id: string
  /** Counts recomputes of the value; the same for everybody. A step above 1 means that values were skipped. */
  readonly seq: number
  /** as_of of the data behind the value, not the time of sending. */
  readonly ts: number
  readonly value: Value
  readonly snapshot?: true
  /** The session is closed, or the source has stopped. */
  readonly stale?: true
  /** The row that a moving selector picked. */
  readonly key?: number | string
  readonly symbol?: string
  readonly metric?: string
}

/** A subscription as the server holds it. */
export interface Acknowledged {
  readonly sub_id: string
  readonly symbol: string
  /** The canonical id. */
  readonly metric: string
  readonly params: Readonly<Record<string, string | number | boolean>>
  readonly cadence_ms: number
  readonly state: 'active' | 'warming'
  readonly replaced: boolean
  readonly epoch: string
  readonly cost: number
}

export interface SubscriptionRow extends Omit<Acknowledged, 'replaced' | 'epoch'> {
  readonly on_change: boolean
  readonly last_seq: number | null
  readonly created_ts: number
}

export interface CatalogRow {
  /** With [*] where a selector is needed. */
  readonly id: string
  readonly value_type: 'number' | 'string' | 'boolean' | 'object' | 'array'
  readonly nullable: boolean
  readonly unit: string | null
  readonly operation: string
  readonly key_field: string | null
  readonly selectors: readonly ('key' | 'atm' | 'front' | 'position')[]
  readonly params: readonly string[]
  readonly short_forms: readonly string[]
  readonly recompute: 'tick' | 'second' | 'minute' | 'daily'
  readonly cost: number
  readonly min_cadence_ms: number
}

export interface Configuration {
  readonly heartbeat_ms: number
  readonly batch: boolean
}

/** What went wrong, in the words of the server. */
export interface ErrorFrame {
  readonly type: 'error'
  readonly code: string
  readonly message: string
  readonly ts: number
  readonly req_id?: number | string
  readonly action?: string
  readonly symbol?: string
  readonly metric?: string
  readonly sub_id?: string
  readonly candidates?: readonly string[]
  readonly limit?: number
  readonly used?: number
  readonly retry_after_ms?: number
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

export interface Heartbeat {
  readonly type: 'heartbeat'
  readonly ts: number
  readonly epoch: string
  readonly market_open: boolean
  readonly subscriptions: number
}

export type ManyResult =
  | (Acknowledged & { readonly index: number })
  | { readonly index: number; readonly error: Pick<ErrorFrame, 'code' | 'message' | 'candidates'> }

/** Every command and the reply to it. */
export interface Commands {
  readonly subscribe: { readonly asked: SubscribeItem; readonly reply: Acknowledged & Token }
  readonly subscribe_many: {
    readonly asked: { readonly items: readonly SubscribeItem[] }
    readonly reply: { readonly results: readonly ManyResult[] } & Token
  }
  readonly unsubscribe: { readonly asked: { readonly sub_id: string }; readonly reply: { readonly removed: string[] } }
  readonly resume: {
    readonly asked: { readonly token: string }
    readonly reply: { readonly epoch: string; readonly subscriptions: readonly SubscriptionRow[] } & Token
  }
  readonly configure: {
    readonly asked: Partial<Configuration>
    readonly reply: { readonly config: Configuration }
  }
  readonly list: { readonly asked: { readonly page?: number }; readonly reply: Page & SubscriptionsPage }
  readonly catalog: {
    readonly asked: { readonly prefix?: string; readonly value_type?: CatalogRow['value_type']; readonly page?: number }
    readonly reply: Page & { readonly version: string; readonly metrics: readonly CatalogRow[] }
  }
  readonly status: { readonly asked: object; readonly reply: Status }
  readonly ping: { readonly asked: object; readonly reply: object }
}

interface Token {
  readonly resume_token: string
}

interface Page {
  readonly count: number
  readonly page: number
  readonly pages: number
}

interface SubscriptionsPage {
  readonly subscriptions: readonly SubscriptionRow[]
}

interface Status extends Token {
  readonly connection_id: string
  readonly epoch: string
  readonly server_ts: number
  readonly market_open: boolean
  readonly limits: Readonly<
    Record<
      | 'subscriptions'
      | 'connections'
      | 'min_cadence_ms'
      | 'max_cadence_ms'
      | 'client_frame_bytes'
      | 'server_frame_bytes'
      | 'commands_per_second',
      number
    >
  >
  readonly used: { readonly subscriptions: number; readonly connections: number }
  readonly config: Configuration
}

export type Action = keyof Commands
export type Asked<A extends Action> = { readonly action: A } & Commands[A]['asked']
export type Reply<A extends Action> = Commands[A]['reply'] & { readonly type: string; readonly ts: number }
