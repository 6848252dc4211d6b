import Type from 'typebox'
import { endpoint } from '../../api/endpoint.ts'
import { apiError } from '../../api/error.ts'
import { expiry, symbolInPath } from '../../api/params.ts'
import { expiringScope, withBook } from '../../exposure/scope.ts'
import { isMarketOpen } from '../../market/clock.ts'
import { easternDate } from '../../market/eastern.ts'
import { bookFor, dealerModel, modelledEnvelope, modelledHeader, readsTape } from './dealer-model.ts'
import { analyticsBlock, strikeRange } from './zero-dte/analytics.ts'
import { nothingTodayBlock } from './zero-dte/nothing-today.ts'

const opening = { ...modelledEnvelope, market_open: Type.Boolean() }

export const zeroDte = endpoint({
  id: 'exposure.zero_dte',
  path: '/v1/exposure/zero-dte/{symbol}',
  tag: 'exposure',
  summary: 'Same-day expiration analytics',
  description:
    'Everything about the contracts that expire today: regime, expected move that is left, pin risk, hedging for moves of 10 basis points to 1 %, decay, levels and strikes. On a day without such contracts it says so and names the next.',
  plan: 'growth',
  needs: ['chain', 'vix', 'sessionPositions', 'distrust'],
  params: {
    symbol: symbolInPath(),
    strike_range: strikeRange,
    expiry: expiry('a date, yyyy-MM-dd: another expiration than today'),
    dealer_model: dealerModel
  },
  positionsRead: readsTape,
  replay: true,
  stream: true,
  mainBlock: 'exposures',
  response: Type.Union([
    Type.Object({ ...opening, ...analyticsBlock.schema.properties }, { title: 'ZeroDteAnalytics' }),
    Type.Object({ ...opening, ...nothingTodayBlock.schema.properties }, { title: 'NoZeroDte' })
  ]),
  answer: ({ chain, vix, sessionPositions }, { strike_range: window, expiry, ...asked }) => {
    const book = bookFor(chain, asked, sessionPositions)
    const today = easternDate(chain.asOf)
    const opened = { ...modelledHeader(chain, asked), market_open: isMarketOpen(chain.asOf) }
    const scope = withBook(expiringScope(chain, expiry ?? today), book)
    if (scope.slots.length > 0) {
      const analytics = analyticsBlock.fill(scope, { model: asked.dealer_model, vix, window })
      return { ...opened, ...analytics }
    }
    if (expiry !== undefined) throw apiError('no_data', `${chain.symbol} lists no expiration on ${expiry}`)
    return { ...opened, ...nothingTodayBlock.fill(chain, today) }
  }
})
