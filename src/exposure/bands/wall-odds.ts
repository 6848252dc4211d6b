import { CALL } from '../../market/chain.ts'
import { gaussian } from '../../math/random.ts'
import { unitBook } from '../book.ts'
import { gammaExposure } from '../contract-exposure.ts'
import { nearer } from '../levels/key-levels.ts'
import type { Scope } from '../scope.ts'
import { DRAWS } from './flip-band.ts'
import { uncertainContracts } from './uncertain-contracts.ts'

export interface WallOdds {
  readonly strike: number
  /** Fraction of the random draws in which this strike is the wall. */
  readonly probability: number
}

const MAX_STRIKES = 5

interface StrikeGamma {
  readonly strike: number
  mean: number
  variance: number
}

/**
 * The strikes that are most likely the call wall or put wall (by `right`) if positions are uncertain and independent
 * between strikes. In each random draw, the wall is the strike with the largest gamma of that right. A tie goes to the
 * strike nearest to spot.
 */
export function wallOdds(scope: Scope, right: number, key: number): readonly WallOdds[] {
  const { spot } = scope.chain
  const strikes = gammaByStrike(scope, right)
  const counts = new Map<number, number>()
  for (let draw = 0; draw < DRAWS; draw++) {
    let wall: number | undefined
    let most = 0
    strikes.forEach(({ strike, mean, variance }, k) => {
      const size = mean + Math.sqrt(variance) * gaussian(key, draw, k)
      if (size > most || (size === most && wall !== undefined && nearer(strike, wall, spot))) {
        wall = strike
        most = size
      }
    })
    if (wall !== undefined) counts.set(wall, (counts.get(wall) ?? 0) + 1)
  }
  return [...counts]
    .sort(([a, often], [b, rarely]) => rarely - often || (nearer(a, b, spot) ? -1 : 1))
    .slice(0, MAX_STRIKES)
    .map(([strike, count]) => ({ strike, probability: count / DRAWS }))
}

/**
 * Gamma by strike, ascending, of calls or of puts (by `right`). For puts it is counted as positive. The variance has all
 * parts of a contract's change, but none that strikes share, since those move the walls less than they move the sums.
 */
function gammaByStrike(scope: Scope, right: number): readonly StrikeGamma[] {
  const { chain } = scope
  const { slots, mean, own, shared } = uncertainContracts(scope)
  const held = { chain, book: unitBook(chain) }
  const sign = right === CALL ? 1 : -1
  const byStrike = new Map<number, StrikeGamma>()
  slots.forEach((i, k) => {
    if (chain.right[i] !== right) return
    const strike = chain.strike[i]
    let sums = byStrike.get(strike)
    if (sums === undefined) byStrike.set(strike, (sums = { strike, mean: 0, variance: 0 }))
    const each = sign * gammaExposure(held, i)
    sums.mean += each * mean[k]
    const variance = shared.reduce((sum, { size }) => sum + size[k] ** 2, own[k] ** 2)
    sums.variance += each ** 2 * variance
  })
  return [...byStrike.values()].sort((a, b) => a.strike - b.strike)
}
