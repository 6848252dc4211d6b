import { CALL, known } from '../market/chain.ts'
import { memo } from '../market/memo.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import { charmExposure, deltaAdjustedGamma, deltaExposure, gammaExposure, vannaExposure } from './contract.ts'
import type { Scope } from './scope.ts'

/** Sums over the contracts of one strike. Exposures in USD as in `contract.ts`, counts in contracts. */
export interface StrikeRow {
  readonly strike: number
  callGex: number
  putGex: number
  callDex: number
  putDex: number
  callVex: number
  putVex: number
  callChex: number
  putChex: number
  /** Delta-adjusted gamma of both sides. */
  dag: number
  callOi: number
  putOi: number
  callVolume: number
  putVolume: number
}

/** One row for each listed strike of a scope, ascending. Rows are computed once and must not be changed. */
export function byStrike(scope: Scope): readonly Readonly<StrikeRow>[] {
  return memo(scope, 'by strike', () => {
    const { chain } = scope
    const { strikes, of } = strikesOf(chain)
    const rows = new Array<StrikeRow | undefined>(strikes.length)
    for (const i of scope.slots) {
      const row = (rows[of[i]] ??= emptyRow(strikes[of[i]]))
      row.dag += deltaAdjustedGamma(chain, i)
      if (chain.right[i] === CALL) {
        row.callGex += gammaExposure(chain, i)
        row.callDex += deltaExposure(chain, i)
        row.callVex += vannaExposure(chain, i)
        row.callChex += charmExposure(chain, i)
        row.callOi += known(chain.openInterest[i])
        row.callVolume += known(chain.volume[i])
      } else {
        row.putGex += gammaExposure(chain, i)
        row.putDex += deltaExposure(chain, i)
        row.putVex += vannaExposure(chain, i)
        row.putChex += charmExposure(chain, i)
        row.putOi += known(chain.openInterest[i])
        row.putVolume += known(chain.volume[i])
      }
    }
    return rows.filter((row) => row !== undefined)
  })
}

/** The rows somebody holds or trades: those with open interest or volume. */
export function activeStrikes(scope: Scope): readonly Readonly<StrikeRow>[] {
  return memo(scope, 'active strikes', () =>
    byStrike(scope).filter((row) => totalOi(row) > 0 || row.callVolume + row.putVolume > 0)
  )
}

export const netGex = (row: Readonly<StrikeRow>) => row.callGex + row.putGex
export const netDex = (row: Readonly<StrikeRow>) => row.callDex + row.putDex
export const netVex = (row: Readonly<StrikeRow>) => row.callVex + row.putVex
export const netChex = (row: Readonly<StrikeRow>) => row.callChex + row.putChex
export const totalOi = (row: Readonly<StrikeRow>) => row.callOi + row.putOi

/** Sums one figure over rows. */
export function sumOf<Row>(rows: readonly Row[], figure: (row: Row) => number): number {
  let sum = 0
  for (const row of rows) sum += figure(row)
  return sum
}

/** The distinct strikes of a chain, ascending, and each slot's index into them. */
function strikesOf(chain: PricedChain): { readonly strikes: Float64Array; readonly of: Uint32Array } {
  return memo(chain, 'strikes', () => {
    const strikes = Float64Array.from(new Set(chain.strike)).sort()
    const index = new Map(Array.from(strikes, (strike, at) => [strike, at]))
    return { strikes, of: Uint32Array.from(chain.strike, (strike) => index.get(strike)!) }
  })
}

function emptyRow(strike: number): StrikeRow {
  return {
    strike,
    callGex: 0,
    putGex: 0,
    callDex: 0,
    putDex: 0,
    callVex: 0,
    putVex: 0,
    callChex: 0,
    putChex: 0,
    dag: 0,
    callOi: 0,
    putOi: 0,
    callVolume: 0,
    putVolume: 0
  }
}
