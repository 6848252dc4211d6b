import { byStrike, netGex, sumOf, totalOi } from './by-strike.ts'
import { hasExpired, type Scope } from './scope.ts'

/** How strongly price is drawn to a strike into expiration: four parts of 0 to 100 and their weighted score. */
export interface PinRisk {
  readonly oi: number
  readonly proximity: number
  readonly time: number
  readonly gamma: number
  /** 0.30 oi + 0.25 proximity + 0.25 time + 0.20 gamma, before rounding. */
  readonly score: number
}

interface PinTarget {
  /** The strike that pulls, if there is one. */
  readonly strike: number | undefined
  /** Distance, as a fraction of spot, at which the pull of proximity ends. */
  readonly reach: number
  /** How much of the time has run, 0 to 100. */
  readonly elapsed: number
}

/** Pin risk of a scope toward one strike. The weights are the specification's. What has expired pins nothing: 0. */
export function pinRisk(scope: Scope, { strike, reach, elapsed }: PinTarget): PinRisk {
  if (hasExpired(scope)) return { oi: 0, proximity: 0, time: 0, gamma: 0, score: 0 }
  const { spot } = scope.chain
  const oi = Math.min(100, 2 * (topStrikesShare(scope, 3) ?? 0))
  const proximity = strike === undefined ? 0 : 100 * Math.max(0, 1 - Math.abs(spot - strike) / (reach * spot))
  const gamma = strike === undefined ? 0 : Math.min(100, 400 * gammaShareAt(scope, strike))
  const score = 0.3 * oi + 0.25 * proximity + 0.25 * elapsed + 0.2 * gamma
  return { oi, proximity, time: elapsed, gamma, score }
}

/** Percent of the scope's open interest at its `count` largest strikes. Undefined without open interest. */
export function topStrikesShare(scope: Scope, count: number): number | undefined {
  const held = byStrike(scope)
    .map(totalOi)
    .sort((a, b) => b - a)
  const total = sumOf(held, (oi) => oi)
  return total === 0 ? undefined : (100 * sumOf(held.slice(0, count), (oi) => oi)) / total
}

/** |net gamma| at one strike as a fraction of the sum of |net gamma| over all strikes; 0 when that sum is 0. */
function gammaShareAt(scope: Scope, strike: number): number {
  const rows = byStrike(scope)
  const all = sumOf(rows, (row) => Math.abs(netGex(row)))
  const here = rows.find((row) => row.strike === strike)
  return all === 0 || here === undefined ? 0 : Math.abs(netGex(here)) / all
}
