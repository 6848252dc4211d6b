import type { MaybePromise } from '../../api/maybe-promise.ts'
import { RETRY_WHEN_ABSENT } from '../../facts/freshness.ts'
import { POOLED_DAYS, type SymbolBandErrors } from '../../market/band-pool.ts'
import { addDays } from '../../market/calendar.ts'
import type { IsoDate } from '../../market/units.ts'
import { Cell } from '../cell.ts'
import { Cells } from '../cells.ts'
import type { PastArchive } from '../market-events.ts'

const nothing: readonly SymbolBandErrors[] = []

interface Options {
  readonly archive?: Pick<PastArchive, 'bandErrors'> | undefined
  /** Clock of periods, milliseconds. */
  readonly steadyNow: () => number
}

/**
 * Errors of the bands of all recorded symbols, by the date before which they are dated. Read from the archive every five
 * minutes, and at once after daily records were written there. Empty without an archive, or if it cannot be read.
 */
export class BandErrorLists {
  readonly #options: Options
  readonly #cells: Cells<IsoDate, { readonly cell: Cell<readonly SymbolBandErrors[]> }>

  constructor(options: Options) {
    this.#options = options
    this.#cells = new Cells({ make: (before: IsoDate) => this.#make(before), steadyNow: options.steadyNow })
  }

  of(before: IsoDate): MaybePromise<readonly SymbolBandErrors[]> {
    if (this.#options.archive === undefined) return nothing
    const { cell } = this.#cells.get(before)
    return cell.isGood ? cell.read() : cell.load()
  }

  drop(): void {
    this.#cells.dropAll(() => true)
  }

  dropIdle(): void {
    this.#cells.dropIdle()
  }

  #make(before: IsoDate) {
    const { archive, steadyNow } = this.#options
    const load = async () => {
      const value = await archive!.bandErrors(addDays(before, -POOLED_DAYS), before)
      return { value, goodFor: RETRY_WHEN_ABSENT }
    }
    return { cell: new Cell({ load, initial: { value: nothing }, steadyNow }) }
  }
}
