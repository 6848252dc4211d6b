import type { MaybePromise } from '../../api/maybe-promise.ts'
import { recordedClose } from '../../archive/closing.ts'
import { type After, endsWithin } from '../../facts/bounded-wait.ts'
import { RATES_WAIT, RETRY_RATES, RETRY_WHEN_ABSENT } from '../../facts/freshness.ts'
import { previousTradingDay } from '../../market/calendar.ts'
import { areEqualByContent } from '../../market/equal-content.ts'
import { PAR_YIELDS } from '../../market/macro-series.ts'
import type { IsoDate, Ticker } from '../../market/units.ts'
import type { RateCurve, RateOrigin } from '../../pricing/assumptions.ts'
import { publishedRates } from '../../pricing/rates/published-rates.ts'
import type { Engine } from '../../workers/engine.ts'
import { Cell } from '../cell.ts'
import { Cells } from '../cells.ts'
import type { PastArchive } from '../market-events.ts'

interface RatesOfSession {
  readonly cell: Cell<RateCurve | undefined>
  /** Time of the steady clock at which the rates were first requested, since they were last renewed. */
  askedAt: number | undefined
}

interface Options {
  readonly engine: Pick<Engine, 'run'>
  readonly archive?: Pick<PastArchive, 'closingSnapshot' | 'bars'> | undefined
  /**
   * Index whose options imply the interest rates, or `PAR_YIELDS` for published Treasury yields. Undefined if the
   * operator or the source sets the rates.
   */
  readonly ratesIndex?: Ticker | undefined
  /** Clock of periods, milliseconds. */
  readonly steadyNow: () => number
  readonly after: After
}

/**
 * Interest rates of a session. They come from the options on an index at the previous close, or from par yields that
 * were published before the session began. So the rates are known all day, change once a day, and are equal on the live
 * market and in replay. Undefined if neither is available.
 */
export class ImpliedRates {
  readonly #options: Options
  readonly #cells: Cells<IsoDate, RatesOfSession>

  constructor(options: Options) {
    this.#options = options
    this.#cells = new Cells({ make: (session: IsoDate) => this.#make(session), steadyNow: options.steadyNow })
  }

  of(session: IsoDate): MaybePromise<RateCurve | undefined> {
    const { ratesIndex, after, steadyNow } = this.#options
    if (ratesIndex === undefined) return undefined
    const rates = this.#cells.get(session)
    const { cell } = rates
    if (cell.isGood) return cell.read()
    const loading = cell.load()
    // If reading takes longer than this, only later chains are priced with the rates.
    rates.askedAt ??= steadyNow()
    const left = rates.askedAt + RATES_WAIT - steadyNow()
    return left <= 0 ? cell.read() : endsWithin(loading, left, after).then(() => cell.read())
  }

  /**
   * Whether the rates of a session are still being read, or were not there when they were read: chains that are priced
   * meanwhile may lack them. Rates that are not there, or that an import may have replaced, are read again here; the first read never starts here.
   */
  isAwaited(session: IsoDate): boolean {
    const cell = this.#cells.peek(session)?.cell
    if (cell === undefined) return false
    cell.renew()
    return cell.isLoading || cell.read() === undefined
  }

  /** Origin of a session's rates, as far as known. Does not start to read. */
  origin(session: IsoDate): RateOrigin {
    if (this.#options.ratesIndex === undefined) return 'configured'
    if (this.#cells.peek(session)?.cell.read() === undefined) return 'default'
    return this.#options.ratesIndex === PAR_YIELDS ? 'published' : 'implied'
  }

  /** The rates of a session as far as they were read; undefined if nobody asked for them lately. Does not start to read. */
  known(session: IsoDate): { readonly value: RateCurve | undefined } | undefined {
    const cell = this.#cells.peek(session)?.cell
    return cell && { value: cell.read() }
  }

  /** Has all rates read again, because new yields are in the archive. What was read before serves until then. */
  renew(): void {
    for (const rates of this.#cells.values()) {
      rates.askedAt = undefined
      rates.cell.expire()
    }
  }

  /** Has all rates read again if a symbol's options imply them, because new snapshots of it are in the archive. */
  renewImplied(symbol: Ticker): void {
    if (symbol === this.#options.ratesIndex) this.renew()
  }

  dropIdle(): void {
    this.#cells.dropIdle()
  }

  #make(session: IsoDate): RatesOfSession {
    const { engine, archive, ratesIndex, steadyNow } = this.#options
    // The archive is asked again and again, a source only now and then.
    let sourceAskedAt = Number.NEGATIVE_INFINITY
    const implied = async () => {
      const before = previousTradingDay(session)
      const snapshot = archive && (await recordedClose(archive, ratesIndex!, before).catch(() => undefined))
      if (snapshot === undefined && steadyNow() - sourceAskedAt < RETRY_WHEN_ABSENT) return undefined
      sourceAskedAt = steadyNow()
      return engine.run('readImpliedRates', { symbol: ratesIndex!, session: before, snapshot })
    }
    const published = async () =>
      archive && publishedRates(session, (symbol, at, count) => archive.bars(symbol, at, count))
    const load = async () => {
      const value = await (ratesIndex === PAR_YIELDS ? published() : implied())
      return { value, goodFor: value === undefined ? RETRY_RATES : Number.POSITIVE_INFINITY }
    }
    const cell = new Cell({ load, initial: { value: undefined }, isSame: areEqualByContent, steadyNow })
    return { cell, askedAt: undefined }
  }
}
