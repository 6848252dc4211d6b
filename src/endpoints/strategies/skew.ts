import Type from 'typebox'
import { block } from '../../api/block.ts'
import { endpoint } from '../../api/endpoint.ts'
import { Count, Day, Days, Nullable, Percent, Price, Words } from '../../api/quantity.ts'
import { type SkewFigures, skewRegimes, skewSignal } from '../../signals/strategies/skew-signal.ts'
import { skewReasons } from '../../wording/strategy-reasons.ts'
import { decided, decisionSchema, declared, subject } from './decision-block.ts'
import { nearestExpiry, symbol } from './parameters.ts'

const metrics = block(
  Type.Object(
    {
      expiry: Nullable(Day()),
      days_to_expiry: Nullable(Days()),
      atm_iv: Nullable(Percent('at the forward')),
      call_iv_25d: Nullable(Percent()),
      put_iv_25d: Nullable(Percent()),
      risk_reversal_25d: Nullable(Percent('call minus put, vol points')),
      skew_slope: Nullable(Percent('vol points per 10 % of log-moneyness, above 0 where puts are more expensive')),
      dominant_wing: Nullable(Words('put', 'call', 'none')),
      sample_count: Nullable(Count('smile points')),
      underlying_price: Price()
    },
    { title: 'SkewMetrics' }
  ),
  (figures: SkewFigures | undefined, spot: number) => ({
    expiry: figures?.expiry,
    days_to_expiry: figures?.days,
    atm_iv: figures?.atm,
    call_iv_25d: figures?.call25,
    put_iv_25d: figures?.put25,
    risk_reversal_25d: figures?.riskReversal,
    skew_slope: figures?.slope,
    dominant_wing: figures?.dominantWing,
    sample_count: figures?.points,
    underlying_price: spot
  })
)

export const skew = endpoint({
  ...declared,
  id: 'strategies.skew',
  path: '/v1/strategies/skew/{symbol}',
  summary: 'How much richer one wing of an expiration is than the other',
  description:
    'Compares the wings of an expiration and derives a structure from the dear one. A signal with reasons and risk flags.',
  plan: 'growth',
  needs: subject,
  params: { symbol, expiry: nearestExpiry },
  response: decisionSchema('skew', skewRegimes, metrics.schema),
  answer: (inputs, { expiry }) =>
    decided(inputs, {
      signal: 'skew',
      unread: 'no_skew_data',
      assess: (chain) => skewSignal(chain, expiry),
      metrics: metrics.fill,
      reasons: skewReasons
    })
})
