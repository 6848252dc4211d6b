import type { PricedChain } from '../../pricing/price-chain.ts'
import { type Slice, slices } from './slice.ts'
import { atmVolatility } from './smile-volatility.ts'
import { wingVolatility } from './wing-volatility.ts'

/**
 * Number of standard deviations from the forward at which an option is assumed to have a delta of 25 or of 10
 * (quantiles of the normal distribution).
 */
const QUARTER_DELTA = 0.6745
const TENTH_DELTA = 1.2816

/** At-the-money and 25-delta volatilities of one expiration in percent. Differences are in vol points. */
export interface QuarterSkew {
  readonly atm: number
  readonly put25: number
  readonly call25: number
  /** put25 - call25: how much more volatility the downside costs than the upside. */
  readonly skew25: number
  readonly smileRatio: number
}

export interface SmileSkew extends QuarterSkew {
  readonly put10: number
  readonly call10: number
  /**
   * (put10 - put25) - (put25 - atm): by how much the smile is steeper between the 10- and 25-delta puts than between
   * the 25-delta put and the money.
   */
  readonly tailConvexity: number
  readonly riskReversal25: number
  readonly butterfly25: number
}

/**
 * Skew of one expiration at 25 delta. Undefined if its quotes do not reach all three points, even where a fitted curve
 * does. Deltas are approximated by distance from the forward: k = -z s for a put and z s for a call, where s = iv_atm √T
 * and z = 0.6745. Source: the published API contract; the approximation is explained in docs/methods/skew.md.
 */
export function quarterSkewOf(slice: Slice): QuarterSkew | undefined {
  if (!isQuotedTo(slice, QUARTER_DELTA)) return undefined
  const [atm, put25, call25] = [0, -QUARTER_DELTA, QUARTER_DELTA].map((z) => atDeviations(slice, z))
  if (atm === undefined || put25 === undefined || call25 === undefined) return undefined
  return { atm, put25, call25, skew25: put25 - call25, smileRatio: put25 / call25 }
}

/** Skew of one expiration at 25 and 10 delta. Undefined if its smile does not reach all five points. */
export function smileSkew(slice: Slice): SmileSkew | undefined {
  const near = quarterSkewOf(slice)
  const [put10, call10] = [atDeviations(slice, -TENTH_DELTA), atDeviations(slice, TENTH_DELTA)]
  if (near === undefined || put10 === undefined || call10 === undefined) return undefined
  const { atm, put25, call25 } = near
  return {
    ...near,
    put10,
    call10,
    tailConvexity: put10 - put25 - (put25 - atm),
    riskReversal25: call25 - put25,
    butterfly25: (call25 + put25) / 2 - atm
  }
}

/**
 * At-the-money and 10-delta volatilities of one expiration in percent. `call10` is undefined if the smile does not
 * reach it.
 */
export interface Tails {
  readonly atm: number
  readonly put10: number
  readonly call10: number | undefined
}

/**
 * Volatilities in the tails of one expiration. Undefined unless its smile covers both the forward and the 10-delta put.
 */
export function tailsOf(slice: Slice): Tails | undefined {
  const [atm, put10, call10] = [0, -TENTH_DELTA, TENTH_DELTA].map((z) => atDeviations(slice, z))
  return atm === undefined || put10 === undefined ? undefined : { atm, put10, call10 }
}

/**
 * Slope of the smile between its 25-delta points, in vol points per 10 % of log-moneyness. Positive if puts are more
 * expensive.
 */
export function skewSlope({ atm, skew25 }: QuarterSkew, t: number): number {
  return ((0.1 * skew25) / (2 * QUARTER_DELTA * Math.sqrt(t))) * (100 / atm)
}

/** Whether the quotes of a smile reach `z` standard deviations from the forward on both sides. */
function isQuotedTo(slice: Slice, z: number): boolean {
  const { k, size } = slice.points
  const reach = z * (atmVolatility(slice) ?? Number.NaN) * Math.sqrt(slice.t)
  return size > 0 && k[0] <= -reach && k[size - 1] >= reach
}

/**
 * Volatility of a smile in percent, `z` standard deviations from the forward. The standard deviation is the one of the
 * smile itself.
 */
function atDeviations(slice: Slice, z: number): number | undefined {
  const centre = atmVolatility(slice)
  if (z === 0 || centre === undefined) return centre && 100 * centre
  const iv = wingVolatility(slice, z * centre * Math.sqrt(slice.t))
  return iv === undefined ? undefined : 100 * iv
}

/**
 * Skew of each expiration of a chain, ascending by date. Expirations whose smile does not reach far enough are left
 * out.
 */
export function skewProfiles(chain: PricedChain): readonly { readonly slice: Slice; readonly skew: SmileSkew }[] {
  return slices(chain).flatMap((slice) => {
    const skew = smileSkew(slice)
    return skew === undefined ? [] : [{ slice, skew }]
  })
}
