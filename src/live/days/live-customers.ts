import type { MaybePromise } from '../../api/maybe-promise.ts'
import { customersUntil, newestSettled } from '../../archive/past-customers.ts'
import { RETRY_WHEN_ABSENT } from '../../facts/freshness.ts'
import type { SessionCustomers } from '../../market/customer-sums.ts'
import { areEqualByContent } from '../../market/equal-content.ts'
import { parentOfRoot } from '../../market/security.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import { Cell } from '../cell.ts'
import { Cells } from '../cells.ts'
import type { PastArchive } from '../market-events.ts'

const nothing: readonly SessionCustomers[] = []

interface Options {
  readonly archive?: Pick<PastArchive, 'customers'> | undefined
  readonly marketNow: () => Instant
  /** Clock of periods, milliseconds. */
  readonly steadyNow: () => number
}

interface Held {
  readonly cell: Cell<readonly SessionCustomers[]>
  /** The newest session that may be in the list. */
  newest: IsoDate | undefined
}

/**
 * Customer sums of earlier sessions, by symbol. Read from the archive every five minutes, and at once when
 * another session may count. Empty without an archive, or if it cannot be read.
 */
export class CustomerLists {
  readonly #options: Options
  readonly #cells: Cells<Ticker, Held>

  constructor(options: Options) {
    this.#options = options
    this.#cells = new Cells({ make: (symbol: Ticker) => this.#make(symbol), steadyNow: options.steadyNow })
  }

  of(root: Ticker): MaybePromise<readonly SessionCustomers[]> {
    if (this.#options.archive === undefined) return nothing
    const { cell, newest } = this.#cells.get(parentOfRoot(root) ?? root)
    return cell.isGood && newest === newestSettled(this.#options.marketNow()) ? cell.read() : cell.load()
  }

  dropIdle(): void {
    this.#cells.dropIdle()
  }

  #make(symbol: Ticker): Held {
    const { archive, marketNow, steadyNow } = this.#options
    const load = async () => {
      const now = marketNow()
      held.newest = newestSettled(now)
      return { value: await customersUntil(archive!, symbol, now), goodFor: RETRY_WHEN_ABSENT }
    }
    const held: Held = {
      cell: new Cell({ load, initial: { value: nothing }, isSame: areEqualByContent, steadyNow }),
      newest: undefined
    }
    return held
  }
}
