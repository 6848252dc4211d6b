import { apiError } from '../../../api/error.ts'
import { roundTo } from '../../../api/rounding.ts'
import { addDays, isTripleWitching } from '../../../market/calendar.ts'
import { easternDate } from '../../../market/eastern.ts'
import type { FamilyMember } from '../../../market/instrument-family.ts'
import type { Instant, IsoDate } from '../../../market/units.ts'
import { type ForwardRatio, forwardRatio } from '../../../pricing/forward-ratio.ts'
import type { PricedChain } from '../../../pricing/price-chain.ts'

/** How levels of one instrument become prices of another. */
export interface Conversion {
  readonly factor: number
  /** Of a future: when it expires, and what carries the index until then. */
  readonly carry: (ForwardRatio & { readonly expiry: IsoDate }) | undefined
  readonly round: (price: number) => number
}

/** A future is rolled so many days before it expires. */
const ROLL = 7
const DECIMALS = 2

/**
 * From a chain to another member of its family. `beside`: the chain of the fund or index, for a future that of its index,
 * where that is another than the chain itself. Throws no_data where what is needed is not held.
 */
export function conversionTo(target: FamilyMember, chain: PricedChain, beside: PricedChain | undefined): Conversion {
  const { symbol, index, tick } = target
  const other = tick === undefined ? symbol : index
  const held = other === chain.symbol ? chain : beside
  if (held === undefined) throw apiError('no_data', `nothing is held of ${other}, which ${symbol} is reckoned by`)
  const factor = held.spot / chain.spot
  if (tick === undefined) return { factor, carry: undefined, round: (price) => roundTo(price, DECIMALS) }
  const expiry = quarterlyExpiry(chain.asOf)
  const carry = forwardRatio(held, expiry)
  if (carry === undefined) throw apiError('no_data', `no options tell what carries ${index} to ${expiry}`)
  return {
    factor: factor * carry.ratio,
    carry: { ...carry, expiry },
    round: (price) => roundTo(tick * Math.round(price / tick), DECIMALS)
  }
}

/** The expiry of the future that is traded at a moment. */
export function quarterlyExpiry(asOf: Instant): IsoDate {
  let date = addDays(easternDate(asOf), ROLL + 1)
  while (!isTripleWitching(date)) date = addDays(date, 1)
  return date
}
