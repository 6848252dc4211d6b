import { CALL } from '../../market/chain.ts'
import { percentOf } from '../../math/optional.ts'
import { byStrike, type StrikeRow, sumOf, totalOi, totalVolume } from '../by-strike.ts'
import type { Scope } from '../scope.ts'

export interface StrikeSlots {
  call?: number
  put?: number
}

/**
 * Slots of the call and the put at each strike. If AM- and PM-settled options share a date, the PM ones are used, which
 * are listed last.
 */
export function slotsByStrike({ chain, slots }: Scope): ReadonlyMap<number, Readonly<StrikeSlots>> {
  const found = new Map<number, StrikeSlots>()
  for (const i of slots) {
    let pair = found.get(chain.strike[i])
    if (pair === undefined) found.set(chain.strike[i], (pair = {}))
    pair[chain.right[i] === CALL ? 'call' : 'put'] = i
  }
  return found
}

/** Share of one strike in its scope's totals, percent. Undefined if the total is 0. */
export interface StrikeShare {
  readonly row: StrikeRow
  /** Share of |call gamma| + |put gamma| in percent. */
  readonly gex: number | undefined
  readonly oi: number | undefined
  readonly volume: number | undefined
  /** Distance from spot in percent, negative below spot: 100 (strike - spot) / spot. */
  readonly distance: number
}

const grossGex = (row: StrikeRow) => Math.abs(row.callGex) + Math.abs(row.putGex)

/** Percentages of the strikes within `window` of spot, ascending by strike. `window` is a fraction of spot. */
export function strikeShares(scope: Scope, window: number): readonly StrikeShare[] {
  const { spot } = scope.chain
  const rows = byStrike(scope)
  const gex = sumOf(rows, grossGex)
  const oi = sumOf(rows, totalOi)
  const volume = sumOf(rows, totalVolume)
  return rows
    .filter(({ strike }) => Math.abs(strike - spot) <= window * spot)
    .map((row) => ({
      row,
      gex: percentOf(grossGex(row), gex),
      oi: percentOf(totalOi(row), oi),
      volume: percentOf(totalVolume(row), volume),
      distance: (100 * (row.strike - spot)) / spot
    }))
}
