import { expect } from 'vitest'
import { acceptedSlices } from '../../../src/volatility/smile/slice.ts'
import { arbitrageFlags } from '../../../src/volatility/surface/arbitrage.ts'
import { durrleman, type Svi, totalVariance, varianceCurvature } from '../../../src/volatility/svi/svi.ts'
import { replicated } from '../../../src/volatility/variance/variance-swap.ts'
import type { Market } from '../../support/markets.ts'
import type { AdvVolatility, SviAnswer, SviRow } from '../answers.ts'
import { ascending, expectAll, type Invariants } from './invariant.ts'
import { agree } from './volatility.ts'

const whole = () => [{}]
const least = ({ a, b, rho, sigma }: Svi) => a + b * sigma * Math.sqrt(1 - rho * rho)
const atMoney = ({ a, b, rho, m, sigma }: Svi) => a + b * (-rho * m + Math.sqrt(m * m + sigma * sigma))
const years = ({ chain }: Market, expiry: string) => acceptedSlices(chain).find(({ date }) => date === expiry)!.t
const printedIv = (row: SviRow, t: number) => Math.abs(row.atm_iv - 100 * Math.sqrt(row.atm_total_variance / t))

export const svi: Invariants<SviAnswer> = {
  queries: whole,
  checks: {
    'days_to_expiry non-decreasing and expiry strictly ascending': ({ svi_parameters }) => {
      expect(ascending(svi_parameters.map(({ expiry }) => expiry))).toBe(true)
      expect(ascending(svi_parameters.map(({ days_to_expiry }) => days_to_expiry))).toBe(true)
    },
    'b >= 0, |rho| <= 1, sigma > 0': ({ svi_parameters }) =>
      expectAll(svi_parameters, ({ b, rho, sigma }) => b >= 0 && Math.abs(rho) <= 1 && sigma > 0),
    'atm_total_variance == a + b*(-rho*m + sqrt(m^2 + sigma^2)) within 0.000001': ({ svi_parameters }) =>
      expectAll(svi_parameters, (row) => Math.abs(row.atm_total_variance - atMoney(row)) <= 1e-6),
    'atm_iv == 100*sqrt(atm_total_variance/T) within 0.05': ({ svi_parameters }, { market }) =>
      expectAll(svi_parameters, (row) => printedIv(row, years(market, row.expiry)) <= 0.05),
    'a + b*sigma*sqrt(1 - rho^2) >= -0.000000001': ({ svi_parameters }) =>
      expectAll(svi_parameters, (row) => least(row) >= -1e-9)
  }
}

export const advVolatility: Invariants<AdvVolatility> = {
  queries: whole,
  checks: {
    'svi: b >= 0, |rho| < 1, sigma > 0, a + b*sigma*sqrt(1-rho^2) >= -1e-6, b*(1+|rho|) <= 2': ({ svi_parameters }) =>
      expectAll(svi_parameters, (row) => {
        const { b, rho, sigma } = row
        const bounded = b >= 0 && Math.abs(rho) < 1 && sigma > 0 && b * (1 + Math.abs(rho)) <= 2 + 1e-9
        return bounded && least(row) >= -1e-6
      }),
    'atm_total_variance == a + b*(-rho*m + sqrt(m^2 + sigma^2)) within 1e-8': ({ svi_parameters }) =>
      expectAll(svi_parameters, (row) => Math.abs(row.atm_total_variance - atMoney(row)) <= 1e-8),
    'atm_iv == 100*sqrt(atm_total_variance/T) within 0.02; 5 <= atm_iv <= 200': ({ svi_parameters }, { market }) =>
      expectAll(
        svi_parameters,
        (row) => printedIv(row, years(market, row.expiry)) <= 0.02 && row.atm_iv >= 5 && row.atm_iv <= 200
      ),
    'svi_parameters sorted by days_to_expiry; expiries unique': ({ svi_parameters }) =>
      expect(ascending(svi_parameters.map(({ days_to_expiry }) => days_to_expiry))).toBe(true),
    'forward_prices[].basis_pct == (forward - spot)/spot*100': ({ forward_prices, underlying_price }) => {
      expectAll(forward_prices, ({ spot }) => spot === underlying_price)
      expectAll(forward_prices, ({ basis_pct, forward, spot }) => {
        return Math.abs(basis_pct - (100 * (forward - spot)) / spot) <= 0.00006 + (0.01 * 1.1) / spot
      })
      expect(ascending(forward_prices.map(({ expiry }) => expiry))).toBe(true)
    },
    'svi forward == forward_prices forward for the same expiry': ({ svi_parameters, forward_prices }) =>
      expectAll(
        svi_parameters,
        (row) => row.forward === forward_prices.find(({ expiry }) => expiry === row.expiry)?.forward
      ),
    'len(moneyness) == 41, first -0.5, last 0.5; rows == len(expiries) == len(tenors) == len(svi_parameters)': ({
      svi_parameters,
      total_variance_surface: { moneyness, expiries, tenors, total_variance, implied_vol }
    }) => {
      expect([moneyness.length, moneyness[0], moneyness[40]]).toEqual([41, -0.5, 0.5])
      expectAll(moneyness, (k) => k === Math.round(1000 * k) / 1000)
      const lists = [expiries, tenors, total_variance, implied_vol]
      expectAll(lists, (list: readonly unknown[]) => list.length === svi_parameters.length)
    },
    'total_variance[i][j] == w_i(moneyness[j]) from svi_parameters within 1e-8 + 1e-6 relative; implied_vol[i][j] == 100*sqrt(total_variance[i][j]/tenors[i])':
      ({ svi_parameters, total_variance_surface: { moneyness, tenors, total_variance, implied_vol } }) => {
        svi_parameters.forEach((row, i) => {
          expectAll(moneyness, (k, j) => {
            const w = total_variance[i][j]
            const fitted = Math.abs(w - totalVariance(row, k)) <= 1e-8 + 1e-6 * w
            // Variance and tenor are printed with ten decimals each.
            const noise = 1e-10 / Math.max(w, 1e-10) + 1e-10 / tenors[i]
            const iv = 100 * Math.sqrt(w / tenors[i])
            return fitted && Math.abs(implied_vol[i][j] - iv) <= 0.00006 + iv * noise
          })
        })
      },
    'total_variance >= 0 everywhere; tenors strictly increasing': ({ total_variance_surface }) => {
      expectAll(total_variance_surface.total_variance.flat(), (w) => w >= 0)
      expect(ascending(total_variance_surface.tenors)).toBe(true)
    },
    'butterfly flag => min(g, d2w/dk2) < 0 at strike_or_k; calendar flag => w(k, earlier) > w(k, later) at strike_or_k':
      ({ arbitrage_flags, svi_parameters }) => {
        const at = (expiry: string) => svi_parameters.find((row) => row.expiry === expiry)!
        expectAll(arbitrage_flags, ({ type, expiry, strike_or_k: k }) => {
          if (type === 'butterfly') return Math.min(durrleman(at(expiry), k), varianceCurvature(at(expiry), k)) < 0
          const [earlier, later] = expiry.split('/').map(at)
          return totalVariance(earlier, k) > totalVariance(later, k)
        })
      },
    'no calendar flag => w(k, later) >= w(k, earlier) - 0.001 at every tested node': (
      { arbitrage_flags, svi_parameters, total_variance_surface: { moneyness } },
      { market }
    ) => {
      expect(arbitrage_flags).toHaveLength(arbitrageFlags(acceptedSlices(market.chain)).length)
      const flagged = new Set(arbitrage_flags.map(({ expiry }) => expiry))
      svi_parameters.slice(1).forEach((later, i) => {
        const earlier = svi_parameters[i]
        if (flagged.has(`${earlier.expiry}/${later.expiry}`)) return
        const reach = Math.max(0.1, 5 * Math.sqrt(later.atm_total_variance))
        const tested = moneyness.filter((k) => Math.abs(k) <= reach - 1e-9)
        expectAll(tested, (k) => totalVariance(later, k) >= totalVariance(earlier, k) - 0.001 - 1e-8)
      })
    },
    'fair_vol == 100*sqrt(fair_variance/T); convexity_adjustment == fair_vol - atm_iv': (
      { variance_swap_fair_values },
      { market }
    ) => {
      expectAll(variance_swap_fair_values, (row) => {
        const t = years(market, row.expiry)
        const vol = 100 * Math.sqrt(row.fair_variance / t)
        return Math.abs(row.fair_vol - vol) <= 0.00006 + (vol * 1e-10) / row.fair_variance
      })
      expectAll(variance_swap_fair_values, (row) => agree(row.convexity_adjustment, row.fair_vol - row.atm_iv))
    },
    'fair_variance reproducible from svi_parameters by the stated integral within 0.5%': ({
      svi_parameters,
      variance_swap_fair_values
    }) => {
      expect(variance_swap_fair_values.map(({ expiry }) => expiry)).toEqual(svi_parameters.map(({ expiry }) => expiry))
      expectAll(variance_swap_fair_values, ({ fair_variance }, i) => {
        const again = replicated((k) => totalVariance(svi_parameters[i], k))
        return Math.abs(fair_variance / again - 1) <= 0.005
      })
    },
    'greek grids: rows == len(expiries), columns == len(strikes), strikes ascending within 15% of underlying_price': ({
      greeks_surfaces,
      underlying_price
    }) => {
      for (const grid of Object.values(greeks_surfaces)) {
        expect([grid.strikes, grid.expiries]).toEqual([greeks_surfaces.vanna.strikes, greeks_surfaces.vanna.expiries])
        expect(grid.values).toHaveLength(grid.expiries.length)
        expectAll(grid.values, (row) => row.length === grid.strikes.length)
        expect(ascending(grid.strikes) && grid.strikes.length <= 61).toBe(true)
        expectAll(grid.strikes, (strike) => Math.abs(strike / underlying_price - 1) <= 0.1501)
      }
    }
  }
}
