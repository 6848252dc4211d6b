import type { MaybePromise } from '../../api/maybe-promise.ts'
import type { Connector } from '../../connectors/port/connector.ts'
import { RETRY_WHEN_ABSENT } from '../../facts/freshness.ts'
import { type DailyBar, MAX_BARS } from '../../market/bar.ts'
import { completedSession } from '../../market/calendar.ts'
import { macroSeriesOf } from '../../market/macro-series.ts'
import { parentOfRoot } from '../../market/security.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import type { Engine } from '../../workers/engine.ts'
import { Cell } from '../cell.ts'
import { Cells } from '../cells.ts'
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
  readonly marketNow: () => Instant
  /** Clock of periods, milliseconds. */
  readonly steadyNow: () => number
}

/**
 * Daily bars of every recently requested symbol, loaded once per session. If the source fails or has no bars, those
 * loaded before are used, or an empty list at first.
 */
export class DailyBars {
  readonly #options: Options
  readonly #cells: Cells<Ticker, SymbolBars>

  constructor(options: Options) {
    this.#options = options
    this.#cells = new Cells({ make: (symbol: Ticker) => this.#make(symbol), steadyNow: options.steadyNow })
  }

  /** Daily bars of a symbol. For a weekly root, such as SPXW, they are the bars of its index. */
  of(root: Ticker): MaybePromise<readonly DailyBar[]> {
    const symbol = parentOfRoot(root) ?? root
    if (this.#cells.peek(symbol) === undefined && this.#cells.size >= MAX_SYMBOLS) {
      this.#cells.dropLongestIdle(() => true, true)
    }
    const { cell, session } = this.#cells.get(symbol)
    return cell.read({ anew: session !== completedSession(this.#options.marketNow()).date })
  }

  dropIdle(): void {
    this.#cells.dropIdle()
  }

  drop(symbol: Ticker): void {
    this.#cells.drop(symbol)
  }

  #make(symbol: Ticker): SymbolBars {
    const { marketNow, steadyNow } = this.#options
    const load = async () => {
      const now = marketNow()
      held.session = completedSession(now).date
      const bars = await this.#read(symbol, now)
      const newest = bars.at(-1)?.date
      const isThere = newest !== undefined && newest >= held.session
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
   * Reads bars from the source and adds older ones from the archive. If the archive fails, only the source's bars are
   * used.
   */
  async #read(symbol: Ticker, now: Instant): Promise<readonly DailyBar[]> {
    const { archive, engine, events, source } = this.#options
    const isAsked = macroSeriesOf(symbol) === undefined || source.provides.includes('macro')
    const bars = isAsked ? await engine.run('loadBars', { symbol, now }) : none
    const recorded = (await archive?.bars(symbol, now, MAX_BARS).catch(() => undefined)) ?? none
    const dates = new Set(bars.map(({ date }) => date))
    const held = new Set(recorded.map(({ date }) => date))
    const fresh = bars.filter(({ date }) => !held.has(date))
    if (fresh.length > 0) events.emit('barsLearned', { symbol, bars: fresh })
    const others = recorded.filter(({ date }) => !dates.has(date))
    if (others.length === 0) return bars
    return [...others, ...bars].sort((a, b) => (a.date < b.date ? -1 : 1)).slice(-MAX_BARS)
  }
}
