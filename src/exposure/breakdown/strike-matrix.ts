import type { IsoDate } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { byStrike, netChex, netDex, netGex, netVex, type StrikeRow, totalOi, totalVolume } from '../by-strike.ts'
import { changesByStrike } from '../open-interest/open-interest-change.ts'
import { datesOf, expiringScope, type Scope, withBook } from '../scope.ts'

/** One column of a matrix: a figure for each strike, ascending by strike. Undefined at a strike without a figure. */
export interface MatrixColumn {
  readonly strikes: ArrayLike<number>
  readonly values: ArrayLike<number | undefined>
}

export interface StrikeMatrix {
  /** Strikes from `low` to `high` that occur in any column, ascending. */
  readonly strikes: readonly number[]
  /**
   * One row per strike, with one value per column. Undefined if the column does not have the strike or has no figure
   * there.
   */
  readonly values: readonly (readonly (number | undefined)[])[]
  readonly rowTotals: readonly number[]
  readonly columnTotals: readonly number[]
  /** For each column, the sum over the strikes outside the matrix. */
  readonly outside: readonly number[]
}

/** Combines columns into a matrix over the strikes from `low` to `high`, both included. */
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
 * Functions that give each figure of one strike. Net exposures are in USD as in `contract-exposure.ts`. Open interest
 * and volume are contracts, calls and puts together.
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

/** Whether a figure depends on what dealers are assumed to hold. Open interest and volume do not. */
export function restsOnPosition(metric: MatrixMetric): boolean {
  return metric === 'gex' || metric === 'vex' || metric === 'chex'
}

/**
 * One matrix column for each date of a scope, ascending. A change of open interest is the change since the
 * prior day. It covers contracts listed on both days, and is undefined for all others or if there is no prior day.
 */
export function columnsByExpiration(
  whole: Scope,
  metric: MatrixMetric,
  prior?: PricedChain
): readonly (MatrixColumn & { readonly date: IsoDate })[] {
  const { chain, book } = whole
  return datesOf(whole).map((date) => {
    const scope = withBook(expiringScope(chain, date), book)
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
