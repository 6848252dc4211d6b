import type { DailyBar } from '../../market/bar.ts'
import { dateOfEpochDay, epochDay, type Ticker } from '../../market/units.ts'
import { GroupedRows } from '../judged/grouped-rows.ts'
import type { BarRow } from './judge-bars.ts'

const WIDTH = 9
/** The first numbers of a row say where it comes from. */
const CONTENT = 2

/** The bars of an import by symbol, in bounded memory. */
export class BarRows {
  readonly #rows = new GroupedRows({ width: WIDTH, content: CONTENT })
  readonly #symbols = new Map<Ticker, number>()
  readonly #packed = new Float64Array(WIDTH)

  /** Symbols in the order in which they came. */
  get symbols(): readonly Ticker[] {
    return [...this.#symbols.keys()]
  }

  add(
    symbol: Ticker,
    { date, open, high, low, close, volume }: DailyBar,
    table: number,
    line: number,
    time = Number.NaN
  ): void {
    let group = this.#symbols.get(symbol)
    if (group === undefined) this.#symbols.set(symbol, (group = this.#symbols.size))
    this.#packed.set([table, line, epochDay(date), open, high, low, close, volume, time])
    this.#rows.add(group, this.#packed)
  }

  rowsOf(symbol: Ticker): readonly BarRow[] {
    const packed = this.#rows.rowsOf(this.#symbols.get(symbol) ?? -1)
    const rows: BarRow[] = []
    for (let at = 0; at < packed.length; at += WIDTH) {
      const [table, line, day, open, high, low, close, volume, time] = packed.subarray(at, at + WIDTH)
      rows.push({ table, line, date: dateOfEpochDay(day), open, high, low, close, volume, time })
    }
    return rows
  }

  close(): void {
    this.#rows.close()
  }
}
