import type { PricedChain } from '../pricing/price-chain.ts'
import { type Slice, slices } from './slice.ts'
import { atmVolatility, smileVolatility } from './smile.ts'

/** Where the normal distribution leaves a quarter and a tenth: how many deviations out a delta of 25 and of 10 lies. */
const quarterDelta = 0.6745
const tenthDelta = 1.2816

/** The smile of one expiration at five points. Volatilities in percent, differences in vol points. */
export interface Skew {
  readonly atm: number
  readonly put25: number
  readonly call25: number
  readonly put10: number
  readonly call10: number
  /** put25 - call25: what the downside costs more. */
  readonly skew25: number
  /** put25 / call25. */
  readonly smileRatio: number
  /** (put10 - put25) - (put25 - atm): how the downside steepens. */
  readonly tailConvexity: number
  /** call25 - put25. */
  readonly riskReversal25: number
  /** (call25 + put25)/2 - atm. */
  readonly butterfly25: number
}

/**
 * The skew of one expiration; undefined where its smile does not reach all five points.
 *
 * A delta stands for a moneyness: k = -z s for a put and +z s for a call, s = iv_atm √T, z = 0.6745 and 1.2816. Source:
 * the wire contract; the approximation of delta by moneyness is docs/methods/skew.md.
 */
export function skewOf(slice: Slice): Skew | undefined {
  const centre = atmVolatility(slice)
  if (centre === undefined) return undefined
  const deviation = centre * Math.sqrt(slice.t)
  const at = (z: number) => {
    const iv = smileVolatility(slice, z * deviation)
    return iv === undefined ? undefined : 100 * iv
  }
  const atm = 100 * centre
  const [put25, call25, put10, call10] = [at(-quarterDelta), at(quarterDelta), at(-tenthDelta), at(tenthDelta)]
  if (put25 === undefined || call25 === undefined || put10 === undefined || call10 === undefined) return undefined
  return {
    atm,
    put25,
    call25,
    put10,
    call10,
    skew25: put25 - call25,
    smileRatio: put25 / call25,
    tailConvexity: put10 - put25 - (put25 - atm),
    riskReversal25: call25 - put25,
    butterfly25: (call25 + put25) / 2 - atm
  }
}

/** The skew of each expiration that has one, ascending. */
export function skewProfiles(chain: PricedChain): readonly { readonly slice: Slice; readonly skew: Skew }[] {
  return slices(chain).flatMap((slice) => {
    const skew = skewOf(slice)
    return skew === undefined ? [] : [{ slice, skew }]
  })
}
