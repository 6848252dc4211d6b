import { CONTRACT_SIZE } from '../market/chain.ts'
import { PRICE_UNIT } from '../market/print.ts'
import { dollars } from './dollars.ts'
import type { Bucket } from './window-buckets.ts'

/** Premium of a window by the side of dealers, USD: exact to the cent. */
export interface DealerPremium {
  /** What customers sold, dealers bought. */
  readonly bought: number
  /** What customers bought, dealers wrote. */
  readonly written: number
  readonly net: number
  readonly total: number
}

export function dealerPremium(buckets: readonly Bucket[]): DealerPremium {
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
