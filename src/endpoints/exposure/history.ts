import Type from 'typebox'
import { endpoint } from '../../api/endpoint.ts'
import { apiError } from '../../api/error.ts'
import { symbolInPath, text } from '../../api/params.ts'
import { Count, Day, Days, Level, Nullable, Price, Words } from '../../api/quantity.ts'
import { netFields } from './wire.ts'

/** Announced by the specification and not served yet: for any symbol somebody knows it answers coming_soon. */
export const history = endpoint({
  id: 'exposure.history',
  path: '/v1/exposure/history/{symbol}',
  tag: 'exposure',
  summary: 'Daily exposure snapshots (announced, not served yet)',
  plan: 'growth',
  needs: ['quote'],
  params: { symbol: symbolInPath(), days: text({ description: 'look-back in days, 1 to 365', code: 'coming_soon' }) },
  errors: ['coming_soon'],
  replay: false,
  stream: false,
  response: Type.Object({
    symbol: Type.String(),
    days: Days(),
    count: Count(),
    snapshots: Type.Array(
      Type.Object({
        date: Day(),
        underlying_price: Price(),
        ...netFields,
        gamma_flip: Nullable(Level()),
        call_wall: Nullable(Price()),
        put_wall: Nullable(Price()),
        regime: Words('positive_gamma', 'negative_gamma', 'undetermined')
      })
    )
  }),
  answer: () => {
    throw apiError('coming_soon', 'daily exposure history is announced and not served yet')
  }
})
