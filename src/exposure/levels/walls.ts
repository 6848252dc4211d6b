import { ratio } from '../../math/optional.ts'
import { byStrike, netGex, type StrikeRow, sumOf } from '../by-strike.ts'
import type { Scope } from '../scope.ts'
import { keyLevels } from './key-levels.ts'

/** A wall with its weight and its distance. */
export interface Wall {
  readonly strike: number
  /** Gamma exposure of its side, USD per 1 % move of spot: a call wall above 0, a put wall below. */
  readonly gex: number
  /** Its share of all gamma of its side by size, a fraction. */
  readonly strength: number | undefined
  /** Signed, 100 (wall - spot) / spot. */
  readonly distance: number
}

/** The call wall and the put wall of a scope. Undefined where no strike qualifies. */
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

/** Which wall the net gamma of a strike makes: a call wall where it is 0 or more. */
export function wallSide(row: StrikeRow): 'call_wall' | 'put_wall' {
  return netGex(row) >= 0 ? 'call_wall' : 'put_wall'
}
