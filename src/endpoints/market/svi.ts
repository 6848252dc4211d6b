import Type from 'typebox'
import { endpoint } from '../../api/endpoint.ts'
import { apiError } from '../../api/error.ts'
import { symbolInPath } from '../../api/params.ts'
import { isMarketOpen } from '../../market/clock.ts'
import { acceptedAmSlices, acceptedSlices } from '../../volatility/smile/slice.ts'
import { openingBlock } from '../volatility/opening.ts'
import { amSviSlices, sviSliceBlock, sviSlices } from '../volatility/svi-slice.ts'

export const svi = endpoint({
  id: 'surface.svi',
  path: '/v1/surface/{symbol}/svi',
  aliases: ['/v1/surface/svi/{symbol}'],
  tag: 'volatility',
  summary: 'Fitted smile of each expiration, as SVI parameters',
  description: 'The fitted smile of each expiration in raw SVI parameters, for pricing at any strike.',
  plan: 'alpha',
  needs: ['chain'],
  absent: ['symbol_not_found', 'symbol_not_found'],
  params: { symbol: symbolInPath() },
  replay: true,
  stream: true,
  response: Type.Object({
    ...openingBlock.schema.properties,
    svi_parameters: sviSlices,
    svi_parameters_am: amSviSlices
  }),
  answer: ({ chain }) => {
    const accepted = acceptedSlices(chain)
    if (accepted.length === 0) {
      const closed = isMarketOpen(chain.asOf) ? '' : '; the market is closed'
      throw apiError('symbol_not_found', `no expiration of ${chain.symbol} has quotes that a smile fits${closed}`)
    }
    return {
      ...openingBlock.fill(chain),
      svi_parameters: accepted.map((slice) => sviSliceBlock.fill(slice)),
      svi_parameters_am: acceptedAmSlices(chain).map((slice) => sviSliceBlock.fill(slice))
    }
  }
})
