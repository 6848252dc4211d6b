import { expect } from 'vitest'
import { easternDate } from '../../../src/market/eastern.ts'
import type {
  ByStrike,
  Gex,
  Levels,
  MaxPain,
  Narrative,
  NoZeroDte,
  OiDiff,
  Summary,
  TermStructure,
  ZeroDte
} from '../answers.ts'
import { ascending, beforeTheClose, expectAll, expectSum, type Invariants, scopes, total } from './invariant.ts'

const measures = ['gex', 'dex', 'vex', 'chex'] as const
const whole = () => [{}]
const both = ({ hedging_estimate }: Summary) => [hedging_estimate.spot_up_1pct, hedging_estimate.spot_down_1pct]

export const summary: Invariants<Summary> = {
  queries: whole,
  checks: {
    'hedging_estimate.spot_up_1pct.dealer_shares_to_trade == -hedging_estimate.spot_down_1pct.dealer_shares_to_trade':
      ({ hedging_estimate: { spot_up_1pct, spot_down_1pct } }) =>
        expect(spot_up_1pct.dealer_shares_to_trade + spot_down_1pct.dealer_shares_to_trade).toBe(0),
    'hedging_estimate.spot_up_1pct.dealer_shares_to_trade == round(-exposures.net_gex / underlying_price)': ({
      hedging_estimate,
      exposures,
      underlying_price
    }) => {
      const exact = -exposures.net_gex / underlying_price
      expect(Math.abs(hedging_estimate.spot_up_1pct.dealer_shares_to_trade - exact)).toBeLessThanOrEqual(0.5 + 0.01)
    },
    'direction == BUY iff dealer_shares_to_trade >= 0': (answer) =>
      expectAll(both(answer), (hedge) => hedge.direction === (hedge.dealer_shares_to_trade >= 0 ? 'BUY' : 'SELL')),
    'notional_usd == |dealer_shares_to_trade| * underlying_price within 1 share of value': (answer) =>
      expectAll(both(answer), (hedge) => {
        const value = Math.abs(hedge.dealer_shares_to_trade) * answer.underlying_price
        return Math.abs(hedge.notional_usd - value) <= 0.01 + 1e-9 * value
      }),
    'exposures.net_gex == gex(full chain).net_gex and likewise dex, vex, chex': ({ exposures }, { other }) => {
      for (const name of measures) {
        const full = other<ByStrike | Gex>(`/v1/exposure/${name}/{symbol}`) as ByStrike
        expect(exposures[`net_${name}`]).toBe(full[`net_${name}`])
      }
    },
    'gamma_flip == levels.gamma_flip': ({ gamma_flip }, { other }) =>
      expect(gamma_flip).toBe(other<Levels>('/v1/exposure/levels/{symbol}')!.levels.gamma_flip),
    'regime == positive_gamma iff exposures.net_gex >= 0 unless undetermined': ({ regime, exposures }) => {
      if (regime !== 'undetermined') expect(regime === 'positive_gamma').toBe(exposures.net_gex >= 0)
    },
    'zero_dte.expiration is null or == New York date of as_of': ({ zero_dte, as_of }) =>
      expect([null, easternDate(Date.parse(as_of))]).toContain(zero_dte.expiration),
    'zero_dte.expiration null => zero_dte.net_gex == 0 and zero_dte.pct_of_total_gex == 0': ({ zero_dte }) => {
      if (zero_dte.expiration === null)
        expect(zero_dte).toEqual({ net_gex: 0, pct_of_total_gex: 0, pct_of_gross_gex: 0, expiration: null })
    }
  }
}

export const levels: Invariants<Levels> = {
  queries: scopes,
  checks: {
    'call_wall, put_wall, highest_oi_strike, max_positive_gamma, max_negative_gamma each null or listed strikes in scope':
      (
        { levels: { call_wall, put_wall, highest_oi_strike, max_positive_gamma, max_negative_gamma } },
        { query, other }
      ) => {
        const listed = new Set(other<Gex>('/v1/exposure/gex/{symbol}', query)!.strikes.map(({ strike }) => strike))
        const strikes = [call_wall, put_wall, highest_oi_strike, max_positive_gamma, max_negative_gamma]
        expectAll(strikes, (strike) => strike === null || listed.has(strike))
      },
    'gex(same scope).strikes at call_wall has the largest call_gex when call_wall is non-null': (
      { levels: { call_wall } },
      { query, other }
    ) => {
      if (call_wall === null) return
      const { strikes } = other<Gex>('/v1/exposure/gex/{symbol}', query)!
      const wall = strikes.find(({ strike }) => strike === call_wall)!
      expectAll(strikes, (row) => row.call_gex <= wall.call_gex)
    },
    'gex(same scope).strikes at put_wall has the smallest put_gex when put_wall is non-null': (
      { levels: { put_wall } },
      { query, other }
    ) => {
      if (put_wall === null) return
      const { strikes } = other<Gex>('/v1/exposure/gex/{symbol}', query)!
      const wall = strikes.find(({ strike }) => strike === put_wall)!
      expectAll(strikes, (row) => row.put_gex >= wall.put_gex)
    },
    'before the close: zero_dte_magnet == zero-dte.pin_risk.magnet_strike at the same as_of': (
      { levels: { zero_dte_magnet } },
      { market, other }
    ) => {
      const today = other<ZeroDte | NoZeroDte>('/v1/exposure/zero-dte/{symbol}')!
      if (today.no_zero_dte) expect(zero_dte_magnet).toBeNull()
      else if (beforeTheClose(market)) expect(zero_dte_magnet).toBe(today.pin_risk.magnet_strike)
      else expect(zero_dte_magnet).toBeNull()
    },
    'gamma_flip, call_wall, put_wall equal dealer_alignment of maxpain for the same scope': (
      { levels },
      { query, other }
    ) => {
      const alignment = other<MaxPain>('/v1/maxpain/{symbol}', query)?.dealer_alignment
      if (alignment === undefined) return
      for (const name of ['gamma_flip', 'call_wall', 'put_wall'] as const) expect(levels[name]).toBe(alignment[name])
    }
  }
}

const texts = ['regime', 'gex_change', 'key_levels', 'flow', 'vanna', 'charm', 'zero_dte', 'outlook'] as const

export const narrative: Invariants<Narrative> = {
  queries: whole,
  checks: {
    'narrative.data.net_gex == summary.exposures.net_gex': ({ narrative: { data } }, { other }) =>
      expect(data.net_gex).toBe(other<Summary>('/v1/exposure/summary/{symbol}')!.exposures.net_gex),
    'narrative.data.regime == summary.regime': ({ narrative: { data } }, { other }) => {
      const { regime, zero_dte } = other<Summary>('/v1/exposure/summary/{symbol}')!
      expect(data.regime).toBe(regime)
      expect(data.zero_dte_pct).toBe(zero_dte.pct_of_total_gex)
    },
    'gamma_flip, call_wall, put_wall == levels': ({ narrative: { data } }, { other }) => {
      const { levels } = other<Levels>('/v1/exposure/levels/{symbol}')!
      for (const name of ['gamma_flip', 'call_wall', 'put_wall'] as const) expect(data[name]).toBe(levels[name])
    },
    'len(top_oi_changes) <= 5 and |oi_change| non-increasing': ({ narrative: { data } }, { other }) => {
      const sizes = data.top_oi_changes.map(({ oi_change }) => Math.abs(oi_change))
      expect(sizes.length).toBeLessThanOrEqual(5)
      expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
      const { top_oi_changes } = other<OiDiff>('/v1/exposure/oi-diff/{symbol}', { topN: '5' })!
      expect(sizes).toEqual(top_oi_changes.map(({ oi_change }) => Math.abs(oi_change)))
    },
    'all eight texts non-empty strings': ({ narrative }) => {
      expect(Object.keys(narrative)).toEqual([...texts, 'data'])
      expectAll(texts, (name) => typeof narrative[name] === 'string' && narrative[name].length > 10)
    },
    'net_gex_change_pct null iff net_gex_prior null or 0': ({ narrative: { data } }) => {
      const { net_gex, net_gex_prior: prior, net_gex_change_pct: change } = data
      expect(change === null).toBe(prior === null || prior === 0)
      // Both figures are printed to the cent, so the percentage is known to what a cent is of the prior one.
      if (prior && change !== null) {
        const slack = 1e-4 + (100 * 0.01 * (1 + Math.abs(net_gex / prior))) / Math.abs(prior)
        expect(Math.abs(change - (100 * (net_gex - prior)) / Math.abs(prior))).toBeLessThanOrEqual(slack)
      }
    }
  }
}

export const termStructure: Invariants<TermStructure> = {
  queries: whole,
  checks: {
    'sum(by_dte_bucket[].net_x) == sum(by_expiry[].net_x) == summary.exposures.net_x for gex, dex, vex, chex': (
      { by_dte_bucket, by_expiry },
      { other }
    ) => {
      const { exposures } = other<Summary>('/v1/exposure/summary/{symbol}')!
      for (const name of measures.map((measure) => `net_${measure}` as const)) {
        const slack = 1e-12 * total(by_expiry, (row) => Math.abs(row[name]))
        for (const rows of [by_dte_bucket, by_expiry]) {
          const sum = total<{ [Name in typeof name]: number }>(rows, (row) => row[name])
          expect(Math.abs(sum - exposures[name])).toBeLessThanOrEqual(0.005 * (rows.length + 1) + slack + 1e-9)
        }
      }
    },
    'sum(by_expiry[].pct_of_chain_gex) == 100 within 0.5 or all 0': ({ by_expiry }) => {
      const sum = total(by_expiry, (row) => row.pct_of_chain_gex)
      if (by_expiry.some((row) => row.pct_of_chain_gex !== 0)) expect(Math.abs(sum - 100)).toBeLessThan(0.01)
      else expectAll(by_expiry, (row) => row.net_gex === 0)
    },
    'by_expiry dates strictly ascending and dte non-decreasing': ({ by_expiry }) => {
      expect(ascending(by_expiry.map(({ expiration }) => expiration))).toBe(true)
      expect(ascending(by_expiry.map(({ dte }) => dte))).toBe(true)
    },
    'each bucket: dte_range[0] <= dte_range[1]': ({ by_dte_bucket, by_expiry }) => {
      expectAll(by_dte_bucket, ({ dte_range }) => dte_range.length === 2 && dte_range[0] <= dte_range[1])
      expect(ascending(by_dte_bucket.map(({ dte_range }) => dte_range[0]))).toBe(true)
      for (const bucket of by_dte_bucket) {
        const inside = by_expiry.filter(({ dte }) => dte >= bucket.dte_range[0] && dte <= bucket.dte_range[1])
        expectSum(
          bucket.net_gex,
          total(inside, (row) => row.net_gex),
          inside.length
        )
      }
    },
    'is_triple_witching => is_opex': ({ by_expiry }) =>
      expectAll(by_expiry, (row) => !row.is_triple_witching || row.is_opex)
  }
}
