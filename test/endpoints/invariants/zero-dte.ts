import { expect } from 'vitest'
import { easternDate } from '../../../src/market/eastern.ts'
import type { Query } from '../../support/asking.ts'
import type { Market } from '../../support/markets.ts'
import type { Gex, NoZeroDte, Summary, ZeroDte } from '../answers.ts'
import { ascending, beforeTheClose, expectAll, expectSum, type Invariants, total } from './invariant.ts'

type Either = ZeroDte | NoZeroDte

function queries({ chain }: Market): readonly Query[] {
  const dates = [...new Set(chain.expirations.map(({ date }) => date))]
  return [
    {},
    { strike_range: '0.1' },
    { strike_range: '0.004' },
    ...[dates[0], dates[dates.length - 1]].map((expiry) => ({ expiry }))
  ]
}

/** A check of the analytics, which the shape without a same-day expiration has none of. */
const present =
  <More extends readonly unknown[]>(check: (answer: ZeroDte, ...more: More) => void) =>
  (answer: Either, ...more: More) => {
    if (!answer.no_zero_dte) check(answer, ...more)
  }

const isSameDay = ({ expiration, as_of }: ZeroDte) => expiration === easternDate(Date.parse(as_of))
type Move = Exclude<keyof ZeroDte['hedging'], 'convexity_at_spot'>
const shares = ({ hedging }: ZeroDte, move: Move) => hedging[move].dealer_shares_to_trade
const moves = ['10bp', '25bp', 'half_pct', '1pct'] as const

export const zeroDte: Invariants<Either> = {
  queries,
  checks: {
    'exposures.net_gex == sum over the full same-day chain (equals sum(strikes[].net_gex) when strike_range covers it)':
      present(({ exposures, expiration, strikes }, { other }) => {
        const full = other<Gex>('/v1/exposure/gex/{symbol}', { expiration })!
        expect(exposures.net_gex).toBe(full.net_gex)
        if (full.strikes.every(({ strike }) => strikes.some((row) => row.strike === strike))) {
          expectSum(
            exposures.net_gex,
            total(strikes, (row) => row.net_gex),
            strikes.length
          )
        }
        const whole = other<Summary>('/v1/exposure/summary/{symbol}')
        const { net_gex, total_chain_net_gex: all, pct_of_total_gex: share } = exposures
        expect(all).toBe(whole?.exposures.net_gex ?? 0)
        if (all === 0) return expect(share).toBeNull()
        // The share is printed with four decimals.
        expect(Math.abs(share! - 100 * Math.abs(net_gex / all))).toBeLessThanOrEqual(0.00005 + 1e-6 * share!)
        const { zero_dte } = whole!
        if (zero_dte.expiration === expiration)
          expect([zero_dte.net_gex, zero_dte.pct_of_total_gex]).toEqual([net_gex, share])
      }),
    '0 <= pin_risk.pin_score <= 100': present(({ pin_risk: { pin_score } }) => {
      expect(pin_score).toBeGreaterThanOrEqual(0)
      expect(pin_score).toBeLessThanOrEqual(100)
    }),
    'pin_score == round(0.30*oi_score + 0.25*proximity_score + 0.25*time_score + 0.20*gamma_score) within 1': present(
      ({ pin_risk: { pin_score, components } }) => {
        const { oi_score, proximity_score, time_score, gamma_score } = components
        const score = Math.round(0.3 * oi_score + 0.25 * proximity_score + 0.25 * time_score + 0.2 * gamma_score)
        expect(Math.abs(pin_score - score)).toBeLessThanOrEqual(1)
      }
    ),
    'hedging.spot_up_x.dealer_shares_to_trade == -hedging.spot_down_x.dealer_shares_to_trade': present((answer) =>
      expectAll(moves, (move) => shares(answer, `spot_up_${move}`) + shares(answer, `spot_down_${move}`) === 0)
    ),
    'spot_up_1pct == 2*spot_up_half_pct == 4*spot_up_25bp == 10*spot_up_10bp within rounding': present((answer) => {
      const exact = -answer.exposures.net_gex / answer.underlying_price
      const [tenth, quarter, half, one] = moves.map((move) => shares(answer, `spot_up_${move}`))
      expect(Math.abs(one - exact)).toBeLessThanOrEqual(0.51)
      expect(Math.abs(one - 2 * half)).toBeLessThanOrEqual(1.5)
      expect(Math.abs(one - 4 * quarter)).toBeLessThanOrEqual(2.5)
      expect(Math.abs(one - 10 * tenth)).toBeLessThanOrEqual(5.5)
    }),
    'hedging direction buy iff shares >= 0': present(({ hedging, underlying_price }) => {
      const { convexity_at_spot, ...hedges } = hedging
      expect(Object.keys(hedges).length).toBe(8)
      expectAll(Object.values(hedges), (hedge) => {
        const value = hedge.dealer_shares_to_trade * underlying_price
        const rightWord = hedge.direction === (hedge.dealer_shares_to_trade >= 0 ? 'buy' : 'sell')
        return rightWord && Math.abs(hedge.notional_usd - value) <= 0.01 + 1e-9 * Math.abs(value)
      })
    }),
    'theta_per_hour_remaining * time_to_close_hours == net_theta_dollars within 0.1% while hours >= 0.1; null iff hours == 0 or net_theta_dollars is null':
      present(
        ({ decay: { net_theta_dollars: theta, theta_per_hour_remaining: perHour }, time_to_close_hours: hours }) => {
          expect(perHour === null).toBe(hours === 0 || theta === null)
          if (perHour === null || theta === null || hours < 0.1) return
          expect(Math.abs(perHour * hours - theta)).toBeLessThanOrEqual(0.001 * Math.abs(theta) + 0.01 * hours + 0.01)
        }
      ),
    'same-day: remaining_1sd_dollars <= implied_1sd_dollars': present((answer) => {
      const { remaining_1sd_dollars: remaining, implied_1sd_dollars: implied } = answer.expected_move
      if (isSameDay(answer) && remaining !== null) expect(remaining).toBeLessThanOrEqual(implied!)
    }),
    // A known difference from the contract: bounds are lognormal, so that none lies below zero.
    'upper_bound - underlying_price == underlying_price - lower_bound == remaining_1sd_dollars': present(
      ({ expected_move: { upper_bound, lower_bound, remaining_1sd_dollars }, underlying_price: spot }) => {
        if (remaining_1sd_dollars === null) return expect([upper_bound, lower_bound]).toEqual([null, null])
        const share = remaining_1sd_dollars / spot
        expect(Math.abs(upper_bound! - spot * Math.exp(share))).toBeLessThanOrEqual(0.0151 * Math.exp(share))
        expect(Math.abs(lower_bound! - spot * Math.exp(-share))).toBeLessThanOrEqual(0.0151)
        expect(lower_bound!).toBeGreaterThanOrEqual(0)
      }
    ),
    'same-day: remaining_1sd_dollars == implied_1sd_dollars * sqrt(1 - time_to_close_pct/100) within 0.02 + 0.001 * implied_1sd_dollars':
      present((answer) => {
        const { remaining_1sd_dollars: remaining, implied_1sd_dollars: implied } = answer.expected_move
        if (!isSameDay(answer) || remaining === null || implied === null) return
        const left = implied * Math.sqrt(1 - answer.time_to_close_pct / 100)
        expect(Math.abs(remaining - left)).toBeLessThanOrEqual(0.02 + 0.001 * implied)
      }),
    'vol_context.zero_dte_atm_iv == 100 * expected_move.atm_iv within 0.01': present(
      ({ vol_context, expected_move: { atm_iv } }) => {
        if (atm_iv === null) expect(vol_context.zero_dte_atm_iv).toBeNull()
        else expect(Math.abs(vol_context.zero_dte_atm_iv! - 100 * atm_iv)).toBeLessThanOrEqual(0.0002)
      }
    ),
    'flow.total_volume == call_volume + put_volume; total_oi == call_oi + put_oi': present(
      ({ flow, expiration }, { other }) => {
        expect(flow.total_volume).toBe(flow.call_volume + flow.put_volume)
        expect(flow.total_oi).toBe(flow.call_oi + flow.put_oi)
        const { strikes } = other<Gex>('/v1/exposure/gex/{symbol}', { expiration })!
        expect(flow.call_oi).toBe(total(strikes, (row) => row.call_oi))
        expect(flow.put_volume).toBe(total(strikes, (row) => row.put_volume))
      }
    ),
    'spot_vs_flip == above iff spot_to_flip_pct >= 0, when |spot_to_flip_pct| >= 0.0001': present(
      ({ regime: { spot_vs_flip, spot_to_flip_pct } }) => {
        expect(spot_vs_flip === null).toBe(spot_to_flip_pct === null)
        if (spot_to_flip_pct === null || Math.abs(spot_to_flip_pct) < 0.0001) return
        expect(spot_vs_flip).toBe(spot_to_flip_pct >= 0 ? 'above' : 'below')
      }
    ),
    'every strike: |strike - underlying_price| <= strike_range * underlying_price': present(
      ({ strikes, underlying_price }, { query }) =>
        expectAll(
          strikes,
          ({ strike }) => Math.abs(strike - underlying_price) <= Number(query.strike_range ?? 0.03) * underlying_price
        )
    ),
    'strikes ascending': present(({ strikes }) => expect(ascending(strikes.map(({ strike }) => strike))).toBe(true)),
    'same-day: market_open false after the close => time_to_close_hours == 0': present((answer, { market }) => {
      if (!isSameDay(answer) || beforeTheClose(market)) return
      expect(answer.market_open).toBe(false)
      expect(answer.time_to_close_hours).toBe(0)
    }),
    'warnings present => market_open and expiration == New York date of as_of and time_to_close_hours <= 0.0834':
      present((answer, { market }) => {
        const last = answer.market_open && isSameDay(answer) && answer.time_to_close_hours <= 0.0834
        expect(answer.warnings !== undefined).toBe(last)
        if (market.name.includes('last five minutes') && isSameDay(answer)) expect(last).toBe(true)
      }),
    'no_zero_dte true => expiration null and none of regime, exposures, strikes present': (answer, { market }) => {
      if (!answer.no_zero_dte) return
      expect(Object.keys(answer).sort()).toEqual([
        'as_of',
        'expiration',
        'market_open',
        'message',
        'next_zero_dte_expiry',
        'no_zero_dte',
        'symbol',
        'underlying_price'
      ])
      expect(answer.expiration).toBeNull()
      expect(answer.message).toContain(answer.symbol)
      expect(answer.message).toMatch(/(Sun|Mon|Tues|Wednes|Thurs|Fri|Satur)day/)
      const today = easternDate(market.chain.asOf)
      expect(answer.next_zero_dte_expiry).toBe(market.chain.expirations.find(({ date }) => date > today)?.date ?? null)
    },
    'vol_context.vanna_exposure == exposures.net_vex': present(({ vol_context, exposures }) =>
      expect(vol_context.vanna_exposure).toBe(exposures.net_vex)
    )
  }
}
