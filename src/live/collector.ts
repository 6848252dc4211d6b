import type { MaybePromise } from '../api/maybe-promise.ts'
import { SourceError } from '../connectors/port/source-error.ts'
import type { Instant, Ticker } from '../market/units.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import { chainParts, shelvedBytes } from '../shelf/chain-bytes.ts'
import {
  chainKey,
  KEPT_DAYS,
  listKey,
  type MemberRequest,
  type News,
  SOURCE_KEY,
  type SourceFailure
} from '../shelf/messages.ts'
import type { Shelf } from '../shelf/shelf.ts'
import type { Engine } from '../workers/engine.ts'
import type { LoadedChain } from './held-catalogue.ts'
import type { MarketEventBus } from './market-events.ts'

export interface CollectorOptions {
  readonly shelf: Shelf
  readonly engine: Pick<Engine, 'run' | 'lend'>
  readonly market: {
    chain(symbol: Ticker, maxAge: number): MaybePromise<PricedChain | undefined>
    observed(symbol: Ticker): { readonly chain: PricedChain; readonly observedAt: Instant } | undefined
    loaded(): Iterable<LoadedChain>
  }
  readonly events: MarketEventBus
  /** Description of the source, as it lies on the shelf. */
  readonly description: Uint8Array
  /** The newest moment that the source can describe now. */
  readonly latest: () => Instant
  readonly wallNow: () => Instant
  /** Called if something could not be put although the shelf can be reached. */
  readonly onError: (error: unknown) => void
}

const BEAT_EVERY = 1000
/** Beats between two times that the description is put again, in case it was lost alone. */
const DESCRIBED_EVERY = 30
/** Milliseconds after which a contract list is put again. */
const LIST_SERVES = 3_600_000

/**
 * Puts the chains of the live market on the shelf, and loads what members that serve ask for. It is told nothing twice
 * and remembers nothing of others: whatever the shelf loses it puts there again.
 */
export class Collector {
  readonly #options: CollectorOptions
  readonly #puts = new Map<Ticker, Promise<void>>()
  /** Chains that lie on the shelf, each with the number of times that the shelf was reached anew before. */
  readonly #shown = new WeakMap<PricedChain, number>()
  #reached = 0
  /** When each contract list was put last. */
  #lists = new Map<string, Instant>()
  readonly #answering = new Set<string>()
  #beats = 0
  #timer: NodeJS.Timeout | undefined
  #stopListening = () => {}

  constructor(options: CollectorOptions) {
    this.#options = options
  }

  start(): void {
    const { shelf, events } = this.#options
    events.on('chainSwapped', ({ symbol }) => void this.#put(symbol))
    this.#stopListening = shelf.listen('requests', (text) => this.#take(JSON.parse(text)))
    shelf.onUp(() => this.#putAll())
    this.#timer = setInterval(() => this.#beat(), BEAT_EVERY).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#stopListening()
  }

  /** Puts everything: the shelf can be reached again and may have lost what it had. */
  #putAll(): void {
    this.#reached++
    this.#lists = new Map()
    this.#describe()
    for (const { chain } of this.#options.market.loaded()) void this.#put(chain.symbol)
  }

  #describe(): void {
    const { shelf, description } = this.#options
    shelf.put(SOURCE_KEY, description, KEPT_DAYS).catch(() => {})
  }

  #beat(): void {
    this.#tell({ kind: 'beat', latest: this.#options.latest() })
    if (++this.#beats % DESCRIBED_EVERY === 0) this.#describe()
  }

  #tell(news: News): void {
    this.#options.shelf.tell('news', JSON.stringify(news)).catch(() => {}) // members ask for what they miss
  }

  /** Puts the current chain of a symbol, after one that is being put. With `again` also if it should be there already. */
  #put(symbol: Ticker, again = false): Promise<void> {
    const { shelf, onError } = this.#options
    const before = this.#puts.get(symbol) ?? Promise.resolve()
    const put = before
      .then(() => this.#putNow(symbol, again))
      .catch((error) => {
        if (shelf.isUp) onError(error)
      })
    this.#puts.set(symbol, put)
    return put.finally(() => {
      if (this.#puts.get(symbol) === put) this.#puts.delete(symbol)
    })
  }

  async #putNow(symbol: Ticker, again: boolean): Promise<void> {
    const { shelf, engine, market, wallNow } = this.#options
    const found = market.observed(symbol)
    if (found === undefined || !shelf.isUp) return
    const { chain, observedAt } = found
    const reached = this.#reached
    if (this.#shown.get(chain) === reached && !again) return
    const release = engine.lend(chain)
    const parts = chainParts(await engine.run('packShelved', { chain, observedAt }).finally(release))
    const { list } = parts.head
    if (again || wallNow() - (this.#lists.get(list) ?? Number.NEGATIVE_INFINITY) > LIST_SERVES) {
      await shelf.put(listKey(list), parts.list, KEPT_DAYS)
      this.#lists.set(list, wallNow())
    }
    const value = shelvedBytes({ ...parts, list: new Uint8Array(0) })
    const news: News = { kind: 'newer', symbol, asOf: chain.asOf, observedAt, at: wallNow() }
    await shelf.put(chainKey(symbol), value, KEPT_DAYS, { on: 'news', text: JSON.stringify(news) })
    this.#shown.set(chain, reached)
  }

  #take(request: MemberRequest): void {
    if (request.kind === 'demand') {
      for (const [symbol, age] of request.chains) void this.#load(symbol, age).catch(() => {})
      return
    }
    const key = request.kind === 'chain' ? chainKey(request.symbol) : request.key
    if (this.#answering.has(key)) return
    this.#answering.add(key)
    const answering =
      request.kind === 'chain' ? this.#answerChain(request.symbol, request.age) : this.#answerAsked(request)
    answering
      .then((answer) => answer && this.#tell({ kind: 'answered', key, ...answer }))
      .finally(() => this.#answering.delete(key))
  }

  async #load(symbol: Ticker, age: number): Promise<PricedChain | undefined> {
    return this.#options.market.chain(symbol, age)
  }

  /** Undefined while the chain is still being loaded: members ask for it again. */
  async #answerChain(symbol: Ticker, age: number): Promise<Omit<Answered, 'kind' | 'key'> | undefined> {
    try {
      const chain = await this.#load(symbol, age)
      if (chain === undefined) return { unknown: true }
      await this.#put(symbol, true)
      return {}
    } catch (error) {
      return isLoading(error) ? undefined : { failure: failureOf(error, `${symbol} cannot be loaded: `) }
    }
  }

  async #answerAsked({
    call,
    args
  }: Extract<MemberRequest, { kind: 'asked' }>): Promise<Omit<Answered, 'kind' | 'key'>> {
    try {
      await this.#options.engine.run('askSource', { call, args })
      return {}
    } catch (error) {
      return { failure: failureOf(error, '') }
    }
  }
}

type Answered = Extract<News, { readonly kind: 'answered' }>

const isLoading = (error: unknown) => (error as { readonly code?: string }).code === 'data_loading'

/** A failure in words; `prefix` is left out, since each member puts it there itself. */
function failureOf(error: unknown, prefix: string): SourceFailure {
  const { message } = error as Error
  const text = message.startsWith(prefix) ? message.slice(prefix.length) : message
  return error instanceof SourceError
    ? { fault: error.fault, message: text, retryAfter: error.retryAfter }
    : { fault: 'unavailable', message: text }
}
