import Type from 'typebox'
import { block } from '../../api/block.ts'
import { endpoint } from '../../api/endpoint.ts'
import { Count, Day, Days, Nullable, Percent, Price } from '../../api/quantity.ts'
import { type TailFigures, tailPricingSignal, tailRegimes } from '../../signals/strategies/tail-pricing-signal.ts'
import { tailReasons } from '../../wording/strategy-reasons.ts'
import { decided, decisionSchema, declared, subject } from './decision-block.ts'
import { nearestExpiry, symbol } from './parameters.ts'

const metrics = block(
  Type.Object(
    {
      expiry: Nullable(Day()),
      days_to_expiry: Nullable(Days()),
      atm_iv: Nullable(Percent('at the forward')),
      put_tail_iv_10d: Nullable(Percent()),
      call_tail_iv_10d: Nullable(Percent()),
      downside_skew: Nullable(Percent('put_tail_iv_10d minus atm_iv, vol points')),
      tail_asymmetry: Nullable(Percent('put_tail_iv_10d minus call_tail_iv_10d, vol points')),
      sample_count: Nullable(Count('smile points')),
      underlying_price: Price()
    },
    { title: 'TailPricingMetrics' }
  ),
  (figures: TailFigures | undefined, spot: number) => ({
    expiry: figures?.expiry,
    days_to_expiry: figures?.days,
    atm_iv: figures?.atm,
    put_tail_iv_10d: figures?.put10,
    call_tail_iv_10d: figures?.call10,
    downside_skew: figures?.downside,
    tail_asymmetry: figures?.asymmetry,
    sample_count: figures?.points,
    underlying_price: spot
  })
)

export const tailPricing = endpoint({
  ...declared,
  id: 'strategies.tail_pricing',
  path: '/v1/strategies/tail-pricing/{symbol}',
  summary: 'What the downside tail of an expiration costs',
  description:
    'Says whether protection against a crash is dear or cheap in an expiration. A signal with reasons and risk flags.',
  plan: 'growth',
  needs: subject,
  params: { symbol, expiry: nearestExpiry },
  response: decisionSchema('tail_pricing', tailRegimes, metrics.schema),
  answer: (inputs, { expiry }) =>
    decided(inputs, {
      signal: 'tail_pricing',
      unread: 'no_tail_data',
      assess: (chain) => tailPricingSignal(chain, expiry),
      metrics: metrics.fill,
      reasons: tailReasons
    })
})
