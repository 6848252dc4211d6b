import { previousTradingDay } from '../../market/calendar.ts'
import { type ContractRow, UNKNOWN } from '../../market/chain.ts'
import type { IsoDate, Ticker } from '../../market/units.ts'

type Figures = ReadonlyMap<string, number>

interface SymbolDay {
  readonly date: IsoDate
  /** At the end of that session. */
  readonly figures: Figures
  /** At the end of the session before. */
  readonly before: Figures | undefined
}

/**
 * Open interest of tables that date it by the session at whose end it was counted. It is published on the morning of the next
 * session, and a chain may carry only what was known by then: each session has the figures of the one before.
 */
export class LaterOpenInterest {
  readonly #days = new Map<Ticker, SymbolDay>()

  /**
   * The contracts of a session with the open interest that was known during it, in place of that of its end. Undefined where
   * the session before is not known.
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
