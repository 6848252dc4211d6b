import Type from 'typebox'
import { moment } from '../../api/annotations.ts'
import { endpoint } from '../../api/endpoint.ts'
import { apiError } from '../../api/error.ts'
import { symbolInPath } from '../../api/params.ts'
import { Name, Timestamp } from '../../api/quantity.ts'
import { liveScope } from '../../exposure/scope.ts'
import { isMarketOpen } from '../../market/clock.ts'
import { isoInstant } from '../../market/units.ts'
import { realizedWindows, usableBars } from '../../volatility/realized/realized.ts'
import { exposureBlock } from './stock-summary/exposure.ts'
import { flowBlock } from './stock-summary/flow.ts'
import { macroBlock } from './stock-summary/macro.ts'
import { priceBlock } from './stock-summary/price.ts'
import { snapshotSession } from './stock-summary/snapshot-session.ts'
import { volatilityBlock } from './stock-summary/volatility.ts'

export const stockSummary = endpoint({
  id: 'stock.summary',
  path: '/v1/stock/{symbol}/summary',
  tag: 'market-data',
  summary: 'Price, volatility, flow, exposure and macro of one symbol in one answer',
  description:
    'The overview of a symbol for a first page: each part is a shortened form of an answer of its own. Without a key it is as of the previous close, with one it is live.',
  plan: 'public',
  keys: 'counted',
  needs: ['anyChain', 'bars', 'macro', 'distrust'],
  session: (_, { now, keyless }) => (keyless ? snapshotSession(now) : undefined),
  barsRead: () => 90,
  params: { symbol: symbolInPath() },
  errors: ['no_snapshot'],
  replay: true,
  stream: true,
  mainBlock: 'exposure',
  response: Type.Object({
    symbol: Name('underlying ticker'),
    as_of: Timestamp('the moment the answer describes, UTC; the close of an earlier session without a key', moment),
    market_open: Type.Boolean({ description: 'whether the regular session was in progress at as_of' }),
    price: priceBlock.schema,
    volatility: volatilityBlock.schema,
    options_flow: flowBlock.schema,
    exposure: exposureBlock.schema,
    macro: macroBlock.schema
  }),
  answer: ({ anyChain: chain, bars, macro }, { symbol }) => {
    if (chain === undefined) throw apiError('symbol_not_found', `${symbol} is not quoted now`)
    const scope = liveScope(chain)
    return {
      symbol: chain.symbol,
      as_of: isoInstant(chain.asOf),
      market_open: isMarketOpen(chain.asOf),
      price: priceBlock.fill(chain.quote),
      volatility: volatilityBlock.fill(chain, realizedWindows(usableBars(bars))),
      options_flow: flowBlock.fill(scope),
      exposure: exposureBlock.fill(scope),
      macro: macroBlock.fill(macro)
    }
  }
})
