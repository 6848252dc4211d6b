import { currentName } from './renames.ts'
import { rootsOf } from './security.ts'
import type { Ticker } from './units.ts'

/** Characters of an OCC symbol after the root: yyMMdd, C or P, the strike. */
const TAIL = 15

/** The option roots of a symbol as in OCC symbols, without dots: SPX and SPXW for SPX, BRKB for BRK.B. */
export const optionRoots = (symbol: Ticker): readonly string[] =>
  rootsOf(symbol).map((root) => root.replace(/[^A-Z0-9]/g, ''))

/** Root of the same contract today: META for FB, whose contracts were listed on under the new root. */
export function currentRoot(root: string): string {
  const name = currentName(root as Ticker)
  return name === root ? root : optionRoots(name)[0]
}

/**
 * Finds, by the root of an option, which of the requested symbols it belongs to. This is needed because streams of all
 * trades do not name the underlying.
 */
export class WantedRoots {
  #symbols: ReadonlyMap<string, Ticker> = new Map()

  want(symbols: readonly Ticker[]): void {
    this.#symbols = new Map(symbols.flatMap((symbol) => optionRoots(symbol).map((root) => [root, symbol] as const)))
  }

  /**
   * The requested symbol to which an option belongs, named by its OCC symbol without spaces. Undefined if that symbol
   * is not requested.
   */
  symbolOf(contract: string): Ticker | undefined {
    return this.symbolOfRoot(contract.slice(0, -TAIL))
  }

  /** An adjusted root such as AAPL1 belongs to the symbol made of its letters, AAPL. */
  symbolOfRoot(root: string): Ticker | undefined {
    return this.#symbols.get(root) ?? this.#symbols.get(root.replace(/\d+$/, ''))
  }
}
