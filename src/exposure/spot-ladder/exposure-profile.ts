import { isLive } from '../../market/clock.ts'
import type { Instant } from '../../market/units.ts'
import { atSpot, type MovedGreeks, movedChain, movedGreeks } from '../../pricing/moved-chain.ts'
import { charmExposure, deltaExposure, gammaExposure, vannaExposure } from '../contract-exposure.ts'
import { expirationOfSlots, type Scope } from '../scope.ts'
import { gammaCrossings } from './gamma-flip.ts'

/** Names of the buckets by days to expiry at the chain's time, with the last day of each. */
export const profileBuckets = [
  { bucket: '0', last: 0 },
  { bucket: '1-7', last: 7 },
  { bucket: '8-30', last: 30 },
  { bucket: '31-90', last: 90 },
  { bucket: '91+', last: Number.POSITIVE_INFINITY }
] as const

/**
 * Net exposures of a scope at a list of spots in USD, units as in `contract-exposure.ts`. Every list has one entry per
 * spot.
 */
export interface ExposureProfile {
  readonly spots: readonly number[]
  readonly gex: readonly number[]
  readonly dex: readonly number[]
  readonly vex: readonly number[]
  readonly chex: readonly number[]
  /** Gamma exposure of each bucket of `profileBuckets`, in their order: one list over the spots per bucket. */
  readonly byBucket: readonly (readonly number[])[]
  /** Spots within `reach` at which net gamma changes sign, ascending. */
  readonly crossings: readonly number[]
}

export interface ProfileTerms {
  /** Distance from spot to the lowest and the highest spot computed, as a fraction of spot, 0.5 at most. */
  readonly reach: number
  /** Number of spots: odd and at least 3, so that the middle one is the chain's spot. */
  readonly points: number
  /** Time at which contracts are repriced; contracts that have expired by then are left out. */
  readonly asOf: Instant
  /** Parallel shift of all volatilities, an annual fraction. */
  readonly shift: number
}

/**
 * Net exposures of a scope at evenly spaced spots. Every greek is recomputed at each spot; the volatility of each
 * strike, rates, yields and open interest are held fixed (sticky strike, as for the flip).
 */
export function exposureProfile(scope: Scope, { reach, points, asOf, shift }: ProfileTerms): ExposureProfile {
  const moved = movedScope(scope, asOf, shift)
  const { spot } = scope.chain
  const half = (points - 1) / 2
  const spots = Array.from({ length: points }, (_, k) => spot * (1 + (reach * (k - half)) / half))
  const bucketOf = bucketsOfExpirations(scope)
  const columns = movedGreeks(moved.chain.size)
  const sums = spots.map((x) => sumsAt(moved, x, bucketOf, columns))
  return {
    spots,
    gex: sums.map(({ gex }) => gex),
    dex: sums.map(({ dex }) => dex),
    vex: sums.map(({ vex }) => vex),
    chex: sums.map(({ chex }) => chex),
    byBucket: profileBuckets.map((_, bucket) => sums.map(({ byBucket }) => byBucket[bucket])),
    crossings: gammaCrossings(moved, reach)
  }
}

/** The contracts that are still live at `asOf`, on the chain repriced for that time. */
function movedScope(scope: Scope, asOf: Instant, shift: number): Scope {
  const { chain, slots, expirations, book } = scope
  const moved = movedChain(chain, asOf, shift)
  if (asOf === chain.asOf) return { chain: moved, slots, expirations, book }
  const isLeft = (at: number) => isLive(asOf, chain.expirations[at].date, chain.expirations[at].settlement)
  const expirationOf = expirationOfSlots(chain)
  return {
    chain: moved,
    slots: slots.filter((i) => isLeft(expirationOf[i])),
    expirations: expirations.filter(isLeft),
    book
  }
}

function bucketsOfExpirations({ chain }: Scope): readonly number[] {
  return chain.carries.map(({ days }) => profileBuckets.findIndex(({ last }) => days <= last))
}

function sumsAt(
  { chain, slots, expirations, book }: Scope,
  x: number,
  bucketOf: readonly number[],
  columns: MovedGreeks
) {
  const held = { chain: atSpot(chain, x, expirations, columns), book }
  const expirationOf = expirationOfSlots(chain)
  const byBucket = profileBuckets.map(() => 0)
  const sums = { gex: 0, dex: 0, vex: 0, chex: 0, byBucket }
  for (const i of slots) {
    const gamma = gammaExposure(held, i)
    sums.gex += gamma
    byBucket[bucketOf[expirationOf[i]]] += gamma
    sums.dex += deltaExposure(held, i)
    sums.vex += vannaExposure(held, i)
    sums.chex += charmExposure(held, i)
  }
  return sums
}
