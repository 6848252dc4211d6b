import type { PricedChain } from '../../pricing/price-chain.ts'
import { type Slice, slices } from './slice.ts'
import { atmVolatility, smileVolatility } from './smile-volatility.ts'

/** Where the normal distribution leaves a quarter and a tenth: how many deviations out a delta of 25 and of 10 lies. */
const QUARTER_DELTA = 0.6745
const TENTH_DELTA = 1.2816

/** The smile of one expiration at its centre and at 25 delta. Volatilities in percent, differences in vol points. */
export interface QuarterSkew {
  readonly atm: number
  readonly put25: number
  readonly call25: number
  /** put25 - call25: what the downside costs more. */
  readonly skew25: number
  /** put25 / call25. */
  readonly smileRatio: number
}

/** The same at 10 delta as well. */
export interface SmileSkew extends QuarterSkew {
  readonly put10: number
  readonly call10: number
  /** (put10 - put25) - (put25 - atm): how the downside steepens. */
  readonly tailConvexity: number
  /** call25 - put25. */
  readonly riskReversal25: number
  /** (call25 + put25)/2 - atm. */
  readonly butterfly25: number
}

/**
 * The skew of one expiration at 25 delta; undefined where its smile does not reach all three points.
 *
 * A delta stands for a moneyness: k = -z s for a put and +z s for a call, s = iv_atm √T, z = 0.6745 and 1.2816. Source:
 * the wire contract; the approximation of delta by moneyness is docs/methods/skew.md.
 */
export function quarterSkewOf(slice: Slice): QuarterSkew | undefined {
  const [atm, put25, call25] = [0, -QUARTER_DELTA, QUARTER_DELTA].map((z) => atDeviations(slice, z))
  if (atm === undefined || put25 === undefined || call25 === undefined) return undefined
  return { atm, put25, call25, skew25: put25 - call25, smileRatio: put25 / call25 }
}

/** The skew of one expiration at 25 and 10 delta; undefined where its smile does not reach all five points. */
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

/** The tails of one expiration at 10 delta, percent. The call side is undefined where the smile does not reach it. */
export interface Tails {
  readonly atm: number
  readonly put10: number
  readonly call10: number | undefined
}

/** Its tails; undefined where the smile has no centre or does not reach down to 10 delta. */
export function tailsOf(slice: Slice): Tails | undefined {
  const [atm, put10, call10] = [0, -TENTH_DELTA, TENTH_DELTA].map((z) => atDeviations(slice, z))
  return atm === undefined || put10 === undefined ? undefined : { atm, put10, call10 }
}

/** How fast the smile falls between its 25-delta points: vol points for each 10 % of log-moneyness, puts dearer above 0. */
export function skewSlope({ atm, skew25 }: QuarterSkew, t: number): number {
  return ((0.1 * skew25) / (2 * QUARTER_DELTA * Math.sqrt(t))) * (100 / atm)
}

/** The volatility of a smile so many of its own deviations from the forward, percent. */
function atDeviations(slice: Slice, z: number): number | undefined {
  const centre = atmVolatility(slice)
  const iv = centre === undefined ? undefined : smileVolatility(slice, z * centre * Math.sqrt(slice.t))
  return iv === undefined ? undefined : 100 * iv
}

/** The skew of each expiration that has one, ascending. */
export function skewProfiles(chain: PricedChain): readonly { readonly slice: Slice; readonly skew: SmileSkew }[] {
  return slices(chain).flatMap((slice) => {
    const skew = smileSkew(slice)
    return skew === undefined ? [] : [{ slice, skew }]
  })
}
