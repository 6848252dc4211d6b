import { apiError } from '../../api/error.ts'
import { andThen, type MaybePromise } from '../../api/maybe-promise.ts'
import { recordedClose } from '../../archive/closing.ts'
import { RETRY_WHEN_ABSENT } from '../../facts/freshness.ts'
import { session as sessionOf } from '../../market/calendar.ts'
import type { Dividend } from '../../market/dividend.ts'
import { parentOfRoot } from '../../market/security.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import type { RateCurve } from '../../pricing/assumptions.ts'
import { HeldChain } from '../../pricing/held-chain.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import type { Engine } from '../../workers/engine.ts'
import { Cell } from '../cell.ts'
import { Cells } from '../cells.ts'
import type { MarketEventBus, PastArchive } from '../market-events.ts'

/** A symbol's chain at the close of one past session. */
interface Closing {
  readonly name: string
  readonly symbol: Ticker
  readonly cell: Cell<PricedChain | undefined>
  readonly held: HeldChain
  /** Whether the chain was priced while rates or dividends were still being read. */
  pricedEarly: boolean
}

/** Maximum number of closing chains kept per symbol: the previous close, and a few earlier ones for comparisons. */
const MAX_SESSIONS = 4
/** Maximum number of contracts in all closing chains together, some 200 bytes each. */
const MAX_CONTRACTS = 2_000_000

interface Options {
  readonly engine: Pick<Engine, 'run' | 'forget'>
  /** Read first: a recorded close takes precedence over one that the source provides now. */
  readonly archive?: Pick<PastArchive, 'closingSnapshot'> | undefined
  readonly dividends: (symbol: Ticker) => MaybePromise<readonly Dividend[]>
  readonly rates: (session: IsoDate) => MaybePromise<RateCurve | undefined>
  readonly isAwaited: (symbol: Ticker, session: IsoDate) => boolean
  readonly events: MarketEventBus
  readonly marketNow: () => Instant
  readonly wallNow: () => Instant
}

/** Closing chains of recently requested past sessions, each loaded once. */
export class Closings {
  readonly #options: Options
  readonly #cells: Cells<string, Closing>
  #contracts = 0

  constructor(options: Options) {
    this.#options = options
    const onDrop = ({ held }: Closing) => {
      this.#contracts -= held.chain?.size ?? 0
      held.replace(undefined)
    }
    this.#cells = new Cells({ make: (name: string) => this.#make(name), onDrop, wallNow: options.wallNow })
  }

  /**
   * Closing chain of a symbol; for a weekly root, its part of the index's chain. Undefined if it is not available or
   * the session is not over.
   */
  of(root: Ticker, session: IsoDate): MaybePromise<PricedChain | undefined> {
    const close = sessionOf(session)?.close
    if (close === undefined || close > this.#options.marketNow()) return undefined
    const symbol = parentOfRoot(root) ?? root
    const { cell, held, pricedEarly } = this.#cells.get(`${symbol} ${session}`)
    const anew = pricedEarly && !this.#options.isAwaited(symbol, session)
    return andThen(cell.read({ anew }), (chain) =>
      chain === undefined || symbol === root ? chain : held.partOf(chain, root)
    )
  }

  dropIdle(): void {
    this.#cells.dropIdle()
  }

  drop(symbol: Ticker): void {
    this.#cells.dropAll((closing) => closing.symbol === symbol)
  }

  #make(name: string): Closing {
    const { engine, wallNow } = this.#options
    const [symbol, session] = name.split(' ') as [Ticker, IsoDate]
    this.#makeRoom(symbol)
    const held = new HeldChain((chain) => engine.forget(chain))
    const load = async () => {
      const chain = await this.#load(closing, session)
      this.#hold(closing, chain)
      // A past close, once found, does not change.
      return { value: chain, goodFor: chain === undefined ? RETRY_WHEN_ABSENT : Number.POSITIVE_INFINITY }
    }
    const closing: Closing = { name, symbol, held, cell: new Cell({ load, wallNow }), pricedEarly: false }
    return closing
  }

  async #load(closing: Closing, session: IsoDate): Promise<PricedChain | undefined> {
    const { engine, events } = this.#options
    const { symbol } = closing
    const recorded = await this.#recorded(closing, session)
    if (recorded !== undefined) return recorded
    try {
      const chain = await engine.run('loadClosingChain', { symbol, session, ...(await this.#known(closing, session)) })
      if (chain !== undefined) events.emit('closeLearned', chain)
      return chain
    } catch {
      throw apiError(
        'source_unavailable',
        `the close of ${symbol} on ${session} cannot be loaded: the data source does not answer; try again shortly`
      )
    }
  }

  /** Loads dividends and rates to price the closing chain with. */
  async #known(closing: Closing, session: IsoDate) {
    const { dividends, rates, isAwaited } = this.#options
    const { symbol } = closing
    const known = { dividends: await dividends(symbol), rates: await rates(session) }
    closing.pricedEarly = isAwaited(symbol, session)
    return known
  }

  /**
   * Loads the recorded closing chain. A recording that ended before the close counts as missing, as does an archive
   * that fails.
   */
  async #recorded(closing: Closing, session: IsoDate): Promise<PricedChain | undefined> {
    const { archive, engine } = this.#options
    try {
      const snapshot = archive && (await recordedClose(archive, closing.symbol, session))
      return snapshot && (await engine.run('restoreChain', { snapshot, ...(await this.#known(closing, session)) }))
    } catch {
      return undefined
    }
  }

  /**
   * Keeps a loaded closing chain, and drops the longest unused ones to make room. If the entry was dropped while
   * loading, only its waiting callers get the chain.
   */
  #hold(closing: Closing, chain: PricedChain | undefined): void {
    if (!this.#cells.holds(closing.name, closing)) {
      if (chain !== undefined) this.#options.engine.forget(chain)
      return
    }
    this.#contracts += (chain?.size ?? 0) - (closing.held.chain?.size ?? 0)
    closing.held.replace(chain)
    while (this.#contracts > MAX_CONTRACTS && this.#cells.dropLongestIdle((other) => other !== closing, true));
  }

  /** Drops the longest unused closing chain of a symbol that has as many as allowed. */
  #makeRoom(symbol: Ticker): void {
    const isOfSymbol = (closing: Closing) => closing.symbol === symbol
    let sessions = [...this.#cells.values()].filter(isOfSymbol).length
    while (sessions-- >= MAX_SESSIONS) this.#cells.dropLongestIdle(isOfSymbol, true)
  }
}
