import type { MarketSource } from '../../api/source.ts'
import { isMarketOpen } from '../../market/clock.ts'
import { easternDate } from '../../market/eastern.ts'
import { parentOfRoot } from '../../market/security.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import { CommandError } from '../catalog/command-error.ts'
import { LEAST_CADENCE, MOST_CADENCE, STALE } from '../catalog/limits.ts'
import { readQuery, type StreamQuery, WHOLE_MARKET } from '../catalog/query.ts'
import type { Resolved } from '../catalog/resolve.ts'
import type { AnswerSource, StreamAnswer } from './answer-source.ts'
import { Feed } from './feed.ts'
import type { Listener, Metric } from './metric.ts'
import type { TimerQueue } from './timer-queue.ts'

export interface HubOptions {
  readonly answers: AnswerSource
  readonly source: MarketSource
  readonly timers: TimerQueue
  readonly wallNow: () => Instant
  /** A fault of ours, for the log. */
  readonly onError: (error: unknown) => void
  /** A symbol whose inputs have stopped in session, or move again. */
  readonly onStanding?: (symbol: string, stale: boolean) => void
}

/** How old an answer may be for a cadence: few values, because the market remembers each that was asked for. */
const ages = [MOST_CADENCE, 30_000, 15_000, 5000, 2000, 1000, 500, 250, LEAST_CADENCE]
/** A query is asked no more often than half its fastest cadence, and need not be asked more rarely than this. */
const MAX_GAP = 1000
/** Questions never answered before that may be under way at once: each may be a symbol to load. */
const MAX_COLD = 8

/** All questions somebody listens to, asked once for all of them, again when the market moves and at their cadence. */
export class Hub {
  readonly #options: HubOptions
  readonly #feeds = new Map<string, Feed>()
  readonly #bySymbol = new Map<string, Set<Feed>>()
  readonly #stale = new Set<string>()
  readonly #cold: Feed[] = []
  #coldUnderWay = 0
  /** The highest count that any feed let go had reached: the next feed of its query must not count below it. */
  #lastSeq = 0

  constructor(options: HubOptions) {
    this.#options = options
  }

  get feeds(): number {
    return this.#feeds.size
  }

  /** The metric of a query, for as long as somebody listens to it. */
  listen(resolved: Resolved, query: StreamQuery, cadence: number, listener: Listener): Metric {
    let feed = this.#feeds.get(query.key)
    if (feed === undefined) {
      feed = new Feed(query, this.#lastSeq)
      this.#feeds.set(query.key, feed)
      const symbol = parentSymbol(query.symbol)
      const sharing = this.#bySymbol.get(symbol)
      if (sharing === undefined) this.#bySymbol.set(symbol, new Set([feed]))
      else sharing.add(feed)
    }
    const metric = feed.metric(resolved)
    metric.listeners.add(listener)
    feed.listened(cadence)
    metric.read()
    feed.stale = this.isStale(feed)
    if (feed.body === undefined && !feed.busy) this.#ask(feed)
    this.#schedule(feed)
    return metric
  }

  /** The metric of a query if somebody listens to it. */
  listened({ id }: Resolved, { key }: StreamQuery): Metric | undefined {
    return this.#feeds.get(key)?.metrics.get(id)
  }

  leave(metric: Metric, cadence: number, listener: Listener): void {
    const { feed } = metric
    metric.listeners.delete(listener)
    feed.left(cadence)
    if (metric.listeners.size === 0) feed.metrics.delete(metric.resolved.id)
    if (!feed.isIdle) return
    const { key, symbol } = feed.query
    this.#lastSeq = Math.max(this.#lastSeq, feed.seq)
    this.#feeds.delete(key)
    const sharing = this.#bySymbol.get(parentSymbol(symbol))!
    sharing.delete(feed)
    if (sharing.size > 0) return
    this.#bySymbol.delete(parentSymbol(symbol))
    this.#stale.delete(symbol)
  }

  recadence({ feed }: Metric, from: number, to: number): void {
    feed.listened(to)
    feed.left(from)
    this.#schedule(feed)
  }

  /** Says that the market holds something newer of a symbol. */
  changed(symbol: string): void {
    for (const feed of this.#bySymbol.get(symbol) ?? []) this.#askSoon(feed)
  }

  /** Resolves once the feed was answered or refused for the first time. */
  firstAnswer(feed: Feed): Promise<void> | undefined {
    if (feed.body !== undefined || (feed.failure !== undefined && !feed.busy)) return undefined
    return new Promise((resolve) => feed.waiting.push(resolve))
  }

  /** Whether nothing is known of the symbol of a feed that was refused. */
  isUnknown({ query: { symbol } }: Feed): boolean {
    if (symbol === WHOLE_MARKET) return false
    try {
      const chain = this.#options.source.chain(symbol as Ticker, MOST_CADENCE)
      if (chain instanceof Promise) chain.catch(() => {}) // whoever asks the query meets the failure
      return chain === undefined
    } catch {
      return false // it cannot be told now
    }
  }

  /** What is wrong with the parameters of a query. */
  faultOf(query: StreamQuery): CommandError | undefined {
    const read = readQuery(query, easternDate(this.#options.source.now()))
    return read instanceof CommandError ? read : undefined
  }

  /** Whether a value comes from a closed session, or from inputs that have stopped in an open one. */
  isStale({ movedAt, fastest }: Feed): boolean {
    const now = this.#options.source.now()
    return !isMarketOpen(now) || (movedAt !== undefined && now - movedAt > STALE + fastest)
  }

  /** Asks at once, or as soon as the fastest cadence allows. */
  #askSoon(feed: Feed): void {
    const gap = Math.min(MAX_GAP, Math.max(LEAST_CADENCE, feed.fastest) / 2)
    this.#due(feed, feed.askedAt + gap)
  }

  #schedule(feed: Feed): void {
    const from = feed.busy ? this.#options.wallNow() : feed.askedAt
    this.#due(feed, from + Math.max(LEAST_CADENCE, feed.fastest))
  }

  /** Notes the next query, unless one is due before. What was noted for later finds nothing to do. */
  #due(feed: Feed, wanted: Instant): void {
    const { timers, wallNow } = this.#options
    const at = Math.max(wanted, wallNow())
    if (at >= feed.dueAt) return
    feed.dueAt = at
    timers.schedule(at, () => {
      if (feed.dueAt !== at || feed.isIdle) return
      feed.dueAt = Number.POSITIVE_INFINITY
      this.#ask(feed)
      this.#schedule(feed)
    })
  }

  #ask(feed: Feed): void {
    if (feed.busy) {
      feed.again = true
      return
    }
    const isCold = feed.body === undefined
    if (isCold && this.#coldUnderWay >= MAX_COLD) {
      feed.busy = true
      this.#cold.push(feed)
      return
    }
    const { answers, source, wallNow } = this.#options
    feed.askedAt = wallNow()
    try {
      const params = this.#paramsOf(feed)
      // What is held is a value at once; what the cadence asks for comes after it.
      const maxAge = isCold ? MOST_CADENCE : (ages.find((age) => age <= feed.fastest) ?? LEAST_CADENCE)
      const asking = { source, maxAge, keyless: false }
      const found = answers.find(feed.query.operation.endpoint, params, asking, [])
      if (!(found instanceof Promise)) {
        this.#take(feed, found)
        return
      }
      feed.busy = true
      if (isCold) this.#coldUnderWay++
      found
        .then(
          (snapshot) => this.#take(feed, snapshot),
          (error: Error) => this.#fail(feed, error)
        )
        .catch(this.#options.onError)
        .finally(() => this.#answered(feed, isCold))
    } catch (error) {
      this.#fail(feed, error as Error)
    }
  }

  #answered(feed: Feed, wasCold: boolean): void {
    feed.busy = false
    if (feed.again && !feed.isIdle) this.#askSoon(feed)
    feed.again = false
    if (!wasCold) return
    this.#coldUnderWay--
    while (this.#coldUnderWay < MAX_COLD && this.#cold.length > 0) {
      const next = this.#cold.shift()!
      next.busy = false
      if (!next.isIdle) this.#ask(next)
    }
  }

  #paramsOf(feed: Feed): Readonly<Record<string, unknown>> {
    const today = easternDate(this.#options.source.now())
    if (feed.params === undefined || feed.readOn !== today) {
      const read = readQuery(feed.query, today)
      if (read instanceof CommandError) throw new Error(read.message)
      feed.params = read
      feed.readOn = today
    }
    return feed.params
  }

  #take(feed: Feed, snapshot: StreamAnswer): void {
    const isFirst = feed.body === undefined
    const isNew = feed.take(snapshot)
    feed.stale = this.isStale(feed)
    this.#notice(feed, isNew)
    if (isNew) {
      for (const metric of feed.metrics.values()) {
        metric.read()
        for (const listener of metric.listeners) listener.offer()
      }
    }
    for (const resolve of feed.waiting.splice(0)) resolve()
    if (isFirst) this.#askSoon(feed)
  }

  #fail(feed: Feed, error: Error): void {
    feed.failure = error
    feed.stale = this.isStale(feed)
    if (feed.body !== undefined) this.#notice(feed, false)
    for (const resolve of feed.waiting.splice(0)) resolve()
  }

  /** Tells when the inputs of a symbol stop in session, and when they move again. */
  #notice(feed: Feed, isNew: boolean): void {
    const { source, onStanding } = this.#options
    const { symbol } = feed.query
    const now = source.now()
    if (feed.movedAt === undefined || !isMarketOpen(now)) return
    const stands = this.#stale.has(symbol)
    // Between the two bounds nothing is said, or feeds of one symbol at different cadences would contradict each other.
    if (!stands && feed.stale) this.#stale.add(symbol)
    else if (stands && isNew && now - feed.movedAt <= STALE) this.#stale.delete(symbol)
    else return
    onStanding?.(symbol, !stands)
  }
}

/** Weekly roots are cut from the chain of their index. */
const parentSymbol = (symbol: string) => parentOfRoot(symbol as Ticker) ?? symbol
