import { LRUCache } from 'lru-cache'
import type { MaybePromise } from '../api/maybe-promise.ts'
import type { HistoryStore } from '../archive/history-store.ts'
import { addDays, tradingDays } from '../market/calendar.ts'
import { instantOfEastern } from '../market/eastern.ts'
import { parentOfRoot } from '../market/security.ts'
import { sharesForOne } from '../market/split.ts'
import {
  type HeldStrikes,
  lastOfBuckets,
  type StrikeColumn,
  type StrikeRequest,
  type StrikeSums,
  strikeFigures
} from '../market/strike-sums.ts'
import type { Instant, Ticker } from '../market/units.ts'
import type { Engine } from '../workers/engine.ts'
import type { PricingContext } from '../workers/tasks/task.ts'

/**
 * Maximum number of cached figures, 8 bytes each. Enough for four sessions of an index with one snapshot per minute.
 */
const MAX_FIGURES = 8_000_000
/** Number of snapshots priced at the same time for one request, so that workers can handle other requests too. */
const AT_ONCE = 2

export interface StrikeReaderOptions {
  readonly history: Pick<HistoryStore, 'snapshot' | 'strikes' | 'moments' | 'splits'>
  readonly engine: Pick<Engine, 'run'>
  readonly pricingInputs: (symbol: Ticker, at: Instant) => Promise<PricingInputs>
}

/** Dividends and interest rates used to price a chain. `name` identifies their values, for cache keys. */
export interface PricingInputs {
  readonly known: PricingContext
  readonly name: string
}

/**
 * Net figures by strike over a session, one column per recorded snapshot. They are read from the stored figures.
 * Snapshots without stored figures are priced here. So are the parts of a chain under one option root, which are never
 * stored. These results are cached.
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

  /**
   * Values of one figure by strike, one column for each snapshot of the sessions taken by `at`, ascending; see
   * `StrikeRequest`. Strikes of sessions before a split are in the scale of the last session.
   */
  async columns({ from, ...request }: StrikeRequest, at: Instant): Promise<readonly StrikeColumn[]> {
    const found: StrikeColumn[] = []
    const splits = from === undefined ? [] : await this.#options.history.splits(request.symbol)
    // One session after the other, so that sessions without stored figures do not take all workers at once.
    for (const date of tradingDays(from ?? request.date, request.date)) {
      const columns = await this.#columnsOf({ ...request, date }, at)
      const shares = sharesForOne(splits, date, request.date)
      found.push(...columns.map((column) => inScale(column, shares)))
    }
    return found
  }

  async #columnsOf(request: StrikeRequest, at: Instant): Promise<readonly StrikeColumn[]> {
    const { symbol, figure } = request
    const parent = parentOfRoot(symbol) ?? symbol
    const held = await this.#heldAt(request, parent, at)
    const lacking = held.filter(({ sums }) => sums === undefined)
    const summed = lacking.length === 0 ? new Map() : await this.#summed(symbol, parent, lacking)
    return held.flatMap(({ asOf, sums }) => {
      if (sums !== undefined) return [{ asOf, ...sums }]
      const found: StrikeSums | undefined = summed.get(asOf)
      return found === undefined ? [] : [{ asOf, strikes: found.strikes, values: found[figure] }]
    })
  }

  async #heldAt(request: StrikeRequest, parent: Ticker, at: Instant): Promise<readonly HeldStrikes[]> {
    const { history } = this.#options
    const { symbol, date, every } = request
    if (symbol === parent) return history.strikes(request, at)
    const [midnight, end] = [date, addDays(date, 1)].map((day) => instantOfEastern(day, 0))
    const moments = await history.moments(parent, midnight, Math.min(end, at + 1))
    return lastOfBuckets(moments, date, every).map((moment) => ({ ...moment, sums: undefined }))
  }

  /** Computes the sums of snapshots that have no stored row of figures; returns them by moment. */
  async #summed(
    symbol: Ticker,
    parent: Ticker,
    lacking: readonly HeldStrikes[]
  ): Promise<ReadonlyMap<Instant, StrikeSums | undefined>> {
    const { history, engine, pricingInputs } = this.#options
    const { known, name } = await pricingInputs(parent, lacking[lacking.length - 1].asOf)
    const summed = new Map<Instant, StrikeSums | undefined>()
    for (let k = 0; k < lacking.length; k += AT_ONCE) {
      const reading = lacking.slice(k, k + AT_ONCE).map(async ({ asOf, fidelity }) => {
        const make = async () => {
          const snapshot = await history.snapshot(parent, asOf)
          return snapshot && engine.run('sumStrikes', { snapshot, symbol, ...known })
        }
        summed.set(asOf, await this.#held(`${symbol} ${asOf} ${fidelity} ${name}`, make))
      })
      await Promise.all(reading)
    }
    return summed
  }

  /** Returns the cached sums, or computes them; simultaneous calls share the work. */
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

/** A column with the strikes that a split made of its own: `shares` new ones stand for one old share. */
function inScale(column: StrikeColumn, shares: number): StrikeColumn {
  return shares === 1 ? column : { ...column, strikes: column.strikes.map((strike) => strike / shares) }
}
