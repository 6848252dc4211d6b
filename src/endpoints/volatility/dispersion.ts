import Type from 'typebox'
import { moment, rowKey } from '../../api/annotations.ts'
import { endpoint } from '../../api/endpoint.ts'
import { apiError } from '../../api/error.ts'
import { type Parameter, text, whole } from '../../api/params.ts'
import { Count, Days, Name, Nullable, Share, Timestamp, Volatility } from '../../api/quantity.ts'
import { readSymbol, symbolsIn } from '../../market/security.ts'
import { isoInstant, parseTicker, type Ticker } from '../../market/units.ts'
import { difference } from '../../math/optional.ts'
import { normalised } from '../../math/weights.ts'
import {
  basketVolatility,
  impliedCorrelation,
  realizedCorrelation,
  volatilityContributions
} from '../../volatility/realized/dispersion.ts'
import { referenceVolatility } from '../../volatility/term/reference-slice.ts'
import { holdings, MAX_SYMBOLS } from '../exposure/holdings.ts'

const index: Parameter<Ticker> = {
  in: 'query',
  schema: Type.String({ minLength: 1, description: 'a ticker: an index or ETF with listed options' }),
  required: true,
  code: 'missing_index',
  missing: 'missing_index',
  example: 'SPY',
  absent: undefined,
  // A text that cannot be a ticker is refused with the same error as an unknown ticker.
  read: (name) => {
    const ticker = readSymbol(name)
    if (ticker === undefined) throw apiError('index_not_found')
    return ticker
  }
}

/** Parameter with the tickers of a basket, in upper case and without blanks. */
const symbols: Parameter<readonly string[]> = {
  in: 'query',
  schema: Type.String({ minLength: 1, description: 'comma-separated tickers, at most 50 different ones' }),
  required: true,
  code: 'missing_symbols',
  missing: 'missing_symbols',
  example: 'AAPL,MSFT',
  absent: undefined,
  read: (list) => {
    const names = symbolsIn(list).filter((name) => name !== '')
    if (new Set(names).size > MAX_SYMBOLS) throw apiError('too_many_symbols')
    return names.length === 0 ? undefined : names
  }
}

/**
 * Bars to read beyond the horizon. A day on which one symbol lacks a bar is left out for all symbols, so older bars
 * take its place.
 */
const SPARE_BARS = 40

export const dispersion = endpoint({
  id: 'dispersion.current',
  path: '/v1/dispersion',
  tag: 'volatility',
  summary: 'Implied and realized correlation of an index with a basket',
  description:
    'Index volatility against that of its members: implied and realized correlation, and who contributes. For dispersion trades.',
  plan: 'alpha',
  needs: ['chains', 'histories'],
  barsRead: ({ horizon_days }) => horizon_days + SPARE_BARS,
  params: {
    index,
    symbols,
    weights: text({ description: 'comma-separated numbers of 0 or more', code: 'invalid_weights', example: '2,1' }),
    horizon_days: whole({
      description: 'a whole number of trading days, 5 to 252',
      default: 20,
      minimum: 5,
      maximum: 252,
      clamp: true
    })
  },
  check: ({ symbols: names, weights }) => holdings(names, weights),
  symbols: ({ index: whole, symbols: names }) => [
    ...new Set([whole, ...names.map(parseTicker).filter((ticker) => ticker !== undefined)])
  ],
  errors: [
    'missing_index',
    'missing_symbols',
    'too_many_symbols',
    'invalid_weights',
    'weight_count_mismatch',
    'index_not_found',
    'no_index_iv',
    'no_data'
  ],
  replay: true,
  stream: false,
  response: Type.Object({
    as_of: Timestamp('the newest moment among index and constituents, UTC', moment),
    index: Name(),
    constituent_count: Count(),
    missing_symbols: Type.Array(Name(), { description: 'symbols without a volatility, left out' }),
    horizon_days: Days(),
    implied_correlation: Nullable(Share('not limited to -1 to 1')),
    realized_correlation: Nullable(Share('over the last horizon_days common returns', { minimum: -1, maximum: 1 })),
    correlation_premium: Nullable(Share('implied minus realized')),
    implied_vol_index: Volatility('at the money, a fraction'),
    implied_vol_basket: Volatility('mean of the constituents by weight, a fraction'),
    top_contributors: Type.Array(
      Type.Object(
        {
          symbol: Name(),
          weight: Share('scaled so that the weights add up to 1'),
          iv: Volatility(),
          contribution_to_basket_vol: Volatility('weight × iv')
        },
        { title: 'DispersionContributor' }
      ),
      rowKey('symbol')
    )
  }),
  answer: ({ chains, histories }, { index: indexSymbol, symbols: names, weights, horizon_days }) => {
    const indexChain = chains.get(indexSymbol)
    if (indexChain === undefined) throw apiError('index_not_found', `no options are known of ${indexSymbol}`)
    const indexSigma = referenceVolatility(indexChain)
    if (indexSigma === undefined) throw apiError('no_index_iv', `no expiration of ${indexSymbol} has a volatility`)
    const barsOf = (symbol: Ticker) => histories.get(symbol) ?? []
    const asked = holdings(names, weights)
    const present = [...asked].flatMap(([symbol, weight]) => {
      const chain = chains.get(symbol)
      const sigma = chain && referenceVolatility(chain)
      return chain === undefined || sigma === undefined ? [] : [{ symbol, chain, weight, sigma, bars: barsOf(symbol) }]
    })
    if (present.length === 0) throw apiError('no_data', 'none of the symbols has an at-the-money volatility')
    const members = normalised(present)
    const implied = impliedCorrelation(indexSigma, members)
    const realized = realizedCorrelation(barsOf(indexSymbol), members, horizon_days)
    return {
      as_of: isoInstant(Math.max(indexChain.asOf, ...members.map(({ chain }) => chain.asOf))),
      index: indexSymbol,
      constituent_count: members.length,
      missing_symbols: [...asked.keys()].filter((symbol) => !present.some((held) => held.symbol === symbol)),
      horizon_days,
      implied_correlation: implied,
      realized_correlation: realized,
      correlation_premium: difference(implied, realized),
      implied_vol_index: indexSigma,
      implied_vol_basket: basketVolatility(members),
      top_contributors: volatilityContributions(members).map(({ symbol, weight, sigma, contribution }) => ({
        symbol,
        weight,
        iv: sigma,
        contribution_to_basket_vol: contribution
      }))
    }
  }
})
