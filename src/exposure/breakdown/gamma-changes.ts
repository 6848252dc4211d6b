import type { StrikeColumn } from '../../market/strike-sums.ts'
import { atSpot, type MovedGreeks, movedChain, movedGreeks } from '../../pricing/moved-chain.ts'
import { byStrike, netGex, strikesOf } from '../by-strike.ts'
import { gammaExposure } from '../contract-exposure.ts'
import type { Scope } from '../scope.ts'

/** Net gamma of one strike then and now, USD per 1 % move. `change` is `spot` + `rest`. */
export interface GammaChange {
  readonly strike: number
  readonly from: number
  readonly to: number
  readonly change: number
  /** Part that the move of spot alone makes: the contracts of now, at the spot of now and at that of then. */
  readonly spot: number
  /** The other part: time, volatility, open interest and listing. */
  readonly rest: number
}

/** A moment before that of a chain: net gamma by strike as it was recorded, and the spot. */
export interface EarlierGamma extends Pick<StrikeColumn, 'strikes' | 'values'> {
  readonly underlying: number
}

/**
 * Changes of net gamma by strike since an earlier moment, ascending by strike. The part of spot is what sticky-strike
 * repricing gives: volatility, clock and open interest of each contract stay those of now. A strike that only one of
 * the two moments has counts as 0 in the other.
 */
export function gammaChanges(scope: Scope, earlier: EarlierGamma): readonly GammaChange[] {
  const now = new Map(byStrike(scope).map((row) => [row.strike, netGex(row)]))
  const then = new Map(Array.from(earlier.strikes, (strike, k) => [strike, earlier.values[k]]))
  const bySpot = changesBySpot(scope, earlier.underlying)
  const strikes = [...new Set([...now.keys(), ...then.keys()])].sort((a, b) => a - b)
  return strikes.map((strike) => {
    const [from, to, spot] = [then, now, bySpot].map((found) => found.get(strike) ?? 0)
    const change = to - from
    return { strike, from, to, change, spot, rest: change - spot }
  })
}

function changesBySpot(scope: Scope, underlying: number): ReadonlyMap<number, number> {
  const { chain } = scope
  const { strikes } = strikesOf(chain)
  const moved = movedChain(chain, chain.asOf)
  const columns = movedGreeks(chain.size)
  const then = gammaAt({ ...scope, chain: moved }, underlying, columns)
  const now = gammaAt({ ...scope, chain: moved }, chain.spot, columns)
  return new Map(Array.from(strikes, (strike, k) => [strike, now[k] - then[k]]))
}

/** Net gamma at another spot, by the strikes of `strikesOf`. */
function gammaAt({ chain, slots, expirations, book }: Scope, spot: number, columns: MovedGreeks): Float64Array {
  const held = { chain: atSpot(chain, spot, expirations, columns), book }
  const { strikes, of } = strikesOf(chain)
  const sums = new Float64Array(strikes.length)
  for (const i of slots) sums[of[i]] += gammaExposure(held, i)
  return sums
}

/** The `top` changes of largest size, largest first; of equal ones the lower strike first. */
export function largestChanges(changes: readonly GammaChange[], top: number): readonly GammaChange[] {
  const size = ({ change }: GammaChange) => Math.abs(change)
  return changes
    .filter((one) => size(one) > 0)
    .sort((a, b) => size(b) - size(a) || a.strike - b.strike)
    .slice(0, top)
}
