import { previousTradingDay } from '../../market/calendar.ts'
import { type ContractRow, UNKNOWN } from '../../market/chain.ts'
import type { IsoDate, Ticker } from '../../market/units.ts'

type Figures = ReadonlyMap<string, number>

interface SymbolDay {
  readonly date: IsoDate
  /** Open interest at the end of the session. */
  readonly figures: Figures
  /** Open interest at the end of the previous session. */
  readonly before: Figures | undefined
}

/**
 * Corrects tables in which the open interest of a date was counted after that date's session. It was published only on
 * the next morning, and a chain must not hold what was not yet known. Each session therefore gets the open interest of
 * the previous one.
 */
export class LaterOpenInterest {
  readonly #days = new Map<Ticker, SymbolDay>()

  /**
   * Returns the contracts with the open interest that was known during the session. Undefined if the table has no
   * previous session.
   */
  known(symbol: Ticker, date: IsoDate, contracts: readonly ContractRow[]): readonly ContractRow[] | undefined {
    const last = this.#days.get(symbol)
    const figures = new Map(contracts.map((contract) => [nameOf(contract), contract.openInterest] as const))
    const before = last?.date === date ? last.before : figuresOf(last, previousTradingDay(date))
    this.#days.set(symbol, { date, figures, before })
    if (before === undefined) return undefined
    return contracts.map((contract) => ({ ...contract, openInterest: before.get(nameOf(contract)) ?? UNKNOWN }))
  }
}

const figuresOf = (day: SymbolDay | undefined, date: IsoDate) => (day?.date === date ? day.figures : undefined)

const nameOf = ({ root, expiration, right, strike }: ContractRow) => `${root} ${expiration} ${right} ${strike}`
