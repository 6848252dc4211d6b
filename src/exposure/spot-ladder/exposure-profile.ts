import { isLive } from '../../market/clock.ts'
import type { Instant } from '../../market/units.ts'
import { atSpot, type MovedGreeks, movedChain, movedGreeks } from '../../pricing/moved-chain.ts'
import { NO_SIGMA } from '../../pricing/sources.ts'
import { gammaDollars, greekDollars } from '../contract-exposure.ts'
import { charmAhead } from '../decay-ahead.ts'
import { expirationOfSlots, type Scope } from '../scope.ts'
import { gammaCrossings } from './gamma-flip.ts'

/** Groups of contracts by days to expiry at the chain's moment, each with its last day. */
export const profileBuckets = [
  { bucket: '0', last: 0 },
  { bucket: '1-7', last: 7 },
  { bucket: '8-30', last: 30 },
  { bucket: '31-90', last: 90 },
  { bucket: '91+', last: Number.POSITIVE_INFINITY }
] as const

/**
 * Net exposures of a scope at each price in a list of spots, USD. The units are those of `contract-exposure.ts`. Every
 * list has one entry per spot.
 */
export interface ExposureProfile {
  readonly spots: readonly number[]
  readonly gex: readonly number[]
  readonly dex: readonly number[]
  readonly vex: readonly number[]
  readonly chex: readonly number[]
  /** Gamma exposure of each group in `profileBuckets`, in their order. Each group has one list over the spots. */
  readonly byBucket: readonly (readonly number[])[]
  /** Prices within `reach` of spot at which net gamma changes sign, ascending. */
  readonly crossings: readonly number[]
}

export interface ProfileTerms {
  /** Distance from spot to the lowest and to the highest price computed, as a fraction of spot, at most 0.5. */
  readonly reach: number
  /** Number of prices. It is odd and at least 3, so that the middle one is the chain's spot. */
  readonly points: number
  /** Moment for which contracts are repriced. Contracts that have expired by then are left out. */
  readonly asOf: Instant
  /** Added to all volatilities, an annual fraction. */
  readonly shift: number
}

/**
 * Net exposures of a scope at evenly spaced prices of the underlying. Every greek is recomputed at each price. The
 * volatility of each strike, rates, yields and open interest stay fixed (sticky strike, as for the gamma flip).
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

/** The contracts that have not expired at `asOf`, on a chain that is repriced for that moment. */
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

/** Sums the exposures of `contract-exposure.ts`. Columns are looked up once, since this runs at every price. */
function sumsAt(
  { chain, slots, expirations, book }: Scope,
  x: number,
  bucketOf: readonly number[],
  columns: MovedGreeks
) {
  const moved = atSpot(chain, x, expirations, columns)
  const { sigmaSource, onForward, carries, spot, delta, gamma, vanna } = moved
  const { position, openInterest } = book
  const charm = charmAhead(moved)
  const expirationOf = expirationOfSlots(chain)
  const byBucket = profileBuckets.map(() => 0)
  let [gex, dex, vex, chex] = [0, 0, 0, 0]
  for (let k = 0; k < slots.length; k++) {
    const i = slots[k]
    if (sigmaSource[i] === NO_SIGMA) continue
    const at = expirationOf[i]
    const underlying = onForward ? carries[at].exposureSpot : spot
    if (openInterest[i] > 0) dex += greekDollars(delta[i], openInterest[i], underlying)
    const held = position[i]
    if (held === 0) continue
    const dollars = gammaDollars(gamma[i], held, underlying)
    gex += dollars
    byBucket[bucketOf[at]] += dollars
    vex += greekDollars(vanna[i], held, underlying)
    chex += greekDollars(charm[i], held, underlying)
  }
  return { gex, dex, vex, chex, byBucket }
}
