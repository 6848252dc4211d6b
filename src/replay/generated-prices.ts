import { LRUCache } from 'lru-cache'
import type { MaybePromise } from '../api/maybe-promise.ts'
import { session, tradingDays } from '../market/calendar.ts'
import { easternDate } from '../market/eastern.ts'
import type { MinutePrices, MinutePricesRequest } from '../market/minute-prices.ts'
import { parentOfRoot } from '../market/security.ts'
import { type Instant, type IsoDate, MILLISECONDS_PER_MINUTE, type Ticker } from '../market/units.ts'
import type { Engine } from '../workers/engine.ts'

/** Cached sessions, some 12 KB each, and lists of them. */
const MAX_SESSIONS = 400
const MAX_LISTS = 100

/** Minute prices of a market that makes its prices up. The engine makes them when they are wanted first. */
export class GeneratedPrices {
  readonly #engine: Pick<Engine, 'run'>
  readonly #sessions = new LRUCache<string, Promise<MinutePrices | undefined>>({ max: MAX_SESSIONS })
  readonly #lists = new LRUCache<string, readonly MinutePrices[]>({ max: MAX_LISTS })

  readonly #onAsked: (symbol: Ticker) => void

  constructor(engine: Pick<Engine, 'run'>, onAsked: (symbol: Ticker) => void = () => {}) {
    this.#engine = engine
    this.#onAsked = onAsked
  }

  /** Prices of the sessions of a request, ascending: minutes that were complete at `until`. */
  known({ symbol: asked, from, to }: MinutePricesRequest, until: Instant): MaybePromise<readonly MinutePrices[]> {
    const symbol = parentOfRoot(asked) ?? asked
    this.#onAsked(symbol)
    const wanted = tradingDays(easternDate(from), easternDate(Math.min(to, until))).flatMap((date) => {
      const { open, close } = session(date)!
      const minutes = Math.floor((Math.min(close, until) - open) / MILLISECONDS_PER_MINUTE)
      return minutes > 0 ? [{ date, minutes }] : []
    })
    if (wanted.length === 0) return none
    const key = [symbol, wanted.length, ...Object.values(wanted[0]), ...Object.values(wanted.at(-1)!)].join(' ')
    const held = this.#lists.get(key)
    if (held !== undefined) return held
    return Promise.all(wanted.map(({ date, minutes }) => this.#session(symbol, date, minutes))).then((sessions) => {
      const list = sessions.filter((prices) => prices !== undefined)
      this.#lists.set(key, list)
      return list
    })
  }

  #session(symbol: Ticker, date: IsoDate, minutes: number): Promise<MinutePrices | undefined> {
    const key = `${symbol} ${date} ${minutes}`
    const held = this.#sessions.get(key)
    if (held !== undefined) return held
    const made = this.#engine.run('makeMinutePrices', { symbol, session: date, minutes })
    this.#sessions.set(key, made)
    made.catch(() => this.#sessions.delete(key))
    return made
  }
}

const none: readonly MinutePrices[] = []
