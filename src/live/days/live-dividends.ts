import type { MaybePromise } from '../../api/maybe-promise.ts'
import { type After, endsWithin } from '../../facts/bounded-wait.ts'
import { DIVIDENDS_WAIT } from '../../facts/freshness.ts'
import type { Dividend } from '../../market/dividend.ts'
import { easternDate } from '../../market/eastern.ts'
import { areEqualByContent } from '../../market/equal-content.ts'
import { parentOfRoot, securityKind } from '../../market/security.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import { Cell } from '../cell.ts'
import { Cells } from '../cells.ts'
import type { PastArchive } from '../market-events.ts'

interface SymbolDividends {
  readonly cell: Cell<readonly Dividend[]>
  /** New York date on which the dividends were read. At midnight they are read again, because more may be known. */
  date: IsoDate | undefined
  /** Whether the next caller waits for what is being read: the first one, and the first after an import. */
  isWorthWaiting: boolean
}

const none: readonly Dividend[] = []

interface Options {
  readonly archive?: Pick<PastArchive, 'dividends'> | undefined
  readonly marketNow: () => Instant
  /** Clock of periods, milliseconds. */
  readonly steadyNow: () => number
  readonly after: After
}

/**
 * Known dividends of every priced symbol, read from the archive once a day. If reading fails or takes too long, the
 * dividends that were read before are used, or none at first. Indexes pay no dividends.
 */
export class KnownDividends {
  readonly #options: Options
  readonly #cells: Cells<Ticker, SymbolDividends>

  constructor(options: Options) {
    this.#options = options
    this.#cells = new Cells({ make: (symbol: Ticker) => this.#make(symbol), steadyNow: options.steadyNow })
  }

  /** All known dividends of a symbol, including those already paid. */
  of(root: Ticker): MaybePromise<readonly Dividend[]> {
    const { archive, marketNow, after } = this.#options
    const symbol = parentOfRoot(root) ?? root
    if (archive === undefined || securityKind(symbol) === 'index') return none
    const held = this.#cells.get(symbol)
    const { cell, date, isWorthWaiting } = held
    if (cell.isGood && date === easternDate(marketNow())) return cell.read()
    const loading = cell.load()
    held.isWorthWaiting = false
    // Only the first read, and the first after an import, makes a caller wait. Else the cached dividends are used until then.
    return isWorthWaiting ? endsWithin(loading, DIVIDENDS_WAIT, after).then(() => cell.read()) : cell.read()
  }

  /**
   * Whether dividends are still being read. Chains that are priced meanwhile may lack some. Dividends that an import may
   * have replaced are read again here; the first read never starts here.
   */
  isAwaited(root: Ticker): boolean {
    const cell = this.#cells.peek(parentOfRoot(root) ?? root)?.cell
    cell?.renew()
    return cell?.isLoading ?? false
  }

  dropIdle(): void {
    this.#cells.dropIdle()
  }

  /** The dividends of a symbol as far as they were read; undefined if nobody asked for them lately. Does not start to read. */
  known(root: Ticker): { readonly value: readonly Dividend[] } | undefined {
    const cell = this.#cells.peek(parentOfRoot(root) ?? root)?.cell
    return cell && { value: cell.read() }
  }

  drop(symbol: Ticker): void {
    this.#cells.drop(symbol)
  }

  /** Has the dividends of a symbol read again, because others are in the archive. What was read before serves until then. */
  renew(symbol: Ticker): void {
    const held = this.#cells.peek(symbol)
    if (held === undefined) return
    held.isWorthWaiting = true
    held.cell.expire()
  }

  #make(symbol: Ticker): SymbolDividends {
    const { archive, marketNow, steadyNow } = this.#options
    const load = async () => {
      const now = marketNow()
      held.date = easternDate(now)
      return { value: await archive!.dividends(symbol, now), goodFor: Number.POSITIVE_INFINITY }
    }
    const held: SymbolDividends = {
      cell: new Cell({ load, initial: { value: none }, isSame: areEqualByContent, steadyNow }),
      date: undefined,
      isWorthWaiting: true
    }
    return held
  }
}
