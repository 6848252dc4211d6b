import type { MarketSource } from '../../api/market-source.ts'
import { addDays, latestSession, previousTradingDay, session } from '../../market/calendar.ts'
import {
  type Instant,
  type IsoDate,
  MILLISECONDS_PER_HOUR,
  MILLISECONDS_PER_MINUTE,
  type Ticker
} from '../../market/units.ts'

export interface EndOfDayOptions {
  readonly market: Pick<MarketSource, 'now' | 'bars' | 'records' | 'earnings'>
  readonly symbols: readonly Ticker[]
  /** Macro series that the source supplies. They have daily values but no daily records. */
  readonly series?: readonly Ticker[]
  /** Called if a symbol's day could not be completed. The day is tried again a minute later. */
  readonly onFailure: (symbol: Ticker, error: Error) => void
}

/**
 * Milliseconds after the close until the data of a session counts as final: 16:35 New York time, or 13:35 on a half
 * day.
 */
const AFTER_CLOSE = 35 * MILLISECONDS_PER_MINUTE
/**
 * Milliseconds after the close for which a missing bar or record is awaited. Then the day counts as done without it.
 */
const MAX_WAIT = 2 * MILLISECONDS_PER_HOUR
const RUN_EVERY = MILLISECONDS_PER_MINUTE

/**
 * After each session, loads the daily bar and daily record of each symbol, the records of its past earnings reports,
 * and the values of macro series. The market announces what it loads, and the recorder writes that to the archive. So
 * the archive gets every day, even if no client requested it.
 */
export class EndOfDay {
  readonly #options: EndOfDayOptions
  readonly #done = new Map<Ticker, IsoDate>()
  #timer: NodeJS.Timeout | undefined
  #underway: Promise<void> | undefined

  constructor(options: EndOfDayOptions) {
    this.#options = options
  }

  start(): void {
    this.#timer = setInterval(() => this.run(), RUN_EVERY).unref()
    this.run()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#underway
  }

  /** Loads the newest final session for every symbol that is not done. A timer calls this; it is public for tests. */
  run(): Promise<void> {
    return (this.#underway ??= this.#run().finally(() => (this.#underway = undefined)))
  }

  async #run(): Promise<void> {
    const { market, symbols, series = [], onFailure } = this.#options
    const date = lastSettledSession(market.now())
    const deadline = session(date)!.close + MAX_WAIT
    for (const symbol of [...series, ...symbols]) {
      if (this.#done.get(symbol) === date) continue
      try {
        const bars = await market.bars(symbol)
        if (series.includes(symbol)) {
          this.#done.set(symbol, date)
          continue
        }
        if (bars.length > 0 && bars[bars.length - 1].date < date && market.now() < deadline) continue
        const [record] = await market.records(symbol, addDays(date, 1), 1)
        // If the record could not be computed now, the list lacks it; no error is thrown.
        if (record?.date !== date && market.now() < deadline) continue
        await market.earnings(symbol)
        this.#done.set(symbol, date)
      } catch (error) {
        onFailure(symbol, error as Error)
      }
    }
  }
}

function lastSettledSession(now: Instant): IsoDate {
  const { date, close } = latestSession(now - AFTER_CLOSE)
  return now - AFTER_CLOSE >= close ? date : previousTradingDay(date)
}
