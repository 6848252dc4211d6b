import Type from 'typebox'
import { endpoint } from '../../api/endpoint.ts'
import { envelope, header } from '../../api/envelope.ts'
import { apiError } from '../../api/error.ts'
import { expiry, symbolInPath } from '../../api/params.ts'
import { expiringScope } from '../../exposure/scope.ts'
import { isMarketOpen } from '../../market/clock.ts'
import { easternDate } from '../../market/eastern.ts'
import { analyticsBlock, strikeRange } from './zero-dte/analytics.ts'
import { nothingTodayBlock } from './zero-dte/nothing-today.ts'

const opening = { ...envelope, market_open: Type.Boolean() }

export const zeroDte = endpoint({
  id: 'exposure.zero_dte',
  path: '/v1/exposure/zero-dte/{symbol}',
  tag: 'exposure',
  summary: 'Same-day expiration analytics',
  plan: 'growth',
  needs: ['chain', 'vix'],
  params: {
    symbol: symbolInPath(),
    strike_range: strikeRange,
    expiry: expiry('a date, yyyy-MM-dd: another expiration than today')
  },
  replay: true,
  stream: true,
  mainBlock: 'exposures',
  response: Type.Union([
    Type.Object({ ...opening, ...analyticsBlock.schema.properties }),
    Type.Object({ ...opening, ...nothingTodayBlock.schema.properties })
  ]),
  answer: ({ chain, vix }, { strike_range: window, expiry }) => {
    const today = easternDate(chain.asOf)
    const opened = { ...header(chain), market_open: isMarketOpen(chain.asOf) }
    const scope = expiringScope(chain, expiry ?? today)
    if (scope.slots.length > 0) return { ...opened, ...analyticsBlock.fill(scope, { vix, window }) }
    if (expiry !== undefined) throw apiError('no_data', `${chain.symbol} lists no expiration on ${expiry}`)
    return { ...opened, ...nothingTodayBlock.fill(chain, today) }
  }
})
