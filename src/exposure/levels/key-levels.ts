import { memoize } from '../../market/memoize.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { type Book, signConvention } from '../book.ts'
import { byStrike, netGex, type StrikeRow, totalOi } from '../by-strike.ts'
import { type Scope, sameDayScope, withBook } from '../scope.ts'

type Row = StrikeRow

/**
 * The strikes that a trading desk watches. A level is undefined if no strike qualifies. Each wall may lie above or
 * below spot.
 */
export interface KeyLevels {
  /** Strike with the largest call gamma. It acts as resistance. */
  readonly callWall: Row | undefined
  /** Strike with the most negative put gamma. It acts as support. */
  readonly putWall: Row | undefined
  /**
   * Strike with the largest call gamma among those at or above spot: the next resistance. It differs from `callWall` if
   * that lies below spot.
   */
  readonly callWallAbove: Row | undefined
  /** Strike with the most negative put gamma among those at or below spot: the next support. */
  readonly putWallBelow: Row | undefined
  readonly maxPositiveGamma: Row | undefined
  readonly maxNegativeGamma: Row | undefined
  readonly highestOi: Row | undefined
  /** Strike with the largest |net gamma|. On its expiration day, it pulls the price toward it. */
  readonly magnet: Row | undefined
}

export const keyLevels = memoize((scope: Scope): KeyLevels => {
  const rows = byStrike(scope)
  const { spot } = scope.chain
  return {
    callWall: highest(rows, spot, callGamma),
    putWall: highest(rows, spot, putGamma),
    callWallAbove: highest(rows, spot, callGammaAbove),
    putWallBelow: highest(rows, spot, putGammaBelow),
    maxPositiveGamma: highest(rows, spot, netGex),
    maxNegativeGamma: highest(rows, spot, negativeGamma),
    highestOi: highest(rows, spot, totalOi),
    magnet: highest(rows, spot, anyGamma)
  }
})

// They are no closures of a chain's levels, whose optimized code V8 would drop with the chain.
const callGamma = (row: Row) => row.callGex
const putGamma = (row: Row) => -row.putGex
const callGammaAbove = (row: Row, spot: number) => (row.strike >= spot ? row.callGex : 0)
const putGammaBelow = (row: Row, spot: number) => (row.strike <= spot ? -row.putGex : 0)
const negativeGamma = (row: Row) => -netGex(row)
const anyGamma = (row: Row) => Math.abs(netGex(row))

/**
 * The magnet of today's expiration: the strike with the largest |net gamma|. Undefined if no unexpired contract expires
 * today.
 */
export function sameDayMagnet(chain: PricedChain, book: Book = signConvention(chain)): Row | undefined {
  return keyLevels(withBook(sameDayScope(chain), book)).magnet
}

/**
 * The row for which `figure` is largest, if that is above 0. A tie goes to the strike nearest to spot, then to the
 * lower one.
 */
export function highest(
  rows: readonly Row[],
  spot: number,
  figure: (row: Row, spot: number) => number
): Row | undefined {
  let best: Row | undefined
  let most = 0
  for (const row of rows) {
    const value = figure(row, spot)
    if (value > most || (value === most && best !== undefined && nearer(row.strike, best.strike, spot))) {
      best = row
      most = value
    }
  }
  return best
}

/** Whether strike `a` is nearer to spot than strike `b`. If both are equally near, whether `a` is lower. */
export function nearer(a: number, b: number, spot: number): boolean {
  const gap = Math.abs(a - spot) - Math.abs(b - spot)
  return gap < 0 || (gap === 0 && a < b)
}

/**
 * The `count` strikes with the largest |net gamma|, largest first. Fewer if there are not so many. A tie goes to the
 * strike nearest to spot, then to the lower one.
 */
export function topGammaStrikes(scope: Scope, count: number): readonly StrikeRow[] {
  const { spot } = scope.chain
  return byStrike(scope)
    .filter((row) => netGex(row) !== 0)
    .sort((a, b) => Math.abs(netGex(b)) - Math.abs(netGex(a)) || (nearer(a.strike, b.strike, spot) ? -1 : 1))
    .slice(0, count)
}
