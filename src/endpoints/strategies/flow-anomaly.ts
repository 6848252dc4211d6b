import Type from 'typebox'
import { block } from '../../api/block.ts'
import { endpoint } from '../../api/endpoint.ts'
import { Contracts, Nullable, Price, Ratio, Share, Usd, Words } from '../../api/quantity.ts'
import {
  type FlowFigures,
  flowAnomalySignal,
  flowBiases,
  flowRegimes
} from '../../signals/strategies/flow-anomaly-signal.ts'
import { flowReasons } from '../../wording/strategy-reasons.ts'
import { decided, decisionSchema, declared, subject } from './decision-block.ts'
import { anyExpiry, symbol } from './parameters.ts'

const metrics = block(
  Type.Object(
    {
      bias: Nullable(Words(...flowBiases)),
      call_put_volume_ratio: Nullable(Ratio('null without put volume')),
      call_put_oi_ratio: Nullable(Ratio()),
      total_volume: Nullable(Contracts()),
      total_open_interest: Nullable(Contracts()),
      dominant_premium_usd: Nullable(Usd('volume times mid times 100 of the larger side')),
      dominant_premium_pct: Nullable(Share('of both sides', { minimum: 0, maximum: 1 })),
      top3_strikes_volume_pct: Nullable(Share('of volume at the three busiest strikes', { minimum: 0, maximum: 1 })),
      underlying_price: Price()
    },
    { title: 'FlowAnomalyMetrics' }
  ),
  (figures: FlowFigures | undefined, spot: number) => ({
    bias: figures?.bias,
    call_put_volume_ratio: figures?.volumeRatio,
    call_put_oi_ratio: figures?.oiRatio,
    total_volume: figures?.volume,
    total_open_interest: figures?.openInterest,
    dominant_premium_usd: figures?.dominantPremium,
    dominant_premium_pct: figures?.dominantShare,
    top3_strikes_volume_pct: figures?.busiestThree,
    underlying_price: spot
  })
)

export const flowAnomaly = endpoint({
  ...declared,
  id: 'strategies.flow_anomaly',
  path: '/v1/strategies/flow-anomaly/{symbol}',
  summary: 'Whether calls or puts trade more',
  description:
    "Says whether the day's volume leans to calls or puts more than the positions do. A signal with reasons and risk flags.",
  plan: 'growth',
  needs: subject,
  params: { symbol, expiry: anyExpiry },
  errors: ['invalid_parameter'],
  response: decisionSchema('flow_anomaly', flowRegimes, metrics.schema),
  answer: (inputs, { expiry }) =>
    decided(inputs, {
      signal: 'flow_anomaly',
      unread: 'neutral_flow',
      assess: (chain) => flowAnomalySignal(chain, expiry),
      metrics: metrics.fill,
      reasons: flowReasons
    })
})
