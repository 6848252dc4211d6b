import { apiError } from '../../../api/error.ts'
import { roundTo } from '../../../api/rounding.ts'
import { addDays, isTripleWitching } from '../../../market/calendar.ts'
import { easternDate } from '../../../market/eastern.ts'
import type { FamilyMember } from '../../../market/instrument-family.ts'
import type { Instant, IsoDate } from '../../../market/units.ts'
import { type ForwardRatio, forwardRatio } from '../../../pricing/forward-ratio.ts'
import type { PricedChain } from '../../../pricing/price-chain.ts'

/** How to convert prices of one instrument into prices of another, such as SPX into ES. */
export interface Conversion {
  readonly factor: number
  /** For a conversion to a future: its expiry, and the carry of the index until then. Undefined for others. */
  readonly carry: (ForwardRatio & { readonly expiry: IsoDate }) | undefined
  readonly round: (price: number) => number
}

/** The front future is replaced by the next one this many days before it expires. */
const ROLL = 7
const DECIMALS = 2

/**
 * Finds how to convert prices of the chain's instrument into prices of another instrument of its index family. A fund
 * or index is compared by the spot of its chain, a future by the chain of its index. `secondChain` is this chain if it
 * is not `chain` itself. Throws no_data if a chain that is needed is not loaded.
 */
export function conversionTo(
  target: FamilyMember,
  chain: PricedChain,
  secondChain: PricedChain | undefined
): Conversion {
  const { symbol, index, tick } = target
  const other = tick === undefined ? symbol : index
  const held = other === chain.symbol ? chain : secondChain
  if (held === undefined)
    throw apiError('no_data', `no data of ${other} is loaded, from which the levels of ${symbol} are converted`)
  const factor = held.spot / chain.spot
  if (tick === undefined) return { factor, carry: undefined, round: (price) => roundTo(price, DECIMALS) }
  const expiry = quarterlyExpiry(chain.asOf)
  const carry = forwardRatio(held, expiry)
  if (carry === undefined) throw apiError('no_data', `the options of ${index} give no carry to ${expiry}`)
  return {
    factor: factor * carry.ratio,
    carry: { ...carry, expiry },
    round: (price) => roundTo(tick * Math.round(price / tick), DECIMALS)
  }
}

export function quarterlyExpiry(asOf: Instant): IsoDate {
  let date = addDays(easternDate(asOf), ROLL + 1)
  while (!isTripleWitching(date)) date = addDays(date, 1)
  return date
}
