import type { IsoDate } from '../../market/units.ts'
import { sumOf } from '../by-strike.ts'
import { charmExposure, deltaExposure, gammaExposure, vannaExposure } from '../contract-exposure.ts'
import { carriesExposure, expirationOfSlots, type Scope } from '../scope.ts'

/** Functions that compute each exposure of one contract in USD. The units are those of `contract-exposure.ts`. */
export const contractExposures = {
  gex: gammaExposure,
  dex: deltaExposure,
  vex: vannaExposure,
  chex: charmExposure
} as const
export type Measure = keyof typeof contractExposures

export interface ExposurePart<Key> {
  readonly key: Key
  /** Exposure of the part, USD. It may be negative. */
  readonly value: number
}

/**
 * A net exposure, split by strike, by expiration and by contract. Each list begins with the largest absolute exposure.
 */
export interface Contributions {
  readonly gross: number
  readonly byRight: readonly [calls: number, puts: number]
  readonly byExpiration: readonly ExposurePart<IsoDate>[]
  readonly byStrike: readonly ExposurePart<number>[]
  /** Exposure of each contract. The key is the slot of the contract in the chain. */
  readonly byContract: readonly ExposurePart<number>[]
}

/**
 * Splits a net exposure by strike, by expiration and by contract. Parts of equal size are ordered by earlier
 * expiration, then lower strike, then call before put.
 */
export function contributions(scope: Scope, measure: Measure): Contributions {
  const { chain, slots } = scope
  const expirationOf = expirationOfSlots(chain)
  const exposure = contractExposures[measure]
  const byDate = new Map<IsoDate, number>()
  const byStrike = new Map<number, number>()
  const byContract: ExposurePart<number>[] = []
  const byRight: [number, number] = [0, 0]
  const add = <Key>(sums: Map<Key, number>, key: Key, value: number) => sums.set(key, (sums.get(key) ?? 0) + value)
  for (const i of slots) {
    if (!carriesExposure(scope, i)) continue
    const value = exposure(scope, i)
    byRight[chain.right[i]] += value
    add(byDate, chain.expirations[expirationOf[i]].date, value)
    add(byStrike, chain.strike[i], value)
    byContract.push({ key: i, value })
  }
  return {
    gross: sumOf(byContract, ({ value }) => Math.abs(value)),
    byRight,
    byExpiration: largestFirst(byDate, (a, b) => (a < b ? -1 : 1)),
    byStrike: largestFirst(byStrike, (a, b) => a - b),
    // Slots already ascend by expiration, strike, call before put, which is the order of ties.
    byContract: byContract.sort((a, b) => Math.abs(b.value) - Math.abs(a.value) || a.key - b.key)
  }
}

function largestFirst<Key>(
  sums: ReadonlyMap<Key, number>,
  order: (a: Key, b: Key) => number
): readonly ExposurePart<Key>[] {
  const parts = [...sums].map(([key, value]) => ({ key, value }))
  return parts.sort((a, b) => Math.abs(b.value) - Math.abs(a.value) || order(a.key, b.key))
}
