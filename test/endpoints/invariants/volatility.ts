import { expect } from 'vitest'
import { isAccepted } from '../../../src/volatility/smile/slice.ts'
import { referenceSmile } from '../../../src/volatility/term/reference-slice.ts'
import type { Realized, SkewTerm, Summary, Volatility } from '../answers.ts'
import { ascending, expectAll, type Invariants, total } from './invariant.ts'

const whole = () => [{}]
/** Whether figures that are printed with four decimals agree, each of `terms` being off by half a unit. */
export const agree = (one: number, other: number, terms = 3) =>
  Math.abs(one - other) <= 0.00005 * terms + 1e-9 * Math.abs(one)

const buckets = ['0-7d', '8-30d', '31-60d', '60d+']
const skewHolds = (row: SkewTerm['expiries'][number] | Volatility['skew_profiles'][number]) =>
  agree(row.skew_25d, row.put_25d_iv - row.call_25d_iv) &&
  agree(row.tail_convexity, row.put_10d_iv - row.put_25d_iv - (row.put_25d_iv - row.atm_iv), 5)

export const volatility: Invariants<Volatility> = {
  queries: whole,
  checks: {
    'vrp_Nd == atm_iv - rv_Nd for N in 5,10,20,30 when all are numbers': ({ atm_iv, realized_vol, iv_rv_spreads }) => {
      for (const n of [5, 10, 20, 30] as const) {
        const [vrp, rv] = [iv_rv_spreads[`vrp_${n}d`], realized_vol[`rv_${n}d`]]
        expect(vrp === null).toBe(atm_iv === null || rv === null)
        if (vrp !== null) expect(agree(vrp, atm_iv! - rv!)).toBe(true)
      }
    },
    'skew_profiles[].skew_25d == put_25d_iv - call_25d_iv; smile_ratio == put_25d_iv/call_25d_iv; tail_convexity == (put_10d_iv - put_25d_iv) - (put_25d_iv - atm_iv)':
      ({ skew_profiles }) => {
        expectAll(skew_profiles, skewHolds)
        expectAll(skew_profiles, (row) => agree(row.smile_ratio, row.put_25d_iv / row.call_25d_iv))
      },
    'skew_profiles sorted by expiry; days_to_expiry >= 0': ({ skew_profiles }) => {
      expect(ascending(skew_profiles.map(({ expiry }) => expiry))).toBe(true)
      expectAll(skew_profiles, ({ days_to_expiry }) => days_to_expiry >= 0)
    },
    '5 <= atm_iv <= 200 when it comes from an accepted slice': ({ atm_iv }, { market }) => {
      const smile = referenceSmile(market.chain)
      expect(atm_iv === null).toBe(smile === undefined)
      if (smile !== undefined && isAccepted(smile)) expect(atm_iv! >= 5 && atm_iv! <= 200).toBe(true)
    },
    'gex_by_dte buckets == theta_by_dte buckets == [0-7d, 8-30d, 31-60d, 60d+]': ({ gex_by_dte, theta_by_dte }) => {
      expect(gex_by_dte.map(({ bucket }) => bucket)).toEqual(buckets)
      expect(theta_by_dte.map(({ bucket }) => bucket)).toEqual(buckets)
      expect(theta_by_dte.map((row) => row.contract_count)).toEqual(gex_by_dte.map((row) => row.contract_count))
    },
    'sum(gex_by_dte[].pct_of_total) is 0 or 100 (+/-0.5)': ({ gex_by_dte }) => {
      const sum = total(gex_by_dte, (row) => row.pct_of_total)
      expect(sum === 0 || Math.abs(sum - 100) <= 0.5).toBe(true)
    },
    'sum(gex_by_dte[].net_gex) == net_gex of the exposure summary at the same as_of': ({ gex_by_dte }, { other }) => {
      const { net_gex } = other<Summary>('/v1/exposure/summary/{symbol}')!.exposures
      const sum = total(gex_by_dte, (row) => row.net_gex)
      const gross = total(gex_by_dte, (row) => Math.abs(row.net_gex))
      expect(Math.abs(sum - net_gex)).toBeLessThanOrEqual(0.03 + 1e-9 * gross)
    },
    'sum(by_expiry[].call_oi) == otm_call_oi + atm_call_oi + itm_call_oi; same for puts': ({ put_call_profile }) => {
      const { by_expiry, by_moneyness: at } = put_call_profile
      expect(total(by_expiry, (row) => row.call_oi)).toBe(at.otm_call_oi + at.atm_call_oi + at.itm_call_oi)
      expect(total(by_expiry, (row) => row.put_oi)).toBe(at.otm_put_oi + at.atm_put_oi + at.itm_put_oi)
    },
    'pc_ratio_oi == put_oi/call_oi': ({ put_call_profile: { by_expiry } }) =>
      expectAll(by_expiry, ({ pc_ratio_oi, call_oi, put_oi }) =>
        call_oi === 0 ? pc_ratio_oi === null : agree(pc_ratio_oi!, put_oi / call_oi, 1)
      ),
    'top_3_pct <= top_5_pct <= top_10_pct <= 100; 0 <= herfindahl <= 1': ({ oi_concentration }) => {
      const { top_3_pct, top_5_pct, top_10_pct, herfindahl } = oi_concentration
      if (top_3_pct === null) return expect([top_5_pct, top_10_pct, herfindahl]).toEqual([null, null, null])
      expect(top_3_pct <= top_5_pct! && top_5_pct! <= top_10_pct! && top_10_pct! <= 100).toBe(true)
      expect(herfindahl! >= 0 && herfindahl! <= 1).toBe(true)
    },
    'hedging_scenarios[].move_pct == [-5,-2,-1,1,2,5]; sign(dealer_shares) matches direction; notional_usd == |dealer_shares|*underlying_price':
      ({ hedging_scenarios, underlying_price }) => {
        expect(hedging_scenarios.map(({ move_pct }) => move_pct)).toEqual([-5, -2, -1, 1, 2, 5])
        expectAll(hedging_scenarios, ({ dealer_shares, direction, notional_usd }) => {
          const value = Math.abs(dealer_shares) * underlying_price
          return (
            direction === (dealer_shares >= 0 ? 'buy' : 'sell') &&
            Math.abs(notional_usd - value) <= 0.01 + 0.00005 * Math.abs(dealer_shares) + 1e-9 * value
          )
        })
      },
    'dealer_shares(5) == 5*dealer_shares(1) within 3 shares; dealer_shares(-m) == -dealer_shares(m)': ({
      hedging_scenarios
    }) => {
      const shares = hedging_scenarios.map(({ dealer_shares }) => dealer_shares)
      expect(Math.abs(shares[5] - 5 * shares[3])).toBeLessThanOrEqual(3)
      for (let k = 0; k < 3; k++) expect(shares[k] + shares[5 - k]).toBe(0)
    },
    'state agrees with the signs of the slopes': ({ term_structure: { near_slope_pct, far_slope_pct, state } }) => {
      if (near_slope_pct === null) return expect(state).toBe('unknown')
      const slopes = [near_slope_pct, ...(far_slope_pct === null ? [] : [far_slope_pct])]
      const same = slopes.every((one) => one > 0)
        ? 'contango'
        : slopes.every((one) => one < 0)
          ? 'backwardation'
          : 'mixed'
      expect(state).toBe(same)
    }
  }
}

export const skewTerm: Invariants<SkewTerm> = {
  queries: whole,
  checks: {
    'skew_25d == put_25d_iv - call_25d_iv; risk_reversal_25d == -skew_25d': ({ expiries }) =>
      expectAll(expiries, (row) => skewHolds(row) && row.risk_reversal_25d + row.skew_25d === 0),
    'butterfly_25d == (call_25d_iv + put_25d_iv)/2 - atm_iv': ({ expiries }) =>
      expectAll(expiries, (row) => agree(row.butterfly_25d, (row.call_25d_iv + row.put_25d_iv) / 2 - row.atm_iv)),
    'tail_convexity == (put_10d_iv - put_25d_iv) - (put_25d_iv - atm_iv)': ({ expiries }) =>
      expectAll(expiries, skewHolds),
    'rows equal skew_profiles of /v1/volatility at the same as_of': ({ expiries }, { other }) => {
      const { skew_profiles } = other<Volatility>('/v1/volatility/{symbol}')!
      expect(
        expiries.map(({ dte, risk_reversal_25d, butterfly_25d, ...row }) => ({ ...row, days_to_expiry: dte }))
      ).toEqual(skew_profiles.map(({ smile_ratio, ...row }) => row))
    },
    'dte strictly increasing': ({ expiries }) => expect(ascending(expiries.map(({ dte }) => dte))).toBe(true)
  }
}

export const realized: Invariants<Realized> = {
  queries: whole,
  checks: {
    'every rv >= 0 or null': ({ estimators }) =>
      expectAll(
        Object.values(estimators).flatMap((windows) => Object.values(windows)),
        (rv) => rv === null || rv >= 0
      ),
    'close_to_close.rv10/rv20/rv30 == rv_10d/rv_20d/rv_30d of /v1/volatility when both use the same last bar': (
      { estimators: { close_to_close } },
      { other }
    ) => {
      const dashboard = other<Volatility>('/v1/volatility/{symbol}')
      if (dashboard === undefined) return
      for (const n of [10, 20, 30] as const) expect(close_to_close[`rv${n}`]).toBe(dashboard.realized_vol[`rv_${n}d`])
    },
    'close_to_close.rv30 null => yang_zhang.rv30 null': ({ estimators }) =>
      expect(estimators.yang_zhang.rv30 === null).toBe(estimators.close_to_close.rv30 === null)
  },
  elsewhere: {
    'all five estimators reproduce from the same OHLC bars within 0.01': 'test/endpoints/volatility-answers.test.ts'
  }
}
