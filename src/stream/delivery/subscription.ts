import type { Instant } from '../../market/units.ts'
import type { Params, StreamQuery } from '../catalog/query.ts'
import type { Resolved } from '../catalog/resolve.ts'
import type { Connection } from './connection.ts'
import type { Listener, Metric } from './metric.ts'
import { bytesOf } from './wire.ts'

/** How a client wants a metric. */
export interface Settings {
  readonly cadence: number
  readonly onChange: boolean
  readonly echo: boolean
}

/** A subscription without a connection: all that is saved of it while its client is away. */
export interface SavedSubscription extends Settings {
  readonly id: string
  readonly resolved: Resolved
  readonly query: StreamQuery
  readonly createdAt: Instant
}

/** A subscription as replies show it. */
export interface SubscriptionRow {
  readonly sub_id: string
  readonly symbol: string
  readonly metric: string
  readonly params: Params
  readonly cadence_ms: number
  readonly on_change: boolean
  readonly state: 'active' | 'warming'
  readonly last_seq: number | null
  readonly cost: 1 | 10
  readonly created_ts: number
}

/** One metric on one connection. Its pending slot is a mark: what is sent is the newest value at that moment. */
export class Subscription implements Listener {
  readonly id: string
  readonly createdAt: Instant
  readonly connection: Connection
  readonly metric: Metric
  cadence: number
  onChange: boolean
  echo: boolean
  /** What every frame of it begins with. */
  head = ''
  /** Whether it was acknowledged: nothing is sent before that, and nothing after it is removed. */
  open = false
  /** Whether a frame waits for the end of a window, or for room on the wire. */
  due = false
  /** Whether the next frame is the one after subscribing or resuming. */
  snapshot = false
  /** Whether its value was too large for a frame the last time. */
  oversized = false
  lastSeq: number | undefined
  /** The value sent last. */
  sent: string | undefined

  /** `listen` finds the metric and lets the subscription know of its values. */
  constructor(
    connection: Connection,
    { id, createdAt, cadence, onChange, echo }: SavedSubscription,
    listen: (listener: Listener) => Metric
  ) {
    this.connection = connection
    this.id = id
    this.createdAt = createdAt
    this.metric = listen(this)
    this.cadence = cadence
    this.onChange = onChange
    this.echo = echo
    this.#writeHead()
  }

  get resolved(): Resolved {
    return this.metric.resolved
  }

  get query(): StreamQuery {
    return this.metric.feed.query
  }

  get cost(): 1 | 10 {
    return this.resolved.field.cost
  }

  get state(): 'active' | 'warming' {
    return this.metric.value === undefined ? 'warming' : 'active'
  }

  configure({ cadence, onChange, echo }: Settings): void {
    this.cadence = cadence
    this.onChange = onChange
    this.echo = echo
    this.#writeHead()
  }

  offer(): void {
    if (this.open) this.connection.offer(this)
  }

  save(): SavedSubscription {
    const { id, resolved, query, createdAt, cadence, onChange, echo } = this
    return { id, resolved, query, createdAt, cadence, onChange, echo }
  }

  row(): SubscriptionRow {
    return {
      sub_id: this.id,
      symbol: this.query.symbol,
      metric: this.resolved.id,
      params: this.query.params,
      cadence_ms: this.cadence,
      on_change: this.onChange,
      state: this.state,
      last_seq: this.lastSeq ?? null,
      cost: this.cost,
      created_ts: this.createdAt
    }
  }

  #writeHead(): void {
    const { symbol } = this.query
    const metric = bytesOf(JSON.stringify(this.resolved.id)) // a selector may hold any character
    const echoed = this.echo ? `,"symbol":"${symbol}","metric":${metric}` : ''
    this.head = `{"type":"update","sub_id":"${this.id}"${echoed}`
  }
}
