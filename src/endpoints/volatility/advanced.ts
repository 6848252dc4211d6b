import Type from 'typebox'
import { rowKey, rowName } from '../../api/annotations.ts'
import { endpoint } from '../../api/endpoint.ts'
import { symbolInPath } from '../../api/params.ts'
import { acceptedAmSlices, acceptedSlices, slices } from '../../volatility/smile/slice.ts'
import { arbitrageFlags } from '../../volatility/surface/arbitrage.ts'
import { greekSurface } from '../../volatility/surface/greek-surface.ts'
import { scopeFor } from '../exposure/scoped.ts'
import { greekSurfacesBlock } from './advanced/greeks.ts'
import { arbitrageFlagBlock, forwardPriceBlock, varianceSurfaceBlock, varianceSwapBlock } from './advanced/surfaces.ts'
import { modelFreeBlock } from './model-free.ts'
import { openingBlock } from './opening.ts'
import { amSviSlices, sviSliceBlock, sviSlices } from './svi-slice.ts'

export const advanced = endpoint({
  id: 'adv_volatility.current',
  path: '/v1/adv_volatility/{symbol}',
  tag: 'volatility',
  summary: 'Fitted smiles, forwards, variance surface, arbitrage flags, variance swaps and grids of higher greeks',
  description:
    'For modelling: SVI parameters, forwards, total variance over moneyness and time, arbitrage checks, variance swap strikes, and surfaces of vanna, charm, volga and speed.',
  plan: 'alpha',
  needs: ['chain', 'distrust'],
  params: { symbol: symbolInPath() },
  replay: true,
  stream: true,
  response: Type.Object({
    ...openingBlock.schema.properties,
    svi_parameters: sviSlices,
    svi_parameters_am: amSviSlices,
    forward_prices: Type.Array(forwardPriceBlock.schema, rowKey('expiry')),
    total_variance_surface: varianceSurfaceBlock.schema,
    arbitrage_flags: Type.Array(arbitrageFlagBlock.schema, rowName('expiry', 'type')),
    variance_swap_fair_values: Type.Array(varianceSwapBlock.schema, rowKey('expiry')),
    model_free: modelFreeBlock.schema,
    greeks_surfaces: greekSurfacesBlock.schema
  }),
  answer: ({ chain }) => {
    scopeFor(chain, undefined)
    const accepted = acceptedSlices(chain)
    return {
      ...openingBlock.fill(chain),
      svi_parameters: accepted.map((slice) => sviSliceBlock.fill(slice)),
      svi_parameters_am: acceptedAmSlices(chain).map((slice) => sviSliceBlock.fill(slice)),
      forward_prices: slices(chain).map((slice) => forwardPriceBlock.fill(slice, chain.spot)),
      total_variance_surface: varianceSurfaceBlock.fill(accepted),
      arbitrage_flags: arbitrageFlags(accepted).map((flag) => arbitrageFlagBlock.fill(chain, flag)),
      variance_swap_fair_values: accepted.map((slice) => varianceSwapBlock.fill(slice)),
      model_free: modelFreeBlock.fill(chain),
      greeks_surfaces: greekSurfacesBlock.fill(greekSurface(chain))
    }
  }
})
