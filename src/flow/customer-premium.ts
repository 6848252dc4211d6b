import { CONTRACT_SIZE } from '../market/chain.ts'
import { dollars } from './dollars.ts'
import type { MinuteBuckets } from './views.ts'

/**
 * What customers paid for options in a session less what they took for those they sold, USD: price times size times 100,
 * over the prints that may set a price. Exact to the cent.
 */
export function customerPremium({ boughtMoney, soldMoney, length, unit }: MinuteBuckets): number {
  let money = 0
  for (let k = 0; k < length; k++) money += boughtMoney[k] - soldMoney[k]
  return dollars(CONTRACT_SIZE * money, unit)
}
