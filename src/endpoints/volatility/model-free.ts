import Type from 'typebox'
import { rowName } from '../../api/annotations.ts'
import { block } from '../../api/block.ts'
import { Count, Day, Nullable, Percent } from '../../api/quantity.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { modelFreeVolatility } from '../../volatility/variance/model-free.ts'
import { listingBlock } from './listing.ts'

/** Implied volatility computed directly from the quotes of a chain without a pricing model, as for the VIX. */
export const modelFreeBlock = block(
  Type.Object(
    {
      by_expiration: Type.Array(
        Type.Object(
          {
            expiration: Day(),
            ...listingBlock.schema.properties,
            vol: Nullable(Percent('of the quoted strip, calendar minutes')),
            strikes_used: Count()
          },
          { title: 'ExpirationModelFree' }
        ),
        rowName('expiration', 'root')
      ),
      days_30: Nullable(Percent('the same over the next 30 days'))
    },
    { title: 'ModelFreeVolatility' }
  ),
  (chain: PricedChain) => {
    const { strips, month } = modelFreeVolatility(chain)
    return {
      by_expiration: strips.map((strip) => ({
        expiration: strip.date,
        ...listingBlock.fill(strip),
        vol: strip.volatility,
        strikes_used: strip.strikes
      })),
      days_30: month
    }
  }
)
