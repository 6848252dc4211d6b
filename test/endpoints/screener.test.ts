import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { answer } from '../../src/api/answer.ts'
import type { Entitlement } from '../../src/api/plan.ts'
import { screenerFields } from '../../src/endpoints/screener/fields.ts'
import type { PrintWindow } from '../../src/flow/tape-views.ts'
import { addDays } from '../../src/market/calendar.ts'
import { easternDate } from '../../src/market/eastern.ts'
import { BUY, SELL, SETS_NO_PRICE, sideOf } from '../../src/market/print.ts'
import type { Ticker } from '../../src/market/units.ts'
import { readScreen } from '../../src/screener/screen-request.ts'
import type { Screened } from '../../src/screener/screener-row.ts'
import { makeScreenerRow } from '../../src/workers/tasks/row-tasks.ts'
import { macro, rowInputs, rowOf } from '../screener/screened.ts'
import { asked, endpointAt } from '../support/asking.ts'
import { madeUpPositions } from '../support/made-up-flow.ts'
import { madeUpRecords } from '../support/made-up-records.ts'
import { allMarkets, type Market } from '../support/markets.ts'
import { tapesOf } from '../support/tapes-of-chain.ts'

type Node = { readonly [Name in string]: Figure | readonly Node[] | Node }
type Figure = number | string | boolean | null

const contract = resolve(import.meta.dirname, '../../../shared/contract/market.yaml')
const stated = existsSync(contract) ? parse(readFileSync(contract, 'utf8')).paths['/v1/screener'].post : undefined
if (stated === undefined)
  console.log('skipped: the contract is not beside the project, so the list of fields is not compared')

function screened(body: object, rows: Screened, caller: readonly Entitlement[] = ['full_screen']) {
  const task = { params: {}, inputs: { screened: rows, macro }, body: readScreen(body), caller }
  return JSON.parse(answer(endpointAt('/v1/screener'), task)) as { readonly meta: Node; readonly data: readonly Node[] }
}

/** The figure at a path of an answer: levels.call_wall. */
const at = (found: Node | undefined, path: string) =>
  path.split('.').reduce<unknown>((node, name) => (node as Node | null | undefined)?.[name], found) ?? null

/** The single-symbol answer that prints each field, and its name there. */
const twins: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/stockquote/{ticker}': { price: 'lastPrice', bid: 'bid', ask: 'ask', mid: 'mid' },
  '/v1/exposure/levels/{symbol}': {
    gamma_flip: 'levels.gamma_flip',
    call_wall: 'levels.call_wall',
    put_wall: 'levels.put_wall',
    max_positive_gamma: 'levels.max_positive_gamma',
    max_negative_gamma: 'levels.max_negative_gamma',
    highest_oi_strike: 'levels.highest_oi_strike',
    zero_dte_magnet: 'levels.zero_dte_magnet'
  },
  '/v1/stock/{symbol}/summary': {
    market_open: 'market_open',
    net_gex: 'exposure.net_gex',
    net_dex: 'exposure.net_dex',
    net_vex: 'exposure.net_vex',
    net_chex: 'exposure.net_chex',
    zero_dte_net_gex: 'exposure.zero_dte.net_gex',
    zero_dte_pct_of_total: 'exposure.zero_dte.pct_of_total',
    atm_iv: 'volatility.atm_iv',
    hv_20: 'volatility.hv_20',
    hv_60: 'volatility.hv_60',
    skew_25d: 'volatility.skew_25d.skew_25d',
    smile_ratio: 'volatility.skew_25d.smile_ratio',
    put_call_ratio: 'options_flow.pc_ratio_oi',
    pc_ratio_oi: 'options_flow.pc_ratio_oi',
    pc_ratio_volume: 'options_flow.pc_ratio_volume',
    total_call_oi: 'options_flow.total_call_oi',
    total_put_oi: 'options_flow.total_put_oi',
    total_call_volume: 'options_flow.total_call_volume',
    total_put_volume: 'options_flow.total_put_volume',
    active_expirations: 'options_flow.active_expirations',
    vix: 'macro.vix.value',
    vvix: 'macro.vvix.value',
    move: 'macro.move.value',
    vix_3m: 'macro.vix_term_structure.levels.vix3m',
    vix_term_slope_pct: 'macro.vix_futures.basis_pct',
    fear_and_greed: 'macro.fear_and_greed.score'
  },
  '/v1/volatility/{symbol}': {
    rv_5d: 'realized_vol.rv_5d',
    rv_10d: 'realized_vol.rv_10d',
    rv_20d: 'realized_vol.rv_20d',
    rv_30d: 'realized_vol.rv_30d',
    rv_60d: 'realized_vol.rv_60d',
    vrp_5d: 'iv_rv_spreads.vrp_5d',
    vrp_10d: 'iv_rv_spreads.vrp_10d',
    vrp_20d: 'iv_rv_spreads.vrp_20d',
    vrp_30d: 'iv_rv_spreads.vrp_30d',
    vrp_assessment: 'iv_rv_spreads.assessment',
    term_state: 'term_structure.state',
    near_slope_pct: 'term_structure.near_slope_pct',
    far_slope_pct: 'term_structure.far_slope_pct',
    atm_spread_pct: 'liquidity.atm_avg_spread_pct'
  },
  '/v1/vrp/{symbol}': {
    vrp_regime: 'regime.vrp_regime',
    harvest_score: 'net_harvest_score',
    dealer_flow_risk: 'dealer_flow_risk',
    short_put_spread_score: 'strategy_scores.short_put_spread',
    short_strangle_score: 'strategy_scores.short_strangle',
    iron_condor_score: 'strategy_scores.iron_condor',
    calendar_spread_score: 'strategy_scores.calendar_spread',
    vrp_z_score: 'vrp.z_score',
    vrp_percentile: 'vrp.percentile'
  }
}

let markets: readonly Market[]
beforeAll(async () => {
  markets = (await allMarkets()).map((market, k) => ({
    ...market,
    macro,
    records: madeUpRecords(easternDate(market.chain.asOf), [75, 30, 3, 64, 0, 70][k % 6]),
    reports: k % 2 === 0 ? [] : [addDays(easternDate(market.chain.asOf), 9)]
  }))
})

const rowsOf = (market: Market): Screened => ({
  now: market.chain.asOf,
  rows: [rowOf(market)],
  missing: [],
  presets: {}
})

/** USD that customers paid less what they took, print by print. */
function premiumOf({ prints, unit }: PrintWindow): number {
  let cents = 0
  for (let k = 0; k < prints.length; k++) {
    if ((prints.flags[k] & SETS_NO_PRICE) !== 0) continue
    const side = sideOf(prints.judged[k])
    cents += (side === BUY ? 1 : side === SELL ? -1 : 0) * prints.price[k] * prints.size[k]
  }
  return Math.round(100 * 100 * cents * unit) / 100
}

describe('a row of the screener', () => {
  test.each(Object.entries(twins))('says what %s says', (path, names) => {
    let compared = 0
    for (const market of markets) {
      const [row] = screened({}, rowsOf(market)).data
      const twin = asked<Node>(path, market)
      if (twin === undefined) continue
      const expected = Object.fromEntries(Object.entries(names).map(([name, place]) => [name, at(twin, place)]))
      const found = Object.fromEntries(Object.keys(names).map((name) => [name, row[name]]))
      expect(found, market.name).toEqual(expected)
      compared++
    }
    expect(compared).toBeGreaterThan(15)
  })

  test('states of flow what the answers about flow state, and nothing without a tape', async () => {
    for (const given of markets) {
      const { chain } = given
      const market = { ...given, positions: madeUpPositions(chain) }
      const { optionTotals: totals, optionMinutes, optionPrints } = tapesOf(chain)
      const [{ boughtMoney, soldMoney, ...header }] = optionMinutes
      const sumOf = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0)
      const money = { ...header, boughtMoney: sumOf(boughtMoney), soldMoney: sumOf(soldMoney) }
      const flow = { positions: market.positions, totals, money, hedgeFlow: -12.5 }
      const made = await makeScreenerRow.run({ ...rowInputs(market), flow }, {} as never)
      const row = { ...made, rank: undefined, tier: undefined, chain }
      const names = [
        'net_option_volume',
        'net_premium',
        'flow_direction',
        'flow_gex_pct_shift',
        'hedge_flow_cumulative'
      ]
      const [found] = screened({ select: names }, { now: chain.asOf, rows: [row], missing: [], presets: {} }).data
      const summary = asked<Node>('/v1/flow/options/{symbol}/summary', market)!
      const risk = asked<Node>('/v1/flow/dealer-risk/{symbol}', market)
      expect(
        names.map((name) => found[name]),
        market.name
      ).toEqual([
        summary['netVolume'],
        premiumOf(optionPrints),
        risk?.['flow_direction'] ?? null,
        risk?.['flow_gex_pct_shift'] ?? null,
        -12.5
      ])
      const [without] = screened({ select: names }, rowsOf(market)).data
      expect(
        names.map((name) => without[name]),
        market.name
      ).toEqual(names.map(() => null))
    }
  })

  test('states the regime that the summary states, and none where that is undetermined', () => {
    for (const market of markets) {
      const [row] = screened({ select: ['regime'] }, rowsOf(market)).data
      const regime = asked<Node>('/v1/exposure/summary/{symbol}', market)?.['regime'] ?? null
      expect(row['regime'], market.name).toBe(regime === 'undetermined' ? null : regime)
    }
  })

  test('has a tree of expirations and strikes that say what gex says of each date', () => {
    for (const market of markets.filter(({ chain }) => chain.size < 4000)) {
      const [row] = screened({ select: ['expiry_aggregates'] }, rowsOf(market)).data
      for (const expiry of (row['expiry_aggregates'] as readonly Node[]).slice(0, 6)) {
        const gex = asked<Node>('/v1/exposure/gex/{symbol}', market, { expiration: expiry['expiry'] as string })!
        const dex = asked<Node>('/v1/exposure/dex/{symbol}', market, { expiration: expiry['expiry'] as string })!
        if (expiry['net_gex'] !== null) {
          expect(expiry, market.name).toMatchObject({ net_gex: gex['net_gex'], net_dex: dex['net_dex'] })
        }
        const strikes = new Map((expiry['strike_aggregates'] as readonly Node[]).map((each) => [each['strike'], each]))
        for (const twin of gex['strikes'] as readonly Node[]) {
          const { call_gex, put_gex, net_gex, call_oi, put_oi, call_volume, put_volume } = twin
          const figures = { call_gex, put_gex, net_gex, call_oi, put_oi, call_volume, put_volume }
          expect(strikes.get(twin['strike']!), market.name).toMatchObject(figures)
        }
      }
    }
  })

  test('has contracts that say what their quotes say', () => {
    for (const market of markets.filter(({ chain }) => chain.size < 1500)) {
      const [row] = screened({ select: ['expiry_aggregates'] }, rowsOf(market)).data
      const contracts = (row['expiry_aggregates'] as readonly Node[]).flatMap((expiry) =>
        (expiry['strike_aggregates'] as readonly Node[]).flatMap((strike) =>
          (strike['contracts'] as readonly Node[]).map((each) => ({
            ...each,
            at: `${expiry['expiry']} ${strike['strike']}`
          }))
        )
      )
      const quotes = (asked<readonly Node[]>('/optionquote/{ticker}', market) ?? []).map((quote) => {
        const {
          type,
          delta,
          open_interest: oi,
          volume,
          bid,
          ask,
          mid,
          implied_vol,
          gamma,
          theta,
          vega,
          vanna,
          charm
        } = quote
        const greeks = { implied_vol, gamma, theta, vega, vanna, charm }
        return { type, delta, oi, volume, bid, ask, mid, ...greeks, at: `${quote['expiry']} ${quote['strike']}` }
      })
      const sorted = (list: readonly object[]) =>
        list.map((each) => JSON.stringify(each, Object.keys(each).sort())).sort()
      expect(sorted(contracts.map(({ spread_pct: _, ...each }: Node) => each)), market.name).toEqual(sorted(quotes))
    }
  })
})

describe('an answer of the screener', () => {
  test('counts what it looked at, and names the plan by what the caller may see', () => {
    const { meta, data } = screened({ limit: 3 }, rowsOf(markets[0]), [])
    expect(meta).toMatchObject({ universe_size: 0, total_count: 0, returned_count: 0, limit: 3, tier: 'growth' })
    expect(data).toEqual([])
    expect(screened({}, rowsOf(markets[0])).meta).toMatchObject({ universe_size: 1, returned_count: 1, tier: 'alpha' })
  })

  test('counts the symbols without a row that plan and universe allow', () => {
    const known = (symbol: string, rank?: number, tier?: 1 | 2) => ({ symbol: symbol as Ticker, rank, tier })
    const missing = [known('ZZA', 3, 1), known('ZZB', 4, 2), known('ZZC')]
    const partly = { ...rowsOf(markets[0]), missing, presets: { mine: ['ZZB' as Ticker] } }
    const counted = (universe?: object, entitlements?: readonly []) => {
      const { meta } = screened(universe === undefined ? {} : { universe }, partly, entitlements)
      return [meta.universe_size, meta.missing_count]
    }
    expect(counted()).toEqual([1, 3])
    expect(counted(undefined, [])).toEqual([0, 1])
    expect(counted({ type: 'preset', value: 'mine' })).toEqual([0, 1])
    expect(counted({ type: 'preset', value: 'tier1' })).toEqual([0, 1])
    expect(counted({ type: 'custom', symbols: ['ZZA', 'ZZC', 'NOBODY'] })).toEqual([0, 2])
    const many = Array.from({ length: 30 }, (_, rank) => known(`Z${rank}`, rank, 1))
    expect(screened({}, { ...partly, missing: many }, []).meta.missing_count).toBe(20)
  })

  test('refuses by the codes of the contract', () => {
    const codeOf = (body: object) => {
      try {
        screened(body, rowsOf(markets[0]))
      } catch (error) {
        return error
      }
      return undefined
    }
    expect(codeOf({ select: ['nothing'] })).toMatchObject({ code: 'validation_error', status: 400 })
    const formulas = [{ alias: 'a', expression: '+ atm_iv' }]
    expect(codeOf({ formulas })).toMatchObject({ code: 'formula_error', status: 400, detail: { position: 0 } })
  })
})

describe('the fields', () => {
  const listed = JSON.parse(
    answer(endpointAt('/v1/screener/fields'), { params: {}, inputs: {}, body: undefined, caller: [] })
  )

  test('are listed by name, each once', () => {
    const names = listed.fields.map(({ name }: Node) => name)
    expect(names).toEqual([...new Set(names)].sort())
    expect(listed.count).toBe(names.length)
    expect(names).toHaveLength(screenerFields.byName.size)
  })

  test.runIf(stated !== undefined)('are those of the contract, with their types, levels and plans', () => {
    const wanted = stated['x-screener-fields'].map(({ name, type, level, plan }: Node) => ({
      name,
      type,
      level,
      min_plan: plan
    }))
    const byName = (a: Node, b: Node) => (a['name']! < b['name']! ? -1 : 1)
    expect(listed.fields).toEqual(wanted.sort(byName))
  })

  test.runIf(stated !== undefined)('stand in the order of the contract in a row', () => {
    const wanted = stated['x-screener-fields']
      .filter(({ level }: Node) => level === 'stock')
      .map(({ name }: Node) => name)
    const [row] = screened({}, rowsOf(markets[0])).data
    expect(Object.keys(row).slice(0, wanted.length)).toEqual(wanted)
  })
})
