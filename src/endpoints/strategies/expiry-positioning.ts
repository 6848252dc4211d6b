import Type from 'typebox'
import { block } from '../../api/block.ts'
import { endpoint } from '../../api/endpoint.ts'
import { Day, Days, Nullable, Price } from '../../api/quantity.ts'
import {
  expiryPositioningSignal,
  type PinFigures,
  positioningRegimes
} from '../../signals/strategies/expiry-positioning-signal.ts'
import { USUAL_OPEN_INTEREST } from '../../signals/strategies/tradable-contracts.ts'
import { positioningReasons } from '../../wording/strategy-reasons.ts'
import { decided, decisionSchema, declared, subject } from './decision-block.ts'
import { minOpenInterest, nearestExpiry, symbol, wingWidth } from './parameters.ts'
import { pinBlock, settingBlock } from './pin-block.ts'

const metrics = block(
  Type.Object(
    {
      ...pinBlock.schema.properties,
      expiry: Nullable(Day()),
      days_to_expiry: Nullable(Days()),
      ...settingBlock.schema.properties,
      underlying_price: Price()
    },
    { title: 'ExpiryPositioningMetrics' }
  ),
  (figures: PinFigures | undefined, spot: number) => ({
    ...pinBlock.fill(figures),
    expiry: figures?.expiry,
    days_to_expiry: figures?.days,
    ...settingBlock.fill(figures),
    underlying_price: spot
  })
)

export const expiryPositioning = endpoint({
  ...declared,
  id: 'strategies.expiry_positioning',
  path: '/v1/strategies/expiry-positioning/{symbol}',
  summary: 'How strongly max pain of an expiration pulls, and an iron fly on it',
  description:
    'Says how strongly positions pull price to a strike at an expiration. A signal with reasons and risk flags.',
  plan: 'basic',
  needs: subject,
  params: { symbol, expiry: nearestExpiry, minOpenInterest: minOpenInterest(USUAL_OPEN_INTEREST), wingWidth },
  response: decisionSchema('expiry_positioning', positioningRegimes, metrics.schema),
  answer: (inputs, { expiry, ...terms }) =>
    decided(inputs, {
      signal: 'expiry_positioning',
      unread: 'no_pin_setup',
      assess: (chain) => expiryPositioningSignal(chain, expiry, terms),
      metrics: metrics.fill,
      reasons: positioningReasons
    })
})
