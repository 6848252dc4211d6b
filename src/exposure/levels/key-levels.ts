import { memoize } from '../../market/memoize.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { type Book, signConvention } from '../book.ts'
import { byStrike, netGex, type StrikeRow, totalOi } from '../by-strike.ts'
import { type Scope, sameDayScope, withBook } from '../scope.ts'

type Row = StrikeRow

/** The strikes a desk watches. Undefined where no strike qualifies. Walls need not lie above or below spot. */
export interface KeyLevels {
  /** Largest call gamma: resistance. */
  readonly callWall: Row | undefined
  /** Most negative put gamma: support. */
  readonly putWall: Row | undefined
  /** Largest call gamma at or above spot: the resistance ahead, wherever the call wall of the whole scope lies. */
  readonly callWallAbove: Row | undefined
  /** Most negative put gamma at or below spot: the support beneath. */
  readonly putWallBelow: Row | undefined
  readonly maxPositiveGamma: Row | undefined
  readonly maxNegativeGamma: Row | undefined
  readonly highestOi: Row | undefined
  /** Largest net gamma by size: the strike that pulls, when the scope expires today. */
  readonly magnet: Row | undefined
}

export const keyLevels = memoize((scope: Scope): KeyLevels => {
  const rows = byStrike(scope)
  const { spot } = scope.chain
  return {
    callWall: highest(rows, spot, (row) => row.callGex),
    putWall: highest(rows, spot, (row) => -row.putGex),
    callWallAbove: highest(rows, spot, (row) => (row.strike >= spot ? row.callGex : 0)),
    putWallBelow: highest(rows, spot, (row) => (row.strike <= spot ? -row.putGex : 0)),
    maxPositiveGamma: highest(rows, spot, netGex),
    maxNegativeGamma: highest(rows, spot, (row) => -netGex(row)),
    highestOi: highest(rows, spot, totalOi),
    magnet: highest(rows, spot, (row) => Math.abs(netGex(row)))
  }
})

/** The magnet of what expires today. Undefined when nothing does. */
export function sameDayMagnet(chain: PricedChain, book: Book = signConvention(chain)): Row | undefined {
  return keyLevels(withBook(sameDayScope(chain), book)).magnet
}

/** The row with the largest positive figure; of equal ones the nearest to spot, then the lower strike. */
export function highest(rows: readonly Row[], spot: number, figure: (row: Row) => number): Row | undefined {
  let best: Row | undefined
  let most = 0
  for (const row of rows) {
    const value = figure(row)
    if (value > most || (value === most && best !== undefined && nearer(row.strike, best.strike, spot))) {
      best = row
      most = value
    }
  }
  return best
}

/** Whether strike `a` lies nearer to spot than `b`, the lower one winning a tie. */
export function nearer(a: number, b: number, spot: number): boolean {
  const gap = Math.abs(a - spot) - Math.abs(b - spot)
  return gap < 0 || (gap === 0 && a < b)
}

/** The strikes with the most net gamma by size, largest first, `count` at most; ties as everywhere: nearest to spot, then lower. */
export function topGammaStrikes(scope: Scope, count: number): readonly StrikeRow[] {
  const { spot } = scope.chain
  return byStrike(scope)
    .filter((row) => netGex(row) !== 0)
    .sort((a, b) => Math.abs(netGex(b)) - Math.abs(netGex(a)) || (nearer(a.strike, b.strike, spot) ? -1 : 1))
    .slice(0, count)
}
