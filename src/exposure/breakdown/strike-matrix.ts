import type { IsoDate } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { type Book, signConvention } from '../book.ts'
import { byStrike, netChex, netDex, netGex, netVex, type StrikeRow, totalOi, totalVolume } from '../by-strike.ts'
import { changesByStrike } from '../open-interest/open-interest-change.ts'
import { datesOf, liveOn, liveScope, type Scope, withBook } from '../scope.ts'

/** One column of a matrix: a figure by strike, strikes ascending; undefined if a strike has no figure. */
export interface MatrixColumn {
  readonly strikes: ArrayLike<number>
  readonly values: ArrayLike<number | undefined>
}

export interface StrikeMatrix {
  /** Strikes between `low` and `high` that any column lists, ascending. */
  readonly strikes: readonly number[]
  /** One row per strike, one value per column; undefined if the column does not list the strike or has no figure. */
  readonly values: readonly (readonly (number | undefined)[])[]
  readonly rowTotals: readonly number[]
  readonly columnTotals: readonly number[]
  /** Sum of each column over the strikes outside the matrix. */
  readonly outside: readonly number[]
}

/** Builds a matrix of columns over the strikes from `low` to `high`, both included. */
export function strikeMatrix(columns: readonly MatrixColumn[], low: number, high: number): StrikeMatrix {
  const isShown = (strike: number) => strike >= low && strike <= high
  const strikes = [...new Set(columns.flatMap((column) => Array.from(column.strikes).filter(isShown)))]
  strikes.sort((a, b) => a - b)
  const rowOf = new Map(strikes.map((strike, row) => [strike, row]))
  const values = strikes.map((): (number | undefined)[] => columns.map(() => undefined))
  const rowTotals = strikes.map(() => 0)
  const columnTotals = columns.map(() => 0)
  const outside = columns.map(() => 0)
  columns.forEach((column, at) => {
    for (let k = 0; k < column.strikes.length; k++) {
      const row = rowOf.get(column.strikes[k])
      const value = column.values[k] ?? 0
      if (row === undefined) {
        outside[at] += value
        continue
      }
      values[row][at] = column.values[k]
      rowTotals[row] += value
      columnTotals[at] += value
    }
  })
  return { strikes, values, rowTotals, columnTotals, outside }
}

/**
 * Figures of one strike: net exposures in USD as in `contract-exposure.ts`, open interest and volume of calls plus puts
 * in contracts.
 */
const figures = {
  gex: netGex,
  dex: netDex,
  vex: netVex,
  chex: netChex,
  oi: totalOi,
  volume: totalVolume
} as const satisfies Readonly<Record<string, (row: StrikeRow) => number>>

export const matrixMetrics = ['gex', 'dex', 'vex', 'chex', 'oi', 'oi_change', 'volume'] as const
export type MatrixMetric = (typeof matrixMetrics)[number]

/** Whether a figure depends on the dealers' position rather than on open interest or volume alone. */
export function restsOnPosition(metric: MatrixMetric): boolean {
  return metric === 'gex' || metric === 'vex' || metric === 'chex'
}

/**
 * One matrix column for each live expiration of a chain, ascending by date. A change of open interest compares with the
 * prior day and covers contracts listed on both days; undefined for other contracts or without a prior day.
 */
export function columnsByExpiration(
  chain: PricedChain,
  metric: MatrixMetric,
  prior?: PricedChain,
  book: Book = signConvention(chain)
): readonly (MatrixColumn & { readonly date: IsoDate })[] {
  return datesOf(liveScope(chain)).map((date) => {
    const scope = withBook(liveOn(chain, date), book)
    const rows = byStrike(scope)
    const strikes = rows.map(({ strike }) => strike)
    return {
      date,
      strikes,
      values: metric === 'oi_change' ? changesOf(scope, strikes, prior) : rows.map(figures[metric])
    }
  })
}

function changesOf(scope: Scope, strikes: readonly number[], prior: PricedChain | undefined) {
  const changes = prior && changesByStrike(scope, prior)
  return strikes.map((strike) => {
    const { call, put } = changes?.get(strike) ?? {}
    return call === undefined && put === undefined ? undefined : (call ?? 0) + (put ?? 0)
  })
}
