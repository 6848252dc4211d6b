import { expect } from 'vitest'
import type { AdvVolatility, SkewTerm } from '../answers.ts'
import { ascending, expectAll, type Invariants } from './invariant.ts'
import { envelope, expectNear, expiries, isRead, type SignalAnswer, setup } from './strategies-common.ts'

const reading = 'decision in (neutral, insufficient_data); best_structures empty'
const onlyReads = ({ decision, best_structures }: { decision: string; best_structures: readonly unknown[] }) => {
  expect(['neutral', 'insufficient_data']).toContain(decision)
  expect(best_structures).toEqual([])
}

type Skew = SignalAnswer<'skew'>
export const skew: Invariants<Skew> = {
  queries: expiries,
  checks: {
    ...envelope<Skew>('skew'),
    [reading]: onlyReads,
    'risk_reversal_25d == call_iv_25d - put_iv_25d': ({ metrics }, { other }) => {
      if (metrics.risk_reversal_25d === null) return
      expectNear(metrics.risk_reversal_25d, metrics.call_iv_25d! - metrics.put_iv_25d!)
      const row = other<SkewTerm>('/v1/volatility/skew-term/{symbol}')?.expiries.find(
        ({ expiry }) => expiry === metrics.expiry
      )
      if (row === undefined) return
      expect([metrics.atm_iv, metrics.put_iv_25d, metrics.call_iv_25d]).toEqual([
        row.atm_iv,
        row.put_25d_iv,
        row.call_25d_iv
      ])
    },
    'put_skew => put_iv_25d > call_iv_25d; call_skew => the reverse': ({ regime, metrics }) => {
      if (regime === 'put_skew') expect(metrics.put_iv_25d!).toBeGreaterThan(metrics.call_iv_25d!)
      if (regime === 'call_skew') expect(metrics.put_iv_25d!).toBeLessThan(metrics.call_iv_25d!)
    },
    'regime == no_skew_data <=> decision == insufficient_data (or not covered)': (answer) =>
      expect(answer.regime === 'no_skew_data').toBe(!isRead(answer)),
    'score == round(100*min(1, |put_iv_25d - call_iv_25d|/atm_iv/0.40)) within 1': ({ score, metrics }) => {
      if (metrics.atm_iv === null) return
      const gap = Math.abs(metrics.put_iv_25d! - metrics.call_iv_25d!)
      expectNear(score, Math.round(100 * Math.min(1, gap / metrics.atm_iv / 0.4)), 1)
    }
  }
}

type Tail = SignalAnswer<'tail-pricing'>
export const tailPricing: Invariants<Tail> = {
  queries: expiries,
  checks: {
    ...envelope<Tail>('tail_pricing'),
    [reading]: onlyReads,
    'downside_skew == put_tail_iv_10d - atm_iv': ({ metrics }) => {
      if (metrics.downside_skew !== null) expectNear(metrics.downside_skew, metrics.put_tail_iv_10d! - metrics.atm_iv!)
    },
    'tail_asymmetry == put_tail_iv_10d - call_tail_iv_10d': ({ metrics }) => {
      if (metrics.tail_asymmetry === null) return
      expectNear(metrics.tail_asymmetry, metrics.put_tail_iv_10d! - metrics.call_tail_iv_10d!)
    },
    'expensive_tail => downside_skew >= 0.30*atm_iv; cheap_tail => downside_skew <= 0.15*atm_iv': ({
      regime,
      metrics
    }) => {
      if (regime === 'expensive_tail') expect(metrics.downside_skew! + 1e-4).toBeGreaterThan(0.3 * metrics.atm_iv!)
      if (regime === 'cheap_tail') expect(metrics.downside_skew! - 1e-4).toBeLessThan(0.15 * metrics.atm_iv!)
    },
    'regime == no_tail_data <=> decision == insufficient_data (or not covered)': (answer) =>
      expect(answer.regime === 'no_tail_data').toBe(!isRead(answer))
  }
}

type Term = SignalAnswer<'term-structure'>
export const termStructure: Invariants<Term> = {
  queries: () => [{}],
  checks: {
    ...envelope<Term>('term_structure'),
    [reading]: onlyReads,
    'expiry_count == len(term_points)': ({ metrics }) =>
      expect(metrics.expiry_count).toBe(metrics.term_points?.length ?? null),
    'term_points dte strictly increasing': ({ metrics }) =>
      expect(ascending((metrics.term_points ?? []).map(({ dte }) => dte))).toBe(true),
    'slope == back_iv - front_iv': ({ metrics }) => {
      if (metrics.slope !== null) expectNear(metrics.slope, metrics.back_iv! - metrics.front_iv!)
    },
    'shape == regime (flat for flat_term)': (answer) => {
      const { shape } = answer.metrics
      if (isRead(answer)) expect(answer.regime).toBe(shape === 'flat' ? 'flat_term' : shape)
      else expect(shape).toBeNull()
    }
  }
}

type Surface = SignalAnswer<'surface-anomaly'>
export const surfaceAnomaly: Invariants<Surface> = {
  queries: expiries,
  checks: {
    ...setup<Surface>('surface_anomaly'),
    'sample_count == len(per_strike_residuals)': ({ metrics }) =>
      expect(metrics.sample_count).toBe(metrics.per_strike_residuals?.length ?? null),
    'residual == market_iv - fitted_iv': ({ metrics }) =>
      expectAll(
        metrics.per_strike_residuals ?? [],
        (row) => Math.abs(row.residual - row.market_iv + row.fitted_iv) < 0.0002
      ),
    'fitted_iv reproduces from svi_parameters of /v1/adv_volatility at the same moment': ({ metrics }, { other }) => {
      if (metrics.per_strike_residuals === null) return
      const slice = other<AdvVolatility>('/v1/adv_volatility/{symbol}')!.svi_parameters.find(
        ({ expiry }) => expiry === metrics.expiry
      )!
      const { a, b, rho, m, sigma, atm_total_variance, atm_iv } = slice
      const t = atm_total_variance / (atm_iv / 100) ** 2
      for (const { strike, fitted_iv } of metrics.per_strike_residuals) {
        const x = Math.log(strike / metrics.forward!) - m
        expectNear(fitted_iv, 100 * Math.sqrt((a + b * (rho * x + Math.hypot(x, sigma))) / t), 0.02)
      }
    },
    'rich_put_wing => put_wing_richness >= 0.5 and >= call_wing_richness (and conversely)': ({ regime, metrics }) => {
      const [put, call] = [metrics.put_wing_richness ?? -Infinity, metrics.call_wing_richness ?? -Infinity]
      if (regime === 'rich_put_wing') expect(put >= 0.5 && put >= call).toBe(true)
      if (regime === 'rich_call_wing') expect(call >= 0.5 && call >= put).toBe(true)
      if (regime === 'flat_residuals') expect(Math.max(put, call)).toBeLessThanOrEqual(0.5)
    },
    'flat_residuals => score <= 39 and best_structures empty': ({ regime, score, best_structures }) => {
      if (regime === 'flat_residuals') expect([score <= 39, best_structures]).toEqual([true, []])
    },
    'strikes ascending': ({ metrics }) =>
      expect(ascending((metrics.per_strike_residuals ?? []).map(({ strike }) => strike))).toBe(true)
  }
}

type Carry = SignalAnswer<'vol-carry'>
export const volCarry: Invariants<Carry> = {
  queries: (market) => [
    ...expiries(market),
    { minOpenInterest: '0', targetShortDelta: '0.3', maxWidth: '25', minCredit: '0.4' },
    { minOpenInterest: '0', targetShortDelta: '0.05', maxWidth: '2.5', minCredit: '0' }
  ],
  checks: {
    ...setup<Carry>('vol_carry'),
    'vrp == atm_iv - realized_vol': ({ metrics }) => {
      if (metrics.vrp !== null) expectNear(metrics.vrp, metrics.atm_iv! - metrics.realized_vol!)
    },
    'risk_reversal_25d == -skew_25d': ({ metrics }) => {
      if (metrics.skew_25d === null) expect(metrics.risk_reversal_25d).toBeNull()
      else expectNear(metrics.risk_reversal_25d!, -metrics.skew_25d)
    },
    'regime == vrp_unavailable <=> decision == insufficient_data (or not covered)': (answer) =>
      expect(answer.regime === 'vrp_unavailable').toBe(!isRead(answer)),
    'vrp <= 0 => score <= 39': ({ metrics, score }) => {
      if (metrics.vrp !== null && metrics.vrp <= 0) expect(score).toBeLessThanOrEqual(39)
    },
    'best_structures[].credit >= minCredit; vertical widths <= maxWidth': ({ best_structures }, { query }) => {
      const [least, widest] = [Number(query.minCredit ?? 0.1), Number(query.maxWidth ?? 10)]
      for (const { credit, legs } of best_structures) {
        expect(credit! + 0.005).toBeGreaterThanOrEqual(least)
        for (const type of ['put', 'call'] as const) {
          const [short, long] = legs.filter((leg) => leg.type === type)
          if (short !== undefined) expect(Math.abs(short.strike - long.strike)).toBeLessThanOrEqual(widest)
        }
      }
    },
    'recommended_side == none => best_structures empty': ({ metrics, best_structures }) => {
      if (metrics.recommended_side === 'none') expect(best_structures).toEqual([])
      const kinds = new Set(best_structures.map(({ structure }) => structure))
      expect(kinds.has('short_put_spread') && metrics.recommended_side === 'call').toBe(false)
      expect(kinds.has('short_call_spread') && metrics.recommended_side === 'put').toBe(false)
    },
    'earnings_before_expiry true => flag EARNINGS_BEFORE_EXPIRY': ({ metrics, risk_flags }) =>
      expect(risk_flags.some(({ code }) => code === 'EARNINGS_BEFORE_EXPIRY')).toBe(
        metrics.earnings_before_expiry === true
      )
  }
}
