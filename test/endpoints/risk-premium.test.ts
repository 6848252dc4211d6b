import { beforeAll, describe, expect, test } from 'vitest'
import { answer } from '../../src/api/answer.ts'
import type { Endpoint } from '../../src/api/endpoint.ts'
import { ApiError } from '../../src/api/error.ts'
import { loadInputs } from '../../src/api/inputs/load.ts'
import { readParameters } from '../../src/api/params.ts'
import { createSynthetic } from '../../src/connectors/synthetic/synthetic-connector.ts'
import { endpoints, endpointsWith } from '../../src/endpoints/index.ts'
import { LiveMarket } from '../../src/live/live-market.ts'
import type { DailyBar } from '../../src/market/bar.ts'
import { addDays, daysBetween } from '../../src/market/calendar.ts'
import { easternDate } from '../../src/market/eastern.ts'
import type { IsoDate } from '../../src/market/units.ts'
import { inlineEngine } from '../../src/workers/inline.ts'
import { asked, endpointAt } from '../support/asking.ts'
import { eastern } from '../support/hand-made.ts'
import { madeUpAssumptions } from '../support/made-up.ts'
import { madeUpRecords, recordOf, sessionsBefore } from '../support/made-up-records.ts'
import { handMade, type Market } from '../support/markets.ts'
import { service } from '../support/service.ts'
import { walk } from '../volatility/made-up-bars.ts'
import type { Liquidity, Volatility } from './answers.ts'
import type { ExposureHistory, SpotVolCorrelation, Vrp, VrpHistory } from './premium-answers.ts'

const vrpPath = '/v1/vrp/{symbol}'
const historyPath = '/v1/vrp/{symbol}/history'
const correlationPath = '/v1/volatility/spot-vol-correlation/{symbol}'
const noMacro = { tenYear: undefined, highYieldSpread: undefined, fedFunds: undefined, fearAndGreed: undefined }

/** The synthetic market as it is served, standing at one moment. */
function syntheticLive(now: number) {
  const connector = createSynthetic({ seed: 7 })
  const engine = inlineEngine({ connector, assumptions: madeUpAssumptions, endpoints: new Map() })
  const source = new LiveMarket({ engine, source: connector, universe: [], marketNow: () => now, wallNow: () => now })
  return async <Answer>(endpoint: Endpoint, query: Readonly<Record<string, string>> = {}, symbol = 'AAPL') => {
    try {
      const params = readParameters(endpoint.params, { symbol }, query, { today: easternDate(now) })
      const { inputs } = await loadInputs(endpoint, params, { source, maxAge: 1e9, keyless: false })
      return JSON.parse(answer(endpoint, { params, inputs, body: undefined, caller: [] })) as Answer
    } catch (error) {
      if (error instanceof ApiError) return error.code as never
      throw error
    }
  }
}

const moment = eastern('2026-06-10', '10:31:17')
const ask = syntheticLive(moment)
let found: Vrp
let rows: VrpHistory['history']
beforeAll(async () => {
  found = await ask<Vrp>(endpointAt(vrpPath))
  rows = (await ask<VrpHistory>(endpointAt(historyPath), { days: '120' })).history
})

const mean = (values: readonly number[]) => values.reduce((sum, x) => sum + x, 0) / values.length
const within = (x: number) => Math.min(1, Math.max(0, x))
/** A whole score of what is computed from printed figures. */
const expectScore = (score: number | null, exact: number) => expect(Math.abs(score! - exact)).toBeLessThan(0.55)

describe('the risk premium over the synthetic market', () => {
  test('ranks among the sixty sessions before it', () => {
    const { vrp_20d, z_score, percentile, history_days } = found.vrp
    const window = rows.flatMap((row) => row.vrp_20d ?? []).slice(-60)
    expect([history_days, window.length]).toEqual([60, 60])
    expect(rows.at(-1)!.date).toBe('2026-06-09')
    const deviation = Math.sqrt(window.reduce((sum, x) => sum + (x - mean(window)) ** 2, 0) / 59)
    expect(z_score).toBeCloseTo((vrp_20d! - mean(window)) / deviation, 3)
    expect(percentile).toBe(Math.round((100 * window.filter((x) => x < vrp_20d!).length) / 60))
  })

  test('has scores that follow from what it prints and what the other answers say', async () => {
    const { vrp, directional, term_vrp, regime, strategy_scores: scores, gex_conditioned } = found
    const dashboard = await ask<Volatility>(endpointAt('/v1/volatility/{symbol}'))
    const liquidity = await ask<Liquidity>(endpointAt('/v1/liquidity/{symbol}'))
    const reference = dashboard.skew_profiles.find(({ atm_iv }) => atm_iv === vrp.atm_iv)!
    const { downside_vrp: down, upside_vrp: up } = directional as { downside_vrp: number; upside_vrp: number }
    const [atm, put] = [within(vrp.vrp_20d! / (0.4 * vrp.atm_iv!)), within(down / (0.5 * vrp.atm_iv!))]
    const asymmetry = down <= 0 ? 0 : within((down / Math.max(up, 0.5) - 1) / 3)
    const symmetry = down > 0 && up > 0 ? 1 - Math.abs(down - up) / (down + up) : 0
    const skew = reference.skew_25d / vrp.atm_iv!
    const gamma = { positive_gamma: 1, negative_gamma: 0 }[regime.gamma] ?? 0.5
    const calm = 1 - within((vrp.rv_5d! / vrp.rv_20d! - 1) / 0.5)
    const slope = dashboard.term_structure.near_slope_pct
    const week = term_vrp.find(({ dte }) => dte === 7)
    const front = week === undefined ? 0.5 : 1 - within(week.vrp / (0.4 * week.iv))
    const { execution_score } = liquidity.expiries.find(({ expiration }) => expiration === reference.expiry)!
    expectScore(
      scores!.short_put_spread,
      100 * (0.35 * put + 0.3 * asymmetry + 0.2 * within(skew / 0.3) + 0.15 * gamma)
    )
    const moderate = within(1 - Math.abs(skew - 0.15) / 0.15)
    expectScore(scores!.short_strangle, 100 * (0.4 * atm + 0.25 * gamma + 0.2 * moderate + 0.15 * calm))
    const condor = 0.3 * Math.min(1, 2 * atm) + 0.3 * symmetry + 0.2 * gamma + (0.2 * execution_score) / 100
    expectScore(scores!.iron_condor, 100 * condor)
    const contango = slope === null ? 0.5 : within(slope / 15)
    expectScore(scores!.calendar_spread, 100 * (0.4 * contango + 0.25 * front + 0.2 * gamma + 0.15 * calm))
    const near = Math.abs(found.underlying_price / regime.gamma_flip! - 1) < 0.01
    const factor = { positive_gamma: near ? 0.8 : 1, negative_gamma: 0.35 }[regime.gamma] ?? 0.6
    expect(gex_conditioned.harvest_score).toBeCloseTo(atm * factor, 1)
    const base = 0.45 * atm + (0.25 * vrp.percentile!) / 100 + 0.3 * atm * factor
    const burdens = found.warnings.filter((one) => ['event_risk', 'term_inversion', 'credit_stress'].includes(one))
    const raw = 100 * base * (1 - found.dealer_flow_risk! / 200) - 10 * burdens.length
    expectScore(found.net_harvest_score, Math.max(0, Math.min(vrp.vrp_20d! <= 0 ? 20 : 100, raw)))
  })

  test('names the VIX and its three months, yields, credit spread and policy rate of the same market', () => {
    const { vix, vix_3m, dgs10, hy_spread, fed_funds } = found.macro
    expect([vix! > 5, vix_3m! > 5]).toEqual([true, true])
    for (const rate of [dgs10!, hy_spread!, fed_funds!]) expect(rate > 0.5 && rate < 12).toBe(true)
  })

  test('warns of an event from 14 days before a report on, and of none where none is known', async () => {
    const { earnings_date } = await ask<{ readonly earnings_date: IsoDate }>(
      endpointAt('/v1/earnings/expected-move/{symbol}')
    )
    const warned = async (date: IsoDate, symbol?: string) => {
      const { warnings } = await syntheticLive(eastern(date, '11:00'))<Vrp>(endpointAt(vrpPath), {}, symbol)
      return warnings.includes('event_risk')
    }
    expect(daysBetween('2026-06-10' as IsoDate, earnings_date)).toBeGreaterThan(40)
    expect(found.warnings).not.toContain('event_risk')
    expect(await warned(addDays(earnings_date, -3))).toBe(true)
    expect(await warned(addDays(earnings_date, -3), 'SPY')).toBe(false)
  })

  test('at the close of a past session is what was served after that close', async () => {
    const then = syntheticLive(eastern('2026-05-29', '17:59')) // at 18:00 the next rates come out
    const [past, live] = [
      await ask<Vrp>(endpointAt(vrpPath), { date: '2026-05-29' }),
      await then<Vrp>(endpointAt(vrpPath))
    ]
    expect(past).toEqual(live)
    expect([past.as_of, past.market_open]).toEqual(['2026-05-29T20:00:00.000Z', false])
    const row = rows.find(({ date }) => date === '2026-05-29')!
    expect([past.vrp.atm_iv, past.vrp.rv_20d]).toEqual([row.atm_iv, row.rv_20d])
  })

  test.each([
    [{ date: '2026-06-11' }, 'invalid_date'],
    [{ date: '2026-6-1' }, 'invalid_date'],
    [{ date: '2026-06-10' }, 'no_snapshot'], // its close is still to come
    [{ date: '2026-06-07' }, 'no_snapshot'] // a Sunday
  ])('for %j is %s', async (query, code) => {
    expect(await ask(endpointAt(vrpPath), query)).toBe(code)
  })

  test('of a symbol nobody knows is symbol_not_found, today and on any day', async () => {
    expect(await ask(endpointAt(vrpPath), {}, 'NOBODY')).toBe('symbol_not_found')
    expect(await ask(endpointAt(vrpPath), { date: '2026-05-29' }, 'NOBODY')).toBe('symbol_not_found')
  })

  test('moves with the price of its own history as the correlation says', async () => {
    const { spot_vol_correlation_60d: printed, as_of } = await ask<SpotVolCorrelation>(endpointAt(correlationPath))
    const days = rows.filter(({ atm_iv }) => atm_iv !== null).slice(-61)
    const returns = days.slice(1).map(({ spot }, k) => Math.log(spot / days[k].spot))
    const changes = days.slice(1).map(({ atm_iv }, k) => atm_iv! - days[k].atm_iv!)
    const [x, y] = [mean(returns), mean(changes)]
    const sum = (f: (k: number) => number) => returns.reduce((total, _, k) => total + f(k), 0)
    const covariance = sum((k) => (returns[k] - x) * (changes[k] - y))
    const scale = Math.sqrt(sum((k) => (returns[k] - x) ** 2) * sum((k) => (changes[k] - y) ** 2))
    expect(printed).toBeCloseTo(covariance / scale, 3)
    expect(as_of).toBe('2026-06-10T14:31:17.000Z')
  })
})

describe('the risk premium of a symbol without a usable chain', () => {
  const { chain } = handMade('one expiration')
  const bars: readonly DailyBar[] = walk(3, 70).map((bar, k) => ({
    ...bar,
    date: sessionsBefore('2026-07-29' as IsoDate, 70)[k]
  }))
  const macro = { levels: {}, ...noMacro }
  const records = madeUpRecords('2026-07-29' as IsoDate, 60)
  const answerOf = (inputs: object) => {
    const question = {
      params: { symbol: chain.symbol },
      inputs: { bars, records, macro, ...inputs },
      body: undefined,
      caller: []
    }
    return JSON.parse(answer(endpointAt(vrpPath), question)) as Vrp
  }

  test('has the realized side and no other, on the quote', () => {
    const empty = { ...chain, size: 0, expirations: [] }
    const { vrp, underlying_price, as_of, dealer_flow_risk, warnings, regime, strategy_scores, ...rest } = answerOf({
      anyChain: empty
    })
    expect([underlying_price, as_of]).toEqual([chain.spot, '2026-07-29T15:00:00.000Z'])
    expect(vrp.rv_20d).toBeGreaterThan(0)
    expect([vrp.atm_iv, vrp.vrp_20d, vrp.z_score, vrp.percentile, dealer_flow_risk]).toEqual(Array(5).fill(null))
    expect(vrp.history_days).toBe(records.filter(({ atmIv }) => atmIv !== undefined).length)
    expect(regime).toEqual({ gamma: 'unknown', vrp_regime: null, net_gex: null, gamma_flip: null })
    expect(Object.values(strategy_scores!)).toEqual([null, null, null, null])
    expect([rest.net_harvest_score, rest.fair_vol, rest.term_vrp, warnings]).toEqual([null, null, [], []])
  })

  test('rests on the last close where there is no quote either', () => {
    const { underlying_price, as_of, market_open } = answerOf({ anyChain: undefined })
    expect(underlying_price).toBe(Math.round(1e4 * bars[69].close) / 1e4)
    expect([as_of, market_open]).toEqual(['2026-07-28T20:00:00.000Z', false])
  })

  test('is no_data without a single bar', () => {
    expect(() => answerOf({ anyChain: undefined, bars: [] })).toThrow(expect.objectContaining({ code: 'no_data' }))
  })

  test('says that there is too little history', () => {
    const { warnings, strategy_scores, vrp } = answerOf({ anyChain: chain, records: records.slice(-4) })
    expect(warnings).toContain('insufficient_history_for_zscore')
    expect([strategy_scores, vrp.z_score, vrp.percentile]).toEqual([null, null, null])
  })
})

describe('the history of the premium', () => {
  const several = handMade('several expirations on a day of expiry')

  test('goes back as many calendar days as asked, and is empty for a known symbol without records', () => {
    const records = madeUpRecords('2026-07-29' as IsoDate, 60)
    const history = asked<VrpHistory>(historyPath, { ...several, records }, { days: '7' })!.history
    expect(history.map(({ date }) => date)).toEqual([
      '2026-07-22',
      '2026-07-23',
      '2026-07-24',
      '2026-07-27',
      '2026-07-28'
    ])
    const empty = asked<VrpHistory>(historyPath, { ...several, records: [] })
    expect(empty).toMatchObject({ days: 30, data_points: 0, history: [] })
  })

  test.each([
    ['0', 1],
    ['-3', 1],
    ['400', 365]
  ])('takes %s days for %i', (days, taken) => {
    expect(asked<VrpHistory>(historyPath, { ...several, records: [] }, { days })?.days).toBe(taken)
  })
})

describe('the correlation of spot with its volatility', () => {
  const several = handMade('several expirations on a day of expiry')
  const dates = sessionsBefore('2026-07-29' as IsoDate, 61)
  const market = (count: number, volatility: (k: number) => number | undefined): Market => ({
    ...several,
    records: dates.slice(-count).map((date, k) => recordOf(date, { close: 100 + (k % 2), atmIv: volatility(k) }))
  })

  test.each([
    [(k: number) => 20 - (k % 2), -1, 'strongly inverse'],
    [(k: number) => 20 + (k % 2), 1, 'strongly positive']
  ])('is told in words', (volatility, value, label) => {
    const answered = asked<SpotVolCorrelation>(correlationPath, market(61, volatility))!
    expect(answered.spot_vol_correlation_60d).toBeCloseTo(value, 2)
    expect(answered.interpretation.startsWith(label)).toBe(true)
  })

  test('is null where one side never changes or pairs are too few, and refused below three records', () => {
    const flat = asked<SpotVolCorrelation>(
      correlationPath,
      market(61, () => 20)
    )!
    expect([flat.spot_vol_correlation_20d, flat.data_points_20d]).toEqual([null, 0])
    expect(flat.interpretation.startsWith('insufficient')).toBe(true)
    const short = asked<SpotVolCorrelation>(
      correlationPath,
      market(21, (k) => 20 - (k % 2))
    )!
    expect([short.data_points_20d, short.data_points_60d, short.spot_vol_correlation_60d]).toEqual([20, 0, null])
    expect(
      asked(
        correlationPath,
        market(2, () => 20)
      )
    ).toBeUndefined()
    expect(
      asked(
        correlationPath,
        market(9, (k) => (k > 1 ? undefined : 20))
      )
    ).toBeUndefined()
  })
})

describe('the history of exposures', () => {
  const announced = '/v1/exposure/history/AAPL'
  const served = endpointsWith(['exposure-history'])

  test('is only announced unless the operator enables it', async () => {
    const { ask: request, keyOn, close } = service()
    const answered = await request(`${announced}?days=x`, keyOn('growth'))
    expect([answered.statusCode, answered.json().error]).toEqual([503, 'coming_soon'])
    await close()
  })

  test('has the newest session first, at most as many as asked for', async () => {
    const { ask: request, keyOn, close } = service({ endpoints: served })
    const key = keyOn('growth')
    const { days, count, snapshots } = (await request(`${announced}?days=3`, key)).json<ExposureHistory>()
    expect([days, count]).toEqual([3, 3])
    expect(snapshots.map(({ date }) => date)).toEqual(['2026-07-28', '2026-07-27', '2026-07-24'])
    for (const { net_gex, regime } of snapshots) expect(regime).toBe(net_gex > 0 ? 'positive_gamma' : 'negative_gamma')
    expect((await request(`${announced}?days=2.5`, key)).json().error).toBe('invalid_parameter')
    expect((await request(`${announced}?days=-1`, key)).json()).toMatchObject({ days: 1, count: 1 })
    await close()
  })

  test('tells a session without any exposure as undetermined, and an exact balance by its flip', () => {
    const endpoint = served.find(({ id }) => id === 'exposure.history')!
    const dates = sessionsBefore('2026-07-29' as IsoDate, 4)
    const noExposure = { netGex: undefined, netDex: undefined, netVex: undefined, netChex: undefined }
    const records = [
      recordOf(dates[0], { netGex: 0, gammaFlip: undefined }),
      recordOf(dates[1], { netGex: 0, gammaFlip: 100 }),
      recordOf(dates[2], { ...noExposure, gammaFlip: undefined, callWall: undefined, putWall: undefined }),
      recordOf(dates[3], { netGex: -5 })
    ]
    const question = { params: { symbol: 'AAPL', days: 30 }, inputs: { records }, body: undefined, caller: [] }
    const { snapshots } = JSON.parse(answer(endpoint, question)) as ExposureHistory
    expect(snapshots.map(({ regime }) => regime)).toEqual([
      'negative_gamma',
      'undetermined',
      'positive_gamma',
      'undetermined'
    ])
    const nothing = {
      net_gex: 0,
      net_dex: 0,
      net_vex: 0,
      net_chex: 0,
      gamma_flip: null,
      call_wall: null,
      put_wall: null
    }
    expect(snapshots[1]).toMatchObject({ date: dates[2], ...nothing })
  })

  test('changes nothing else of the list', () => {
    expect(served.map(({ id }) => id)).toEqual(endpoints.map(({ id }) => id))
    expect(served.filter((endpoint) => !endpoints.includes(endpoint)).map(({ id }) => id)).toEqual(['exposure.history'])
  })
})
