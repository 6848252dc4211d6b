import { expect, test } from 'vitest'
import { atTheMoney } from '../../src/exposure/at-the-money/at-the-money.ts'
import { expectedMove } from '../../src/exposure/at-the-money/implied-move.ts'
import { quarterDeltaSkew } from '../../src/exposure/at-the-money/quarter-delta-skew.ts'
import { sevenDayScope } from '../../src/exposure/at-the-money/seven-day.ts'
import { liquidity, volatilityStep } from '../../src/exposure/liquidity/liquidity.ts'
import { expiringScope, liveScope, visibleScope } from '../../src/exposure/scope.ts'
import type { IsoDate } from '../../src/market/units.ts'
import type { MaxPain, ZeroDte } from '../endpoints/answers.ts'
import { asked } from '../support/asking.ts'
import { eastern, sketched } from '../support/hand-made.ts'
import { handMade, priced } from '../support/markets.ts'
import { scalarGreeks } from '../support/scalar.ts'
import { given, givenScope } from './given.ts'

const zeroDtePath = '/v1/exposure/zero-dte/{symbol}'
const day = handMade('several expirations on a day of expiry')
const today = '2026-07-29' as IsoDate

test('the at-the-money strike is the nearest with two usable mids, the lower of equally near ones', () => {
  const good = { quote: [1, 1.2] as const, sigma: 0.2, gamma: 0.04 }
  const other = { quote: [2, 2.4] as const, sigma: 0.3, gamma: 0.02 }
  const oneSided = { quote: [0, 1] as const, sigma: 0.2 }
  const scope = givenScope([
    { strike: 98, call: good, put: other },
    { strike: 100, call: good, put: oneSided },
    { strike: 102, call: good, put: other }
  ])
  const money = atTheMoney(scope)!
  expect(money.strike).toBe(98)
  expect(money.straddle).toBeCloseTo(1.1 + 2.2, 12)
  expect(money.sigma).toBeCloseTo(0.25, 12)
  expect(money.gamma).toBeCloseTo(0.03, 12)
  expect(atTheMoney(givenScope([{ strike: 100, call: good, put: oneSided }]))).toBeUndefined()
})

test('the one volatility present stands for both, and without any the straddle tells one', () => {
  const one = givenScope([
    { strike: 100, call: { quote: [1, 1.2], sigma: 0.2 }, put: { quote: [1, 1.2], sigma: Number.NaN } }
  ])
  expect(atTheMoney(one)?.sigma).toBe(0.2)
  const chain = given([
    { strike: 100, call: { quote: [1, 1.2], sigma: Number.NaN }, put: { quote: [1, 1.2], sigma: Number.NaN } }
  ])
  expect(atTheMoney(liveScope(chain))?.straddle).toBeCloseTo(2.2, 12)
  const { forward, t, discount, dividendYield } = chain.carries[0]
  // The straddle of 2.2 less what its strike is out, once for the call and once for the put.
  const outside = (2.2 - discount * Math.abs(forward - 100)) / 2
  const sigma = atTheMoney(liveScope(chain))!.sigma
  const terms = { call: forward < 100, spot: 100, strike: 100, t, rate: 0.045, dividendYield, sigma }
  expect(scalarGreeks(terms).price).toBeCloseTo(outside, 6)
  expect(expectedMove(liveScope(chain), 30, 0.5)?.remaining).toBeCloseTo(100 * sigma * Math.sqrt(t), 9)
  const { expected_move: move } = asked<ZeroDte>(
    zeroDtePath,
    { name: 'unpriced', chain, prior: undefined, vix: undefined },
    {
      expiry: '2026-08-28'
    }
  )!
  expect([move.straddle_price, move.atm_iv]).toEqual([2.2, expect.closeTo(sigma, 6)])
  expect(move.lower_bound).toBeCloseTo(100 * Math.exp(-sigma * Math.sqrt(t)), 2)
})

test('one deviation of a day is S σ √(1/252), what remains today shrinks with the root of the session left', () => {
  const { expected_move: move, underlying_price: spot } = asked<ZeroDte>(zeroDtePath, day)!
  const full = spot * move.atm_iv! * Math.sqrt(1 / 252)
  expect(move.implied_1sd_dollars).toBeCloseTo(full, 2)
  expect(move.remaining_1sd_dollars).toBeCloseTo(full * Math.sqrt(300 / 390), 2)
  const later = asked<ZeroDte>(zeroDtePath, day, { expiry: '2026-08-28' })!.expected_move
  const t = (29 + 300 / 390) / 365 + 1 / 252
  expect(later.remaining_1sd_dollars).toBeCloseTo(spot * later.atm_iv! * Math.sqrt(t), 2)
})

test('the move of a date with two series is told from the PM one, which the strikes show', () => {
  const market = handMade('AM and PM series on one date')
  const answer = asked<ZeroDte>(zeroDtePath, market, { expiry: '2026-09-18', strike_range: '0.1' })!
  const row = answer.strikes.find(({ strike }) => strike === 6450)!
  expect(answer.expected_move.straddle_price).toBeCloseTo(row.call_mid! + row.put_mid!, 2)
  const t = (2 + 300 / 390) / 365 + 1 / 252
  const { atm_iv, remaining_1sd_dollars } = answer.expected_move
  expect(remaining_1sd_dollars! / (answer.underlying_price * atm_iv! * Math.sqrt(t))).toBeCloseTo(1, 3)
})

test('after 09:30 of the last day AM contracts are listed but count no more', () => {
  for (const name of [
    'PM series after the AM ones have settled',
    'PM series beside settled AM ones that still show a quote'
  ]) {
    const { chain } = handMade(name)
    const date = '2026-09-18' as IsoDate
    const [am, pm] = chain.expirations
    expect([am.settlement, pm.settlement]).toEqual(['am', 'pm'])
    expect(expiringScope(chain, date).slots.length).toBe(pm.end - pm.start)
    expect(visibleScope(chain, date).slots.length).toBe(pm.end - am.start)
    const { flow, metadata, exposures } = asked<ZeroDte>(zeroDtePath, handMade(name))!
    expect(flow.total_oi).toBe(chain.openInterest.subarray(pm.start, pm.end).reduce((sum, oi) => sum + oi, 0))
    expect(metadata.chain_contract_count).toBe(pm.end - pm.start)
    expect(exposures.pct_of_total_gex).toBeGreaterThan(0)
  }
  const before = handMade('AM and PM series before the open of their last day').chain
  expect(expiringScope(before, '2026-09-18' as IsoDate).expirations).toEqual([0, 1])
})

test('what expired at the close is told until midnight, and not on the next day', () => {
  const { chain } = handMade('after the close')
  expect(expiringScope(chain, today).slots.length).toBeGreaterThan(0)
  expect(liveScope(chain).expirations).toEqual([1, 2, 3])
  const nextDay = { ...chain, asOf: chain.asOf + 8 * 3_600_000 }
  expect(expiringScope(nextDay, today).slots.length).toBe(0)
})

test('the seven-day expiration is the nearest to seven days within 4 to 14, the later of equally near ones', () => {
  const listed = (...dates: readonly string[]) =>
    priced(
      sketched({
        date: '2026-07-01',
        time: '11:00',
        spot: 100,
        series: dates.map((date) => ({ date, strikes: [100] }))
      })
    )
  const chosen = (...dates: readonly string[]) => {
    const scope = sevenDayScope(listed(...dates))
    return scope?.chain.expirations[scope.expirations[0]].date
  }
  expect(chosen('2026-07-02', '2026-07-07', '2026-07-09', '2026-07-15')).toBe('2026-07-09')
  expect(chosen('2026-07-01', '2026-07-04', '2026-07-16')).toBeUndefined()
  expect(chosen('2026-07-05', '2026-07-15')).toBe('2026-07-05')
  expect(chosen('2026-07-04', '2026-07-15')).toBe('2026-07-15')
})

test('skew is the put nearest -0.25 less the call nearest 0.25, unless one is more than 0.20 away', () => {
  const rows = [
    { strike: 90, put: { delta: -0.1, sigma: 0.3 } },
    { strike: 95, call: { delta: 0.7, sigma: 0.22 }, put: { delta: -0.26, sigma: 0.25 } },
    { strike: 105, call: { delta: 0.2, sigma: 0.18 }, put: { delta: -0.8, sigma: 0.19 } },
    { strike: 110, call: { delta: 0.35, sigma: 0.17 } }
  ]
  expect(quarterDeltaSkew(givenScope(rows))).toBeCloseTo(7, 9)
  expect(quarterDeltaSkew(givenScope([{ strike: 90, put: { delta: -0.04, sigma: 0.3 } }, rows[2]]))).toBeUndefined()
  expect(quarterDeltaSkew(givenScope([{ strike: 90, put: { delta: -0.06, sigma: 0.3 } }, rows[2]]))).toBeCloseTo(12, 9)
  expect(quarterDeltaSkew(givenScope([rows[0]]))).toBeUndefined()
})

test('liquidity weighs spreads by open interest inside the window and looks at the quoted strike nearest to spot', () => {
  const scope = givenScope([
    { strike: 90, call: { quote: [9, 11], oi: 500 } },
    { strike: 99, call: { quote: [1, 1.1], oi: 100 }, put: { quote: [0.9, 1.1], oi: 300 } },
    { strike: 100, call: { quote: [0, 1], oi: 4000 }, put: { quote: [2, 1], oi: 1 } },
    { strike: 103, put: { quote: [3, 3.3], oi: 600 } }
  ])
  const [call, put, far] = [(100 * 0.1) / 1.05, 20, (100 * 0.3) / 3.15]
  const found = liquidity(scope, 0.03)
  expect(found.atmSpread).toBeCloseTo((call + put) / 2, 9)
  expect(found.weightedSpread).toBeCloseTo((100 * call + 300 * put + 600 * far) / 1000, 9)
  expect(found.executionScore).toBeCloseTo(70 * Math.exp(-(call + put) / 4) + 30 * (400 / 5000), 9)
  const none = liquidity(givenScope([{ strike: 100, call: { quote: [0, 1], oi: 4 } }]), 0.03)
  expect(none).toEqual({ atmSpread: undefined, weightedSpread: undefined, executionScore: undefined })
  const unheld = liquidity(givenScope([{ strike: 100, call: { quote: [1, 1.2], oi: 0 } }]), 0.03)
  expect([unheld.weightedSpread, unheld.executionScore]).toEqual([undefined, 70 * Math.exp(-unheld.atmSpread! / 2)])
})

test('smoothness is the mean step of volatility between neighbouring strikes of the window', () => {
  const sigma = (strike: number, ...sigmas: number[]) => ({
    strike,
    call: { sigma: sigmas[0] },
    put: { sigma: sigmas[1] }
  })
  const none = Number.NaN
  const rows = [
    sigma(80, 0.9, 0.9),
    sigma(98, 0.2, 0.22),
    sigma(99, none, none),
    sigma(100, 0.2, none),
    sigma(102, 0.24, 0.24)
  ]
  expect(volatilityStep(givenScope(rows), 0.03)).toBeCloseTo((1 + 4) / 2, 9)
  expect(volatilityStep(givenScope(rows), 0.01)).toBeUndefined()
})

test('data quality falls with contracts without greeks, without volatility and with age', () => {
  const fresh = asked<ZeroDte>(zeroDtePath, handMade('one strike'))!
  expect(fresh.metadata.data_quality_score).toBe(100)
  const blind = asked<ZeroDte>(zeroDtePath, handMade('no quotes'))!
  expect(blind.metadata).toEqual({
    snapshot_age_seconds: 0,
    chain_contract_count: 22,
    data_quality_score: 20,
    greek_smoothness_score: null
  })
  const aged = { ...day.chain, delay: 150 }
  const whole = asked<ZeroDte>(zeroDtePath, { ...day, chain: { ...day.chain, delay: 0 } })!
  const older = asked<ZeroDte>(zeroDtePath, { ...day, chain: aged })!
  expect(older.metadata.snapshot_age_seconds).toBe(150)
  expect(whole.metadata.data_quality_score! - older.metadata.data_quality_score!).toBe(10)
})

test('contracts nobody holds lose nothing to time: theta is 0, not unknown, while they have greeks', () => {
  const { decay, regime } = asked<ZeroDte>(zeroDtePath, handMade('no open interest'))!
  expect(decay.net_theta_dollars).toBe(0)
  expect(regime.label).toBe('undetermined')
  expect(asked<ZeroDte>(zeroDtePath, handMade('no quotes'))!.decay.net_theta_dollars).toBeNull()
})

test('figures of a day follow from the strikes that are printed', () => {
  const answer = asked<ZeroDte>(zeroDtePath, day, { strike_range: '0.1' })!
  const { strikes, underlying_price: spot, flow, levels, decay, hedging, pin_risk } = answer
  const sum = (figure: (row: (typeof strikes)[number]) => number) =>
    strikes.reduce((total, row) => total + figure(row), 0)
  const volume = (row: (typeof strikes)[number]) => row.call_volume + row.put_volume
  expect(flow.pc_ratio_volume).toBeCloseTo(flow.put_volume / flow.call_volume, 4)
  expect(flow.pc_ratio_oi).toBeCloseTo(flow.put_oi / flow.call_oi, 4)
  expect(flow.volume_to_oi_ratio).toBeCloseTo(flow.total_volume / flow.total_oi, 4)
  const near = sum((row) => (Math.abs(row.strike - spot) <= 0.005 * spot ? volume(row) : 0))
  expect(flow.atm_volume_share_pct).toBeCloseTo((100 * near) / flow.total_volume, 4)
  const busiest = strikes.map(volume).sort((a, b) => b - a)
  expect(flow.top3_strike_volume_pct).toBeCloseTo((100 * (busiest[0] + busiest[1] + busiest[2])) / flow.total_volume, 4)
  expect(levels.call_wall_strength).toBeCloseTo(levels.call_wall_gex! / sum((row) => row.call_gex), 3)
  expect(levels.put_wall_strength).toBeCloseTo(levels.put_wall_gex! / sum((row) => row.put_gex), 3)
  const timeValue = ({ strike, ...row }: (typeof strikes)[number]) => {
    const [call, put] = [row.call_mid! - Math.max(spot - strike, 0), row.put_mid! - Math.max(strike - spot, 0)]
    return 100 * (Math.max(call, 0) * row.call_oi + Math.max(put, 0) * row.put_oi)
  }
  // Made-up mids are model prices to half a cent.
  expect(decay.net_theta_dollars! / -sum(timeValue)).toBeCloseTo(1, 2)
  const [low, middle, high] = strikes
    .toSorted((a, b) => Math.abs(a.strike - spot) - Math.abs(b.strike - spot))
    .slice(0, 3)
    .sort((a, b) => a.strike - b.strike)
  const right = (high.net_gex - middle.net_gex) / (high.strike - middle.strike)
  const left = (middle.net_gex - low.net_gex) / (middle.strike - low.strike)
  expect(hedging.convexity_at_spot! / ((2 * (right - left)) / (high.strike - low.strike))).toBeCloseTo(1, 6)
  expect(sum((row) => row.gex_share_pct!)).toBeCloseTo(100, 2)
  expect(sum((row) => row.oi_share_pct!)).toBeCloseTo(100, 2)
  expect(sum((row) => row.volume_share_pct!)).toBeCloseTo(100, 2)
  const magnet = strikes.reduce((best, row) => (Math.abs(row.net_gex) > Math.abs(best.net_gex) ? row : best))
  expect([pin_risk.magnet_strike, pin_risk.magnet_gex]).toEqual([magnet.strike, magnet.net_gex])
  const gammas = sum((row) => Math.abs(row.net_gex))
  expect(pin_risk.components).toEqual({
    oi_score: Math.round(Math.min(100, 2 * pin_risk.oi_concentration_top3_pct!)),
    proximity_score: Math.round(100 * Math.max(0, 1 - Math.abs(spot - magnet.strike) / (0.01 * spot))),
    time_score: Math.round(100 * (90 / 390)),
    gamma_score: Math.round(Math.min(100, (400 * Math.abs(magnet.net_gex)) / gammas))
  })
})

test('how closely the levels of a day agree is measured in moves of a day', () => {
  const answer = asked<ZeroDte>(zeroDtePath, day)!
  const { regime, pin_risk, levels, expected_move } = answer
  const found = [
    regime.gamma_flip,
    pin_risk.magnet_strike,
    pin_risk.max_pain,
    levels.highest_oi_strike,
    levels.call_wall,
    levels.put_wall
  ]
  const present = found.filter((level) => level !== null).sort((a, b) => a - b)
  const half = present.length / 2
  const median = present.length % 2 === 1 ? present[Math.floor(half)] : (present[half - 1] + present[half]) / 2
  const spread = present.reduce((sum, level) => sum + Math.abs(level - median), 0) / present.length
  expect(levels.level_cluster_score).toBe(
    Math.round(100 * Math.max(0, 1 - spread / expected_move.implied_1sd_dollars!))
  )
})

test('gamma today over gamma in a week, and volatility likewise, compare two answers of this endpoint', () => {
  const now = asked<ZeroDte>(zeroDtePath, day)!
  const week = asked<ZeroDte>(zeroDtePath, day, { expiry: '2026-08-05' })!
  const gamma = ({ strikes, underlying_price: spot }: ZeroDte) => {
    const row = strikes.reduce((best, one) => (Math.abs(one.strike - spot) < Math.abs(best.strike - spot) ? one : best))
    return (row.call_gamma! + row.put_gamma!) / 2
  }
  expect(now.decay.gamma_acceleration! / (gamma(now) / gamma(week))).toBeCloseTo(1, 4)
  expect(now.vol_context.seven_dte_atm_iv).toBe(week.vol_context.zero_dte_atm_iv)
  expect(now.vol_context.iv_ratio_0dte_7dte).toBeCloseTo(now.expected_move.atm_iv! / week.expected_move.atm_iv!, 3)
})

test('the distance to the flip counts in what remains of the day, after the close in a whole day', () => {
  const now = asked<ZeroDte>(zeroDtePath, day)!
  const { distance_to_flip_dollars: dollars, distance_to_flip_sigmas: sigmas } = now.regime
  expect(dollars).not.toBeNull()
  expect(sigmas! / (dollars! / now.expected_move.remaining_1sd_dollars!)).toBeCloseTo(1, 1)
  const over = asked<ZeroDte>(zeroDtePath, handMade('after the close'), { expiry: '2026-08-05' })!
  const { distance_to_flip_dollars: wide, distance_to_flip_sigmas: count } = over.regime
  expect(wide).not.toBeNull()
  expect(count! / (wide! / over.expected_move.implied_1sd_dollars!)).toBeCloseTo(1, 1)
})

test('the pin probability of max pain follows from the printed curve, straddle and days', () => {
  const answer = asked<MaxPain>('/v1/maxpain/{symbol}', day, { expiration: '2026-08-05' })!
  const { underlying_price: spot, max_pain_strike: strike, oi_by_strike, expected_move, distance } = answer
  const held = oi_by_strike.map(({ total_oi }) => total_oi).sort((a, b) => b - a)
  const concentration = (100 * (held[0] + held[1] + held[2])) / held.reduce((sum, oi) => sum + oi, 0)
  const oi = Math.min(100, 2 * concentration)
  const reach = Math.max(0.01, expected_move.straddle_price! / spot)
  const proximity = 100 * Math.max(0, 1 - distance.absolute / (reach * spot))
  const time = 100 * Math.max(0, 1 - (7 + 300 / 390) / 30)
  const rows = asked<ZeroDte>(zeroDtePath, day, { expiry: '2026-08-05', strike_range: '0.1' })!
  const chain = asked<{ strikes: readonly { strike: number; net_gex: number }[] }>('/v1/exposure/gex/{symbol}', day, {
    expiration: '2026-08-05'
  })!
  const all = chain.strikes.reduce((sum, { net_gex }) => sum + Math.abs(net_gex), 0)
  const gamma = Math.min(100, (400 * Math.abs(chain.strikes.find((row) => row.strike === strike)!.net_gex)) / all)
  // The straddle is printed in cents, which moves the score by a hundredth.
  const score = 0.3 * oi + 0.25 * proximity + 0.25 * time + 0.2 * gamma
  expect(Math.abs(answer.pin_probability - score)).toBeLessThan(0.52)
  expect(expected_move.atm_iv).toBeCloseTo(100 * rows.expected_move.atm_iv!, 3)
  expect(rows.pin_risk.components.time_score).toBe(0)
})

test('without a straddle the pin probability reaches 5 % of spot, and its time counts down from thirty days', () => {
  const strikes = [90, 95, 100, 105, 110].map((strike) => ({
    strike,
    call: { oi: 10, gamma: 0.01, quote: [0, 1] as const, sigma: 0.2 },
    put: { oi: 12, gamma: 0.02, quote: [0, 1] as const, sigma: 0.2 }
  }))
  for (let days = 3; days <= 33; days++) {
    const expiration = new Date(Date.UTC(2026, 6, 29 + days)).toISOString().slice(0, 10)
    const chain = given(strikes, { spot: 101.3, expiration })
    const answer = asked<MaxPain>('/v1/maxpain/{symbol}', { name: 'pin', chain, prior: undefined, vix: undefined })!
    expect([answer.expected_move.straddle_price, answer.max_pain_strike]).toEqual([null, 100])
    // Three strikes of five hold 60 %, each nets a fifth of gamma, and half of the session is left.
    const proximity = 100 * (1 - 1.3 / (0.05 * 101.3))
    const time = 100 * Math.max(0, 1 - (days + 0.5) / 30)
    expect(answer.pin_probability).toBe(Math.round(0.3 * 100 + 0.25 * proximity + 0.25 * time + 0.2 * 80))
  }
})

test.each([
  ['15:54:59', false],
  ['15:55:00', true],
  ['15:59:59', true],
  ['16:00:00', false]
])('at %s a warning stands there: %s', (time, stands) => {
  const chain = { ...day.chain, asOf: eastern('2026-07-29', time) }
  const { warnings } = asked<ZeroDte>(zeroDtePath, { ...day, chain })!
  expect(warnings !== undefined).toBe(stands)
})
