import { ratio } from '../../math/optional.ts'
import { byStrike, netGex, type StrikeRow, sumOf } from '../by-strike.ts'
import type { Scope } from '../scope.ts'
import { keyLevels } from './key-levels.ts'

export interface Wall {
  readonly strike: number
  /**
   * Gamma exposure at the wall, USD per 1 % move of spot: of the calls (above 0) for a call wall, of the puts (below 0)
   * for a put wall.
   */
  readonly gex: number
  /**
   * Gamma at the wall as a fraction of the gamma of all strikes. Only calls count for a call wall, only puts for a put
   * wall.
   */
  readonly strength: number | undefined
  /** Distance from spot in percent, negative below spot: 100 (wall - spot) / spot. */
  readonly distance: number
}

/** Call wall and put wall of a scope; each is undefined if no strike qualifies. */
export function walls(scope: Scope): { readonly call: Wall | undefined; readonly put: Wall | undefined } {
  const { callWall, putWall } = keyLevels(scope)
  return {
    call: callWall && wallAt(scope, callWall, (row) => row.callGex),
    put: putWall && wallAt(scope, putWall, (row) => row.putGex)
  }
}

function wallAt(scope: Scope, row: StrikeRow, gexOf: (row: StrikeRow) => number): Wall {
  const { spot } = scope.chain
  return {
    strike: row.strike,
    gex: gexOf(row),
    strength: ratio(
      Math.abs(gexOf(row)),
      sumOf(byStrike(scope), (one) => Math.abs(gexOf(one)))
    ),
    distance: (100 * (row.strike - spot)) / spot
  }
}

/** Which kind of wall a strike would be by the sign of its net gamma. 0 counts as a call wall. */
export function wallSide(row: StrikeRow): 'call_wall' | 'put_wall' {
  return netGex(row) >= 0 ? 'call_wall' : 'put_wall'
}
