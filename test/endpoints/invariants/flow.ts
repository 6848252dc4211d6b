import { expect } from 'vitest'
import { flowDirection } from '../../../src/flow/open-interest/dealer-risk.ts'
import type { Market } from '../../support/markets.ts'
import type { Gex, Levels, MaxPain } from '../answers.ts'
import type {
  FlowDealerRisk,
  FlowDex,
  FlowGex,
  FlowLevels,
  FlowLive,
  FlowOi,
  FlowPinRisk,
  FlowSummary
} from '../flow/answers.ts'
import { ascending, type Case, expectAll, expectSum, type Invariants, total } from './invariant.ts'

const at = (name: string) => `/v1/flow/${name}/{symbol}`

/** The whole chain, and the first, a middle and the last listed date. */
export function expiries({ chain: { expirations } }: Market) {
  const dates = [0, expirations.length >> 1, expirations.length - 1].map((k) => expirations[k].date)
  return [{}, { expiry: '0dte' }, ...[...new Set(dates)].map((expiry) => ({ expiry }))]
}

/** The query of a settled answer over the same contracts. */
const settledQuery = ({ query: { expiry } }: Case) => (expiry === undefined ? {} : { expiration: expiry })

const listed = ({ market }: Case, strike: number | null) =>
  expect(strike === null || market.chain.strike.includes(strike)).toBe(true)

/** Whether two printed figures are within a printed unit of each other for each of so many terms. */
const near = (a: number, b: number, terms = 2) => expectSum(a, b, terms)

/** A printed share of printed figures. */
function expectShare(share: number | null, adjustment: number, settled: number): void {
  // A figure that prints as 0 may be one all the same, and what it is divided by is rounded too.
  if (Math.abs(settled) < 1) return
  const slack = 1e-4 + (0.01 * (1 + Math.abs(adjustment / settled))) / Math.abs(settled)
  expect(Math.abs(share! - adjustment / settled)).toBeLessThanOrEqual(slack + 1e-9 * Math.abs(share!))
}

const noFlowIff = (direction: string, contracts: number) => expect(direction === 'no_flow').toBe(contracts === 0)

export const levels: Invariants<FlowLevels> = {
  queries: expiries,
  checks: {
    'live_call_wall in chain strikes or null': ({ live_call_wall }, here) => listed(here, live_call_wall),
    'live_put_wall in chain strikes or null': ({ live_put_wall }, here) => listed(here, live_put_wall),
    'live_max_pain in chain strikes or null': ({ live_max_pain }, here) => listed(here, live_max_pain),
    'equals live_* fields of /v1/flow/live at the same as_of': (answer, { query, other }) => {
      const { live_gamma_flip, live_call_wall, live_put_wall, live_max_pain, as_of } = other<FlowLive>(
        at('live'),
        query
      )!
      const found = { live_gamma_flip, live_call_wall, live_put_wall, live_max_pain, as_of }
      expect(answer).toMatchObject(found)
    },
    'equals the settled levels when contracts_with_flow == 0': (answer, here) => {
      const { query, other } = here
      if (other<FlowSummary>(at('summary'), query)!.contracts_with_flow > 0) return
      const { levels } = other<Levels>('/v1/exposure/levels/{symbol}', settledQuery(here))!
      const pain = other<MaxPain>('/v1/maxpain/{symbol}', settledQuery(here))
      expect(answer.live_gamma_flip).toBe(levels.gamma_flip)
      expect(answer.live_call_wall).toBe(levels.call_wall)
      expect(answer.live_put_wall).toBe(levels.put_wall)
      if (pain !== undefined) expect(answer.live_max_pain).toBe(pain.max_pain_strike)
    }
  }
}

export const pinRisk: Invariants<FlowPinRisk> = {
  queries: expiries,
  checks: {
    'abs(live_pin_risk - round(0.30*oi_score + 0.25*proximity_score + 0.25*time_score + 0.20*gamma_score)) <= 1': ({
      live_pin_risk,
      breakdown: { oi_score, proximity_score, time_score, gamma_score }
    }) => {
      const score = Math.round(0.3 * oi_score + 0.25 * proximity_score + 0.25 * time_score + 0.2 * gamma_score)
      expect(Math.abs(live_pin_risk - score)).toBeLessThanOrEqual(1)
    },
    'magnet_strike in chain strikes or null': ({ magnet_strike }, here) => listed(here, magnet_strike),
    'time_to_close_hours >= 0.1': ({ time_to_close_hours }) => expect(time_to_close_hours).toBeGreaterThanOrEqual(0.1),
    'distance_to_magnet_pct ~= 100*abs(underlying_price - magnet_strike)/underlying_price (0.001)': ({
      distance_to_magnet_pct,
      magnet_strike,
      underlying_price
    }) => {
      if (magnet_strike === null) return expect(distance_to_magnet_pct).toBeNull()
      const distance = (100 * Math.abs(underlying_price - magnet_strike)) / underlying_price
      expect(Math.abs(distance_to_magnet_pct! - distance)).toBeLessThanOrEqual(0.001)
    }
  }
}

export const summary: Invariants<FlowSummary> = {
  queries: expiries,
  checks: {
    'flow_direction == no_flow iff contracts_with_flow == 0': ({ flow_direction, contracts_with_flow }) =>
      noFlowIff(flow_direction, contracts_with_flow),
    '0 <= contracts_with_flow <= contracts_total': ({ contracts_with_flow, contracts_total }) => {
      expect(contracts_with_flow).toBeGreaterThanOrEqual(0)
      expect(contracts_with_flow).toBeLessThanOrEqual(contracts_total)
    },
    'flow_direction and flow_gex_pct_shift equal those of /v1/flow/dealer-risk at the same as_of': (
      { flow_direction, flow_gex_pct_shift, as_of },
      { query, other }
    ) => expect(other(at('dealer-risk'), query)).toMatchObject({ flow_direction, flow_gex_pct_shift, as_of })
  }
}

export const gex: Invariants<FlowGex> = {
  queries: expiries,
  checks: {
    'live_net_gex ~= sum(strikes[].net_gex)': ({ live_net_gex, strikes }) =>
      expectSum(
        live_net_gex,
        total(strikes, (row) => row.net_gex),
        strikes.length
      ),
    'strikes[].net_gex ~= call_gex + put_gex': ({ strikes }) =>
      expectAll(strikes, (row) => Math.abs(row.net_gex - row.call_gex - row.put_gex) <= 0.0151),
    'call_gex >= 0 >= put_gex': ({ strikes }) => expectAll(strikes, (row) => row.call_gex >= 0 && row.put_gex <= 0),
    'strikes strictly ascending': ({ strikes }) => expect(ascending(strikes.map(({ strike }) => strike))).toBe(true),
    'sum(call_oi + put_oi) == effective_oi of /v1/flow/oi': ({ strikes }, { query, other }) =>
      expect(total(strikes, (row) => row.call_oi + row.put_oi)).toBe(other<FlowOi>(at('oi'), query)!.effective_oi)
  }
}

export const dex: Invariants<FlowDex> = {
  queries: expiries,
  checks: {
    'live_net_dex ~= sum(strikes[].net_dex)': ({ live_net_dex, strikes }) =>
      expectSum(
        live_net_dex,
        total(strikes, (row) => row.net_dex),
        strikes.length
      ),
    'strikes[].net_dex ~= call_dex + put_dex': ({ strikes }) =>
      expectAll(strikes, (row) => Math.abs(row.net_dex - row.call_dex - row.put_dex) <= 0.0151),
    'call_dex >= 0 >= put_dex': ({ strikes }) => expectAll(strikes, (row) => row.call_dex >= 0 && row.put_dex <= 0),
    'strikes strictly ascending': ({ strikes }, { query, other }) => {
      const found = strikes.map(({ strike }) => strike)
      expect(ascending(found)).toBe(true)
      expect(found).toEqual(other<FlowGex>(at('gex'), query)!.strikes.map(({ strike }) => strike))
    }
  }
}

export const dealerRisk: Invariants<FlowDealerRisk> = {
  queries: expiries,
  checks: {
    'flow_gex_adjustment ~= live_net_gex - settled_net_gex': (answer) =>
      near(answer.flow_gex_adjustment, answer.live_net_gex - answer.settled_net_gex),
    'flow_dex_adjustment ~= live_net_dex - settled_net_dex': (answer) =>
      near(answer.flow_dex_adjustment, answer.live_net_dex - answer.settled_net_dex),
    'flow_gex_pct_shift ~= flow_gex_adjustment/settled_net_gex when settled_net_gex != 0': (answer) => {
      expectShare(answer.flow_gex_pct_shift, answer.flow_gex_adjustment, answer.settled_net_gex)
      expectShare(answer.flow_dex_pct_shift, answer.flow_dex_adjustment, answer.settled_net_dex)
    },
    'flow_direction follows x-conventions.flow_direction': (answer) => {
      const { settled_net_gex, live_net_gex, contracts_with_flow, flow_direction } = answer
      noFlowIff(flow_direction, contracts_with_flow)
      // If the sign, or the share of a twentieth, depends on digits that are not printed, the printed figures cannot
      // decide it.
      const share = Math.abs(answer.flow_gex_adjustment / settled_net_gex)
      if (Math.min(Math.abs(settled_net_gex), Math.abs(live_net_gex)) < 1 || Math.abs(share - 0.05) < 1e-6) return
      expect(flow_direction).toBe(flowDirection(settled_net_gex, live_net_gex, contracts_with_flow))
    },
    'settled_net_gex ~= net_gex of the settled GEX endpoint at the same as_of and expiry': (answer, here) =>
      expect(answer.settled_net_gex).toBe(here.other<Gex>('/v1/exposure/gex/{symbol}', settledQuery(here))!.net_gex)
  }
}

export const oi: Invariants<FlowOi> = {
  queries: expiries,
  checks: {
    'simulated_oi == official_oi + intraday_oi_delta': ({ simulated_oi, official_oi, intraday_oi_delta }) =>
      expect(simulated_oi).toBe(official_oi + intraday_oi_delta),
    'effective_oi >= simulated_oi': ({ effective_oi, simulated_oi }) =>
      expect(effective_oi).toBeGreaterThanOrEqual(simulated_oi),
    'effective_oi >= 0': ({ effective_oi }) => expect(effective_oi).toBeGreaterThanOrEqual(0),
    'contracts_with_flow <= contracts_total': ({ contracts_with_flow, contracts_total }) =>
      expect(contracts_with_flow).toBeLessThanOrEqual(contracts_total),
    'oi_delta_confidence constant over all flow endpoints of one deployment': (
      { oi_delta_confidence },
      { query, other }
    ) => {
      expect(oi_delta_confidence).toBe(0.43)
      expect(other<FlowLive>(at('live'), query)!.oi_delta_confidence).toBe(oi_delta_confidence)
    }
  }
}

export const live: Invariants<FlowLive> = {
  queries: expiries,
  checks: {
    'simulated_oi == official_oi + intraday_oi_delta': (answer, { query, other }) => {
      expect(answer.simulated_oi).toBe(answer.official_oi + answer.intraday_oi_delta)
      const { contracts_total, ...figures } = other<FlowOi>(at('oi'), query)!
      expect(answer).toMatchObject({ ...figures, contracts: contracts_total })
    },
    'live_gex == flow_adjusted_dealer_risk.live_net_gex': ({ live_gex, flow_adjusted_dealer_risk }, at) => {
      expect(live_gex).toBe(flow_adjusted_dealer_risk.live_net_gex)
      expect(at.other('/v1/flow/dealer-risk/{symbol}', at.query)).toMatchObject(flow_adjusted_dealer_risk)
      expect(at.other('/v1/flow/gex/{symbol}', at.query)).toMatchObject({ live_net_gex: live_gex })
    },
    'live_gex_delta == flow_adjusted_dealer_risk.live_net_dex': ({ live_gex_delta, flow_adjusted_dealer_risk }) =>
      expect(live_gex_delta).toBe(flow_adjusted_dealer_risk.live_net_dex),
    'flow_adjusted_dealer_risk.flow_direction == no_flow iff contracts_with_flow == 0': ({
      flow_adjusted_dealer_risk,
      contracts_with_flow
    }) => noFlowIff(flow_adjusted_dealer_risk.flow_direction, contracts_with_flow)
  }
}
