import Type from 'typebox'
import { endpoint } from '../../api/endpoint.ts'
import { apiError } from '../../api/error.ts'
import { type Parameter, text } from '../../api/params.ts'
import { Count, Instant, Percent, Price, Share, Words } from '../../api/quantity.ts'
import { netExposures } from '../../exposure/net.ts'
import { liveScope } from '../../exposure/scope.ts'
import { isoInstant, parseTicker } from '../../market/units.ts'
import { holdings, MAX_SYMBOLS, normalised, tickersIn } from './holdings.ts'
import { netFields, wireNet } from './net-block.ts'

/** The tickers of a basket in the order they are first named. */
const symbols: Parameter<readonly string[]> = {
  in: 'query',
  schema: Type.String({ minLength: 1, description: 'comma-separated tickers, at most 50 different ones' }),
  required: true,
  code: 'missing_symbols',
  missing: 'missing_symbols',
  example: 'AAPL,MSFT',
  absent: undefined,
  read: (list) => {
    const names = tickersIn(list)
    if (names.includes('')) return undefined
    if (new Set(names).size > MAX_SYMBOLS) throw apiError('too_many_symbols')
    return names
  }
}

export const basket = endpoint({
  id: 'exposure.basket',
  path: '/v1/exposure/basket',
  tag: 'exposure',
  summary: 'Weighted exposure of several symbols',
  plan: 'growth',
  needs: ['chains'],
  params: {
    symbols,
    weights: text({ description: 'comma-separated numbers of 0 or more', code: 'invalid_weights', example: '2,1' })
  },
  check: ({ symbols: names, weights }) => holdings(names, weights),
  symbols: ({ symbols: names }) => [...new Set(names)].map(parseTicker).filter((ticker) => ticker !== undefined),
  errors: ['missing_symbols', 'too_many_symbols', 'invalid_weights', 'weight_count_mismatch', 'no_data'],
  replay: true,
  stream: false,
  response: Type.Object({
    as_of: Instant('the oldest moment among the constituents'),
    constituent_count: Count(),
    missing_symbols: Type.Array(Type.String(), { description: 'symbols without data, left out' }),
    aggregate: Type.Object(netFields),
    constituents: Type.Array(
      Type.Object({
        symbol: Type.String(),
        weight: Share('scaled so that the weights add up to 1', { minimum: 0, maximum: 1 }),
        underlying_price: Price(),
        ...netFields,
        contribution_pct: Percent('100 |weight net_gex| over the sum of them'),
        regime: Words('positive_gamma', 'negative_gamma')
      })
    )
  }),
  answer: ({ chains }, { symbols: names, weights }) => {
    const asked = holdings(names, weights)
    const present = [...asked].flatMap(([symbol, weight]) => {
      const chain = chains.get(symbol)
      if (chain === undefined || liveScope(chain).slots.length === 0) return []
      return [{ symbol, chain, weight, net: netExposures(liveScope(chain)) }]
    })
    if (present.length === 0) throw apiError('no_data', 'none of the symbols has options data')
    const constituents = normalised(present)
    const weighted = (figure: 'gex' | 'dex' | 'vex' | 'chex') =>
      constituents.reduce((total, { net, weight }) => total + weight * net[figure], 0)
    const gross = constituents.reduce((total, { net, weight }) => total + Math.abs(weight * net.gex), 0)
    return {
      as_of: isoInstant(Math.min(...constituents.map(({ chain }) => chain.asOf))),
      constituent_count: constituents.length,
      missing_symbols: [...asked.keys()].filter((symbol) => !present.some((held) => held.symbol === symbol)),
      aggregate: wireNet({ gex: weighted('gex'), dex: weighted('dex'), vex: weighted('vex'), chex: weighted('chex') }),
      constituents: constituents.map(({ symbol, chain, net, weight }) => ({
        symbol,
        weight,
        underlying_price: chain.spot,
        ...wireNet(net),
        contribution_pct: gross === 0 ? 0 : (100 * Math.abs(weight * net.gex)) / gross,
        regime: net.gex >= 0 ? ('positive_gamma' as const) : ('negative_gamma' as const)
      }))
    }
  }
})
