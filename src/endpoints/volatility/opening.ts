import Type from 'typebox'
import { envelope, header } from '../../api/envelope.ts'
import type { ChainHeader } from '../../market/chain.ts'
import { isMarketOpen } from '../../market/clock.ts'

/** The fields that open the larger volatility answers. */
export const openingFields = {
  ...envelope,
  market_open: Type.Boolean({ description: 'whether the regular session was in progress at as_of' })
}

export function opening(chain: ChainHeader) {
  return { ...header(chain), market_open: isMarketOpen(chain.asOf) }
}
