import { expect } from 'vitest'
import { addDays } from '../../../src/market/calendar.ts'
import { easternDate } from '../../../src/market/eastern.ts'
import type { Volatility } from '../answers.ts'
import type { SpotVolCorrelation, Vrp, VrpHistory } from '../premium-answers.ts'
import { ascending, expectAll, type Invariants } from './invariant.ts'
import { agree } from './volatility.ts'

const whole = () => [{}]
const horizons = [5, 10, 20, 30] as const
const scoresOf = ({ strategy_scores, net_harvest_score, dealer_flow_risk }: Vrp) =>
  [...Object.values(strategy_scores ?? {}), net_harvest_score, dealer_flow_risk].filter((score) => score !== null)

/** Whether a figure is the difference of two others, or null where one of them is. */
function isDifference(figure: number | null, one: number | null, other: number | null): boolean {
  return one === null || other === null ? figure === null : agree(figure!, one - other)
}

export const vrp: Invariants<Vrp> = {
  queries: whole,
  checks: {
    'vrp.vrp_Nd == vrp.atm_iv - vrp.rv_Nd': ({ vrp: core }) =>
      expectAll(horizons, (n) => isDifference(core[`vrp_${n}d`], core.atm_iv, core[`rv_${n}d`])),
    'variance_risk_premium == (atm_iv/100)^2 - (rv_20d/100)^2 within 1e-4': ({ vrp: core, variance_risk_premium }) => {
      if (core.vrp_20d === null) return expect(variance_risk_premium).toBeNull()
      const again = (core.atm_iv! / 100) ** 2 - (core.rv_20d! / 100) ** 2
      expect(Math.abs(variance_risk_premium! - again)).toBeLessThan(1e-5)
    },
    'convexity_premium == fair_vol - vrp.atm_iv': ({ convexity_premium, fair_vol, vrp: core }) =>
      expect(isDifference(convexity_premium, fair_vol, core.atm_iv)).toBe(true),
    'downside_vrp == put_wing_iv_25d - downside_rv_20d; upside_vrp == call_wing_iv_25d - upside_rv_20d': ({
      directional: { downside_vrp, put_wing_iv_25d, downside_rv_20d, upside_vrp, call_wing_iv_25d, upside_rv_20d }
    }) => {
      expect(isDifference(downside_vrp, put_wing_iv_25d, downside_rv_20d)).toBe(true)
      expect(isDifference(upside_vrp, call_wing_iv_25d, upside_rv_20d)).toBe(true)
    },
    'term_vrp[].vrp == iv - rv; term_vrp[].dte strictly increasing subset of [7,14,30,60]': ({ term_vrp }) => {
      expectAll(term_vrp, ({ dte, iv, rv, vrp: premium }) => [7, 14, 30, 60].includes(dte) && agree(premium, iv - rv))
      expect(ascending(term_vrp.map(({ dte }) => dte))).toBe(true)
    },
    'term_vrp at dte 30: rv == vrp.rv_30d': ({ term_vrp, vrp: core }) => {
      const month = term_vrp.find(({ dte }) => dte === 30)
      if (month !== undefined) expect(month.rv).toBe(core.rv_30d)
    },
    '0 <= harvest_score <= 1; harvest_score <= 0.35 when regime.gamma == negative_gamma': ({
      gex_conditioned: { harvest_score },
      regime,
      vrp: core
    }) => {
      expect(harvest_score === null).toBe(core.vrp_20d === null)
      const most = regime.gamma === 'negative_gamma' ? 0.35 : 1
      if (harvest_score !== null) expect(harvest_score >= 0 && harvest_score <= most).toBe(true)
    },
    'history_days < 5 <=> z_score, vrp_regime, strategy_scores, net_harvest_score all null (z_score may also be null alone when the spread of history is 0)':
      ({ vrp: core, regime, strategy_scores, net_harvest_score }) => {
        const judged = [core.z_score, regime.vrp_regime, strategy_scores, net_harvest_score]
        expect(judged.every((one) => one === null)).toBe(core.history_days < 5)
      },
    '0 <= percentile <= 100; 0 <= scores <= 100; 0 <= dealer_flow_risk <= 100': (answer) => {
      const scores = [...scoresOf(answer), answer.vrp.percentile ?? 0]
      expectAll(scores, (score) => Number.isInteger(score) && score >= 0 && score <= 100)
    },
    'gex_conditioned.regime == regime.gamma; regime.gamma == positive_gamma <=> net_gex > 0': ({
      gex_conditioned,
      regime: { gamma, net_gex }
    }) => {
      expect(gex_conditioned.regime).toBe(gamma)
      expect(gamma === 'positive_gamma').toBe(net_gex !== null && net_gex > 0)
      expect(gamma === 'negative_gamma').toBe(net_gex !== null && net_gex < 0)
    },
    'negative_gamma in warnings <=> regime.gamma == negative_gamma': ({ warnings, regime }) =>
      expect(warnings.includes('negative_gamma')).toBe(regime.gamma === 'negative_gamma'),
    'macro.vix_term_slope == vix_3m/vix': ({ macro: { vix, vix_3m, vix_term_slope } }) => {
      if (vix === null || vix_3m === null) return expect(vix_term_slope).toBeNull()
      expect(agree(vix_term_slope!, vix_3m / vix)).toBe(true)
    },
    'vrp.atm_iv == atm_iv of /v1/volatility at the same as_of': ({ vrp: core }, { other }) => {
      const dashboard = other<Volatility>('/v1/volatility/{symbol}')
      expect(core.atm_iv).toBe(dashboard?.atm_iv ?? null)
    },
    'keys z_score, percentile, atm_iv, net_gex, put_vrp, call_vrp, harvest_score absent at top level; put_vrp, call_vrp absent in directional':
      (answer) => {
        const elsewhere = ['z_score', 'percentile', 'atm_iv', 'net_gex', 'put_vrp', 'call_vrp', 'harvest_score']
        expect(elsewhere.filter((key) => key in answer)).toEqual([])
        expect(['put_vrp', 'call_vrp'].filter((key) => key in answer.directional)).toEqual([])
      }
  }
}

export const vrpHistory: Invariants<VrpHistory> = {
  queries: () => [{}, { days: '90' }, { days: '1' }, { days: '9999' }],
  checks: {
    'data_points == len(history)': ({ data_points, history }) => expect(data_points).toBe(history.length),
    'history[].date strictly increasing': ({ history }) =>
      expect(ascending(history.map(({ date }) => date))).toBe(true),
    'vrp_20d == atm_iv - rv_20d when both are numbers': ({ history }) =>
      expectAll(history, ({ vrp_20d, atm_iv, rv_20d }) => isDifference(vrp_20d, atm_iv, rv_20d)),
    'expected_move_1d == spot*atm_iv/100/sqrt(252) within 0.02': ({ history }) =>
      expectAll(history, ({ expected_move_1d, atm_iv, spot }) =>
        atm_iv === null
          ? expected_move_1d === null
          : Math.abs(expected_move_1d! - (spot * atm_iv) / 100 / Math.sqrt(252)) < 0.001
      ),
    'oldest date >= today - days': ({ history, days }, { market, query }) => {
      expect(days).toBe(Math.min(365, Number(query['days'] ?? 30)))
      const first = addDays(easternDate(market.chain.asOf), -days)
      expectAll(history, ({ date }) => date >= first)
    }
  }
}

const bands = [
  [-0.5, 'strongly inverse'],
  [-0.2, 'moderately inverse'],
  [0.2, 'decoupled'],
  [0.5, 'mildly positive'],
  [Number.POSITIVE_INFINITY, 'strongly positive']
] as const

export const spotVolCorrelation: Invariants<SpotVolCorrelation> = {
  queries: whole,
  checks: {
    'correlations within [-1, 1] or null': (answer) =>
      expectAll(
        [answer.spot_vol_correlation_20d, answer.spot_vol_correlation_60d],
        (value) => value === null || (value >= -1 && value <= 1)
      ),
    'data_points_20d in {0, 20}; data_points_60d in {0, 60}': ({ data_points_20d, data_points_60d }) => {
      expect([0, 20]).toContain(data_points_20d)
      expect([0, 60]).toContain(data_points_60d)
    },
    'data_points == 0 <=> correlation null': (answer) => {
      expect(answer.data_points_20d === 0).toBe(answer.spot_vol_correlation_20d === null)
      expect(answer.data_points_60d === 0).toBe(answer.spot_vol_correlation_60d === null)
    },
    'interpretation label matches the band': (answer) => {
      const value = answer.spot_vol_correlation_20d ?? answer.spot_vol_correlation_60d
      const label = value === null ? 'insufficient' : bands.find(([bound]) => value < bound)![1]
      expect(answer.interpretation.startsWith(label)).toBe(true)
    }
  }
}
