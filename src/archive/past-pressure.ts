import { LRUCache } from 'lru-cache'
import { latestSession, previousTradingDay, session as sessionOf } from '../market/calendar.ts'
import type { PastPressure } from '../market/hedge-pressure.ts'
import type { Instant, Ticker } from '../market/units.ts'
import { SAMPLE_STEP } from '../market/zero-dte-sample.ts'
import type { HistoryStore, SessionMoment } from './history-store.ts'

/** Sessions that are compared with the current one, and the trading days among which they are looked for. */
const SESSIONS = 20
const DAYS = 40
const MAX_KEPT = 500

/** Reads the hedging pressure of earlier sessions at the time of day of a moment. */
export class PastPressureReader {
  readonly #archive: Pick<HistoryStore, 'pressureAt'>
  readonly #kept = new LRUCache<string, Promise<readonly PastPressure[]>>({ max: MAX_KEPT })

  constructor(archive: Pick<HistoryStore, 'pressureAt'>) {
    this.#archive = archive
  }

  /**
   * The newest 20 recorded sessions before that of `at`, ascending: their last sums as long after the open as `at`. Returns
   * the same list object within a half minute.
   */
  of(symbol: Ticker, at: Instant): Promise<readonly PastPressure[]> {
    const { date, open, close } = latestSession(at)
    const elapsed = SAMPLE_STEP * Math.floor((Math.min(at, close) - open) / SAMPLE_STEP)
    const name = `${symbol} ${date} ${elapsed}`
    let reading = this.#kept.get(name)
    if (reading === undefined) {
      const moments: SessionMoment[] = []
      for (let day = previousTradingDay(date); moments.length < DAYS; day = previousTradingDay(day))
        moments.push({ session: day, at: sessionOf(day)!.open + elapsed })
      reading = this.#archive.pressureAt(symbol, moments).then((found) => found.slice(-SESSIONS))
      this.#kept.set(name, reading)
      reading.catch(() => this.#kept.delete(name))
    }
    return reading
  }
}
