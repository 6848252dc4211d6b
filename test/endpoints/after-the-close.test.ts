import { describe, expect, test } from 'vitest'
import type { Entitlement } from '../../src/api/plan.ts'
import { addDays } from '../../src/market/calendar.ts'
import type { Chain } from '../../src/market/chain.ts'
import { easternDate } from '../../src/market/eastern.ts'
import type { IsoDate } from '../../src/market/units.ts'
import { asked, endpointAt, textOf } from '../support/asking.ts'
import { recordedPayloads } from '../support/cboe-payload.ts'
import { eastern } from '../support/hand-made.ts'
import { handMade, type Market, priced, recordedChain, recordedMarket, syntheticMarket } from '../support/markets.ts'
import type {
  ByStrike,
  Gex,
  Levels,
  MaxPain,
  Narrative,
  NoZeroDte,
  OptionQuote,
  OptionsListing,
  Sheet,
  StockSummary,
  Summary,
  ZeroDte
} from './answers.ts'

// These tests cover a defect: after the close the same-day view described expired contracts as if they were alive, and
// answers about one moment contradicted each other.

const paths = {
  zeroDte: '/v1/exposure/zero-dte/{symbol}',
  gex: '/v1/exposure/gex/{symbol}',
  dex: '/v1/exposure/dex/{symbol}',
  vex: '/v1/exposure/vex/{symbol}',
  chex: '/v1/exposure/chex/{symbol}',
  sheet: '/v1/exposure/sheet/{symbol}',
  levels: '/v1/exposure/levels/{symbol}',
  maxPain: '/v1/maxpain/{symbol}',
  summary: '/v1/exposure/summary/{symbol}',
  stock: '/v1/stock/{symbol}/summary',
  narrative: '/v1/exposure/narrative/{symbol}',
  quotes: '/optionquote/{ticker}',
  listing: '/v1/options/{ticker}'
} as const

const recorded = recordedPayloads()

/** A recorded chain as it would have stood at another moment. */
const movedTo = (chain: Chain, date: string, time: string): Chain => ({ ...chain, asOf: eastern(date, time) })

const marketOf = (name: string, chain: Chain): Market => ({ name, chain: priced(chain), prior: undefined, vix: 17 })

/** Words of readings that speak of what is still to come. */
const alive = /expect|likely|tailwind|headwind|dealers (fade|chase|buy|sell)|as the clock runs|gravitate|a day,/

const sum = <Row>(rows: readonly Row[], figure: (row: Row) => number) => rows.reduce((all, row) => all + figure(row), 0)

/** Everything the answers of one moment say of the contracts that expired that day. */
function expectNothingAlive(market: Market): void {
  const { chain } = market
  const today = easternDate(chain.asOf)
  const day = { expiration: today }
  const answer = asked<ZeroDte>(paths.zeroDte, market, { strike_range: '0.1' })!
  const summary = asked<Summary>(paths.summary, market)

  expect(answer).toMatchObject({
    expiration: today,
    expired: true,
    market_open: false,
    time_to_close_hours: 0,
    regime: { label: 'undetermined', gamma_flip: null, spot_vs_flip: null, distance_to_flip_sigmas: null },
    exposures: {
      net_gex: 0,
      net_dex: 0,
      net_vex: 0,
      net_chex: 0,
      pct_of_total_gex: summary ? 0 : null,
      pct_of_gross_gex: summary ? 0 : null
    },
    expected_move: { implied_1sd_dollars: null, remaining_1sd_dollars: null, straddle_price: null, atm_iv: null },
    pin_risk: { magnet_strike: null, magnet_gex: null, distance_to_magnet_pct: null, pin_score: 0 },
    decay: {
      net_theta_dollars: null,
      theta_per_hour_remaining: null,
      charm_regime: 'neutral',
      gamma_acceleration: null
    },
    vol_context: { zero_dte_atm_iv: null, iv_ratio_0dte_7dte: null, skew_25d: null, vanna_exposure: 0 },
    levels: { call_wall: null, put_wall: null, max_positive_gamma: null, level_cluster_score: null },
    liquidity: { atm_spread_pct: null, weighted_spread_pct: null, execution_score: null },
    metadata: { data_quality_score: null, greek_smoothness_score: null }
  })
  const { convexity_at_spot, ...moves } = answer.hedging
  expect(convexity_at_spot ?? 0).toBe(0)
  for (const move of Object.values(moves)) {
    expect(move).toEqual({ dealer_shares_to_trade: 0, direction: 'buy', notional_usd: 0 })
  }
  for (const row of answer.strikes) {
    expect([row.net_gex, row.net_dex, row.net_vex, row.net_chex]).toEqual([0, 0, 0, 0])
    expect([row.call_iv, row.put_iv, row.call_delta, row.put_delta, row.call_theta, row.put_gamma]).toEqual(
      Array(6).fill(null)
    )
  }

  const texts = [
    answer.regime.description,
    answer.pin_risk.description,
    answer.decay.charm_description,
    answer.decay.description,
    answer.vol_context.description,
    asked<MaxPain>(paths.maxPain, market, day)!.dealer_alignment.description,
    (asked<ByStrike>(paths.vex, market, day)! as unknown as { vex_interpretation: string }).vex_interpretation,
    (asked<ByStrike>(paths.chex, market, day)! as unknown as { chex_interpretation: string }).chex_interpretation
  ]
  for (const text of texts) {
    expect(text).toMatch(/have expired/)
    expect(text).toMatch(/ended|is gone|was at/)
    expect(text).not.toMatch(alive)
  }

  // Open interest and volume of expired contracts stay, with the same values in every answer.
  const gex = asked<Gex>(paths.gex, market, day)!
  const pain = asked<MaxPain>(paths.maxPain, market, day)!
  expect(answer.flow.total_oi).toBeGreaterThan(0)
  expect(sum(gex.strikes, (row) => row.call_oi + row.put_oi)).toBe(answer.flow.total_oi)
  expect(sum(gex.strikes, (row) => row.call_volume + row.put_volume)).toBe(answer.flow.total_volume)
  expect(sum(pain.oi_by_strike, (row) => row.total_oi)).toBe(answer.flow.total_oi)
  expect(pain.max_pain_strike).toBe(answer.pin_risk.max_pain)
  expect(pain.pin_probability).toBe(0)
  expect(answer.levels.highest_oi_total).toBeGreaterThan(0)

  expect([gex.net_gex, gex.net_gex_label, gex.gamma_flip]).toEqual([0, 'neutral', null])
  for (const measure of ['dex', 'vex', 'chex'] as const) {
    expect(asked<ByStrike>(paths[measure], market, day)![`net_${measure}`]).toBe(0)
  }
  const sheet = asked<Sheet>(paths.sheet, market, day)!
  expect([sheet.totals, sheet.lis, sheet.peaks]).toEqual([
    { net_gex: 0, net_dex: 0, net_vex: 0, net_chex: 0, net_dag: 0 },
    null,
    []
  ])
  const levels = asked<Levels>(paths.levels, market, day)!.levels
  expect([levels.gamma_flip, levels.call_wall, levels.put_wall, levels.zero_dte_magnet]).toEqual(Array(4).fill(null))
  expect(levels.highest_oi_strike).toBe(answer.levels.highest_oi_strike)

  // The greeks of single expired contracts are absent too, even if the contracts are still quoted.
  const quotes = asked<readonly OptionQuote[]>(paths.quotes, market, { expiry: today })!
  expect(quotes.length).toBeGreaterThanOrEqual(answer.metadata.chain_contract_count)
  for (const quote of quotes) {
    expect([quote.implied_vol, quote.iv_bid, quote.delta, quote.gamma, quote.theta, quote.vanna, quote.charm]).toEqual(
      Array(7).fill(null)
    )
  }

  // Answers about the whole chain leave the day out.
  if (summary === undefined) return
  const none = { net_gex: 0, expiration: null }
  expect(summary.zero_dte).toEqual({ ...none, pct_of_total_gex: 0, pct_of_gross_gex: 0 })
  expect(answer.exposures.total_chain_net_gex).toBe(summary.exposures.net_gex)
  expect(asked<StockSummary>(paths.stock, market)!.exposure!.zero_dte).toEqual({
    ...none,
    pct_of_total: 0,
    pct_of_gross_gex: 0
  })
  const { narrative } = asked<Narrative>(paths.narrative, market)!
  expect(narrative.data.zero_dte_pct).toBe(0)
  expect(narrative.zero_dte).toMatch(/^The contracts of .* that expired today are gone/)
  expect(asked<Levels>(paths.levels, market)!.levels.zero_dte_magnet).toBeNull()
  expect(asked<Gex>(paths.gex, market)!.scope.expirations).not.toContain(today)
  expect(asked<OptionsListing>(paths.listing, market)!.expirations.map(({ expiration }) => expiration)).not.toContain(
    today
  )
}

describe('after the close nothing that expired that day is told as alive, and all answers agree', () => {
  test.each(['after the close', 'nothing left after the close'])('%s', (name) => {
    expectNothingAlive(handMade(name))
  })

  test('of the synthetic market', async () => {
    expectNothingAlive(await syntheticMarket('SPY', '2026-06-10', '16:00'))
    expectNothingAlive(await syntheticMarket('SPX', '2026-09-18', '17:30'))
    expectNothingAlive(await syntheticMarket('SPY', '2026-11-27', '13:00'))
  })

  test.skipIf(recorded === undefined)('SPY of 2026-07-29 at 16:00, 16:15 and before midnight', async () => {
    const chain = await recordedChain(recorded!, 'SPY', '2026-07-29')
    expect(easternDate(chain.asOf)).toBe('2026-07-29')
    for (const time of ['16:00', '16:15', '23:59:59']) {
      expectNothingAlive(marketOf(`SPY ${time}`, movedTo(chain, '2026-07-29', time)))
    }
  })

  test.skipIf(recorded === undefined)('SPX of 2026-07-31', async () => {
    expectNothingAlive((await recordedMarket('SPX', '2026-07-31'))!)
  })

  test('the last second of the session still has all of it, and midnight the next day nothing', () => {
    const { chain } = handMade('after the close')
    const { sigma: _, ...raw } = chain
    const last = marketOf('last second', movedTo(raw as unknown as Chain, '2026-07-29', '15:59:59'))
    const answer = asked<ZeroDte>(paths.zeroDte, last)!
    expect(answer.expired).toBe(false)
    expect(answer.exposures.net_gex).not.toBe(0)
    expect(answer.exposures.net_gex).toBe(asked<Summary>(paths.summary, last)!.zero_dte.net_gex)
    expect(answer.pin_risk.magnet_strike).toBe(asked<Levels>(paths.levels, last)!.levels.zero_dte_magnet)
    const next = marketOf('next day', movedTo(raw as unknown as Chain, '2026-07-30', '00:00'))
    expect(asked<NoZeroDte>(paths.zeroDte, next)!.no_zero_dte).toBe(true)
    expect(textOf(endpointAt(paths.gex), next, { expiration: '2026-07-29' })).toEqual({ code: 'no_data' })
  })
})

describe('on a third Friday AM-settled series never come back into the same-day scope after 09:30', () => {
  const opex = '2026-08-21'

  test.skipIf(recorded === undefined)('max pain of SPX 2026-08-21 is one strike from 09:30 to midnight', async () => {
    const chain = await recordedChain(recorded!, 'SPX', '2026-07-31')
    const at = (time: string) => marketOf(`SPX ${time}`, movedTo(chain, opex, time))
    const figuresOf = (market: Market) => {
      const answer = asked<ZeroDte>(paths.zeroDte, market)!
      const pain = asked<MaxPain>(paths.maxPain, market, { expiration: opex })!
      expect(pain.max_pain_strike).toBe(answer.pin_risk.max_pain)
      expect(pain.scope.contracts).toBe(answer.metadata.chain_contract_count)
      return [answer.pin_risk.max_pain, answer.flow.total_oi, answer.metadata.chain_contract_count]
    }
    const [before, ...after] = ['09:29:59', '09:30', '12:00', '15:59:59', '16:00', '16:15', '23:59:59'].map((time) =>
      figuresOf(at(time))
    )
    expect(new Set(after.map(String)).size).toBe(1)
    expect(after[0]).not.toEqual(before)
    const pm = chain.expirations.filter(({ date, settlement }) => date === opex && settlement === 'pm')
    expect(after[0][2]).toBe(sum(pm, ({ start, end }) => end - start))
    expectNothingAlive(at('16:00'))
  })

  test('a date with AM series alone shows them expired from 09:30, and warns of nothing before the close', () => {
    const { chain } = handMade('AM and PM series before the open of their last day')
    const am = chain.expirations.filter(({ settlement }) => settlement === 'am')
    const { sigma: _, ...raw } = { ...chain, expirations: am, size: am[0].end }
    const answer = asked<ZeroDte>(
      paths.zeroDte,
      marketOf('AM alone', movedTo(raw as unknown as Chain, '2026-09-18', '09:30'))
    )!
    expect(answer).toMatchObject({ expired: true, market_open: true, time_to_close_hours: 0 })
    expect(answer.exposures.net_gex).toBe(0)
    expect(answer.flow.total_oi).toBeGreaterThan(0)
    expect(answer.warnings).toBeUndefined()
  })
})

describe('every scoped answer says which expirations it covers', () => {
  const market = handMade('several expirations on a day of expiry')
  const dates = ['2026-07-29', '2026-08-05', '2026-08-28', '2027-06-18']

  test.each(['gex', 'dex', 'vex', 'chex', 'sheet', 'levels', 'maxPain'] as const)('%s', (name) => {
    const scopeOf = (query = {}) => asked<{ scope: unknown }>(paths[name], market, query)!.scope
    expect(scopeOf()).toEqual({ expiration: null, expirations: dates, contracts: market.chain.size })
    const { start, end } = market.chain.expirations[1]
    expect(scopeOf({ expiration: dates[1] })).toEqual({
      expiration: dates[1],
      expirations: [dates[1]],
      contracts: end - start
    })
  })

  test('a date with two series is named once', () => {
    const { scope } = asked<Gex>(paths.gex, handMade('AM and PM series on one date'))!
    expect(scope.expirations).toEqual(['2026-09-18', '2026-09-25'])
  })

  test('what min_oi leaves out is not counted', () => {
    const all = asked<Gex>(paths.gex, market)!.scope.contracts
    expect(asked<Gex>(paths.gex, market, { min_oi: '2000' })!.scope.contracts).toBeLessThan(all)
  })
})

describe('the levels a trader draws', () => {
  const read = (market: Market, caller: readonly Entitlement[]): Levels => {
    const result = textOf(endpointAt(paths.levels), market, {}, caller)
    return 'text' in result ? JSON.parse(result.text) : expect.unreachable(result.code)
  }
  const growth: readonly Entitlement[] = ['full_chain', 'same_day']

  test.each([
    'several expirations on a day of expiry',
    'AM and PM series on one date'
  ])('are walls on their side of spot, for four horizons, over %s', (name) => {
    const market = handMade(name)
    const answer = read(market, growth)
    const { underlying_price: spot, levels, levels_by_scope: by } = answer
    const { strikes } = asked<Gex>(paths.gex, market)!
    const above = strikes.filter(({ strike, call_gex }) => strike >= spot && call_gex > 0)
    const below = strikes.filter(({ strike, put_gex }) => strike <= spot && put_gex < 0)
    expect(levels.call_wall_above).toBe(above.reduce((best, row) => (row.call_gex > best.call_gex ? row : best)).strike)
    expect(levels.put_wall_below).toBe(below.reduce((best, row) => (row.put_gex < best.put_gex ? row : best)).strike)
    const { gamma_flip, call_wall, put_wall, call_wall_above, put_wall_below } = levels
    const net_gex = asked<Gex>(paths.gex, market)!.net_gex
    expect(by.all).toEqual({ gamma_flip, call_wall, put_wall, call_wall_above, put_wall_below, net_gex })
    const today = easternDate(market.chain.asOf)
    const within = (days: number) =>
      sum(
        [...new Set(market.chain.expirations.map(({ date }) => date))].filter((date) => date <= addDays(today, days)),
        (expiration) => asked<Gex>(paths.gex, market, { expiration })!.net_gex
      )
    expect(by.week!.net_gex).toBeCloseTo(within(7), 1)
    expect(by.month!.net_gex).toBeCloseTo(within(35), 1)
    const day = asked<Gex>(paths.gex, market, { expiration: today })
    expect(by.zero_dte?.net_gex).toBe(day?.net_gex)
  })

  test('are told for a horizon to those alone who may ask gex for it', () => {
    const market = handMade('several expirations on a day of expiry')
    const scopesOf = (caller: readonly Entitlement[]) =>
      Object.entries(read(market, caller).levels_by_scope).flatMap(([name, found]) => (found === null ? [] : [name]))
    expect(scopesOf([])).toEqual([])
    expect(scopesOf(['same_day'])).toEqual(['zero_dte'])
    expect(scopesOf(['full_chain'])).toEqual(['week', 'month', 'all'])
    expect(scopesOf(growth)).toEqual(['zero_dte', 'week', 'month', 'all'])
    expect(read(market, []).levels).toEqual(read(market, growth).levels)
  })

  test('have no same-day horizon once the day is over', () => {
    const by = read(handMade('after the close'), growth).levels_by_scope
    expect(by.zero_dte).toBeNull()
    expect(by.week).not.toBeNull()
  })

  test.skipIf(recorded === undefined)('differ from each other where the walls of SPX share a strike', async () => {
    const { levels, underlying_price: spot } = read((await recordedMarket('SPX', '2026-07-31'))!, growth)
    expect(levels.call_wall_above).toBeGreaterThanOrEqual(spot)
    expect(levels.put_wall_below).toBeLessThanOrEqual(spot)
    expect(levels.call_wall_above).not.toBe(levels.put_wall_below)
  })
})

test('no cell of the grids of higher greeks is null', async () => {
  const markets = [handMade('several expirations on a day of expiry'), handMade('after the close')]
  if (recorded !== undefined) markets.push((await recordedMarket('SPX', '2026-07-31'))!)
  for (const market of markets) {
    const grids = asked<{ greeks_surfaces: Record<string, Grid> }>('/v1/adv_volatility/{symbol}', market)!
    for (const { strikes, expiries, values } of Object.values(grids.greeks_surfaces)) {
      expect(values.length).toBe(expiries.length)
      for (const row of values) {
        expect(row.length).toBe(strikes.length)
        for (const cell of row) expect(cell).toBeTypeOf('number')
      }
    }
  }
})

interface Grid {
  readonly strikes: readonly number[]
  readonly expiries: readonly IsoDate[]
  readonly values: readonly (readonly (number | null)[])[]
}
