import type { Soon } from '../api/source.ts'
import type { Engine } from '../engine/engine.ts'
import { type DailyBar, longestHistory } from '../market/bar.ts'
import { latestSession, previousTradingDay } from '../market/calendar.ts'
import { parentOfRoot } from '../market/security.ts'
import type { Instant, IsoDate, Ticker } from '../market/units.ts'
import type { Observer, PastArchive } from './seen.ts'

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

const minute = 60_000
/** A source that failed is asked again after this long. */
const afterFault = minute
/** A bar the source lacks may be there later. */
const afterNothing = 5 * minute
const idleAfter = 15 * minute
const mostSymbols = 2000
const never = Number.NEGATIVE_INFINITY
const none: readonly DailyBar[] = []

interface Options {
  readonly engine: Pick<Engine, 'bars'>
  /** Lends the bars that the source does not have. */
  readonly archive?: Pick<PastArchive, 'bars'> | undefined
  readonly observer: Pick<Observer, 'bars'>
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
  of(root: Ticker): Soon<readonly DailyBar[]> {
    const { wallNow, marketNow } = this.#options
    const symbol = parentOfRoot(root) ?? root
    const now = wallNow()
    const session = completedSession(marketNow())
    let history = this.#held.get(symbol)
    if (history === undefined) {
      if (this.#held.size >= mostSymbols) this.#dropLongestIdle()
      history = { symbol, bars: none, session: undefined, loading: undefined, askedAt: now, retryAt: never }
      this.#held.set(symbol, history)
    }
    history.askedAt = now
    if (history.loading !== undefined) return history.loading
    if (history.session === session && now < history.retryAt) return history.bars
    return (history.loading = this.#load(history, session))
  }

  dropIdle(now: Instant): void {
    for (const [symbol, { loading, askedAt }] of this.#held) {
      if (loading === undefined && now - askedAt > idleAfter) this.#held.delete(symbol)
    }
  }

  drop(symbol: Ticker): void {
    this.#held.delete(symbol)
  }

  async #load(history: History, session: IsoDate): Promise<readonly DailyBar[]> {
    const { marketNow, wallNow } = this.#options
    let pause = afterFault
    try {
      const bars = await this.#read(history.symbol, marketNow())
      const newest = bars.at(-1)?.date
      // The same bars keep their list, and with it the answers that were made from them.
      if (newest !== history.bars.at(-1)?.date) history.bars = bars
      pause = newest !== undefined && newest >= session ? Number.POSITIVE_INFINITY : afterNothing
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
    const bars = await engine.bars(symbol, now)
    const recorded = (await archive?.bars(symbol, now, longestHistory).catch(() => undefined)) ?? none
    const dates = new Set(bars.map(({ date }) => date))
    const held = new Set(recorded.map(({ date }) => date))
    const fresh = bars.filter(({ date }) => !held.has(date))
    if (fresh.length > 0) observer.bars(symbol, fresh)
    const others = recorded.filter(({ date }) => !dates.has(date))
    if (others.length === 0) return bars
    return [...others, ...bars].sort((a, b) => (a.date < b.date ? -1 : 1)).slice(-longestHistory)
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
