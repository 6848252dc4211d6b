import type { Instant, IsoDate } from '../../market/units.ts'
import { AnswerBody } from '../catalog/field-reader.ts'
import type { ResolvedMetric } from '../catalog/metric-id.ts'
import type { StreamQuery } from '../catalog/query.ts'
import { MAX_CADENCE } from '../protocol/limits.ts'
import type { StreamAnswer } from './answer-source.ts'
import { Metric } from './metric.ts'

/** The successive answers to one query, and the metrics that are read from them. */
export class QueryFeed {
  readonly query: StreamQuery
  readonly metrics = new Map<string, Metric>()
  /** Number of the newest answer. A new feed of the same query counts on. */
  seq: number
  body: AnswerBody | undefined
  version: string | undefined
  /** The moment that the newest answer describes. */
  asOf: Instant = 0
  /** When its inputs were published; undefined for an answer from daily figures. */
  publishedAt: Instant | undefined
  /** Whether the session is closed, or the inputs have stopped during it. */
  stale = false
  /** The error of the newest request. */
  failure: Error | undefined
  /** Parameters as read on `paramsDate`, a New York date: 0dte means another expiration the next day. */
  params: Readonly<Record<string, unknown>> | undefined
  paramsDate: IsoDate | undefined
  /** Whether a request is running or queued, and whether another must follow it. */
  isPending = false
  refreshAgain = false
  requestedAt: Instant = Number.NEGATIVE_INFINITY
  /** When the next request is due. */
  refreshAt: Instant = Number.POSITIVE_INFINITY
  /** Called once, after the first answer or refusal. */
  readonly firstAnswerCallbacks: (() => void)[] = []
  readonly #cadences = new Map<number, number>()
  #fastest: number = MAX_CADENCE

  constructor(query: StreamQuery, seq: number) {
    this.query = query
    this.seq = seq
  }

  /** The fastest cadence of the subscriptions, milliseconds; 0 for every recompute. */
  get fastest(): number {
    return this.#fastest
  }

  /** Whether there is no subscription left. */
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

  /** Stores an answer if its version is new; returns whether it is. */
  take({ answer, chains }: StreamAnswer): boolean {
    this.failure = undefined
    const [chain] = chains
    this.publishedAt = chain && chain.asOf + 1000 * chain.delay
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
