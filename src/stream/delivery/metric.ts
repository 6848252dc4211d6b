import type { ResolvedMetric } from '../catalog/metric-id.ts'
import { CommandError } from '../protocol/command-error.ts'
import type { Hub } from './hub.ts'
import type { QueryFeed } from './query-feed.ts'
import { keyField, updateTail, valueFields } from './update-frame.ts'
import { utf8Bytes } from './websocket-frames.ts'

export interface MetricListener {
  /** Called after each new response, even if the value is equal to the previous one. */
  valueChanged(): void
}

/** A field of a query's response that has subscriptions. Its value is serialized once for all of them. */
export class Metric {
  readonly feed: QueryFeed
  readonly resolved: ResolvedMetric
  readonly listeners = new Set<MetricListener>()
  /** JSON of the value as a byte string; undefined before the first response. */
  value: string | undefined
  /** Sequence number of the response that `value` was read from. */
  seq = 0
  /** False if the metric id names a row key that the newest response does not have. */
  listed = true
  #fields = ''
  #key = ''
  #tail = ''
  #tailStale: boolean | undefined

  constructor(feed: QueryFeed, resolved: ResolvedMetric) {
    this.feed = feed
    this.resolved = resolved
  }

  /** Reads the value from the newest response, unless that was done already. */
  read(): void {
    const { body, seq, asOf } = this.feed
    if (body === undefined || this.seq === seq) return
    const { value, key, listed } = this.resolved.reader(body)
    this.value = utf8Bytes(JSON.stringify(value))
    this.listed = listed
    this.seq = seq
    this.#fields = valueFields(seq, asOf, this.value)
    this.#key = keyField(key)
    this.#tailStale = undefined
  }

  /** The rest of the update frame from `seq` on, a byte string. */
  tail(stale: boolean): string {
    if (this.#tailStale !== stale) {
      this.#tail = updateTail(this.#fields, this.#key, stale)
      this.#tailStale = stale
    }
    return this.#tail
  }
}

/** Error of a new subscription that shows only after the first request: unknown symbol or unknown row key. */
export function firstAnswerError(hub: Pick<Hub, 'hasUnknownSymbol'>, metric: Metric): CommandError | undefined {
  const { feed, value, listed } = metric
  if (feed.body === undefined && feed.failure !== undefined && hub.hasUnknownSymbol(feed)) {
    return new CommandError('symbol_not_found', `nothing is known of ${feed.query.symbol}`)
  }
  if (value === undefined || listed) return undefined
  return new CommandError('invalid_selector', 'the answer has no row of that key')
}
