import Type from 'typebox'
import { moment, rowKey } from '../../api/annotations.ts'
import { endpoint } from '../../api/endpoint.ts'
import { apiError } from '../../api/error.ts'
import { type Parameter, text } from '../../api/params.ts'
import { Count, Name, Percent, Price, Share, Timestamp, Words } from '../../api/quantity.ts'
import { basketExposure } from '../../exposure/basket.ts'
import { netExposures } from '../../exposure/net.ts'
import { regimeOfNet, regimes } from '../../exposure/regime.ts'
import { liveScope } from '../../exposure/scope.ts'
import { symbolsIn } from '../../market/security.ts'
import { isoInstant, parseTicker } from '../../market/units.ts'
import { normalised } from '../../math/weights.ts'
import { holdings, MAX_SYMBOLS } from './holdings.ts'
import { netBlock, spokenNetBlock } from './net-block.ts'

/** Parameter with the tickers of a basket, in order of first mention. */
const symbols: Parameter<readonly string[]> = {
  in: 'query',
  schema: Type.String({ minLength: 1, description: 'comma-separated tickers, at most 50 different ones' }),
  required: true,
  code: 'missing_symbols',
  missing: 'missing_symbols',
  example: 'AAPL,MSFT',
  absent: undefined,
  read: (list) => {
    const names = symbolsIn(list)
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
  description:
    "One set of net exposures for a portfolio or a home-made index: each symbol's exposures times its weight. Symbols that are not loaded are listed rather than counted as zero.",
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
    as_of: Timestamp('the oldest moment among the constituents', moment),
    constituent_count: Count(),
    missing_symbols: Type.Array(Name(), { description: 'symbols without data, left out' }),
    aggregate: spokenNetBlock.schema,
    constituents: Type.Array(
      Type.Object(
        {
          symbol: Name(),
          weight: Share('scaled so that the weights add up to 1', { minimum: 0, maximum: 1 }),
          underlying_price: Price(),
          ...netBlock.schema.properties,
          contribution_pct: Percent('100 |weight net_gex| over the sum of them'),
          regime: Words(...regimes)
        },
        { title: 'BasketConstituent' }
      ),
      rowKey('symbol')
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
    const { net: aggregate, contributions } = basketExposure(constituents)
    return {
      as_of: isoInstant(Math.min(...constituents.map(({ chain }) => chain.asOf))),
      constituent_count: constituents.length,
      missing_symbols: [...asked.keys()].filter((symbol) => !present.some((held) => held.symbol === symbol)),
      aggregate: spokenNetBlock.fill(aggregate),
      constituents: constituents.map(({ symbol, chain, net, weight }, k) => ({
        symbol,
        weight,
        underlying_price: chain.spot,
        ...netBlock.fill(net),
        contribution_pct: contributions[k],
        regime: regimeOfNet(net.gex)
      }))
    }
  }
})
