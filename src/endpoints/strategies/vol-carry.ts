import Type from 'typebox'
import { block } from '../../api/block.ts'
import { endpoint } from '../../api/endpoint.ts'
import { number } from '../../api/params.ts'
import { Nullable, Percent, Price, Score, Sigmas, Words } from '../../api/quantity.ts'
import { premiumWindow, RECORDS_READ } from '../../signals/risk-premium/premium-rank.ts'
import { USUAL_OPEN_INTEREST } from '../../signals/strategies/tradable-contracts.ts'
import {
  type CarryFigures,
  carryRegimes,
  carrySides,
  REAL_SESSIONS,
  volCarrySignal
} from '../../signals/strategies/vol-carry-signal.ts'
import { usableBars } from '../../volatility/realized/realized.ts'
import { carryReasons } from '../../wording/strategy-reasons.ts'
import { decided, decisionSchema, declared, subject } from './decision-block.ts'
import { delta, heldExpiry, minOpenInterest, symbol } from './parameters.ts'

const metrics = block(
  Type.Object(
    {
      atm_iv: Nullable(Percent('at the forward of the reference expiration')),
      realized_vol: Nullable(Percent('close to close over 20 returns')),
      vrp: Nullable(Percent('atm_iv minus realized_vol, vol points')),
      vrp_z_score: Nullable(Sigmas('among the previous sessions')),
      vrp_percentile: Nullable(Score('among them')),
      used_real_metrics: Nullable(
        Type.Boolean({ description: 'whether 20 stored sessions or more stand behind both' })
      ),
      skew_25d: Nullable(Percent('put minus call, vol points')),
      risk_reversal_25d: Nullable(Percent('call minus put, vol points')),
      term_slope: Nullable(Percent('volatility of 30 days over that of 7')),
      rv_change_5d: Nullable(Percent('realized_vol now minus five sessions ago, vol points')),
      earnings_before_expiry: Nullable(Type.Boolean({ description: 'null without an earnings calendar' })),
      recommended_side: Nullable(Words(...carrySides)),
      underlying_price: Price()
    },
    { title: 'VolCarryMetrics' }
  ),
  (figures: CarryFigures | undefined, spot: number) => ({
    atm_iv: figures?.atmIv,
    realized_vol: figures?.realized,
    vrp: figures?.premium,
    vrp_z_score: figures?.zScore,
    vrp_percentile: figures?.percentile,
    used_real_metrics: figures && figures.sessions >= REAL_SESSIONS,
    skew_25d: figures?.skew25,
    risk_reversal_25d: figures?.skew25 === undefined ? undefined : 0 - figures.skew25,
    term_slope: figures?.termSlope,
    rv_change_5d: figures?.realizedChange,
    earnings_before_expiry: figures?.earningsBefore,
    recommended_side: figures?.side,
    underlying_price: spot
  })
)

export const volCarry = endpoint({
  ...declared,
  id: 'strategies.vol_carry',
  path: '/v1/strategies/vol-carry/{symbol}',
  summary: 'Whether volatility is worth selling, and on which side',
  description:
    'Says whether selling volatility is paid for, by the premium and its history, and on which side. A signal with reasons and risk flags.',
  plan: 'alpha',
  needs: [...subject, 'bars', 'records'],
  barsRead: () => 90,
  recordsRead: () => RECORDS_READ,
  params: {
    symbol,
    expiry: heldExpiry,
    minOpenInterest: minOpenInterest(USUAL_OPEN_INTEREST),
    targetShortDelta: delta,
    maxWidth: number({
      description: 'between the strikes of a spread at most, in strike points',
      default: 10,
      minimum: 0.5,
      maximum: 250,
      clamp: true
    }),
    minCredit: number({
      description: 'the minimum credit of a structure, USD per share',
      default: 0.1,
      minimum: 0,
      maximum: 100,
      clamp: true
    })
  },
  response: decisionSchema('vol_carry', carryRegimes, metrics.schema),
  answer: (
    { bars, records, ...inputs },
    { expiry, targetShortDelta: shortDelta, minOpenInterest, maxWidth, minCredit }
  ) => {
    const history = { bars: usableBars(bars), records, earnings: inputs.earningsDates }
    return decided(inputs, {
      signal: 'vol_carry',
      unread: 'vrp_unavailable',
      assess: (chain) => volCarrySignal(chain, expiry, history, { shortDelta, minOpenInterest, maxWidth, minCredit }),
      metrics: metrics.fill,
      reasons: carryReasons,
      sessions: premiumWindow(records).length
    })
  }
})
