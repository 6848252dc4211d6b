import Type from 'typebox'
import { endpoint } from '../../api/endpoint.ts'
import { envelope, header } from '../../api/envelope.ts'
import { apiError } from '../../api/error.ts'
import { expiry, number, symbolInPath } from '../../api/params.ts'
import { Day, Hours, Nullable, Percent, Sentence } from '../../api/quantity.ts'
import { expiringScope, hasExpired, type Scope } from '../../exposure/scope.ts'
import { weekday } from '../../market/calendar.ts'
import { dayShareLeft, hoursToExpiryClose, isMarketOpen } from '../../market/clock.ts'
import { easternDate } from '../../market/eastern.ts'
import type { IsoDate } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { closingWarning, nothingExpires } from '../../wording/zero-dte.ts'
import { decayBlock, expectedMoveBlock, pinRiskBlock, volContextBlock } from './zero-dte/day.ts'
import { exposuresBlock, hedgingBlock, regimeBlock } from './zero-dte/dealers.ts'
import { flowBlock, levelsBlock, liquidityBlock, metadataBlock } from './zero-dte/market.ts'
import { strikesBlock } from './zero-dte/strikes.ts'

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** Within these last minutes of its life an option's greeks change faster than snapshots follow. */
const UNSTABLE_MINUTES = 5

const opening = {
  ...envelope,
  market_open: Type.Boolean(),
  expiration: Nullable(Day())
}

const analytics = Type.Object({
  ...opening,
  expiration: Day(),
  expired: Type.Boolean({
    description:
      'whether the last contract of this expiration has ended: from then on exposures are 0, and only open interest, volume, quotes and max pain are told'
  }),
  time_to_close_hours: Hours('hours of session until the expiration closes'),
  time_to_close_pct: Percent('share of the current trading day elapsed', { minimum: 0, maximum: 100 }),
  regime: regimeBlock.schema,
  exposures: exposuresBlock.schema,
  expected_move: expectedMoveBlock.schema,
  pin_risk: pinRiskBlock.schema,
  hedging: hedgingBlock.schema,
  decay: decayBlock.schema,
  vol_context: volContextBlock.schema,
  flow: flowBlock.schema,
  levels: levelsBlock.schema,
  liquidity: liquidityBlock.schema,
  metadata: metadataBlock.schema,
  strikes: strikesBlock.schema,
  warnings: Type.Optional(Type.Array(Type.String(), { minItems: 1 }))
})

const nothingToday = Type.Object({
  ...opening,
  no_zero_dte: Type.Literal(true),
  message: Sentence(),
  next_zero_dte_expiry: Nullable(Day('next listed expiration'))
})

export const zeroDte = endpoint({
  id: 'exposure.zero_dte',
  path: '/v1/exposure/zero-dte/{symbol}',
  tag: 'exposure',
  summary: 'Same-day expiration analytics',
  plan: 'growth',
  needs: ['chain', 'vix'],
  params: {
    symbol: symbolInPath(),
    strike_range: number({
      description: 'a number: half-width of strikes[] as a fraction of spot',
      default: 0.03,
      minimum: 0.001,
      maximum: 0.1,
      clamp: true,
      code: 'invalid_strike_range'
    }),
    expiry: expiry('a date, yyyy-MM-dd: another expiration than today')
  },
  replay: true,
  stream: true,
  mainBlock: 'exposures',
  response: Type.Union([analytics, nothingToday]),
  answer: ({ chain, vix }, { strike_range: window, expiry }) => {
    const today = easternDate(chain.asOf)
    const opened = { ...header(chain), market_open: isMarketOpen(chain.asOf) }
    const scope = expiringScope(chain, expiry ?? today)
    if (scope.slots.length === 0) {
      if (expiry !== undefined) throw apiError('no_data', `${chain.symbol} lists no expiration on ${expiry}`)
      return { ...opened, expiration: undefined, ...nothingExpiresToday(chain, today) }
    }
    const expired = hasExpired(scope)
    const hoursLeft = expired ? 0 : hoursToExpiryClose(chain.asOf, expiry ?? today)
    return {
      ...opened,
      expiration: expiry ?? today,
      expired,
      time_to_close_hours: hoursLeft,
      time_to_close_pct: 100 * (1 - dayShareLeft(chain.asOf)),
      regime: regimeBlock.fill(scope),
      exposures: exposuresBlock.fill(scope),
      expected_move: expectedMoveBlock.fill(scope),
      pin_risk: pinRiskBlock.fill(scope),
      hedging: hedgingBlock.fill(scope),
      decay: decayBlock.fill(scope, hoursLeft),
      vol_context: volContextBlock.fill(scope, vix),
      flow: flowBlock.fill(scope),
      levels: levelsBlock.fill(scope),
      liquidity: liquidityBlock.fill(scope, window),
      metadata: metadataBlock.fill(scope, window),
      strikes: strikesBlock.fill(scope, window),
      ...warningsFor(scope, today, hoursLeft)
    }
  }
})

function nothingExpiresToday(chain: PricedChain, today: IsoDate) {
  const next = chain.expirations.find((listed) => listed.date > today)?.date
  return {
    no_zero_dte: true as const,
    message: nothingExpires(chain.symbol, weekdays[weekday(today)], next),
    next_zero_dte_expiry: next
  }
}

function warningsFor(scope: Scope, today: IsoDate, hoursLeft: number): { warnings?: string[] } {
  const { chain, expirations } = scope
  const near = isMarketOpen(chain.asOf) && 60 * hoursLeft <= UNSTABLE_MINUTES
  const unstable = near && chain.expirations[expirations[0]].date === today && !hasExpired(scope)
  return unstable ? { warnings: [closingWarning] } : {}
}
