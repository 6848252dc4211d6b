import { rootsOf } from '../../market/security.ts'
import type { Ticker } from '../../market/units.ts'

/**
 * The roots under which the options of a symbol are asked for, each by itself: SPX and SPXW for SPX. The vendor writes
 * them without dots, BRKB for BRK.B.
 */
export function optionRoots(symbol: Ticker): readonly string[] {
  return rootsOf(symbol).map((root) => root.replace(/[^A-Z0-9]/g, ''))
}

/** The name of an underlying: an index without any mark, everything else as it is. */
export function underlyingName(symbol: Ticker): string {
  return symbol.replace(/^\^/, '')
}

/** Which of the wanted symbols an option belongs to, by its root: the stream of all trades names no underlying. */
export class WantedRoots {
  #symbols: ReadonlyMap<string, Ticker> = new Map()

  want(symbols: readonly Ticker[]): void {
    this.#symbols = new Map(symbols.flatMap((symbol) => optionRoots(symbol).map((root) => [root, symbol] as const)))
  }

  /** Undefined: nobody wants it. An adjusted root, AAPL1, belongs to the symbol of its letters. */
  symbolOf(root: string): Ticker | undefined {
    return this.#symbols.get(root) ?? this.#symbols.get(root.replace(/\d+$/, ''))
  }
}
