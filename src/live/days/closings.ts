import { apiError } from '../../api/error.ts'
import { andThen, type MaybePromise } from '../../api/maybe-promise.ts'
import { recordedClose } from '../../archive/closing.ts'
import { SourceError } from '../../connectors/port/source-error.ts'
import { RETRY_WHEN_ABSENT } from '../../facts/freshness.ts'
import { session as sessionOf } from '../../market/calendar.ts'
import type { Dividend } from '../../market/dividend.ts'
import { easternDate } from '../../market/eastern.ts'
import { parentOfRoot } from '../../market/security.ts'
import { type Split, sharesForOne } from '../../market/split.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import type { RateCurve } from '../../pricing/assumptions.ts'
import { HeldChain } from '../../pricing/held-chain.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import type { Engine } from '../../workers/engine.ts'
import { Cell } from '../cell.ts'
import { Cells } from '../cells.ts'
import { Doubts } from '../chains/doubts.ts'
import type { PricedWith } from '../chains/pricing-knowledge.ts'
import type { MarketEventBus, PastArchive } from '../market-events.ts'

/** The option chain of one symbol at the close of one past session. */
interface Closing {
  readonly name: string
  readonly symbol: Ticker
  readonly cell: Cell<PricedChain | undefined>
  readonly held: HeldChain
  /** What the chain was priced with; undefined before it was loaded. */
  pricedWith: PricedWith | undefined
  /** Splits of the share that the archive knew when the chain was loaded. */
  splits: readonly Split[]
}

/** Number of closing chains kept per symbol: the previous close, and a few earlier ones for comparisons. */
const MAX_SESSIONS = 4
/** Number of contracts that all closing chains together may have without another limit. */
const MAX_CONTRACTS = 2_000_000

interface Options {
  readonly engine: Pick<Engine, 'run' | 'forget'>
  /** A close that was recorded in the archive takes precedence over one that the source provides now. */
  readonly archive?: Pick<PastArchive, 'closingSnapshot' | 'splits'> | undefined
  readonly dividends: (symbol: Ticker) => MaybePromise<readonly Dividend[]>
  readonly rates: (session: IsoDate) => MaybePromise<RateCurve | undefined>
  /** Whether a chain was priced with other rates or dividends than are known now. */
  readonly isOutdated: (symbol: Ticker, used: PricedWith) => boolean
  readonly events: MarketEventBus
  /** The current chain of a symbol, by which its closes are judged. */
  readonly current: (symbol: Ticker) => PricedChain | undefined
  /** Clock of stamps. */
  readonly wallNow: () => Instant
  readonly marketNow: () => Instant
  /** Clock of periods, milliseconds. */
  readonly steadyNow: () => number
  readonly maxClosingContracts?: number | undefined
}

/** Option chains at the close of past sessions that were recently requested. Each is loaded once. */
export class Closings {
  /** Doubts that stand against the closes of the source. */
  readonly doubts: Doubts
  readonly #options: Options
  readonly #cells: Cells<string, Closing>
  #contracts = 0

  constructor(options: Options) {
    this.#options = options
    this.doubts = new Doubts(options.events, options.wallNow)
    const onDrop = ({ held }: Closing) => {
      this.#contracts -= held.chain?.size ?? 0
      held.replace(undefined)
    }
    this.#cells = new Cells({ make: (name: string) => this.#make(name), onDrop, steadyNow: options.steadyNow })
  }

  /**
   * Option chain of a symbol at the close of a session. For a weekly root, such as SPXW, it is that part of the index's
   * chain. Undefined if it is not available or the session is not over, and for a comparison also if the share was split
   * since.
   */
  of(root: Ticker, session: IsoDate, use?: 'comparison'): MaybePromise<PricedChain | undefined> {
    const close = sessionOf(session)?.close
    if (close === undefined || close > this.#options.marketNow()) return undefined
    const symbol = parentOfRoot(root) ?? root
    const closing = this.#cells.get(`${symbol} ${session}`)
    const { cell, held, pricedWith } = closing
    const anew = pricedWith !== undefined && this.#options.isOutdated(symbol, pricedWith)
    return andThen(cell.isGood && !anew ? cell.read() : cell.load(), (chain) => {
      const isSplit = sharesForOne(closing.splits, session, easternDate(this.#options.marketNow())) !== 1
      if (chain === undefined || (use === 'comparison' && isSplit)) return undefined
      return symbol === root ? chain : held.partOf(chain, root)
    })
  }

  dropIdle(): void {
    this.#cells.dropIdle()
  }

  /** Waives the doubt about a symbol's closes for the rest of the day; the next request loads them anew. */
  accept(symbol: Ticker): void {
    if (this.doubts.waive(symbol, this.#options.marketNow()) === undefined) return
    this.#cells.dropAll((closing) => closing.symbol === symbol && closing.held.chain === undefined)
  }

  /** Drops the closes of a symbol: others are in the archive, or it is served no more. */
  drop(symbol: Ticker): void {
    this.doubts.forget(symbol)
    this.#cells.dropAll((closing) => closing.symbol === symbol)
  }

  #make(name: string): Closing {
    const { engine, steadyNow } = this.#options
    const [symbol, session] = name.split(' ') as [Ticker, IsoDate]
    this.#makeRoom(symbol)
    const held = new HeldChain((chain) => engine.forget(chain))
    const load = async () => {
      const chain = await this.#load(closing, session)
      this.#hold(closing, chain)
      // A past close that was found does not change later.
      return { value: chain, goodFor: chain === undefined ? RETRY_WHEN_ABSENT : Number.POSITIVE_INFINITY }
    }
    const cell = new Cell({ load, steadyNow })
    const closing: Closing = { name, symbol, held, cell, pricedWith: undefined, splits: [] }
    return closing
  }

  async #load(closing: Closing, session: IsoDate): Promise<PricedChain | undefined> {
    const { engine, events, current, marketNow, archive } = this.#options
    const { symbol } = closing
    closing.splits = (await archive?.splits(symbol).catch(() => [])) ?? []
    const recorded = await this.#recorded(closing, session)
    if (recorded !== undefined) return recorded
    const isAccepted = this.doubts.waived(symbol, marketNow()) !== undefined
    const asked = { symbol, session, current: current(symbol), isAccepted }
    try {
      const chain = await engine.run('loadClosingChain', { ...asked, ...(await this.#known(closing, session)) })
      if (chain === undefined) return undefined
      this.doubts.end(symbol, marketNow())
      events.emit('closeLearned', chain)
      return chain
    } catch (error) {
      const isDoubted = this.#noteHeldBack(symbol, error)
      const lasting = isDoubted ? undefined : lastingFault(error)
      const passing = isDoubted ? 'what the data source says about it is in doubt' : 'the data source does not respond'
      const reason = lasting ?? `${passing}; try again shortly`
      throw apiError('source_unavailable', `the close of ${symbol} on ${session} cannot be loaded: ${reason}`)
    }
  }

  /** Records that a close was held back. Returns false if the error means anything else. */
  #noteHeldBack(symbol: Ticker, error: unknown): boolean {
    const { events, marketNow } = this.#options
    const verdict = error instanceof SourceError ? error.heldBack?.verdict : undefined
    if (verdict === undefined || verdict.kind === 'older') return false
    if (verdict.kind === 'doubted') this.doubts.note(symbol, verdict, marketNow())
    const { message } = error as SourceError
    events.emit('payloadRefused', { symbol, seconds: 0, reason: verdict.reason, message, payload: undefined })
    return true
  }

  /** Loads the dividends and interest rates with which the closing chain is priced. */
  async #known(closing: Closing, session: IsoDate) {
    const { dividends, rates } = this.#options
    const known = { dividends: await dividends(closing.symbol), rates: await rates(session) }
    closing.pricedWith = { session, ...known }
    return known
  }

  /**
   * Loads the closing chain from the archive. Undefined if recording ended before the close, or if reading the archive
   * fails.
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
   * Stores a loaded closing chain in the cache and drops the longest unused ones to make room. If the cache dropped the
   * entry while it loaded, the chain is not stored: only callers that already wait get it.
   */
  #hold(closing: Closing, chain: PricedChain | undefined): void {
    if (!this.#cells.holds(closing.name, closing)) {
      if (chain !== undefined) this.#options.engine.forget(chain)
      return
    }
    this.#contracts += (chain?.size ?? 0) - (closing.held.chain?.size ?? 0)
    closing.held.replace(chain)
    const { maxClosingContracts: most = MAX_CONTRACTS } = this.#options
    while (this.#contracts > most && this.#cells.dropLongestIdle((other) => other !== closing, true));
  }

  /** If a symbol has as many cached closing chains as allowed, drops those that have not been used for longest. */
  #makeRoom(symbol: Ticker): void {
    const isOfSymbol = (closing: Closing) => closing.symbol === symbol
    let sessions = [...this.#cells.values()].filter(isOfSymbol).length
    while (sessions-- >= MAX_SESSIONS) this.#cells.dropLongestIdle(isOfSymbol, true)
  }
}

/** Fault of a source that another attempt does not mend, in words; undefined if it may be mended. */
function lastingFault(error: unknown): string | undefined {
  const isLasting = error instanceof SourceError && (error.fault === 'malformed' || error.fault === 'refused')
  return isLasting ? error.message : undefined
}
