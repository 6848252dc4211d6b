import { expect } from 'vitest'
import type { Basket, Gex, Levels, MaxPain, OiDiff, Sheet } from '../answers.ts'
import { expectAll, expectSum, type Invariants, scopes, total } from './invariant.ts'

const measures = ['gex', 'dex', 'vex', 'chex'] as const

export const sheet: Invariants<Sheet> = {
  queries: (market) => [...scopes(market), { min_oi: '150' }],
  checks: {
    'totals.net_x == sum(strikes[].net_x) for gex, dex, vex, chex': ({ totals, strikes }) => {
      for (const name of measures) {
        const net = `net_${name}` as const
        expectSum(
          totals[net],
          total(strikes, (row) => row[net]),
          strikes.length
        )
      }
    },
    'totals.net_dag == sum(strikes[].dag)': ({ totals, strikes }) =>
      expectSum(
        totals.net_dag,
        total(strikes, (row) => row.dag),
        strikes.length
      ),
    'each strike: net_x == call_x + put_x': ({ strikes }) =>
      expectAll(strikes, (row) =>
        measures.every((name) => {
          const [call, put] = [row[`call_${name}`], row[`put_${name}`]]
          return Math.abs(row[`net_${name}`] - call - put) <= 0.0151 + 1e-12 * (Math.abs(call) + Math.abs(put))
        })
      ),
    'lis null or lis.strike in strikes[].strike': ({ lis, strikes }) => {
      if (lis === null) return
      expect(lis.magnitude).toBe(1)
      expect(strikes.some(({ strike }) => strike === lis.strike)).toBe(true)
    },
    'peaks non-empty => peaks[0].strength == 1': ({ peaks, strikes }) => {
      if (peaks.length > 0) expect(peaks[0].strength).toBe(1)
      else expectAll(strikes, (row) => row.net_gex === 0)
    },
    'each peak: strike in strikes[].strike and net_gex equals that row': ({ peaks, strikes }) => {
      expectAll(peaks, (peak) => strikes.find(({ strike }) => strike === peak.strike)?.net_gex === peak.net_gex)
      expectAll(peaks, (peak) => peak.side === (peak.net_gex >= 0 ? 'call_wall' : 'put_wall'))
      expectAll(peaks, ({ strength }, k) => k === 0 || strength <= peaks[k - 1].strength)
    },
    'is_triple_witching => is_opex': ({ is_opex, is_triple_witching }) =>
      expect(!is_triple_witching || is_opex).toBe(true),
    'expiration null => not is_opex': ({ expiration, is_opex }, { query }) => {
      expect(expiration === null).toBe(query.expiration === undefined)
      if (expiration === null) expect(is_opex).toBe(false)
    },
    'totals.net_gex == gex(same scope).net_gex': ({ totals }, { query, other }) =>
      expect(totals.net_gex).toBe(other<Gex>('/v1/exposure/gex/{symbol}', query)!.net_gex)
  }
}

/** Over one market a basket has one constituent beside symbols nobody knows; basket.test.ts weighs several. */
export const basket: Invariants<Basket> = {
  queries: ({ chain: { symbol } }) => [
    { symbols: symbol },
    { symbols: `${symbol}, nobody ,${symbol.toLowerCase()}`, weights: '1,2,0.5' },
    { symbols: `NOBODY,${symbol}`, weights: '1,0' }
  ],
  checks: {
    'sum(constituents[].weight) == 1 within 0.001': ({ constituents }) =>
      expect(Math.abs(total(constituents, ({ weight }) => weight) - 1)).toBeLessThan(0.001),
    'aggregate.net_gex == sum(weight * net_gex) within 0.1%': ({ aggregate, constituents }) => {
      const sum = total(constituents, ({ weight, net_gex }) => weight * net_gex)
      expect(Math.abs(aggregate.net_gex - sum)).toBeLessThanOrEqual(0.001 * Math.abs(sum))
    },
    'constituent_count == len(constituents)': ({ constituent_count, constituents }) =>
      expect(constituent_count).toBe(constituents.length),
    'constituent_count + len(missing_symbols) == distinct symbols asked': (
      { constituent_count, missing_symbols },
      { query }
    ) => {
      const distinct = new Set(query.symbols.split(',').map((symbol) => symbol.trim().toUpperCase()))
      expect(constituent_count + missing_symbols.length).toBe(distinct.size)
    },
    'sum(contribution_pct) == 100 within 0.5 or all 0': ({ constituents }) => {
      const sum = total(constituents, ({ contribution_pct }) => contribution_pct)
      if (constituents.some(({ contribution_pct }) => contribution_pct !== 0))
        expect(Math.abs(sum - 100)).toBeLessThan(0.5)
    },
    'regime == positive_gamma iff net_gex >= 0': ({ constituents }) =>
      expectAll(constituents, ({ regime, net_gex }) => (regime === 'positive_gamma') === net_gex >= 0)
  }
}

export const oiDiff: Invariants<OiDiff> = {
  queries: () => [{}, { topN: '3' }, { topN: '0' }, { topN: '5000' }],
  checks: {
    'each row: oi_change == today_oi - prior_oi': ({ top_oi_changes }) =>
      expectAll(top_oi_changes, (row) => row.oi_change === row.today_oi - row.prior_oi && row.oi_change !== 0),
    '|oi_change| non-increasing': ({ top_oi_changes: rows }) =>
      expectAll(rows, (row, k) => k === 0 || Math.abs(row.oi_change) <= Math.abs(rows[k - 1].oi_change)),
    'len(top_oi_changes) <= topN': ({ top_oi_changes }, { query }) =>
      expect(top_oi_changes.length).toBeLessThanOrEqual(Math.min(100, Math.max(1, Number(query.topN ?? 10)))),
    'prior_snapshot_available false => totals 0 and list empty': (answer, { market }) => {
      expect(answer.prior_snapshot_available).toBe(market.prior !== undefined)
      if (answer.prior_snapshot_available) return
      expect([answer.total_call_oi_change, answer.total_put_oi_change, answer.top_oi_changes]).toEqual([0, 0, []])
    }
  }
}

export const maxPain: Invariants<MaxPain> = {
  queries: scopes,
  checks: {
    'min(pain_curve[].total_pain) is at max_pain_strike': ({ pain_curve, max_pain_strike }) => {
      const least = Math.min(...pain_curve.map(({ total_pain }) => total_pain))
      expect(pain_curve.find(({ strike }) => strike === max_pain_strike)?.total_pain).toBe(least)
    },
    'signal follows from distance.percent and distance.direction unless percent prints as 5.0000': ({
      signal,
      distance
    }) => {
      if (distance.percent === 5) return
      const word = distance.direction === 'below' ? 'bullish' : distance.direction === 'above' ? 'bearish' : 'neutral'
      expect(signal).toBe(distance.percent > 5 ? word : 'neutral')
    },
    'each curve row: total_pain == call_pain + put_pain': ({ pain_curve }) =>
      expectAll(
        pain_curve,
        (row) => Math.abs(row.total_pain - row.call_pain - row.put_pain) <= 0.011 + 1e-12 * row.total_pain
      ),
    'max_pain_strike in pain_curve[].strike': ({ pain_curve, max_pain_strike, oi_by_strike }) => {
      expect(pain_curve.some(({ strike }) => strike === max_pain_strike)).toBe(true)
      expect(pain_curve.map(({ strike }) => strike)).toEqual(oi_by_strike.map(({ strike }) => strike))
    },
    'call_pain non-decreasing and put_pain non-increasing in strike': ({ pain_curve: rows }) =>
      expectAll(
        rows,
        (row, k) => k === 0 || (row.call_pain >= rows[k - 1].call_pain && row.put_pain <= rows[k - 1].put_pain)
      ),
    'each oi row: total_oi == call_oi + put_oi': ({ oi_by_strike }) =>
      expectAll(oi_by_strike, (row) => row.total_oi === row.call_oi + row.put_oi && row.total_oi > 0),
    'put_call_oi_ratio == sum(put_oi)/sum(call_oi) within 0.001': ({ put_call_oi_ratio, oi_by_strike }) => {
      const calls = total(oi_by_strike, ({ call_oi }) => call_oi)
      if (calls === 0) return expect(put_call_oi_ratio).toBeNull()
      expect(Math.abs(put_call_oi_ratio! - total(oi_by_strike, ({ put_oi }) => put_oi) / calls)).toBeLessThan(0.0001)
    },
    'max_pain_by_expiration null iff expiration filter given': ({ max_pain_by_expiration }, { query }) =>
      expect(max_pain_by_expiration === null).toBe(query.expiration !== undefined),
    'without filter: sum(max_pain_by_expiration[].total_oi) == sum(oi_by_strike[].total_oi)': (
      { max_pain_by_expiration, oi_by_strike },
      { other }
    ) => {
      if (max_pain_by_expiration === null) return
      const sum = total(oi_by_strike, ({ total_oi }) => total_oi)
      expect(total(max_pain_by_expiration, ({ total_oi }) => total_oi)).toBe(sum)
      for (const row of max_pain_by_expiration.slice(1, 4)) {
        const alone = other<MaxPain>('/v1/maxpain/{symbol}', { expiration: row.expiration })!
        expect(alone.max_pain_strike).toBe(row.max_pain_strike)
      }
    },
    '0 <= pin_probability <= 100': ({ pin_probability }) => {
      expect(pin_probability).toBeGreaterThanOrEqual(0)
      expect(pin_probability).toBeLessThanOrEqual(100)
    },
    'dealer_alignment.{gamma_flip,call_wall,put_wall} == levels for the same scope': (
      { dealer_alignment },
      { query, other }
    ) => {
      const { levels } = other<Levels>('/v1/exposure/levels/{symbol}', query)!
      for (const name of ['gamma_flip', 'call_wall', 'put_wall'] as const)
        expect(dealer_alignment[name]).toBe(levels[name])
    },
    'alignment diverging iff max_pain_strike outside the walls (walls and flip non-null)': ({
      dealer_alignment,
      max_pain_strike
    }) => {
      const { alignment, gamma_flip, call_wall, put_wall } = dealer_alignment
      if (gamma_flip === null || call_wall === null || put_wall === null) return expect(alignment).toBe('unknown')
      const outside = max_pain_strike < Math.min(call_wall, put_wall) || max_pain_strike > Math.max(call_wall, put_wall)
      expect(alignment === 'diverging').toBe(outside)
    },
    'with filter: expiration == filter': ({ expiration }, { query, market }) => {
      if (query.expiration === '0dte') expect(expiration).toBe(market.chain.expirations[0].date)
      else if (query.expiration !== undefined) expect(expiration).toBe(query.expiration)
    },
    'max_pain_within_expected_range == (distance.absolute <= expected_move.straddle_price), null iff straddle_price is null':
      ({ distance, expected_move: { straddle_price, max_pain_within_expected_range } }) => {
        if (straddle_price === null) return expect(max_pain_within_expected_range).toBeNull()
        if (Math.abs(distance.absolute - straddle_price) <= 0.01) return
        expect(max_pain_within_expected_range).toBe(distance.absolute <= straddle_price)
      }
  }
}
