import { expect } from 'vitest'
import type { Gex, MaxPain } from '../answers.ts'
import type { Invariants } from './invariant.ts'
import { daysTo, expectNear, expiries, isRead, type SignalAnswer, setup } from './strategies-common.ts'

type Flow = SignalAnswer<'flow-anomaly'>
export const flowAnomaly: Invariants<Flow> = {
  queries: expiries,
  checks: {
    ...setup<Flow>('flow_anomaly'),
    'regime == bullish_flow_imbalance => call_put_volume_ratio >= 1.25 or null': ({ regime, metrics }) => {
      if (regime === 'bullish_flow_imbalance')
        expect(metrics.call_put_volume_ratio ?? 1.25).toBeGreaterThanOrEqual(1.25)
    },
    'regime == bearish_flow_imbalance => call_put_volume_ratio <= 0.80': ({ regime, metrics }) => {
      if (regime === 'bearish_flow_imbalance') expect(metrics.call_put_volume_ratio!).toBeLessThanOrEqual(0.8)
    },
    'regime == neutral_flow => score <= 39': ({ regime, score }) => {
      if (regime === 'neutral_flow') expect(score).toBeLessThanOrEqual(39)
    },
    'dominant_premium_pct is null or 0.5 <= dominant_premium_pct <= 1': ({ metrics }) => {
      const share = metrics.dominant_premium_pct ?? 1
      expect(share >= 0.5 && share <= 1).toBe(true)
    },
    'bullish => structures are short_put_spread; bearish => short_call_spread; neutral => none': ({
      metrics,
      best_structures
    }) => {
      const allowed = { bullish: ['short_put_spread'], bearish: ['short_call_spread'], neutral: [] }[
        metrics.bias ?? 'neutral'
      ] as readonly string[]
      expect(best_structures.filter(({ structure }) => !allowed.includes(structure))).toEqual([])
    }
  }
}

const bodyOf = ({ legs }: SignalAnswer<'expiry-positioning'>['best_structures'][number]) =>
  legs.filter(({ action }) => action === 'sell').map(({ strike }) => strike)

type Positioning = SignalAnswer<'expiry-positioning'>
export const expiryPositioning: Invariants<Positioning> = {
  queries: (market) => [...expiries(market), { minOpenInterest: '0', wingWidth: '7.5' }],
  checks: {
    ...setup<Positioning>('expiry_positioning'),
    'regime matches score bands 70/40': ({ regime, score }) =>
      expect(regime).toBe(score >= 70 ? 'strong_pin_likely' : score >= 40 ? 'moderate_pin' : 'no_pin_setup'),
    'score == pin_probability of /v1/maxpain with expiration = metrics.expiry within 1, or the cap 39 when spot < gamma_flip':
      (answer, { other }) => {
        if (!isRead(answer)) return
        const { expiry, gamma_flip: flip, underlying_price: spot, max_pain_strike } = answer.metrics
        const pain = other<MaxPain>('/v1/maxpain/{symbol}', { expiration: expiry! })!
        const most = flip !== null && spot < flip ? 39 : 100
        expectNear(answer.score, Math.min(most, pain.pin_probability), 1)
        expect(max_pain_strike).toBe(pain.max_pain_strike)
      },
    'expiry given => metrics.expiry == expiry': (answer, { query }) => {
      if (isRead(answer) && query.expiry !== undefined) expect(answer.metrics.expiry).toBe(query.expiry)
    },
    'best_structures[].structure == iron_fly and body == max_pain_strike': ({ best_structures, metrics }) => {
      for (const structure of best_structures) {
        expect(structure.structure).toBe('iron_fly')
        expect(bodyOf(structure)).toEqual([metrics.max_pain_strike, metrics.max_pain_strike])
      }
    },
    'no_pin_setup => best_structures empty': ({ regime, best_structures }) => {
      if (regime === 'no_pin_setup') expect(best_structures).toEqual([])
    },
    'distance_to_pain_pct == |underlying_price - max_pain_strike|/underlying_price*100': ({ metrics }) => {
      const { distance_to_pain_pct: distance, underlying_price: spot, max_pain_strike: pain } = metrics
      if (distance !== null) expectNear(distance, (100 * Math.abs(spot - pain!)) / spot)
    }
  }
}

type ZeroDte = SignalAnswer<'zero-dte'>
export const zeroDte: Invariants<ZeroDte> = {
  queries: (market) => [...expiries(market), { minOpenInterest: '0', wingWidth: '2' }],
  checks: {
    ...setup<ZeroDte>('zero_dte', 500),
    '0 <= minutes_to_close <= 390': ({ metrics }) =>
      expect((metrics.minutes_to_close ?? 0) >= 0 && (metrics.minutes_to_close ?? 0) <= 390).toBe(true),
    'expected_move_consumed_pct == |underlying_price - session_open_spot|/expected_move_today*100': ({ metrics }) => {
      const { expected_move_consumed_pct: gone, session_open_spot: open, expected_move_today: move } = metrics
      if (gone === null) return
      const exact = (100 * Math.abs(metrics.underlying_price - open!)) / move!
      // The move is printed in cents: of a narrow one that leaves more than a hundredth of a percent.
      expectNear(gone, exact, 0.001 + (exact * 0.006) / move!)
    },
    'spot < gamma_flip => score <= 39': ({ metrics, score }) => {
      if (metrics.gamma_flip !== null && metrics.underlying_price < metrics.gamma_flip) expect(score).toBeLessThan(40)
    },
    'regime matches score bands 70/40': (answer) => {
      const { regime, score } = answer
      const band =
        score >= 70 ? 'pin_risk_positive_gamma' : score >= 40 ? 'range_compression' : 'trend_risk_or_no_setup'
      if (isRead(answer)) expect(regime).toBe(band)
    },
    'regime in (no_same_day_expiry, no_expiry_chain) <=> decision == insufficient_data (or not covered)': (answer) =>
      expect(['no_same_day_expiry', 'no_expiry_chain'].includes(answer.regime)).toBe(!isRead(answer))
  }
}

type Dealers = SignalAnswer<'dealer-regime'>
export const dealerRegime: Invariants<Dealers> = {
  queries: expiries,
  checks: {
    ...setup<Dealers>('dealer_regime'),
    'positive_gamma_compression => net_gamma > 0 and distance_to_flip_pct >= 0.5': ({ regime, metrics }, at) => {
      if (regime === 'positive_gamma_compression') {
        expect(metrics.net_gamma! > 0 && metrics.distance_to_flip_pct! >= 0.5).toBe(true)
      }
      if (metrics.net_gamma === null) return
      const { expiry } = at.query
      const gex = at.other<Gex>('/v1/exposure/gex/{symbol}', expiry === undefined ? {} : { expiration: expiry })!
      expect([metrics.net_gamma, metrics.gamma_flip]).toEqual([gex.net_gex, gex.gamma_flip])
    },
    'negative_gamma_acceleration => net_gamma < 0, distance_to_flip_pct <= -0.5, score <= 35': (answer) => {
      const { regime, metrics, score } = answer
      if (regime !== 'negative_gamma_acceleration') return
      expect([metrics.net_gamma! < 0, metrics.distance_to_flip_pct! <= -0.5, score <= 35]).toEqual([true, true, true])
    },
    'transition => 40 <= score <= 50': (answer) => {
      if (answer.regime === 'transition' && isRead(answer)) expect([40, 45, 50]).toContain(answer.score)
    },
    'best_structures non-empty => regime == positive_gamma_compression': ({ regime, best_structures }) => {
      if (best_structures.length > 0) expect(regime).toBe('positive_gamma_compression')
    }
  }
}

type Yield = SignalAnswer<'yield-enhancement'>
export const yieldEnhancement: Invariants<Yield> = {
  queries: (market) => [
    ...expiries(market),
    { minOpenInterest: '0', structure: 'cash_secured_put', targetDelta: '0.3' },
    { minOpenInterest: '10', structure: 'covered_call', targetDelta: '0.4', excludeEarningsBeforeExpiry: 'FALSE' }
  ],
  checks: {
    ...setup<Yield>('yield_enhancement'),
    'metrics.structure == requested structure': ({ metrics }, { query }) =>
      expect(metrics.structure).toBe(query.structure ?? 'covered_call'),
    'covered_call => strike > underlying_price; cash_secured_put => strike < underlying_price': ({ metrics }) => {
      const { strike, underlying_price: spot, structure } = metrics
      if (strike !== null) expect(structure === 'covered_call' ? strike > spot : strike < spot).toBe(true)
    },
    'annualized_yield_pct == premium/capital*365/dte*100': ({ metrics }) => {
      const { annualized_yield_pct: percent, premium, strike, dte, underlying_price: spot, structure } = metrics
      if (percent === null) return
      const capital = structure === 'covered_call' ? spot : strike!
      const ofCent = (0.0051 / capital) * (365 / dte!) * 100
      expectNear(percent, (premium! / capital) * (365 / dte!) * 100, 0.001 + ofCent)
    },
    'breakeven_price == best_structures[0].breakevens[0]': ({ metrics, best_structures }) =>
      expect(metrics.breakeven_price).toBe(best_structures.at(0)?.breakevens[0] ?? null),
    'no_yield_candidate <=> best_structures empty': ({ regime, best_structures }) =>
      expect(regime === 'no_yield_candidate').toBe(best_structures.length === 0),
    'best_structures[0].legs[0].strike == metrics.strike': ({ metrics, best_structures }, { market }) => {
      expect(best_structures.at(0)?.legs[0].strike ?? null).toBe(metrics.strike)
      if (best_structures.length > 0) expect(metrics.dte).toBe(daysTo(market, best_structures[0].expiry))
    },
    'abs(abs(delta) - targetDelta) <= 0.10': ({ best_structures }, { query }) => {
      const target = Number(query.targetDelta ?? 0.25)
      for (const { legs } of best_structures) expectNear(Math.abs(legs[0].delta), target, 0.1001)
    }
  }
}
