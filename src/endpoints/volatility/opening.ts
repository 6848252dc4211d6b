import Type from 'typebox'
import { type Described, envelope, header } from '../../api/envelope.ts'
import { isMarketOpen } from '../../market/clock.ts'

/** The fields that open the larger volatility answers. */
export const openingFields = {
  ...envelope,
  market_open: Type.Boolean({ description: 'whether the regular session was in progress at as_of' })
}

export function opening(described: Described) {
  return { ...header(described), market_open: isMarketOpen(described.asOf) }
}
