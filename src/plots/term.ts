import type { Instant, IsoDate } from '../market/units.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import { type Refusal, slices } from '../volatility/smile/slice.ts'
import { atmVolatility } from '../volatility/smile/smile.ts'
import { referenceSmile } from '../volatility/term/reference-slice.ts'

/** The volatility at the forward of one expiration date, percent. */
export interface TermPoint {
  readonly date: IsoDate
  readonly days: number
  /** Undefined where the smile has no volatility at the forward. */
  readonly iv: number | undefined
  /** Why no smile was fitted; undefined where one was. */
  readonly refusal: Refusal | undefined
}

/** What a picture of a term structure shows. */
export interface TermPicture {
  readonly symbol: string
  readonly asOf: Instant
  readonly spot: number
  /** Every live expiration date, ascending. */
  readonly points: readonly TermPoint[]
  /** The date whose volatility stands for the whole chain. */
  readonly reference: IsoDate | undefined
}

/** The at-the-money term structure of a chain. Undefined where nothing live is listed. */
export function termPicture(chain: PricedChain): TermPicture | undefined {
  const points = slices(chain).map((slice) => {
    const iv = atmVolatility(slice)
    return { date: slice.date, days: slice.days, iv: iv && 100 * iv, refusal: slice.refusal }
  })
  if (points.length === 0) return undefined
  return { symbol: chain.symbol, asOf: chain.asOf, spot: chain.spot, points, reference: referenceSmile(chain)?.date }
}
