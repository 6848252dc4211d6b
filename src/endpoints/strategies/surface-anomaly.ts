import Type from 'typebox'
import { rowKey } from '../../api/annotations.ts'
import { block } from '../../api/block.ts'
import { endpoint } from '../../api/endpoint.ts'
import { Count, Day, Nullable, Percent, Price, Score, Words } from '../../api/quantity.ts'
import {
  type SurfaceFigures,
  surfaceAnomalySignal,
  surfaceRegimes
} from '../../signals/strategies/surface-anomaly-signal.ts'
import { surfaceReasons } from '../../wording/strategy-reasons.ts'
import { decided, decisionSchema, declared, subject } from './decision-block.ts'
import { fittedExpiry, symbol } from './parameters.ts'

const metrics = block(
  Type.Object(
    {
      expiry: Nullable(Day()),
      put_wing_richness: Nullable(Percent('mean residual by vega, vol points')),
      call_wing_richness: Nullable(Percent('mean residual by vega, vol points')),
      dominant_wing: Nullable(Words('put', 'call', 'none')),
      sample_count: Nullable(Count('smile points')),
      forward: Nullable(Price()),
      per_strike_residuals: Nullable(
        Type.Array(
          Type.Object(
            {
              strike: Price(),
              type: Words('put', 'call'),
              market_iv: Percent(),
              fitted_iv: Percent(),
              residual: Percent('market_iv minus fitted_iv, vol points')
            },
            { title: 'StrikeResidual' }
          ),
          rowKey('strike')
        )
      ),
      fit_quality_score: Nullable(Score()),
      cheap_convexity_score: Nullable(Score('how far the cheaper wing lies below the fit')),
      underlying_price: Price()
    },
    { title: 'SurfaceAnomalyMetrics' }
  ),
  (figures: SurfaceFigures | undefined, spot: number) => ({
    expiry: figures?.expiry,
    put_wing_richness: figures?.putRichness,
    call_wing_richness: figures?.callRichness,
    dominant_wing: figures?.dominantWing,
    sample_count: figures?.points.length,
    forward: figures?.forward,
    per_strike_residuals: figures?.points.map(({ strike, right, marketIv, fittedIv, residual }) => ({
      strike,
      type: right,
      market_iv: marketIv,
      fitted_iv: fittedIv,
      residual
    })),
    fit_quality_score: figures?.fitQuality,
    cheap_convexity_score: figures?.cheapConvexity,
    underlying_price: spot
  })
)

export const surfaceAnomaly = endpoint({
  ...declared,
  id: 'strategies.surface_anomaly',
  path: '/v1/strategies/surface-anomaly/{symbol}',
  summary: 'Rich and cheap wings of an expiration against its fitted smile',
  description: 'Finds strikes whose quotes lie off the fitted smile. A signal with reasons and risk flags.',
  plan: 'alpha',
  needs: subject,
  params: { symbol, expiry: fittedExpiry },
  response: decisionSchema('surface_anomaly', surfaceRegimes, metrics.schema),
  answer: (inputs, { expiry }) =>
    decided(inputs, {
      signal: 'surface_anomaly',
      unread: 'no_fitted_surface',
      assess: (chain) => surfaceAnomalySignal(chain, expiry),
      metrics: metrics.fill,
      reasons: surfaceReasons
    })
})
