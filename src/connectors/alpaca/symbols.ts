import { rootsOf, securityKind } from '../../market/security.ts'
import type { Ticker } from '../../market/units.ts'

/** Characters of an OCC symbol behind the root: yyMMdd, C or P, the strike. */
const TAIL = 15

/** Whether the vendor has the underlying: it has no values of indexes. */
export const isOffered = (symbol: Ticker): boolean => securityKind(symbol) !== 'index'

/** Which of the wanted symbols an option belongs to, by its root: the stream names none. */
export class WantedRoots {
  #symbols: ReadonlyMap<string, Ticker> = new Map()

  /** Roots have no dots: BRKB is that of BRK.B. */
  want(symbols: readonly Ticker[]): void {
    const named = symbols.flatMap((symbol) =>
      rootsOf(symbol).map((root) => [root.replace(/[.^-]/g, ''), symbol] as const)
    )
    this.#symbols = new Map(named)
  }

  /** Undefined: nobody wants it. An adjusted root, AAPL1, belongs to the symbol of its letters. */
  symbolOf(contract: string): Ticker | undefined {
    const root = contract.slice(0, -TAIL)
    return this.#symbols.get(root) ?? this.#symbols.get(root.replace(/\d+$/, ''))
  }
}
