import type { MaybePromise } from '../../api/maybe-promise.ts'
import { recordedClose } from '../../archive/closing.ts'
import { previousTradingDay } from '../../market/calendar.ts'
import { PAR_YIELDS } from '../../market/macro-series.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import type { RateCurve, RateOrigin } from '../../pricing/assumptions.ts'
import { publishedRates } from '../../pricing/rates/published-rates.ts'
import type { Engine } from '../../workers/engine.ts'
import { type After, endsWithin } from '../bounded-wait.ts'
import { Cell, RETRY_WHEN_ABSENT } from '../cell.ts'
import { Cells } from '../cells.ts'
import type { PastArchive } from '../market-events.ts'

/** The curve of one session. */
interface RatesOfSession {
  readonly cell: Cell<RateCurve | undefined>
  /** When it was asked for first. */
  askedAt: Instant | undefined
}

/** How long the first chains of a session wait for the rates, milliseconds: they are priced with them from the start. */
const MAX_WAIT = 2000

interface Options {
  readonly engine: Pick<Engine, 'run'>
  readonly archive?: Pick<PastArchive, 'closingSnapshot' | 'bars'> | undefined
  /** The index whose options tell the rates, `PAR_YIELDS` where those do; undefined where the operator or the source says them. */
  readonly ratesIndex?: Ticker | undefined
  readonly wallNow: () => Instant
  readonly after: After
}

/**
 * What money costs in a session: the curve that the options on an index implied at the close of the session before, or that
 * of the par yields that were out when it began. So it is known all day, moves once a day, and is the same live and
 * replayed. Undefined where nothing of that is held.
 */
export class ImpliedRates {
  readonly #options: Options
  readonly #cells: Cells<IsoDate, RatesOfSession>

  constructor(options: Options) {
    this.#options = options
    this.#cells = new Cells({ make: (session: IsoDate) => this.#make(session), wallNow: options.wallNow })
  }

  of(session: IsoDate): MaybePromise<RateCurve | undefined> {
    const { ratesIndex, after, wallNow } = this.#options
    if (ratesIndex === undefined) return undefined
    const rates = this.#cells.get(session)
    const found = rates.cell.read()
    if (!(found instanceof Promise)) return found
    // Where it takes longer the curve serves from when it has come.
    rates.askedAt ??= wallNow()
    const left = rates.askedAt + MAX_WAIT - wallNow()
    return left <= 0 ? rates.cell.current() : endsWithin(found, left, after).then(() => rates.cell.current())
  }

  /** Whether the rates of a session are still being read, so that what is priced meanwhile may lack them. Asks nobody. */
  isAwaited(session: IsoDate): boolean {
    return this.#cells.peek(session)?.cell.isLoading ?? false
  }

  /** Where the rates of a session come from as far as is known. Asks nobody. */
  origin(session: IsoDate): RateOrigin {
    if (this.#options.ratesIndex === undefined) return 'configured'
    if (this.#cells.peek(session)?.cell.current() === undefined) return 'default'
    return this.#options.ratesIndex === PAR_YIELDS ? 'published' : 'implied'
  }

  /** Reads those of every session anew: other yields have been written. */
  drop(): void {
    this.#cells.dropAll(() => true)
  }

  dropIdle(): void {
    this.#cells.dropIdle()
  }

  #make(session: IsoDate): RatesOfSession {
    const { engine, archive, ratesIndex, wallNow } = this.#options
    const implied = async () => {
      const before = previousTradingDay(session)
      const snapshot = archive && (await recordedClose(archive, ratesIndex!, before).catch(() => undefined))
      return engine.run('readImpliedRates', { symbol: ratesIndex!, session: before, snapshot })
    }
    const published = async () =>
      archive && publishedRates(session, (symbol, at, count) => archive.bars(symbol, at, count))
    const load = async () => {
      const value = await (ratesIndex === PAR_YIELDS ? published() : implied())
      return { value, goodFor: value === undefined ? RETRY_WHEN_ABSENT : Number.POSITIVE_INFINITY }
    }
    return { cell: new Cell({ load, initial: { value: undefined }, wallNow }), askedAt: undefined }
  }
}
