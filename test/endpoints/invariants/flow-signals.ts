import { expect } from 'vitest'
import type { Market } from '../../support/markets.ts'
import type { FlowSignals, FlowSignalsSummary, ZeroDteSnapshot } from '../flow/answers.ts'
import { expiries } from './flow.ts'
import { expectAll, expectSum, type Invariants, total } from './invariant.ts'

const windows = (market: Market) => expiries(market).flatMap((query) => [query, { ...query, windowMinutes: '2000' }])

export const signals: Invariants<FlowSignals> = {
  queries: (market) => [
    ...windows(market),
    { minScore: '40', limit: '7' },
    { intent: 'bearish', windowMinutes: '2000' },
    { structure: 'sweep', limit: '500', windowMinutes: '2000' },
    { structure: 'single' }
  ],
  checks: {
    'count == len(signals) <= limit': ({ count, signals }, { query: { limit = '50' } }) => {
      expect(count).toBe(signals.length)
      expect(count).toBeLessThanOrEqual(Number(limit))
    },
    'score == sum(score_breakdown.*)': ({ signals }) =>
      expectAll(
        signals,
        ({ score, score_breakdown }) => score === total(Object.values(score_breakdown), (points) => points)
      ),
    'signals sorted by score desc': ({ signals }) =>
      expectAll(signals, ({ score }, k) => k === 0 || score <= signals[k - 1].score),
    'premium ~= price*size*100': ({ signals }) =>
      expectAll(
        signals,
        // The price is rounded to 4 decimals.
        ({ premium, price, size }) => Math.abs(premium - price * size * 100) <= 0.01 + 0.00005 * size * 100
      ),
    'tags contains whale iff premium >= 1000000': ({ signals }) =>
      expectAll(signals, ({ tags, premium }) => tags.includes('whale') === premium >= 1_000_000),
    'tags contains exactly one of sweep, block and it equals structure': ({ signals }) =>
      expectAll(
        signals,
        ({ tags, structure }) => `${tags.filter((tag) => tag === 'sweep' || tag === 'block')}` === structure
      ),
    'intent == neutral when side == mid or open_close_bias == closing_bias': ({ signals }) =>
      expectAll(
        signals,
        ({ intent, side, open_close_bias }) =>
          (intent === 'neutral') === (side === 'mid' || open_close_bias === 'closing_bias')
      ),
    'golden implies score >= 70': ({ signals }) =>
      expectAll(signals, ({ tags, score }) => !tags.includes('golden') || score >= 70),
    'estimated_delta_notional ~= delta*size*100*underlying_price when not null': ({ signals, underlying_price }) =>
      expectAll(signals, ({ enrichment: { delta, estimated_delta_notional: notional }, size }) => {
        if (notional === null || delta === null) return notional === delta
        const shares = size * 100 * underlying_price
        return Math.abs(notional - delta * shares) <= 0.01 + 1e-8 * shares
      })
  }
}

export const signalsSummary: Invariants<FlowSignalsSummary> = {
  queries: windows,
  checks: {
    'net_directional_premium ~= bullish_premium - bearish_premium': (answer) =>
      expectSum(answer.net_directional_premium, answer.bullish_premium - answer.bearish_premium, 2),
    'len(top_signals) == min(10, signal_count)': ({ top_signals, signal_count }) =>
      expect(top_signals.length).toBe(Math.min(10, signal_count)),
    'top_signals equals the first rows of the feed with limit=10 and the same window': (
      { top_signals },
      { query, other }
    ) =>
      expect(top_signals).toEqual(other<FlowSignals>('/v1/flow/signals/{symbol}', { ...query, limit: '10' })!.signals)
  }
}

export const snapshot: Invariants<ZeroDteSnapshot> = {
  queries: (market) => expiries(market).flatMap((query) => [query, { ...query, strike_range: '0.1' }]),
  checks: {
    'exposures.net_gex ~= flow_direction.live_net_gex': ({ exposures, flow_direction }) =>
      expect(exposures?.net_gex).toBe(flow_direction?.live_net_gex),
    'pin_risk.pin_score within 1 of the weighted components': ({ pin_risk }) => {
      if (pin_risk === undefined) return
      const { oi_score, proximity_score, time_score, gamma_score } = pin_risk.components
      const score = 0.3 * oi_score + 0.25 * proximity_score + 0.25 * time_score + 0.2 * gamma_score
      expect(Math.abs(pin_risk.pin_score - Math.round(score))).toBeLessThanOrEqual(1)
    },
    'flow.total_oi == flow.call_oi + flow.put_oi': ({ flow }) => {
      if (flow !== undefined) expect(flow.total_oi).toBe(flow.call_oi + flow.put_oi)
    },
    'every strikes[].strike within strike_range of spot': ({ strikes, underlying_price }, { query }) => {
      const range = Number(query.strike_range ?? 0.03)
      if (strikes !== undefined) {
        expectAll(strikes, ({ strike }) => Math.abs(strike / underlying_price! - 1) <= range + 1e-9)
      }
    },
    'session_closed implies no exposures block': ({ session_closed, exposures, market_open }) => {
      if (session_closed !== true) return
      expect(exposures).toBeUndefined()
      expect(market_open).toBe(false)
    },
    'flow_direction.label == no_flow iff contracts_with_flow == 0': ({ flow_direction }) => {
      if (flow_direction === undefined) return
      expect(flow_direction.label === 'no_flow').toBe(flow_direction.contracts_with_flow === 0)
    }
  }
}
