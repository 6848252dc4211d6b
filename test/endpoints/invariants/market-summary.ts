import { expect } from 'vitest'
import type {
  Gex,
  Levels,
  MaxPain,
  StockQuote,
  StockSummary,
  Summary,
  SurfaceGridAnswer,
  SviAnswer,
  Volatility
} from '../answers.ts'
import { ascending, expectAll, type Invariants, total } from './invariant.ts'
import { agree } from './volatility.ts'

const whole = () => [{}]

export const stockSummary: Invariants<StockSummary> = {
  queries: whole,
  checks: {
    'price.bid <= price.mid <= price.ask when both non-null': ({ price }, { other }) => {
      if (price.bid !== null && price.ask !== null) expect(price.bid <= price.mid && price.mid <= price.ask).toBe(true)
      const { bid, ask, mid, lastPrice } = other<StockQuote>('/stockquote/{ticker}')!
      expect(price).toMatchObject({ bid, ask, mid, last: lastPrice })
    },
    'volatility.vrp == atm_iv - hv_20 within 0.02': ({ volatility: { vrp, atm_iv, hv_20, hv_60 } }, { other }) => {
      expect(vrp === null).toBe(atm_iv === null || hv_20 === null)
      if (vrp !== null) expect(agree(vrp, atm_iv! - hv_20!)).toBe(true)
      const dashboard = other<Volatility>('/v1/volatility/{symbol}')
      if (dashboard === undefined) return expect(atm_iv).toBeNull()
      const { rv_20d, rv_60d } = dashboard.realized_vol
      expect([atm_iv, hv_20, hv_60]).toEqual([dashboard.atm_iv, rv_20d, rv_60d])
    },
    'skew_25d.skew_25d == put_25d_iv - call_25d_iv within 0.02': ({ volatility: { skew_25d, atm_iv } }, { other }) => {
      if (skew_25d === null) return
      expect(agree(skew_25d.skew_25d, skew_25d.put_25d_iv - skew_25d.call_25d_iv)).toBe(true)
      expect(skew_25d.atm_iv).toBe(atm_iv)
      const rows = other<Volatility>('/v1/volatility/{symbol}')!.skew_profiles
      const same = rows.find(({ expiry }) => expiry === skew_25d.expiry)
      if (same !== undefined) {
        // The summary shows the contract's own fields.
        const { put_10d_iv, call_10d_iv, tail_convexity, root, settlement, ...rest } = same as typeof same &
          Record<string, unknown>
        expect(skew_25d).toEqual(rest)
      }
    },
    'every iv_term_structure.iv in [5, 200]': ({ volatility: { iv_term_structure } }, { other }) => {
      expectAll(iv_term_structure, ({ iv }) => iv >= 5 && iv <= 200)
      expect(ascending(iv_term_structure.map(({ expiry }) => expiry))).toBe(true)
      const fitted = other<SviAnswer>('/v1/surface/{symbol}/svi')?.svi_parameters ?? []
      expect(iv_term_structure).toEqual(
        fitted.map(({ expiry, root, settlement, atm_iv, days_to_expiry }) => ({
          expiry,
          root,
          settlement,
          iv: atm_iv,
          days_to_expiry
        }))
      )
    },
    'options_flow.pc_ratio_oi == total_put_oi/total_call_oi within 0.001': ({ options_flow: flow }, { other }) => {
      const ratios = [
        [flow.pc_ratio_oi, flow.total_put_oi, flow.total_call_oi],
        [flow.pc_ratio_volume, flow.total_put_volume, flow.total_call_volume]
      ] as const
      expectAll(ratios, ([ratio, puts, calls]) =>
        calls === 0 ? ratio === null : Math.abs(ratio! - puts / calls) <= 0.001
      )
      const rows = other<Volatility>('/v1/volatility/{symbol}')?.put_call_profile.by_expiry ?? []
      expect(flow.active_expirations).toBe(rows.length)
      expect(flow.total_call_oi).toBe(total(rows, (row) => row.call_oi))
      expect(flow.total_put_oi).toBe(total(rows, (row) => row.put_oi))
      const strikes = other<Gex>('/v1/exposure/gex/{symbol}')?.strikes ?? []
      expect(flow.total_call_volume).toBe(total(strikes, (row) => row.call_volume))
      expect(flow.total_put_volume).toBe(total(strikes, (row) => row.put_volume))
    },
    'exposure null or exposure.net_gex == summary.exposures.net_gex at the same as_of': (
      { exposure, as_of },
      { other }
    ) => {
      if (exposure === null) return
      const same = other<Summary>('/v1/exposure/summary/{symbol}')!
      expect(as_of).toBe(same.as_of)
      expect(exposure).toMatchObject({ ...same.exposures, interpretation: same.interpretation })
      const { net_gex, pct_of_total_gex, pct_of_gross_gex, expiration } = same.zero_dte
      if (expiration !== null)
        expect(exposure.zero_dte).toEqual({ net_gex, pct_of_total: pct_of_total_gex, pct_of_gross_gex, expiration })
      else expect(exposure.zero_dte).toEqual({ net_gex: 0, pct_of_total: 0, pct_of_gross_gex: 0, expiration: null })
      expect(exposure.max_pain).toBe(other<MaxPain>('/v1/maxpain/{symbol}')?.max_pain_strike ?? null)
    },
    'exposure.gamma_flip, call_wall, put_wall == levels': ({ exposure }, { other }) => {
      if (exposure === null) return
      const { levels } = other<Levels>('/v1/exposure/levels/{symbol}')!
      for (const name of ['gamma_flip', 'call_wall', 'put_wall', 'highest_oi_strike'] as const) {
        expect(exposure[name]).toBe(levels[name])
      }
    },
    'len(exposure.top_strikes) <= 5 and |net_gex| non-increasing; each total_oi == call_oi + put_oi': (
      { exposure },
      { other }
    ) => {
      if (exposure === null) return
      const sizes = exposure.top_strikes.map(({ net_gex }) => Math.abs(net_gex))
      expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
      expectAll(exposure.top_strikes, (row) => row.total_oi === row.call_oi + row.put_oi)
      const strikes = other<Gex>('/v1/exposure/gex/{symbol}')!.strikes.map(({ net_gex }) => Math.abs(net_gex))
      const most = strikes.sort((a, b) => b - a).slice(0, 5)
      // A strike may net to less than a cent, which prints as zero.
      expect(sizes.filter((size) => size > 0)).toEqual(most.filter((size) => size > 0))
    },
    'hedging_estimate.spot_up_1pct.dealer_shares == spot_down_1pct.dealer_shares and directions differ unless 0 shares':
      ({ exposure, price }, { other }) => {
        if (exposure === null) return
        const { spot_up_1pct: up, spot_down_1pct: down } = exposure.hedging_estimate
        expect(up.dealer_shares).toBe(down.dealer_shares)
        const directions = [down.direction, up.direction]
        if (up.dealer_shares === 0) expect(directions).toEqual(['buy', 'buy'])
        else expect(directions).toEqual(exposure.net_gex > 0 ? ['buy', 'sell'] : ['sell', 'buy'])
        const spot = other<Summary>('/v1/exposure/summary/{symbol}')!.underlying_price
        expect(Math.abs(up.dealer_shares - Math.abs(exposure.net_gex) / spot)).toBeLessThanOrEqual(0.5 + 0.01)
        expect(up.notional_usd).toBe(down.notional_usd)
        expect(price.mid).toBeCloseTo(spot, 1)
      },
    'exposure.regime == positive_gamma iff net_gex >= 0': ({ exposure }) => {
      if (exposure !== null) expect(exposure.regime === 'positive_gamma').toBe(exposure.net_gex >= 0)
    },
    'macro.vix_futures null or spread == front_month - spot within 0.01, and basis agrees with the sign of spread': ({
      macro: { vix, vix_futures: futures, vix_term_structure: term }
    }) => {
      expect(futures === null).toBe(term === null)
      if (futures === null || term === null) return
      expect(Math.abs(futures.spread - (futures.front_month - futures.spot))).toBeLessThanOrEqual(0.01)
      expect(futures.basis === 'contango').toBe(futures.spread >= 0)
      expect([futures.spot, term.levels.vix, term.structure]).toEqual([vix!.value, vix!.value, futures.basis])
      expect(term.levels.vix3m).toBe(futures.front_month)
    }
  },
  elsewhere: { 'no key => as_of earlier than today in New York': 'test/endpoints/stock-summary.test.ts' }
}

export const surface: Invariants<SurfaceGridAnswer> = {
  queries: whole,
  checks: {
    'len(tenors) == len(moneyness) == len(iv) == grid_size == 50': ({ tenors, moneyness, iv, grid_size }) =>
      expect([tenors.length, moneyness.length, iv.length, grid_size]).toEqual([50, 50, 50, 50]),
    'every iv row has 50 numbers in [1, 300]': ({ iv }) =>
      expectAll(iv, (row) => row.length === 50 && row.every((value) => value >= 1 && value <= 300)),
    'tenors and moneyness strictly ascending': ({ tenors, moneyness }) => {
      expect(ascending(tenors) && ascending(moneyness)).toBe(true)
      expect(tenors[0] >= 1 / 365 - 1e-10 && tenors[49] <= 2).toBe(true)
    },
    'moneyness[0] == -0.5 and moneyness[49] == 0.5': ({ moneyness }) =>
      expect([moneyness[0], moneyness[49]]).toEqual([-0.5, 0.5]),
    'spot > 0': ({ spot }, { market }) => {
      expect(spot > 0).toBe(true)
      expect(spot).toBeCloseTo(market.chain.spot, 4)
    },
    'slices_used >= 2': ({ slices_used }, { other }) => {
      expect(slices_used >= 2).toBe(true)
      expect(slices_used).toBe(other<SviAnswer>('/v1/surface/{symbol}/svi')!.svi_parameters.length)
    }
  }
}
