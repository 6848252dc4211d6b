import Type from 'typebox'
import { block } from '../../api/block.ts'
import { endpoint } from '../../api/endpoint.ts'
import { Notional, Nullable, Price, Words } from '../../api/quantity.ts'
import { vannaPerPoint } from '../../exposure/net.ts'
import { type DealerFigures, dealerRegimeSignal, dealerRegimes } from '../../signals/strategies/dealer-regime-signal.ts'
import { dealerReasons } from '../../wording/strategy-reasons.ts'
import { decided, decisionSchema, declared, subject } from './decision-block.ts'
import { anyExpiry, symbol } from './parameters.ts'
import { settingBlock } from './pin-block.ts'

const metrics = block(
  Type.Object(
    {
      net_gamma: Nullable(Notional('net_gex of the scope, USD per 1 % move')),
      net_delta: Nullable(Notional('net_dex of the scope')),
      gamma_source: Nullable(Words('settled_oi', 'live_oi')),
      ...settingBlock.schema.properties,
      net_vex: Nullable(Notional()),
      net_vex_per_point: Nullable(Notional('USD of delta gained per volatility point')),
      net_chex: Nullable(Notional()),
      underlying_price: Price()
    },
    { title: 'DealerRegimeMetrics' }
  ),
  (figures: DealerFigures | undefined, spot: number) => ({
    net_gamma: figures?.gex,
    net_delta: figures?.dex,
    gamma_source: figures && ('settled_oi' as const),
    ...settingBlock.fill(figures),
    net_vex: figures?.vex,
    net_vex_per_point: figures && vannaPerPoint(figures),
    net_chex: figures?.chex,
    underlying_price: spot
  })
)

export const dealerRegime = endpoint({
  ...declared,
  id: 'strategies.dealer_regime',
  path: '/v1/strategies/dealer-regime/{symbol}',
  summary: 'What dealer hedging does to moves, and an iron condor where it dampens them',
  description:
    'Reads whether dealers dampen or amplify moves and derives a structure from it. A signal: decision, reasons, when to avoid, never an order.',
  plan: 'growth',
  needs: subject,
  params: { symbol, expiry: anyExpiry },
  response: decisionSchema('dealer_regime', dealerRegimes, metrics.schema),
  answer: (inputs, { expiry }) =>
    decided(inputs, {
      signal: 'dealer_regime',
      unread: 'transition',
      assess: (chain) => dealerRegimeSignal(chain, expiry),
      metrics: metrics.fill,
      reasons: dealerReasons
    })
})
