import type { MarketSource } from '../api/source.ts'
import { addDays, latestSession, previousTradingDay, session } from '../market/calendar.ts'
import {
  type Instant,
  type IsoDate,
  MILLISECONDS_PER_HOUR,
  MILLISECONDS_PER_MINUTE,
  type Ticker
} from '../market/units.ts'

export interface EndOfDayOptions {
  readonly market: Pick<MarketSource, 'now' | 'bars' | 'records'>
  readonly symbols: readonly Ticker[]
  /** A symbol whose day could not be taken; it is asked again a minute later. */
  readonly onFailure: (symbol: Ticker, error: Error) => void
}

/** When a day is taken, after the close of its session: at 16:35 New York, at 13:35 on a half day. */
const AFTER_CLOSE = 35 * MILLISECONDS_PER_MINUTE
/** How long after the close a bar and a record are waited for before the day is taken without them. */
const MAX_WAIT = 2 * MILLISECONDS_PER_HOUR
const ROUND_EVERY = MILLISECONDS_PER_MINUTE

/**
 * Asks the market, once a session is over, what the day came to for each symbol: its bar and its record. What the market
 * learns it tells its observer, so that nothing depends on somebody having asked for that day.
 */
export class EndOfDay {
  readonly #options: EndOfDayOptions
  readonly #taken = new Map<Ticker, IsoDate>()
  #timer: NodeJS.Timeout | undefined
  #underway: Promise<void> | undefined

  constructor(options: EndOfDayOptions) {
    this.#options = options
  }

  start(): void {
    this.#timer = setInterval(() => this.visit(), ROUND_EVERY).unref()
    this.visit()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#underway
  }

  /** Takes the newest day that is due from every symbol that has not given it yet. Called by a timer; public for tests. */
  visit(): Promise<void> {
    return (this.#underway ??= this.#visit().finally(() => (this.#underway = undefined)))
  }

  async #visit(): Promise<void> {
    const { market, symbols, onFailure } = this.#options
    const date = lastSettledSession(market.now())
    const deadline = session(date)!.close + MAX_WAIT
    for (const symbol of symbols) {
      if (this.#taken.get(symbol) === date) continue
      try {
        const bars = await market.bars(symbol)
        if (bars.length > 0 && bars[bars.length - 1].date < date && market.now() < deadline) continue
        const [record] = await market.records(symbol, addDays(date, 1), 1)
        // A record that could not be made now is left out of the list, which is no error there.
        if (record?.date !== date && market.now() < deadline) continue
        this.#taken.set(symbol, date)
      } catch (error) {
        onFailure(symbol, error as Error)
      }
    }
  }
}

/** The newest session that has been over for long enough. */
function lastSettledSession(now: Instant): IsoDate {
  const { date, close } = latestSession(now - AFTER_CLOSE)
  return now - AFTER_CLOSE >= close ? date : previousTradingDay(date)
}
