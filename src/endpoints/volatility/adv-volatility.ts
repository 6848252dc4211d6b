import Type from 'typebox'
import { endpoint } from '../../api/endpoint.ts'
import { symbolInPath } from '../../api/params.ts'
import { acceptedSlices, slices } from '../../volatility/slice.ts'
import { scopeFor } from '../exposure/scoped.ts'
import { greekSurfaces, wireGreeks } from './adv/greeks.ts'
import {
  flags,
  forwardPrices,
  varianceSurface,
  varianceSwaps,
  wireFlags,
  wireForward,
  wireSurface,
  wireSwap
} from './adv/surfaces.ts'
import { opening, openingFields } from './opening.ts'
import { sviSlice, wireSlice } from './svi-slice.ts'

export const advVolatility = endpoint({
  id: 'volatility.advanced',
  path: '/v1/adv_volatility/{symbol}',
  tag: 'volatility',
  summary: 'Fitted smiles, forwards, variance surface, arbitrage flags, variance swaps and grids of higher greeks',
  plan: 'alpha',
  needs: ['chain'],
  params: { symbol: symbolInPath() },
  replay: true,
  stream: true,
  response: Type.Object({
    ...openingFields,
    svi_parameters: Type.Array(sviSlice, { description: 'accepted fits, by days to expiry' }),
    forward_prices: forwardPrices,
    total_variance_surface: varianceSurface,
    arbitrage_flags: flags,
    variance_swap_fair_values: varianceSwaps,
    greeks_surfaces: greekSurfaces
  }),
  answer: ({ chain }) => {
    scopeFor(chain, undefined)
    const accepted = acceptedSlices(chain)
    return {
      ...opening(chain),
      svi_parameters: accepted.map(wireSlice),
      forward_prices: slices(chain).map((slice) => wireForward(chain, slice)),
      total_variance_surface: wireSurface(accepted),
      arbitrage_flags: wireFlags(accepted),
      variance_swap_fair_values: accepted.map(wireSwap),
      greeks_surfaces: wireGreeks(chain)
    }
  }
})
