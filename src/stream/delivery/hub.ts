import { readsTapes } from '../../api/inputs/inputs.ts'
import type { MarketSource } from '../../api/market-source.ts'
import type { Entitlement } from '../../api/plan.ts'
import { STREAM_GAP } from '../../facts/freshness.ts'
import { isMarketOpen } from '../../market/clock.ts'
import { easternDate } from '../../market/eastern.ts'
import { parentOfRoot } from '../../market/security.ts'
import type { Ticker } from '../../market/units.ts'
import type { ResolvedMetric } from '../catalog/metric-id.ts'
import { readParams, type StreamQuery, WHOLE_MARKET } from '../catalog/query.ts'
import { CommandError } from '../protocol/command-error.ts'
import { MAX_CADENCE, MIN_CADENCE, STALE_AFTER } from '../protocol/limits.ts'
import type { AnswerSource, StreamAnswer } from './answer-source.ts'
import type { Metric, MetricListener } from './metric.ts'
import { QueryFeed } from './query-feed.ts'
import type { TimerQueue } from './timer-queue.ts'

export interface HubOptions {
  readonly answers: AnswerSource
  readonly source: MarketSource
  readonly timers: TimerQueue
  readonly onError: (error: unknown) => void
  /** Called when the data of a symbol stops arriving during a session, and when it arrives again. */
  readonly onStaleChange?: (symbol: string, stale: boolean) => void
}

/**
 * Possible maximum ages of a requested response, milliseconds. Only these few are used, because the market source keeps
 * a record for each.
 */
const answerAges = [MAX_CADENCE, 30_000, 15_000, 5000, 2000, 1000, 500, 250, MIN_CADENCE]
/**
 * Entitlements of every streaming bundle. Bundles are sold separately from plans and include the full chain and
 * same-day expirations.
 */
export const openToBundles: readonly Entitlement[] = ['full_chain', 'same_day']
/** Maximum number of first requests that run at once. A first request may have to load its symbol, which is slow. */
const MAX_FIRST_REQUESTS = 8

/**
 * Keeps the feeds of all subscriptions up to date. A query is requested once for all its subscriptions: each time the
 * market moves, and at the fastest cadence among them.
 */
export class Hub {
  readonly #options: HubOptions
  readonly #feeds = new Map<string, QueryFeed>()
  readonly #bySymbol = new Map<string, Set<QueryFeed>>()
  readonly #staleSymbols = new Set<string>()
  /** Feeds whose first request waits because too many are running. */
  readonly #firstQueue: QueryFeed[] = []
  #firstRequests = 0
  /** Highest `seq` of all ended feeds. New feeds count on from it, because `seq` of a query must never go back. */
  #lastSeq = 0

  constructor(options: HubOptions) {
    this.#options = options
  }

  get feeds(): number {
    return this.#feeds.size
  }

  /** Adds a listener to a metric of a query. A metric exists as long as it has listeners. */
  listen(resolved: ResolvedMetric, query: StreamQuery, cadence: number, listener: MetricListener): Metric {
    let feed = this.#feeds.get(query.key)
    if (feed === undefined) {
      feed = new QueryFeed(query, this.#lastSeq)
      this.#feeds.set(query.key, feed)
      const symbol = parentSymbol(query.symbol)
      const sharing = this.#bySymbol.get(symbol)
      if (sharing === undefined) this.#bySymbol.set(symbol, new Set([feed]))
      else sharing.add(feed)
    }
    const metric = feed.metric(resolved)
    metric.listeners.add(listener)
    feed.addCadence(cadence)
    metric.read()
    feed.stale = this.isStale(feed)
    if (feed.body === undefined && !feed.isPending) this.#request(feed)
    this.#scheduleNext(feed)
    return metric
  }

  find({ id }: ResolvedMetric, { key }: StreamQuery): Metric | undefined {
    return this.#feeds.get(key)?.metrics.get(id)
  }

  removeListener(metric: Metric, cadence: number, listener: MetricListener): void {
    const { feed } = metric
    metric.listeners.delete(listener)
    feed.removeCadence(cadence)
    if (metric.listeners.size === 0) feed.metrics.delete(metric.resolved.id)
    if (!feed.isIdle) return
    const { key, symbol } = feed.query
    this.#lastSeq = Math.max(this.#lastSeq, feed.seq)
    this.#feeds.delete(key)
    const sharing = this.#bySymbol.get(parentSymbol(symbol))!
    sharing.delete(feed)
    if (sharing.size > 0) return
    this.#bySymbol.delete(parentSymbol(symbol))
    this.#staleSymbols.delete(symbol)
  }

  changeCadence({ feed }: Metric, from: number, to: number): void {
    feed.addCadence(to)
    feed.removeCadence(from)
    this.#scheduleNext(feed)
  }

  /** Requests all queries about a symbol again, because the market has newer data. */
  changed(symbol: string): void {
    for (const feed of this.#bySymbol.get(symbol) ?? []) this.#refreshSoon(feed)
  }

  /** Requests the queries about a symbol that depend on prints. */
  tapeMoved(symbol: string): void {
    for (const feed of this.#bySymbol.get(symbol) ?? []) {
      if (readsTapes(feed.query.operation.endpoint.needs)) this.#refreshSoon(feed)
    }
  }

  /** Resolves when the first request of a feed has succeeded or failed; undefined if that has already happened. */
  firstAnswer(feed: QueryFeed): Promise<void> | undefined {
    if (feed.body !== undefined || (feed.failure !== undefined && !feed.isPending)) return undefined
    return new Promise((resolve) => feed.firstAnswerCallbacks.push(resolve))
  }

  /** Whether the source does not know the symbol of a feed. */
  hasUnknownSymbol({ query: { symbol } }: QueryFeed): boolean {
    if (symbol === WHOLE_MARKET) return false
    try {
      const chain = this.#options.source.chain(symbol as Ticker, MAX_CADENCE)
      if (chain instanceof Promise) chain.catch(() => {}) // the request of the feed reports the failure
      return chain === undefined
    } catch {
      return false // the source cannot say at the moment
    }
  }

  paramsError(query: StreamQuery): CommandError | undefined {
    const read = readParams(query, easternDate(this.#options.source.now()))
    return read instanceof CommandError ? read : undefined
  }

  /** Whether the market is closed, or the data of a feed is too old. */
  isStale({ publishedAt, fastest }: QueryFeed): boolean {
    const now = this.#options.source.now()
    return !isMarketOpen(now) || (publishedAt !== undefined && now - publishedAt > STALE_AFTER + fastest)
  }

  /**
   * Schedules a request of a feed soon: half its fastest cadence after its last request, or `STREAM_GAP` after it if
   * that is shorter.
   */
  #refreshSoon(feed: QueryFeed): void {
    const gap = Math.min(STREAM_GAP, Math.max(MIN_CADENCE, feed.fastest) / 2)
    this.#refreshAt(feed, feed.requestedAt + gap)
  }

  /**
   * Schedules a feed's next request. The time between requests is the fastest cadence among the feed's subscriptions.
   */
  #scheduleNext(feed: QueryFeed): void {
    const from = feed.isPending ? this.#options.timers.now() : feed.requestedAt
    this.#refreshAt(feed, from + Math.max(MIN_CADENCE, feed.fastest))
  }

  /**
   * Schedules a feed's next request unless an earlier one is scheduled. The timer of a replaced schedule does nothing.
   */
  #refreshAt(feed: QueryFeed, wanted: number): void {
    const { timers } = this.#options
    const at = Math.max(wanted, timers.now())
    if (at >= feed.refreshAt) return
    feed.refreshAt = at
    timers.schedule(at, () => {
      if (feed.refreshAt !== at || feed.isIdle) return
      feed.refreshAt = Number.POSITIVE_INFINITY
      this.#request(feed)
      this.#scheduleNext(feed)
    })
  }

  #request(feed: QueryFeed): void {
    if (feed.isPending) {
      feed.refreshAgain = true
      return
    }
    const isFirst = feed.body === undefined
    if (isFirst && this.#firstRequests >= MAX_FIRST_REQUESTS) {
      feed.isPending = true
      this.#firstQueue.push(feed)
      return
    }
    const { answers, source, timers } = this.#options
    feed.requestedAt = timers.now()
    try {
      const params = this.#paramsOf(feed)
      // The first request accepts any cached response, however old, and is followed by a request for one of the right
      // age.
      const maxAge = isFirst ? MAX_CADENCE : (answerAges.find((age) => age <= feed.fastest) ?? MIN_CADENCE)
      const request = { source, maxAge, keyless: false }
      const { endpoint } = feed.query.operation
      const caller = endpoint.varies.filter((entitlement) => openToBundles.includes(entitlement))
      const ready = answers.ready(endpoint, params, request, caller)
      if (ready !== undefined) {
        this.#take(feed, ready)
        return
      }
      feed.isPending = true
      if (isFirst) this.#firstRequests++
      answers
        .load(endpoint, params, request, caller)
        .then(
          (answer) => this.#take(feed, answer),
          (error: Error) => this.#fail(feed, error)
        )
        .catch(this.#options.onError)
        .finally(() => this.#answered(feed, isFirst))
    } catch (error) {
      this.#fail(feed, error as Error)
    }
  }

  #answered(feed: QueryFeed, wasFirst: boolean): void {
    feed.isPending = false
    if (feed.refreshAgain && !feed.isIdle) this.#refreshSoon(feed)
    feed.refreshAgain = false
    if (!wasFirst) return
    this.#firstRequests--
    while (this.#firstRequests < MAX_FIRST_REQUESTS && this.#firstQueue.length > 0) {
      const next = this.#firstQueue.shift()!
      next.isPending = false
      if (!next.isIdle) this.#request(next)
    }
  }

  #paramsOf(feed: QueryFeed): Readonly<Record<string, unknown>> {
    const today = easternDate(this.#options.source.now())
    if (feed.params === undefined || feed.paramsDate !== today) {
      const read = readParams(feed.query, today)
      if (read instanceof CommandError) throw new Error(read.message)
      feed.params = read
      feed.paramsDate = today
    }
    return feed.params
  }

  #take(feed: QueryFeed, answer: StreamAnswer): void {
    const isFirst = feed.body === undefined
    const isNew = feed.take(answer)
    feed.stale = this.isStale(feed)
    this.#reportStaleness(feed, isNew)
    if (isNew) {
      for (const metric of feed.metrics.values()) {
        metric.read()
        for (const listener of metric.listeners) listener.valueChanged()
      }
    }
    for (const resolve of feed.firstAnswerCallbacks.splice(0)) resolve()
    if (isFirst) this.#refreshSoon(feed)
  }

  #fail(feed: QueryFeed, error: Error): void {
    feed.failure = error
    feed.stale = this.isStale(feed)
    if (feed.body !== undefined) this.#reportStaleness(feed, false)
    for (const resolve of feed.firstAnswerCallbacks.splice(0)) resolve()
  }

  /** Reports when the data of a symbol stops arriving during a session, and when it arrives again. */
  #reportStaleness(feed: QueryFeed, isNew: boolean): void {
    const { source, onStaleChange } = this.#options
    const { symbol } = feed.query
    const now = source.now()
    if (feed.publishedAt === undefined || !isMarketOpen(now)) return
    const wasStale = this.#staleSymbols.has(symbol)
    // Feeds of one symbol may have different cadences, so their limits of staleness differ. Between the limits nothing
    // is reported, or the feeds would contradict each other.
    if (!wasStale && feed.stale) this.#staleSymbols.add(symbol)
    else if (wasStale && isNew && now - feed.publishedAt <= STALE_AFTER) this.#staleSymbols.delete(symbol)
    else return
    onStaleChange?.(symbol, !wasStale)
  }
}

/** Symbol whose chain is used. A weekly root such as SPXW belongs to the chain of its index. */
const parentSymbol = (symbol: string) => parentOfRoot(symbol as Ticker) ?? symbol
