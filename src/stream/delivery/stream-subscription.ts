import type { SubscriptionRow, SubscriptionState } from '../../api/stream-frames.ts'
import type { Instant } from '../../market/units.ts'
import type { ResolvedMetric } from '../catalog/metric-id.ts'
import type { StreamQuery } from '../catalog/query.ts'
import type { Metric, MetricListener } from './metric.ts'
import type { SessionConnection } from './session-connection.ts'
import { updateHead } from './update-frame.ts'

export interface SubscriptionSettings {
  /** Minimum milliseconds between updates; 0 means an update after every recomputation. */
  readonly cadence: number
  /** Whether a value equal to the one sent last is skipped. */
  readonly onChange: boolean
  readonly echo: boolean
}

export interface SavedSubscription extends SubscriptionSettings {
  readonly id: string
  readonly resolved: ResolvedMetric
  readonly query: StreamQuery
  readonly createdAt: Instant
}

/**
 * A connection's subscription to one metric. It queues no values: an update carries the newest value at the time of
 * sending.
 */
export class StreamSubscription implements MetricListener {
  readonly id: string
  readonly createdAt: Instant
  readonly connection: SessionConnection
  readonly metric: Metric
  cadence: number
  onChange: boolean
  echo: boolean
  /** Beginning of every update frame, a byte string. */
  head = ''
  /** Whether updates may be sent. False before the subscription is acknowledged and after it ends. */
  open = false
  /** Whether an update is waiting for the end of a cadence window or for room in the socket. */
  queued = false
  /**
   * Whether the next update is the first after subscribing or resuming. Such an update is sent with the mark
   * `snapshot`.
   */
  isFirst = false
  oversized = false
  lastSeq: number | undefined
  /** JSON of the value sent last. */
  sent: string | undefined

  /** `listen` adds the subscription to the listeners of its metric and returns the metric. */
  constructor(
    connection: SessionConnection,
    { id, createdAt, cadence, onChange, echo }: SavedSubscription,
    listen: (listener: MetricListener) => Metric
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

  get resolved(): ResolvedMetric {
    return this.metric.resolved
  }

  get query(): StreamQuery {
    return this.metric.feed.query
  }

  get cost(): 1 | 10 {
    return this.resolved.field.cost
  }

  get state(): SubscriptionState {
    return this.metric.value === undefined ? 'warming' : 'active'
  }

  configure({ cadence, onChange, echo }: SubscriptionSettings): void {
    this.cadence = cadence
    this.onChange = onChange
    this.echo = echo
    this.#writeHead()
  }

  valueChanged(): void {
    if (this.open) this.connection.enqueue(this)
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
    this.head = updateHead(this.id, { symbol: this.query.symbol, metric: this.resolved.id, echo: this.echo })
  }
}
