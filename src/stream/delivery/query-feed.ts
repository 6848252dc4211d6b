import { cappedDelay } from '../../market/data-age.ts'
import type { Instant, IsoDate } from '../../market/units.ts'
import { AnswerBody } from '../catalog/field-reader.ts'
import type { ResolvedMetric } from '../catalog/metric-id.ts'
import type { StreamQuery } from '../catalog/query.ts'
import { MAX_CADENCE } from '../protocol/limits.ts'
import type { StreamAnswer } from './answer-source.ts'
import { Metric } from './metric.ts'

/** A query that is requested again and again, its newest response, and the metrics read from it. */
export class QueryFeed {
  readonly query: StreamQuery
  readonly metrics = new Map<string, Metric>()
  /** Sequence number of the newest response, sent to clients with each update. */
  seq: number
  body: AnswerBody | undefined
  version: string | undefined
  /** Moment that the newest response describes. */
  asOf: Instant = 0
  /** When the data in the newest response was published; undefined if it was computed only from daily figures. */
  publishedAt: Instant | undefined
  /** Whether the market is closed, or the data of the newest response is too old. */
  stale = false
  failure: Error | undefined
  /**
   * Parsed parameters. They hold only on `paramsDate` (New York), since a value such as 0dte means another expiration
   * the next day.
   */
  params: Readonly<Record<string, unknown>> | undefined
  paramsDate: IsoDate | undefined
  /** Whether a request is running or queued. `refreshAgain` tells whether another request must follow it. */
  isPending = false
  refreshAgain = false
  /** Times of the last and of the next request, milliseconds of the steady clock. */
  requestedAt = Number.NEGATIVE_INFINITY
  refreshAt = Number.POSITIVE_INFINITY
  /** Callbacks that run once, when the first request has succeeded or failed. */
  readonly firstAnswerCallbacks: (() => void)[] = []
  readonly #cadences = new Map<number, number>()
  #fastest: number = MAX_CADENCE

  constructor(query: StreamQuery, seq: number) {
    this.query = query
    this.seq = seq
  }

  /** Fastest cadence among the subscriptions, milliseconds; 0 means an update after every recomputation. */
  get fastest(): number {
    return this.#fastest
  }

  get isIdle(): boolean {
    return this.#cadences.size === 0
  }

  metric(resolved: ResolvedMetric): Metric {
    let metric = this.metrics.get(resolved.id)
    if (metric === undefined) this.metrics.set(resolved.id, (metric = new Metric(this, resolved)))
    return metric
  }

  /** Counts a subscription with this cadence, milliseconds. */
  addCadence(cadence: number): void {
    this.#cadences.set(cadence, (this.#cadences.get(cadence) ?? 0) + 1)
    this.#fastest = Math.min(...this.#cadences.keys())
  }

  removeCadence(cadence: number): void {
    const rest = this.#cadences.get(cadence)! - 1
    if (rest > 0) this.#cadences.set(cadence, rest)
    else this.#cadences.delete(cadence)
    this.#fastest = Math.min(MAX_CADENCE, ...this.#cadences.keys())
  }

  /** Stores a response if its version is new; returns whether it is. */
  take({ answer, chains }: StreamAnswer): boolean {
    this.failure = undefined
    const [chain] = chains
    this.publishedAt = chain && chain.asOf + 1000 * cappedDelay(chain)
    if (answer.version === this.version && this.body !== undefined) return false
    const root: unknown = JSON.parse(new TextDecoder().decode(answer.body))
    const { spotField, momentField } = this.query.operation
    this.version = answer.version
    this.body = new AnswerBody(root, numberAt(root, spotField) ?? chain?.spot)
    this.asOf = instantAt(root, momentField) ?? chain?.asOf ?? 0
    this.seq++
    return true
  }
}

const fieldOf = (root: unknown, name: string | undefined) =>
  name === undefined ? undefined : (root as Readonly<Record<string, unknown>> | null)?.[name]

function numberAt(root: unknown, name: string | undefined): number | undefined {
  const value = fieldOf(root, name)
  return typeof value === 'number' ? value : undefined
}

function instantAt(root: unknown, name: string | undefined): Instant | undefined {
  const text = fieldOf(root, name)
  const instant = typeof text === 'string' ? Date.parse(text) : Number.NaN
  return Number.isFinite(instant) ? instant : undefined
}
