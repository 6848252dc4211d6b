import type { MaybePromise } from '../api/maybe-promise.ts'
import { type DailyBar, MAX_BARS } from '../market/bar.ts'
import { latestSession, previousTradingDay } from '../market/calendar.ts'
import { parentOfRoot } from '../market/security.ts'
import type { Instant, IsoDate, Ticker } from '../market/units.ts'
import type { Engine } from '../workers/engine.ts'
import type { MarketObserver, PastArchive } from './events.ts'

/** The daily bars of one symbol as of one completed session. Times are wall-clock milliseconds. */
interface History {
  readonly symbol: Ticker
  bars: readonly DailyBar[]
  /** The newest completed session when the source was last asked. */
  session: IsoDate | undefined
  loading: Promise<readonly DailyBar[]> | undefined
  askedAt: Instant
  retryAt: Instant
}

const MINUTE = 60_000
/** A source that failed is asked again after this long. */
const RETRY_AFTER_FAILURE = MINUTE
/** A bar the source lacks may be there later. */
const RETRY_WHEN_ABSENT = 5 * MINUTE
const IDLE_AFTER = 15 * MINUTE
const MAX_SYMBOLS = 2000
const NEVER = Number.NEGATIVE_INFINITY
const none: readonly DailyBar[] = []

interface Options {
  readonly engine: Pick<Engine, 'run'>
  /** Lends the bars that the source does not have. */
  readonly archive?: Pick<PastArchive, 'bars'> | undefined
  readonly observer: Pick<MarketObserver, 'bars'>
  readonly marketNow: () => Instant
  readonly wallNow: () => Instant
}

/**
 * The daily bars of every symbol that was asked for them lately, loaded once for each session. A source without them, or
 * one that fails, leaves what is held: an empty list at first.
 */
export class DailyHistories {
  readonly #options: Options
  readonly #held = new Map<Ticker, History>()

  constructor(options: Options) {
    this.#options = options
  }

  /** The bars of a symbol; for a weekly root those of its index. */
  of(root: Ticker): MaybePromise<readonly DailyBar[]> {
    const { wallNow, marketNow } = this.#options
    const symbol = parentOfRoot(root) ?? root
    const now = wallNow()
    const session = completedSession(marketNow())
    let history = this.#held.get(symbol)
    if (history === undefined) {
      if (this.#held.size >= MAX_SYMBOLS) this.#dropLongestIdle()
      history = { symbol, bars: none, session: undefined, loading: undefined, askedAt: now, retryAt: NEVER }
      this.#held.set(symbol, history)
    }
    history.askedAt = now
    if (history.loading !== undefined) return history.loading
    if (history.session === session && now < history.retryAt) return history.bars
    return (history.loading = this.#load(history, session))
  }

  dropIdle(now: Instant): void {
    for (const [symbol, { loading, askedAt }] of this.#held) {
      if (loading === undefined && now - askedAt > IDLE_AFTER) this.#held.delete(symbol)
    }
  }

  drop(symbol: Ticker): void {
    this.#held.delete(symbol)
  }

  async #load(history: History, session: IsoDate): Promise<readonly DailyBar[]> {
    const { marketNow, wallNow } = this.#options
    let pause = RETRY_AFTER_FAILURE
    try {
      const bars = await this.#read(history.symbol, marketNow())
      const newest = bars.at(-1)?.date
      // The same bars keep their list, and with it the answers that were made from them.
      if (newest !== history.bars.at(-1)?.date) history.bars = bars
      pause = newest !== undefined && newest >= session ? Number.POSITIVE_INFINITY : RETRY_WHEN_ABSENT
    } catch {
      // The answer goes with what is held.
    }
    history.session = session
    history.loading = undefined
    history.retryAt = wallNow() + pause
    return history.bars
  }

  /** The bars of the source, before them those that only the archive has. An archive that fails lends none. */
  async #read(symbol: Ticker, now: Instant): Promise<readonly DailyBar[]> {
    const { archive, engine, observer } = this.#options
    const bars = await engine.run('loadBars', { symbol, now })
    const recorded = (await archive?.bars(symbol, now, MAX_BARS).catch(() => undefined)) ?? none
    const dates = new Set(bars.map(({ date }) => date))
    const held = new Set(recorded.map(({ date }) => date))
    const fresh = bars.filter(({ date }) => !held.has(date))
    if (fresh.length > 0) observer.bars(symbol, fresh)
    const others = recorded.filter(({ date }) => !dates.has(date))
    if (others.length === 0) return bars
    return [...others, ...bars].sort((a, b) => (a.date < b.date ? -1 : 1)).slice(-MAX_BARS)
  }

  #dropLongestIdle(): void {
    let idlest: History | undefined
    for (const history of this.#held.values()) {
      if (idlest === undefined || history.askedAt < idlest.askedAt) idlest = history
    }
    if (idlest !== undefined) this.#held.delete(idlest.symbol)
  }
}

/** The newest session that is over. */
function completedSession(now: Instant): IsoDate {
  const { date, close } = latestSession(now)
  return now >= close ? date : previousTradingDay(date)
}
