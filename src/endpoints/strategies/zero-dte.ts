import Type from 'typebox'
import { block } from '../../api/block.ts'
import { endpoint } from '../../api/endpoint.ts'
import { Count, Nullable, Percent, Price, Ratio, Usd } from '../../api/quantity.ts'
import { type ZeroDteFigures, zeroDteRegimes, zeroDteSignal } from '../../signals/strategies/zero-dte-signal.ts'
import { zeroDteReasons } from '../../wording/strategy-reasons.ts'
import { decided, decisionSchema, declared, subject } from './decision-block.ts'
import { minOpenInterest, symbol, todaysExpiry, wingWidth } from './parameters.ts'
import { pinBlock, settingBlock } from './pin-block.ts'

/** Default of the smallest open interest that a leg must have. Same-day legs need more than others. */
const USUAL_OPEN_INTEREST = 500

const metrics = block(
  Type.Object(
    {
      ...pinBlock.schema.properties,
      ...settingBlock.schema.properties,
      minutes_to_close: Nullable(Count('whole minutes')),
      session_open_spot: Nullable(Price('first print of the stock; null before the open and without a tape')),
      expected_move_today: Nullable(Usd('one deviation of a full day, per share')),
      expected_move_consumed_pct: Nullable(Percent('share of the expected move, from the open to spot')),
      theta_acceleration: Nullable(Ratio('current decay relative to that at the open')),
      underlying_price: Price()
    },
    { title: 'ZeroDteStrategyMetrics' }
  ),
  (figures: ZeroDteFigures | undefined, spot: number) => ({
    ...pinBlock.fill(figures),
    ...settingBlock.fill(figures),
    minutes_to_close: figures?.minutesToClose,
    session_open_spot: figures?.openSpot,
    expected_move_today: figures?.moveOfDay,
    expected_move_consumed_pct: figures?.consumed,
    theta_acceleration: figures?.thetaAcceleration,
    underlying_price: spot
  })
)

export const zeroDteStrategy = endpoint({
  ...declared,
  id: 'strategies.zero_dte',
  path: '/v1/strategies/zero-dte/{symbol}',
  summary: 'Whether price is likely to stay in a range until the close',
  description:
    'Judges whether today stays in a range, from pin risk, gamma and the time left. A signal with reasons and risk flags.',
  plan: 'growth',
  needs: [...subject, 'sessionOpen'],
  params: { symbol, expiry: todaysExpiry, minOpenInterest: minOpenInterest(USUAL_OPEN_INTEREST), wingWidth },
  response: decisionSchema('zero_dte', zeroDteRegimes, metrics.schema),
  answer: ({ sessionOpen, ...inputs }, { expiry, ...terms }) =>
    decided(inputs, {
      signal: 'zero_dte',
      unread: 'trend_risk_or_no_setup',
      assess: (chain) => zeroDteSignal(chain, expiry, sessionOpen, terms),
      metrics: metrics.fill,
      reasons: zeroDteReasons
    })
})
