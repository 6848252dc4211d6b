import { expect } from 'vitest'
import { slices } from '../../../src/volatility/smile/slice.ts'
import type { Dispersion, ExpectedMoves, Forecast, Liquidity, VixState } from '../answers.ts'
import { ascending, expectAll, type Invariants, total } from './invariant.ts'
import { agree } from './volatility.ts'

const whole = () => [{}]

export const forecast: Invariants<Forecast> = {
  queries: () => [{}, { dist: 'gaussian' }],
  checks: {
    'ewma.vol_annualized == ewma.next_day_forecast; lambda == 0.94': ({ ewma }) =>
      expect(ewma).toEqual({ ...ewma, lambda: 0.94, next_day_forecast: ewma.vol_annualized }),
    'garch.persistence == alpha + beta within 1e-6': ({ garch: { persistence, params } }) => {
      if (persistence !== null) expect(Math.abs(persistence - params.alpha! - params.beta!)).toBeLessThan(1e-6)
    },
    'long_run_vol_annualized == 100*sqrt(252*omega/(1-persistence)) within 1%': ({ garch }) => {
      if (garch.persistence === null || garch.persistence >= 0.9999) return
      const again = 100 * Math.sqrt((252 * garch.params.omega!) / (1 - garch.persistence))
      expect(Math.abs(garch.long_run_vol_annualized! / again - 1)).toBeLessThan(0.01)
    },
    'half_life_days == ln(0.5)/ln(persistence) within 0.2': ({ garch: { persistence, half_life_days } }) => {
      if (half_life_days === null) return
      expect(Math.abs(half_life_days - Math.log(0.5) / Math.log(persistence!))).toBeLessThan(0.2)
    },
    'converged <=> forecast is a list of horizons [1,5,21]': ({ garch: { converged, forecast: horizons, params } }) => {
      expect(horizons?.map(({ horizon_days }) => horizon_days)).toEqual(converged ? [1, 5, 21] : undefined)
      expect(params.omega === null).toBe(!converged)
    },
    'garch forecasts move monotonically from horizon 1 toward long_run_vol_annualized': ({ garch }) => {
      if (garch.forecast !== null && garch.long_run_vol_annualized === null) {
        expect(garch.persistence).toBeGreaterThanOrEqual(0.9999)
        expect(ascending(garch.forecast.map(({ vol_annualized }) => vol_annualized))).toBe(true)
        return
      }
      const gaps = garch.forecast?.map((row) => row.vol_annualized - garch.long_run_vol_annualized!) ?? []
      expectAll(gaps, (gap, k) => k === 0 || Math.abs(gap) <= Math.abs(gaps[k - 1]) + 1e-4)
      expect(new Set(gaps.filter((gap) => Math.abs(gap) > 1e-4).map(Math.sign)).size).toBeLessThanOrEqual(1)
    },
    // If the requested distribution cannot be fitted, normal innovations stand in and a note says so.
    'garch.distribution == requested dist; dof > 2 when present': (
      { garch: { distribution, params, note } },
      { query }
    ) => {
      expect(distribution).toBe(note === null ? (query['dist'] ?? 'student_t') : 'gaussian')
      expect('dof' in params).toBe(distribution === 'student_t')
      if (typeof params.dof === 'number') expect(params.dof).toBeGreaterThan(2)
    }
  }
}

export const expectedMove: Invariants<ExpectedMoves> = {
  queries: ({ chain }) => {
    const { date } = chain.expirations[chain.expirations.length - 1]
    return [{}, { expiry: date }, { expiration: date }]
  },
  checks: {
    'expectedMove == underlying_price*atmIv*sqrt(T) within 0.5%': (
      { expected_moves, underlying_price },
      { market: { chain } }
    ) =>
      expectAll(expected_moves, ({ expiry, atmIv, expectedMove: move }) => {
        const { t } = slices(chain).find(({ date }) => date === expiry)!
        if (atmIv === null) return move === null
        const exact = underlying_price * atmIv * Math.sqrt(t)
        return Math.abs(move! - exact) <= 0.005 * exact + 0.0001
      }),
    'expectedMovePct == expectedMove/underlying_price*100': ({ expected_moves, underlying_price }) =>
      expectAll(expected_moves, ({ expectedMove: move, expectedMovePct }) => {
        return move === null
          ? expectedMovePct === null
          : Math.abs(expectedMovePct! - (100 * move) / underlying_price) <= 0.0001 + 0.01 / underlying_price
      }),
    // A known difference from the contract: bounds are lognormal, so that none lies below zero.
    'lowerBound == underlying_price - expectedMove; upperBound == underlying_price + expectedMove': ({
      expected_moves,
      underlying_price
    }) =>
      expectAll(expected_moves, ({ expectedMove: move, lowerBound, upperBound }) => {
        if (move === null) return lowerBound === null && upperBound === null
        const factor = Math.exp(move / underlying_price)
        const isNear = (bound: number, wanted: number) => Math.abs(bound - wanted) <= 1e-4 * (1 + factor)
        return isNear(lowerBound!, underlying_price / factor) && isNear(upperBound!, underlying_price * factor)
      }),
    'expiry strictly increasing': ({ expected_moves }) =>
      expect(ascending(expected_moves.map(({ expiry }) => expiry))).toBe(true),
    'expiry given => len(expected_moves) == 1': ({ expected_moves }, { query }) => {
      const asked = query['expiry'] ?? query['expiration']
      if (asked !== undefined) expect(expected_moves.map(({ expiry }) => expiry)).toEqual([asked])
    }
  }
}

export const liquidity: Invariants<Liquidity> = {
  queries: whole,
  checks: {
    'label matches execution_score bands 75/50/20': ({ expiries }) =>
      expectAll(expiries, ({ execution_score: score, label }) => {
        return label === (score >= 75 ? 'tight' : score >= 50 ? 'normal' : score >= 20 ? 'wide' : 'illiquid')
      }),
    'thin_expiry_count == count(label == illiquid)': ({ expiries, thin_expiry_count }) =>
      expect(thin_expiry_count).toBe(expiries.filter(({ label }) => label === 'illiquid').length),
    'best_expiry has the maximal execution_score, worst_expiry the minimal': ({
      expiries,
      best_expiry,
      worst_expiry
    }) => {
      const scores = expiries.map(({ execution_score }) => execution_score)
      const first = (score: number) => expiries.find((row) => row.execution_score === score)!.expiration
      expect([best_expiry, worst_expiry]).toEqual([first(Math.max(...scores)), first(Math.min(...scores))])
      expect(ascending(expiries.map(({ expiration }) => expiration))).toBe(true)
    },
    'min(scores) <= chain_execution_score <= max(scores) when OI > 0': (
      { expiries, chain_execution_score },
      { market: { chain } }
    ) => {
      const scores = expiries.map(({ execution_score }) => execution_score)
      const held = chain.openInterest.some((oi) => oi > 0)
      if (!held) return expect(chain_execution_score).toBe(0)
      expect(chain_execution_score >= Math.min(...scores) && chain_execution_score <= Math.max(...scores)).toBe(true)
    },
    'execution_score == round(70*exp(-atm_spread_pct/2) + 30*min(1, atm_oi/5000)) when atm_spread_pct is a number': ({
      expiries
    }) =>
      expectAll(expiries, ({ execution_score, atm_spread_pct, weighted_spread_pct, atm_oi }) => {
        const spread = atm_spread_pct ?? weighted_spread_pct
        const tight = spread === null ? 0 : Math.exp(-spread / 2)
        return Math.abs(execution_score - 70 * tight - 30 * Math.min(1, atm_oi / 5000)) <= 0.502
      })
  }
}

/** Over one market a basket has one constituent; volatility-answers.test.ts weighs several. */
export const dispersion: Invariants<Dispersion> = {
  queries: ({ chain: { symbol } }) => [
    { index: symbol, symbols: `${symbol},NOBODY,${symbol}` },
    { index: symbol, symbols: symbol, weights: '3', horizon_days: '60' }
  ],
  checks: {
    'sum(top_contributors[].contribution_to_basket_vol) == implied_vol_basket within 1e-3': ({
      top_contributors,
      implied_vol_basket
    }) => {
      const sum = total(top_contributors, (row) => row.contribution_to_basket_vol)
      expect(Math.abs(sum - implied_vol_basket)).toBeLessThanOrEqual(1e-3)
    },
    'sum(top_contributors[].weight) == 1 within 1e-3': ({ top_contributors }) =>
      expect(Math.abs(total(top_contributors, (row) => row.weight) - 1)).toBeLessThanOrEqual(1e-3),
    'contribution == weight*iv': ({ top_contributors }) =>
      expectAll(top_contributors, ({ weight, iv, contribution_to_basket_vol }) =>
        agree(contribution_to_basket_vol, weight * iv, 3)
      ),
    'constituent_count == len(top_contributors)': ({ constituent_count, top_contributors }) =>
      expect(constituent_count).toBe(top_contributors.length),
    'constituent_count + len(missing_symbols) == distinct symbols requested': (
      { constituent_count, missing_symbols },
      { query }
    ) => expect(constituent_count + missing_symbols.length).toBe(new Set(query['symbols'].split(',')).size),
    'correlation_premium == implied_correlation - realized_correlation': ({
      implied_correlation: implied,
      realized_correlation: realized,
      correlation_premium: premium
    }) => {
      expect(premium === null).toBe(implied === null || realized === null)
      if (premium !== null) expect(agree(premium, implied! - realized!)).toBe(true)
    },
    'one constituent => implied_correlation null': ({ constituent_count, implied_correlation }) => {
      if (constituent_count === 1) expect(implied_correlation).toBeNull()
    },
    'contributions descending': ({ top_contributors }) =>
      expectAll(
        top_contributors,
        (row, k) => k === 0 || row.contribution_to_basket_vol <= top_contributors[k - 1].contribution_to_basket_vol
      )
  }
}

export const vixState: Invariants<VixState> = {
  queries: whole,
  checks: {
    'spread == vix - spx_rv_20d': ({ spread, vix, spx_rv_20d }) => expect(agree(spread, vix - spx_rv_20d)).toBe(true),
    'ratio == vix/spx_rv_20d': ({ ratio, vix, spx_rv_20d }) => {
      if (ratio === null) expect(spx_rv_20d).toBe(0)
      else expect(agree(ratio, vix / spx_rv_20d)).toBe(true)
    },
    'state matches spread bands 5 and 0': ({ state, spread }) =>
      expect(state).toBe(spread >= 5 ? 'overvixing' : spread <= 0 ? 'undervixing' : 'neutral')
  }
}
