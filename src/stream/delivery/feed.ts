import type { Instant, IsoDate } from '../../market/units.ts'
import { AnswerBody } from '../catalog/field-reader.ts'
import { MOST_CADENCE } from '../catalog/limits.ts'
import type { StreamQuery } from '../catalog/query.ts'
import type { Resolved } from '../catalog/resolve.ts'
import type { StreamAnswer } from './answer-source.ts'
import { Metric } from './metric.ts'

/** The answers to one query, one after the other, and who listens to which of their fields. */
export class Feed {
  readonly query: StreamQuery
  readonly metrics = new Map<string, Metric>()
  /** Counts the answers. It goes on where an earlier feed of the same query ended. */
  seq: number
  body: AnswerBody | undefined
  version: string | undefined
  /** The moment the newest answer describes. */
  asOf: Instant = 0
  /** The moment its inputs were given out as current; undefined for an answer from daily figures. */
  movedAt: Instant | undefined
  /** Whether what is sent now comes from a closed session, or from inputs that have stopped. */
  stale = false
  /** Why the newest query was not answered. */
  failure: Error | undefined
  /** The parameters as read on a day: the word 0dte means another one tomorrow. */
  params: Readonly<Record<string, unknown>> | undefined
  readOn: IsoDate | undefined
  /** While an answer is awaited; whether to ask again after it, and who waits for the first. */
  busy = false
  again = false
  askedAt: Instant = Number.NEGATIVE_INFINITY
  /** When the next query is due, by the poll or by news of the symbol. */
  dueAt: Instant = Number.POSITIVE_INFINITY
  readonly waiting: (() => void)[] = []
  readonly #cadences = new Map<number, number>()
  #fastest: number = MOST_CADENCE

  constructor(query: StreamQuery, seq: number) {
    this.query = query
    this.seq = seq
  }

  /** The fastest cadence anybody listens at, milliseconds; 0 for as fast as values come. */
  get fastest(): number {
    return this.#fastest
  }

  get isIdle(): boolean {
    return this.#cadences.size === 0
  }

  metric(resolved: Resolved): Metric {
    let metric = this.metrics.get(resolved.id)
    if (metric === undefined) this.metrics.set(resolved.id, (metric = new Metric(this, resolved)))
    return metric
  }

  listened(cadence: number): void {
    this.#cadences.set(cadence, (this.#cadences.get(cadence) ?? 0) + 1)
    this.#fastest = Math.min(...this.#cadences.keys())
  }

  left(cadence: number): void {
    const rest = this.#cadences.get(cadence)! - 1
    if (rest > 0) this.#cadences.set(cadence, rest)
    else this.#cadences.delete(cadence)
    this.#fastest = Math.min(MOST_CADENCE, ...this.#cadences.keys())
  }

  /** Takes an answer in, unless it is the one at hand. Returns whether it is new. */
  take({ answer, chains }: StreamAnswer): boolean {
    this.failure = undefined
    const [chain] = chains
    this.movedAt = chain && chain.asOf + 1000 * chain.delay
    if (answer.version === this.version && this.body !== undefined) return false
    const root = JSON.parse(new TextDecoder().decode(answer.body))
    this.version = answer.version
    this.body = new AnswerBody(root, spotOf(root) ?? chain?.spot)
    this.asOf = momentOf(root) ?? chain?.asOf ?? 0
    this.seq++
    return true
  }
}

type Root = Readonly<Record<string, unknown>> | null

const spotOf = (root: Root) => {
  const spot = root?.['underlying_price']
  return typeof spot === 'number' ? spot : undefined
}

/** The moment an answer describes, by the names that answers give it. */
function momentOf(root: Root): Instant | undefined {
  const text = root?.['as_of'] ?? root?.['lastUpdate']
  const moment = typeof text === 'string' ? Date.parse(text) : Number.NaN
  return Number.isFinite(moment) ? moment : undefined
}
