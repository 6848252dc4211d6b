import { latestSession } from '../../../market/calendar.ts'
import type { Instant, Ticker } from '../../../market/units.ts'
import type { FrameListener } from '../../port/capture/capture.ts'
import type { VendorFields } from '../../port/http/vendor-fields.ts'
import type { PrintFeed, PrintSink, TapeMessage } from '../../port/prints/print-feed.ts'
import { SourceError } from '../../port/source-error.ts'
import type { Reconnecting } from '../../port/streams/keep-connected.ts'
import { keepConnected, usualPauses } from '../../port/streams/keep-connected.ts'
import type { StreamBudget } from '../../port/streams/stream-budget.ts'
import { type DxlinkConnection, type DxlinkLimits, followDxlink } from '../dxlink/dxlink-connection.ts'
import { dxlinkReader, figureIn } from '../dxlink/dxlink-events.ts'
import { nearestContracts, streamSymbol, type TastytradeContract } from '../tastytrade-contracts.ts'
import type { TastytradeRest } from '../tastytrade-rest.ts'
import { ListingRetries } from './listing-retries.ts'
import { saleFields, TastytradeSales } from './tastytrade-sales.ts'

/** Timeouts and intervals, milliseconds. */
export interface TastytradePrintLimits extends Reconnecting {
  /** Milliseconds between two checks of which symbols are requested. */
  readonly update: number
  /**
   * Pause before a failed contract listing is retried, milliseconds. It doubles with each further failure, up to
   * `longestRetry`.
   */
  readonly firstRetry: number
  readonly longestRetry: number
}

export const usualTastytradePrints: TastytradePrintLimits = {
  ...usualPauses,
  update: 500,
  firstRetry: 5000,
  longestRetry: 600_000
}

export interface TastytradePrintOptions {
  readonly rest: TastytradeRest
  /** Limit on the number of streamed contracts, for all symbols together. */
  readonly budget: StreamBudget
  readonly link: DxlinkLimits
  readonly onFrame?: FrameListener | undefined
  readonly limits: TastytradePrintLimits
}

/** Event fields with the price of an underlying. It is needed to choose the contracts with the nearest strikes. */
const priceFields = ['Trade', ['eventSymbol', 'price']] as const

/** The contracts of one symbol whose prints are streamed. */
interface Followed {
  readonly contracts: ReadonlyMap<string, TastytradeContract>
  /** Maximum number of contracts for which they were chosen; `spot` is the spot at that time. */
  readonly most: number
  readonly spot: number
}

/** Relative move of the spot after which the contracts are chosen again. */
const MOVED = 0.01

/**
 * Print feed of the contracts whose strikes are nearest to the spot of each requested symbol. The vendor has no past
 * prints, so gaps are never filled.
 */
export function createPrintFeed(options: TastytradePrintOptions): PrintFeed {
  const { rest, budget, link: linkLimits, onFrame: onRaw, limits } = options
  const fields = new Map([...saleFields, priceFields])
  // Known sales and the start of a gap are kept when a run fails, so that the next run reports the gap and recognizes
  // repeated sales.
  const sales = new TastytradeSales()
  let receivedUntil: Instant | undefined
  return {
    delay: 0,
    stocks: false,

    async run(wanted, sink, signal, now) {
      receivedUntil ??= now()
      const retries = new ListingRetries(limits.firstRetry, limits.longestRetry)
      const connect = async (succeeded: () => void) => {
        const ended = new AbortController()
        const either = AbortSignal.any([signal, ended.signal])
        const following = new Following({ rest, budget, sink, now, sales, retries }, either)
        const updating = setInterval(() => following.update(wanted()), limits.update)
        try {
          const access = await rest.streamAccess(signal)
          await followDxlink(
            {
              access,
              limits: linkLimits,
              fields,
              onRaw,
              onOpen(link) {
                sink.state({ until: now(), missed: [receivedUntil!, now()] })
                receivedUntil = now()
                following.begin(link)
                following.update(wanted())
              },
              onEvents(type, events) {
                const batch: TapeMessage[] = []
                for (const event of events) following.take(type, event, batch)
                succeeded() // the connection counts as a success only after its events were processed
                if (batch.length > 0) sink.messages(batch)
                receivedUntil = now()
                sink.state({ until: receivedUntil })
              }
            },
            signal
          )
        } catch (error) {
          if (error instanceof SourceError && error.fault === 'refused') rest.forgetAccess()
          if (!signal.aborted) throw error
        } finally {
          clearInterval(updating)
          ended.abort()
        }
      }
      await keepConnected(connect, { pauses: limits, onInterrupted: sink.interrupted }, signal)
    }
  }
}

interface FollowingOptions {
  readonly rest: TastytradeRest
  readonly budget: StreamBudget
  readonly sink: PrintSink
  readonly now: () => Instant
  /** Known sales, kept across connections, because a new connection repeats and corrects earlier sales. */
  readonly sales: TastytradeSales
  readonly retries: ListingRetries
}

/** Decides during one connection which contracts are streamed, and converts their events. */
class Following {
  readonly #options: FollowingOptions
  readonly #signal: AbortSignal
  #link: DxlinkConnection | undefined
  #wanted: readonly Ticker[] = []
  /** Requested symbols for whose contracts the budget has no room. */
  #without: ReadonlySet<Ticker> = new Set()
  readonly #prices = new Map<Ticker, number>()
  readonly #followed = new Map<Ticker, Followed>()
  readonly #asked = new Set<Ticker>()

  constructor(options: FollowingOptions, signal: AbortSignal) {
    this.#options = options
    this.#signal = signal
  }

  begin(link: DxlinkConnection): void {
    this.#link = link
  }

  /** Starts streaming newly requested symbols and stops streaming the others. */
  update(wanted: readonly Ticker[]): void {
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
        // Reported once per symbol, not at every check.
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

  /**
   * Converts an event to messages and adds them to `batch`. An unreadable event is reported and does not end the
   * connection.
   */
  take(type: string, event: VendorFields, batch: TapeMessage[]): void {
    try {
      this.#read(type, event, batch)
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      this.#options.sink.refused(error.message)
    }
  }

  #read(type: string, event: VendorFields, batch: TapeMessage[]): void {
    const name = dxlinkReader.text(event, 'eventSymbol')
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

  /**
   * Subscribes to the contracts of a symbol whose strikes are nearest to the spot. Earlier contracts stay subscribed
   * until the new ones are known.
   */
  async #follow(symbol: Ticker, most: number, spot: number, link: DxlinkConnection): Promise<void> {
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
      const before = this.#followed.get(symbol)?.contracts ?? new Map<string, TastytradeContract>()
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

  #leave(symbol: Ticker, link: DxlinkConnection): void {
    link.unsubscribe([{ type: priceFields[0], symbol: streamSymbol(symbol) }])
    this.#unfollow(symbol, link)
    this.#prices.delete(symbol)
  }

  #unfollow(symbol: Ticker, link: DxlinkConnection): void {
    link.unsubscribe(salesOf([...(this.#followed.get(symbol)?.contracts.keys() ?? [])]))
    this.#followed.delete(symbol)
  }
}

const salesOf = (names: readonly string[]) => names.map((symbol) => ({ type: 'TimeAndSale', symbol }))
