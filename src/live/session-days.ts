import type { MaybePromise } from '../api/maybe-promise.ts'
import type { IsoDate, Ticker } from '../market/units.ts'

/**
 * Holds the day of each symbol for one session. A day is read when its symbol is first asked for, from the archive if there
 * is one.
 */
export class SessionDays<Day> {
  readonly #read: (symbol: Ticker, session: IsoDate) => MaybePromise<Day>
  #days = new Map<Ticker, MaybePromise<Day>>()
  #session: IsoDate | undefined

  constructor(read: (symbol: Ticker, session: IsoDate) => MaybePromise<Day>) {
    this.#read = read
  }

  /** A failed reading is forgotten, so that the next call reads again. */
  of(symbol: Ticker, session: IsoDate): MaybePromise<Day> {
    if (session !== this.#session) {
      this.clear()
      this.#session = session
    }
    const days = this.#days
    const known = days.get(symbol)
    if (known !== undefined) return known
    const read = this.#read(symbol, session)
    if (!(read instanceof Promise)) {
      days.set(symbol, read)
      return read
    }
    const reading: Promise<Day> = read.then(
      (day) => {
        if (days.get(symbol) === reading) days.set(symbol, day)
        return day
      },
      (error) => {
        if (days.get(symbol) === reading) days.delete(symbol)
        throw error
      }
    )
    days.set(symbol, reading)
    return reading
  }

  /** The days that are read. */
  *read(): Generator<readonly [Ticker, Day]> {
    for (const [symbol, day] of this.#days) if (!(day instanceof Promise)) yield [symbol, day]
  }

  clear(): void {
    this.#days = new Map()
    this.#session = undefined
  }
}
