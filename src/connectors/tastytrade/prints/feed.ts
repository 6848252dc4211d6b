import { latestSession } from '../../../market/calendar.ts'
import type { Instant, Ticker } from '../../../market/units.ts'
import type { FrameListener } from '../../port/capture/capture.ts'
import type { Fields } from '../../port/http/vendor-fields.ts'
import type { PrintFeed, PrintSink, TapeMessage } from '../../port/prints/print-feed.ts'
import { SourceError } from '../../port/source-error.ts'
import { keepConnected, type Reconnecting, usualPauses } from '../../port/streams/keep-connected.ts'
import type { StreamBudget } from '../../port/streams/stream-budget.ts'
import { type Contract, nearestContracts } from '../contracts.ts'
import { followLink, type Link, type LinkLimits } from '../dxlink/connection.ts'
import { figureIn, reader } from '../dxlink/events.ts'
import type { Rest } from '../rest.ts'
import { streamSymbol } from '../symbols.ts'
import { Retries } from './retries.ts'
import { Sales, saleFields } from './sale.ts'

/** Milliseconds. */
export interface PrintLimits extends Reconnecting {
  /** How often the symbols that are wanted are looked at. */
  readonly look: number
  /** Before contracts that could not be listed are asked for again: after the first failure, and at the longest. */
  readonly firstRetry: number
  readonly longestRetry: number
}

export const usualPrints: PrintLimits = {
  ...usualPauses,
  look: 500,
  firstRetry: 5000,
  longestRetry: 600_000
}

export interface PrintFeedOptions {
  readonly rest: Rest
  /** Contracts that are subscribed to at once, of all symbols together. */
  readonly budget: StreamBudget
  readonly link: LinkLimits
  readonly onFrame?: FrameListener | undefined
  readonly limits: PrintLimits
}

/** The price of an underlying, by which its nearest contracts are chosen. */
const priceFields = ['Trade', ['eventSymbol', 'price']] as const

/** A symbol that is followed. */
interface Followed {
  /** By their names in the stream. */
  readonly contracts: ReadonlyMap<string, Contract>
  /** How many there may be, and the price that they are nearest to. */
  readonly most: number
  readonly spot: number
}

/** When the spot has moved so far, as a fraction, others are the nearest contracts. */
const MOVED = 0.01

/** The prints of the contracts nearest to the spot of each wanted symbol. The vendor has no past to close a gap with. */
export function createPrintFeed(options: PrintFeedOptions): PrintFeed {
  const { rest, budget, link: linkLimits, onFrame: onRaw, limits } = options
  const fields = new Map([...saleFields, priceFields])
  // Both outlive a run that was refused: what was missed since is told by the next one, and what it is told again is known.
  const sales = new Sales()
  let heardUntil: Instant | undefined
  return {
    delay: 0,
    stocks: false,

    async run(wanted, sink, signal, now) {
      heardUntil ??= now()
      const retries = new Retries(limits.firstRetry, limits.longestRetry)
      const connect = async (heard: () => void) => {
        const ended = new AbortController()
        const either = AbortSignal.any([signal, ended.signal])
        const following = new Following({ rest, budget, sink, now, sales, retries }, either)
        const looking = setInterval(() => following.look(wanted()), limits.look)
        try {
          const access = await rest.streamAccess(signal)
          await followLink(
            {
              access,
              limits: linkLimits,
              fields,
              onRaw,
              onOpen(link) {
                sink.state({ until: now(), missed: [heardUntil!, now()] })
                heardUntil = now()
                following.begin(link)
                following.look(wanted())
              },
              onEvents(type, events) {
                const batch: TapeMessage[] = []
                for (const event of events) following.take(type, event, batch)
                heard() // a success only once its events were taken
                if (batch.length > 0) sink.messages(batch)
                heardUntil = now()
                sink.state({ until: heardUntil })
              }
            },
            signal
          )
        } catch (error) {
          if (error instanceof SourceError && error.fault === 'refused') rest.forgetAccess()
          if (!signal.aborted) throw error
        } finally {
          clearInterval(looking)
          ended.abort()
        }
      }
      await keepConnected(connect, { pauses: limits, onInterrupted: sink.interrupted }, signal)
    }
  }
}

interface FollowingOptions {
  readonly rest: Rest
  readonly budget: StreamBudget
  readonly sink: PrintSink
  readonly now: () => Instant
  /** They outlive a connection: sales are told again by the next one, and corrected there. */
  readonly sales: Sales
  readonly retries: Retries
}

/** What one connection follows. */
class Following {
  readonly #options: FollowingOptions
  readonly #signal: AbortSignal
  #link: Link | undefined
  #wanted: readonly Ticker[] = []
  /** Wanted symbols that there is no room for. */
  #without: ReadonlySet<Ticker> = new Set()
  readonly #prices = new Map<Ticker, number>()
  readonly #followed = new Map<Ticker, Followed>()
  readonly #asked = new Set<Ticker>()

  constructor(options: FollowingOptions, signal: AbortSignal) {
    this.#options = options
    this.#signal = signal
  }

  begin(link: Link): void {
    this.#link = link
  }

  /** Begins to follow what has become wanted, and ends what is not any more. */
  look(wanted: readonly Ticker[]): void {
    const link = this.#link
    if (link === undefined) return
    for (const symbol of this.#wanted) if (!wanted.includes(symbol)) this.#leave(symbol, link)
    const fresh = wanted.filter((symbol) => !this.#wanted.includes(symbol))
    link.subscribe(fresh.map((symbol) => ({ type: priceFields[0], symbol: streamSymbol(symbol) })))
    this.#wanted = [...wanted]
    const { budget, sink } = this.#options
    const { served, each } = budget.share(
      wanted,
      (symbol) => this.#followed.has(symbol),
      (symbol) => {
        // It is told once, and not with every look.
        if (!this.#without.has(symbol)) sink.refused('no room among the streamed contracts', symbol)
      }
    )
    this.#without = new Set(wanted.filter((symbol) => !served.includes(symbol)))
    for (const symbol of this.#without) this.#unfollow(symbol, link)
    for (const symbol of served) {
      const spot = this.#prices.get(symbol)
      const followed = this.#followed.get(symbol)
      const isSame = followed?.most === each && spot !== undefined && Math.abs(spot / followed.spot - 1) < MOVED
      if (spot !== undefined && !isSame) void this.#follow(symbol, each, spot, link)
    }
    budget.subscribed([...this.#followed.values()].reduce((sum, { contracts }) => sum + contracts.size, 0))
  }

  /** Adds the messages of an event. One that cannot be read is refused, and ends nothing. */
  take(type: string, event: Fields, batch: TapeMessage[]): void {
    try {
      this.#read(type, event, batch)
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      this.#options.sink.refused(error.message)
    }
  }

  #read(type: string, event: Fields, batch: TapeMessage[]): void {
    const name = reader.text(event, 'eventSymbol')
    if (type === priceFields[0]) {
      const symbol = this.#wanted.find((wanted) => streamSymbol(wanted) === name)
      const price = figureIn(event, 'price')
      if (symbol !== undefined && price > 0) this.#prices.set(symbol, price)
      return
    }
    if (type !== 'TimeAndSale') return
    for (const [symbol, { contracts }] of this.#followed) {
      const contract = contracts.get(name)
      if (contract === undefined) continue
      const found = this.#options.sales.read(event, symbol, contract.occ)
      if (typeof found === 'string') this.#options.sink.refused(found, symbol)
      else batch.push(found)
    }
  }

  /** Follows the nearest contracts of a symbol; those that were followed before stay until they are replaced. */
  async #follow(symbol: Ticker, most: number, spot: number, link: Link): Promise<void> {
    const { rest, sink, now: clock, retries } = this.#options
    if (this.#asked.has(symbol) || !retries.isDue(symbol, performance.now())) return
    this.#asked.add(symbol)
    try {
      const now = clock()
      const listed = await rest.contracts(symbol, now, this.#signal)
      retries.succeeded(symbol)
      if (!this.#wanted.includes(symbol) || this.#without.has(symbol)) return
      const nearest = nearestContracts(listed, spot, latestSession(now).date, most)
      const contracts = new Map(nearest.map((contract) => [contract.streamer, contract]))
      const before = this.#followed.get(symbol)?.contracts ?? new Map<string, Contract>()
      this.#followed.set(symbol, { contracts, most, spot })
      link.unsubscribe(salesOf([...before.keys()].filter((name) => !contracts.has(name))))
      link.subscribe(salesOf([...contracts.keys()].filter((name) => !before.has(name))))
    } catch (error) {
      if (this.#signal.aborted) return
      const why = error instanceof SourceError ? error.fault : 'error'
      retries.failed(symbol, performance.now())
      sink.refused(`contracts that could not be listed (${why})`, symbol)
    } finally {
      this.#asked.delete(symbol)
    }
  }

  #leave(symbol: Ticker, link: Link): void {
    link.unsubscribe([{ type: priceFields[0], symbol: streamSymbol(symbol) }])
    this.#unfollow(symbol, link)
    this.#prices.delete(symbol)
  }

  #unfollow(symbol: Ticker, link: Link): void {
    link.unsubscribe(salesOf([...(this.#followed.get(symbol)?.contracts.keys() ?? [])]))
    this.#followed.delete(symbol)
  }
}

const salesOf = (names: readonly string[]) => names.map((symbol) => ({ type: 'TimeAndSale', symbol }))
