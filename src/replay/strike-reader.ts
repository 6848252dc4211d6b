import { LRUCache } from 'lru-cache'
import type { MaybePromise } from '../api/maybe-promise.ts'
import type { HistoryStore } from '../archive/store.ts'
import { addDays } from '../market/calendar.ts'
import { instantOfEastern } from '../market/eastern.ts'
import { parentOfRoot } from '../market/security.ts'
import {
  lastOfBuckets,
  type StrikeColumn,
  type StrikeRequest,
  type StrikeSums,
  strikeFigures
} from '../market/strike-sums.ts'
import type { Instant, Ticker } from '../market/units.ts'
import type { Engine } from '../workers/engine.ts'
import type { KnownBeside } from '../workers/tasks/task.ts'

/** Figures of strikes that are held at once, 8 bytes each: four sessions of an index at a minute. */
const MAX_FIGURES = 8_000_000
/** Snapshots that are added up at the same time for one request: the workers have others to serve. */
const AT_ONCE = 2

export interface StrikeReaderOptions {
  readonly history: Pick<HistoryStore, 'snapshot' | 'moments'>
  readonly engine: Pick<Engine, 'run'>
  /** What snapshots of a symbol are priced with up to a moment of a day, beside what they hold, and a name for it. */
  readonly beside: (symbol: Ticker, at: Instant) => Promise<Beside>
}

/** What chains of a day are priced with, by a name that tells it from anything else. */
export interface Beside {
  readonly known: KnownBeside
  readonly name: string
}

/**
 * Net figures by strike at the recorded snapshots of a session. A snapshot is priced and added up when it is first read
 * and its sums are held, so that of a session that goes on only the newest has to be.
 */
export class StrikeReader {
  readonly #options: StrikeReaderOptions
  readonly #sums = new LRUCache<string, { readonly sums: StrikeSums | undefined }>({
    maxSize: MAX_FIGURES,
    sizeCalculation: ({ sums }) => 1 + (1 + strikeFigures.length) * (sums?.strikes.length ?? 0)
  })
  readonly #underway = new Map<string, Promise<StrikeSums | undefined>>()

  constructor(options: StrikeReaderOptions) {
    this.#options = options
  }

  /** One figure at the snapshots of a session that were there by a moment, ascending; see `StrikeRequest`. */
  async columns({ symbol, date, figure, every }: StrikeRequest, at: Instant): Promise<readonly StrikeColumn[]> {
    const { history, beside } = this.#options
    const parent = parentOfRoot(symbol) ?? symbol
    const [midnight, end] = [date, addDays(date, 1)].map((day) => instantOfEastern(day, 0))
    const held = await history.moments(parent, midnight, Math.min(end, at + 1))
    if (held.length === 0) return []
    const { known, name } = await beside(parent, held[held.length - 1].asOf)
    const sums: (StrikeSums | undefined)[] = []
    const chosen = lastOfBuckets(held, date, every)
    for (let k = 0; k < chosen.length; k += AT_ONCE) {
      const reading = chosen.slice(k, k + AT_ONCE).map(({ asOf, fidelity }) =>
        this.#held(`${symbol} ${asOf} ${fidelity} ${name}`, async () => {
          const snapshot = await history.snapshot(parent, asOf)
          return snapshot && this.#options.engine.run('sumStrikes', { snapshot, symbol, ...known })
        })
      )
      sums.push(...(await Promise.all(reading)))
    }
    return sums.flatMap((found) =>
      found === undefined ? [] : [{ asOf: found.asOf, strikes: found.strikes, values: found[figure] }]
    )
  }

  /** The sums that are held under a name, or are being made; made once where there are none. */
  #held(name: string, make: () => Promise<StrikeSums | undefined>): MaybePromise<StrikeSums | undefined> {
    const held = this.#sums.get(name)
    if (held !== undefined) return held.sums
    let making = this.#underway.get(name)
    if (making === undefined) {
      making = make()
        .then((sums) => {
          this.#sums.set(name, { sums })
          return sums
        })
        .finally(() => this.#underway.delete(name))
      this.#underway.set(name, making)
    }
    return making
  }
}
