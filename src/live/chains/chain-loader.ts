import { allResolved, type MaybePromise } from '../../api/maybe-promise.ts'
import { SourceError } from '../../connectors/port/source-error.ts'
import type { Dividend } from '../../market/dividend.ts'
import { easternDate } from '../../market/eastern.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import type { RateCurve } from '../../pricing/assumptions.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import type { Engine } from '../../workers/engine.ts'
import type { PricingContext } from '../../workers/tasks/task.ts'
import type { MarketEventBus } from '../market-events.ts'
import type { LastRecorded } from './last-recorded.ts'
import type { LiveSymbol } from './live-symbol.ts'
import { isOlder, type LoadOutcomes } from './load-outcomes.ts'

export interface ChainLoaderOptions {
  readonly engine: Pick<Engine, 'run'>
  readonly lastRecorded: Pick<LastRecorded, 'toJudgeBy'>
  readonly events: MarketEventBus
  readonly outcomes: LoadOutcomes
  /** Known dividends of a symbol; `rates` are the interest rates. Both are used to price chains. */
  readonly dividends: (symbol: Ticker) => MaybePromise<readonly Dividend[]>
  readonly rates: (session: IsoDate) => MaybePromise<RateCurve | undefined>
  /** Current market time; `wallNow` is the wall clock that ages are measured on. */
  readonly marketNow: () => Instant
  readonly wallNow: () => Instant
  /** Called when the engine was asked for a chain. */
  readonly onAsked: () => void
  /** Called if the source asks for a pause of so many milliseconds. */
  readonly onPause: (milliseconds: number) => void
  /**
   * Called if the source does not know a symbol, with the wall-clock time of the request. Throws if it knew the symbol
   * before; `wasRecorded` tells that it did so before the start.
   */
  readonly onUnknown: (live: LiveSymbol, askedAt: Instant, wasRecorded: boolean) => void
}

/** Loads chains from the source, has the gate judge each, and publishes those that become current. */
export class ChainLoader {
  readonly #options: ChainLoaderOptions

  constructor(options: ChainLoaderOptions) {
    this.#options = options
  }

  /**
   * Loads the chain of a symbol; one of another member may be `maxAge` milliseconds old. Undefined if the source does not
   * know the symbol. Throws if no chain was taken.
   */
  async load(live: LiveSymbol, maxAge?: number): Promise<PricedChain | undefined> {
    const { engine, events, outcomes, lastRecorded, wallNow, marketNow } = this.#options
    const { symbol, held } = live
    live.loadingSince = wallNow()
    const session = easternDate(marketNow())
    const known = allResolved<Required<PricingContext>>({
      dividends: this.#options.dividends(symbol),
      rates: this.#options.rates(session)
    })
    // Avoids awaiting what is ready.
    const { dividends, rates } = known instanceof Promise ? await known : known
    const startedAt = wallNow()
    const now = marketNow()
    const seconds = () => (wallNow() - startedAt) / 1000
    const found = held.chain === undefined ? lastRecorded.toJudgeBy(symbol) : undefined
    const recorded = found && (await found)
    let chain: PricedChain | undefined
    try {
      const judgedBy = { held: held.chain, recorded, ...outcomes.judgedBy(symbol, now) }
      const loading = engine.run('loadChain', { symbol, now, maxAge, ...judgedBy, dividends, rates })
      this.#options.onAsked()
      chain = await loading
    } catch (error) {
      if (error instanceof SourceError && error.retryAfter !== undefined) this.#options.onPause(error.retryAfter)
      live.isFailing ||= !isOlder(error)
      outcomes.failed({ symbol, now, seconds: seconds() }, error as Error)
      throw error
    }
    events.emit('sourceAnswered', { symbol, seconds: seconds(), known: chain !== undefined })
    if (chain === undefined) {
      this.#options.onUnknown(live, startedAt, recorded !== undefined)
      return undefined
    }
    if (live.isFailing) events.emit('sourceBack', { symbol })
    live.isFailing = false
    live.isRestored = false
    if (chain.asOf === live.restoredAt) live.restoredAt = undefined // the source says the same, so it is confirmed
    live.observedAt = chain.observedAt ?? startedAt
    live.askedFor = now
    live.pricedWith = { session, dividends, rates }
    const before = held.chain
    held.replace(chain)
    outcomes.taken({ symbol, now, seconds: seconds() }, before, chain)
    events.emit('chainSwapped', chain)
    return chain
  }
}
