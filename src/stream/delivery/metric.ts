import type { ResolvedMetric } from '../catalog/metric-id.ts'
import { CommandError } from '../protocol/command-error.ts'
import type { Hub } from './hub.ts'
import type { QueryFeed } from './query-feed.ts'
import { keyField, updateTail, valueFields } from './update-frame.ts'
import { utf8Bytes } from './websocket-frames.ts'

export interface MetricListener {
  /** Called for the value of a newer answer, which may equal the previous one. */
  valueChanged(): void
}

/** A field of a feed that subscriptions listen to. Its value is serialized once for all of them. */
export class Metric {
  readonly feed: QueryFeed
  readonly resolved: ResolvedMetric
  readonly listeners = new Set<MetricListener>()
  /** JSON of the value, a byte string; undefined before the first answer. */
  value: string | undefined
  /** `seq` of the answer that it was read from. */
  seq = 0
  /** False while the row that the id names by key is not listed. */
  listed = true
  #fields = ''
  #key = ''
  #tail = ''
  #tailStale: boolean | undefined

  constructor(feed: QueryFeed, resolved: ResolvedMetric) {
    this.feed = feed
    this.resolved = resolved
  }

  /** Reads the value from the newest answer of the feed, once per answer. */
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

  /** The update frame from its seq to its end, a byte string. */
  tail(stale: boolean): string {
    if (this.#tailStale !== stale) {
      this.#tail = updateTail(this.#fields, this.#key, stale)
      this.#tailStale = stale
    }
    return this.#tail
  }
}

/** The error of a subscription that the first answer or refusal of its feed shows. */
export function firstAnswerError(hub: Pick<Hub, 'hasUnknownSymbol'>, metric: Metric): CommandError | undefined {
  const { feed, value, listed } = metric
  if (feed.body === undefined && feed.failure !== undefined && hub.hasUnknownSymbol(feed)) {
    return new CommandError('symbol_not_found', `nothing is known of ${feed.query.symbol}`)
  }
  if (value === undefined || listed) return undefined
  return new CommandError('invalid_selector', 'the answer has no row of that key')
}
