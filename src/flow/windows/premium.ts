import { CONTRACT_SIZE } from '../../market/chain.ts'
import { PRICE_UNIT } from '../../market/print.ts'
import { dollars } from '../print-rules.ts'
import type { SessionMoney } from '../tape-views.ts'
import type { FlowBucket } from './window-buckets.ts'

/** Option premium of a window as dealers see it, USD, exact to the cent. */
export interface DealerPremium {
  /** Premium of the options that customers sold to dealers. */
  readonly bought: number
  /** Premium of the options that customers bought from dealers. */
  readonly written: number
  readonly net: number
  readonly total: number
}

export function dealerPremium(buckets: readonly FlowBucket[]): DealerPremium {
  let sold = 0
  let bought = 0
  for (const { soldMoney, boughtMoney } of buckets) {
    sold += soldMoney
    bought += boughtMoney
  }
  const premium = (money: number) => dollars(CONTRACT_SIZE * money, PRICE_UNIT)
  return {
    bought: premium(sold),
    written: premium(bought),
    net: premium(sold - bought),
    total: premium(sold + bought)
  }
}

/**
 * Premium that customers paid in a session minus the premium they received, USD: price times size times 100 over the
 * prints that may set a price. Exact to the cent.
 */
export function customerPremium({ boughtMoney, soldMoney, unit }: SessionMoney): number {
  return dollars(CONTRACT_SIZE * (boughtMoney - soldMoney), unit)
}
