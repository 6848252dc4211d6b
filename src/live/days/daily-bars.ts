import type { MaybePromise } from '../../api/maybe-promise.ts'
import type { Connector } from '../../connectors/port/connector.ts'
import { RETRY_WHEN_ABSENT } from '../../facts/freshness.ts'
import { type BarsVerdict, joinedBars, judgeBars, usualMove } from '../../gate/stated-bars.ts'
import { type DailyBar, MAX_BARS } from '../../market/bar.ts'
import { completedSession } from '../../market/calendar.ts'
import { easternDate } from '../../market/eastern.ts'
import { macroSeriesOf } from '../../market/macro-series.ts'
import { isVolatilityIndex, parentOfRoot } from '../../market/security.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import type { Engine } from '../../workers/engine.ts'
import { Cell } from '../cell.ts'
import { Cells } from '../cells.ts'
import { Doubts } from '../chains/doubts.ts'
import type { MarketEventBus, PastArchive } from '../market-events.ts'

interface SymbolBars {
  readonly cell: Cell<readonly DailyBar[]>
  /** The newest session that was over when the bars were loaded. */
  session: IsoDate | undefined
}

const MAX_SYMBOLS = 2000
const none: readonly DailyBar[] = []

interface Options {
  readonly engine: Pick<Engine, 'run'>
  readonly source: Pick<Connector, 'provides'>
  readonly archive?: Pick<PastArchive, 'bars'> | undefined
  readonly events: MarketEventBus
  /** Price of a symbol by its current chain, or by the one that is being loaded; undefined if there is none. */
  readonly price: (symbol: Ticker) => MaybePromise<number | undefined>
  readonly marketNow: () => Instant
  /** Clock of stamps. */
  readonly wallNow: () => Instant
  /** Clock of periods, milliseconds. */
  readonly steadyNow: () => number
}

/**
 * Daily bars of every recently requested symbol, loaded once per session. If the source fails, has no bars or is not
 * believed, the known ones are used: those loaded before and those of the archive.
 */
export class DailyBars {
  /** Doubts that stand against the bars of the source. */
  readonly doubts: Doubts
  readonly #options: Options
  readonly #cells: Cells<Ticker, SymbolBars>

  constructor(options: Options) {
    this.#options = options
    this.doubts = new Doubts(options.events, options.wallNow)
    this.#cells = new Cells({ make: (symbol: Ticker) => this.#make(symbol), steadyNow: options.steadyNow })
  }

  /** Daily bars of a symbol. For a weekly root, such as SPXW, they are the bars of its index. */
  of(root: Ticker): MaybePromise<readonly DailyBar[]> {
    const symbol = parentOfRoot(root) ?? root
    if (this.#cells.peek(symbol) === undefined && this.#cells.size >= MAX_SYMBOLS) {
      this.#cells.dropLongestIdle(() => true, true)
    }
    const { cell, session } = this.#cells.get(symbol)
    return cell.isGood && session === completedSession(this.#options.marketNow()).date ? cell.read() : cell.load()
  }

  /** Waives the doubt about a symbol's bars for the rest of the day and loads them anew. */
  accept(symbol: Ticker): void {
    if (this.doubts.waive(symbol, this.#options.marketNow()) === undefined) return
    this.#cells
      .get(symbol)
      .cell.load()
      .catch(() => {})
  }

  dropIdle(): void {
    this.#cells.dropIdle()
  }

  drop(symbol: Ticker): void {
    this.doubts.forget(symbol)
    this.#cells.drop(symbol)
  }

  #make(symbol: Ticker): SymbolBars {
    const { marketNow, steadyNow } = this.#options
    const load = async () => {
      const now = marketNow()
      held.session = completedSession(now).date
      const bars = await this.#read(symbol, now, held.cell.value ?? none)
      const newest = bars.at(-1)?.date
      const isThere = newest !== undefined && newest >= held.session && this.doubts.of(symbol) === undefined
      return { value: bars, goodFor: isThere ? Number.POSITIVE_INFINITY : RETRY_WHEN_ABSENT }
    }
    const isSame = (one: readonly DailyBar[], other: readonly DailyBar[]) => one.at(-1)?.date === other.at(-1)?.date
    const held: SymbolBars = {
      cell: new Cell({ load, initial: { value: none }, isSame, steadyNow }),
      session: undefined
    }
    return held
  }

  /**
   * Reads bars from the source, judges them by the known ones, and adds what only those have. If the archive fails, it
   * is done without.
   */
  async #read(symbol: Ticker, now: Instant, current: readonly DailyBar[]): Promise<readonly DailyBar[]> {
    const { archive, engine, events, source } = this.#options
    const isAsked = macroSeriesOf(symbol) === undefined || source.provides.includes('macro')
    const stated = isAsked ? await engine.run('loadBars', { symbol, now }) : none
    const recorded = (await archive?.bars(symbol, now, MAX_BARS).catch(() => undefined)) ?? none
    const verdict = await this.#verdictOn(symbol, stated, joinedBars(current, recorded), now)
    const bars = verdict.kind === 'taken' ? verdict.bars : none
    const held = new Set(recorded.map(({ date }) => date))
    const fresh = bars.filter(({ date }) => !held.has(date))
    if (fresh.length > 0) events.emit('barsLearned', { symbol, bars: fresh })
    const first = bars[0]?.date
    // The source leaves out current bars before its first one because its window has moved past them.
    const kept = first === undefined ? current : current.filter(({ date }) => date >= first)
    return joinedBars(joinedBars(bars, kept), recorded).slice(-MAX_BARS).map(compactBar)
  }

  async #verdictOn(
    symbol: Ticker,
    bars: readonly DailyBar[],
    known: readonly DailyBar[],
    now: Instant
  ): Promise<BarsVerdict> {
    const { events, price } = this.#options
    const series = macroSeriesOf(symbol)
    const { date: session } = completedSession(now)
    const verdict = judgeBars({
      bars,
      known,
      lastDate: series === undefined ? session : easternDate(now),
      price: await price(symbol),
      isPossible: series?.isPossible ?? isPrice,
      maxMove: series === undefined ? usualMove[isVolatilityIndex(symbol) ? 'volatility' : 'security'] : Infinity,
      doubt: this.doubts.of(symbol),
      isWaived: this.doubts.waived(symbol, now) !== undefined
    })
    if (verdict.kind === 'taken') {
      if (bars.length > 0) this.doubts.end(symbol, now)
      return verdict
    }
    if (verdict.kind === 'doubted') this.doubts.note(symbol, verdict, now)
    const message = `the daily bars of ${symbol} are not believed: ${verdict.message}`
    events.emit('payloadRefused', { symbol, seconds: 0, reason: verdict.reason, message, payload: undefined })
    return verdict
  }
}

const isPrice = (close: number) => close > 0

/** Dates of bars, each as one text for all symbols. */
const dates = new Map<IsoDate, IsoDate>()

/**
 * Copies a bar. One that came from a worker has a text of its own for its date, and a list beside the object for its
 * fields; that takes a third more.
 */
function compactBar({ date, open, high, low, close, volume }: DailyBar): DailyBar {
  const known = dates.get(date)
  if (known === undefined) dates.set(date, date)
  return { date: known ?? date, open, high, low, close, volume }
}
