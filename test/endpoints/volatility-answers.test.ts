import { describe, expect, test } from 'vitest'
import { answer } from '../../src/api/answer.ts'
import { ApiError } from '../../src/api/error.ts'
import { loadInputs } from '../../src/api/inputs/load.ts'
import type { MarketSource } from '../../src/api/market-source.ts'
import { readParameters } from '../../src/api/params.ts'
import { defaultPlans } from '../../src/api/plan.ts'
import type { DailyBar } from '../../src/market/bar.ts'
import { CALL } from '../../src/market/chain.ts'
import { instantOfEastern } from '../../src/market/eastern.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { normalPdf } from '../../src/math/normal.ts'
import type { PricedChain } from '../../src/pricing/price-chain.ts'
import { acceptedSlices, slices } from '../../src/volatility/smile/slice.ts'
import { totalVariance } from '../../src/volatility/svi/svi.ts'
import { asked, endpointAt, textOf } from '../support/asking.ts'
import { ladder, sketched } from '../support/hand-made.ts'
import { handMade, type Market, priced, syntheticMarket } from '../support/markets.ts'
import { barsOfCloses, walk } from '../volatility/made-up-bars.ts'
import type {
  AdvVolatility,
  Dispersion,
  Forecast,
  Liquidity,
  OptionQuote,
  Realized,
  VixState,
  Volatility
} from './answers.ts'

const spy = await syntheticMarket('SPY', '2026-06-10', '10:31:17')
const several = handMade('several expirations on a day of expiry')
const withBars = (bars: readonly DailyBar[], market: Market = several): Market => ({ ...market, bars })
const codeOf = (path: string, market: Market, query = {}) => {
  const result = textOf(endpointAt(path), market, query)
  return 'code' in result ? result.code : undefined
}

describe('realized volatility', () => {
  const path = '/v1/volatility/realized/{symbol}'

  test('is reproduced from the bars by formulas written anew', () => {
    const bars = walk(5, 80)
    const { estimators, as_of, underlying_price } = asked<Realized>(path, withBars(bars))!
    const last = bars[bars.length - 1]
    expect([underlying_price, as_of.slice(0, 10)]).toEqual([Math.round(1e4 * last.close) / 1e4, last.date])
    const ln = (a: number, b: number) => Math.log(a / b)
    const variance = (values: readonly number[]) => {
      const centre = values.reduce((sum, x) => sum + x, 0) / values.length
      return values.reduce((sum, x) => sum + (x - centre) ** 2, 0) / (values.length - 1)
    }
    for (const n of [10, 20, 30] as const) {
      const days = bars.slice(-n)
      const before = bars.slice(-n - 1, -1)
      const average = (of: (bar: DailyBar) => number) => days.reduce((sum, bar) => sum + of(bar), 0) / n
      const rs = average(({ open: o, high: h, low: l, close: c }) => ln(h, c) * ln(h, o) + ln(l, c) * ln(l, o))
      const body = (2 * Math.LN2 - 1) * average(({ open: o, close: c }) => ln(c, o) ** 2)
      const kappa = 0.34 / (1.34 + (n + 1) / (n - 1))
      const nights = variance(days.map(({ open }, i) => ln(open, before[i].close)))
      const bodies = variance(days.map(({ open, close }) => ln(close, open)))
      const daily = {
        close_to_close: variance(days.map(({ close }, i) => ln(close, before[i].close))),
        parkinson: average(({ high, low }) => ln(high, low) ** 2) / (4 * Math.LN2),
        garman_klass: 0.5 * average(({ high, low }) => ln(high, low) ** 2) - body,
        rogers_satchell: rs,
        yang_zhang: nights + kappa * bodies + (1 - kappa) * rs
      }
      for (const [name, value] of Object.entries(daily)) {
        const found = estimators[name as keyof typeof daily][`rv${n}`]
        expect(Math.abs(found! - 100 * Math.sqrt(252 * value)), `${name} ${n}`).toBeLessThan(0.0001)
      }
    }
  })

  test.each([
    [10, 'insufficient_history'],
    [11, undefined]
  ])('from %i bars: %s', (count, code) => {
    const market = withBars(walk(5, count))
    expect(codeOf(path, market)).toBe(code)
    if (code !== undefined) return
    const { estimators } = asked<Realized>(path, market)!
    expect(estimators.close_to_close).toEqual({ rv10: expect.any(Number), rv20: null, rv30: null })
    expect(estimators.yang_zhang.rv10).toEqual(expect.any(Number))
  })
})

describe('the forecast', () => {
  const path = '/v1/volatility/forecast/{symbol}'

  test.each([
    [60, 'insufficient_history'],
    [61, undefined]
  ])('from %i bars: %s', (count, code) => {
    const market = withBars(walk(6, count))
    expect(codeOf(path, market)).toBe(code)
    if (code === undefined) expect(asked<Forecast>(path, market)!.garch.converged).toBe(false)
  })

  test('names the innovations it is asked for, and refuses others', () => {
    const market = withBars(walk(7, 600))
    for (const dist of ['gaussian', 'STUDENT_T']) {
      expect(asked<Forecast>(path, market, { dist })!.garch.distribution).toBe(dist.toLowerCase())
    }
    expect(codeOf(path, market, { dist: 'normal' })).toBe('invalid_dist')
  })
})

describe('the dashboard', () => {
  test('reads no premium without bars, and all of it with them', () => {
    const path = '/v1/volatility/{symbol}'
    const without = asked<Volatility>(path, withBars([]))!
    expect(Object.values(without.realized_vol)).toEqual([null, null, null, null, null])
    expect(without.iv_rv_spreads.assessment).toBeNull()
    const quiet = asked<Volatility>(path, withBars(barsOfCloses(Array.from({ length: 90 }, () => 100))))!
    expect(quiet.realized_vol.rv_60d).toBe(0)
    expect(quiet.iv_rv_spreads).toMatchObject({ vrp_20d: quiet.atm_iv, assessment: 'very_high_premium' })
  })
})

describe('a grid of greeks', () => {
  test('has the greeks of its formulas at the volatility of the contract out of the money', () => {
    const { chain } = spy
    const { greeks_surfaces } = asked<AdvVolatility>('/v1/adv_volatility/{symbol}', spy)!
    const { strikes, expiries } = greeks_surfaces.vanna
    let compared = 0
    expiries.forEach((expiry, row) => {
      const slice = slices(chain).find(({ date }) => date === expiry)!
      const { rate: r, dividendYield: q, t, clockYield } = chain.carries[slice.at]
      strikes.forEach((strike, column) => {
        const sigma = outside(chain, slice.at, strike, slice.forward)
        if (sigma === undefined) return
        compared++
        const s = chain.spot
        const total = sigma * Math.sqrt(t)
        const d1 = (Math.log(s / strike) + (r - q + sigma ** 2 / 2) * t) / total
        const d2 = d1 - total
        const carried = Math.exp(-q * t) * normalPdf(d1)
        const gamma = carried / (s * total)
        const at = (name: keyof typeof greeks_surfaces) => greeks_surfaces[name].values[row][column]!
        close(at('vanna'), (-carried * d2) / sigma)
        close(at('volga'), (s * carried * Math.sqrt(t) * d1 * d2) / sigma)
        close(at('speed'), (-gamma / s) * (d1 / total + 1))
        if (clockYield === q) close(at('charm'), charmOf(chain, slice.at, strike))
      })
    })
    expect(compared).toBeGreaterThan(500)
    const spacing = Math.min(...strikes.map((strike) => Math.abs(strike - chain.spot)))
    expect(spacing).toBe(Math.min(...Array.from(chain.strike, (strike) => Math.abs(strike - chain.spot))))
  })

  const close = (found: number, exact: number) =>
    expect(Math.abs(found - exact)).toBeLessThanOrEqual(1e-6 * Math.abs(exact) + 1e-12)
  const slotsAt = (chain: PricedChain, at: number, strike: number) => {
    const { start, end } = chain.expirations[at]
    return Array.from({ length: end - start }, (_, k) => start + k).filter((i) => chain.strike[i] === strike)
  }
  const outside = (chain: PricedChain, at: number, strike: number, forward: number) => {
    const found = slotsAt(chain, at, strike).find((i) => (chain.right[i] === CALL) === strike > forward)
    return found === undefined || Number.isNaN(chain.sigma[found]) ? undefined : chain.sigma[found]
  }
  /** Both sides of a strike share a volatility here only where one is lent to the other. */
  const charmOf = (chain: PricedChain, at: number, strike: number) => {
    const call = slotsAt(chain, at, strike).find((i) => chain.right[i] === CALL)!
    const { forward } = chain.carries[at]
    if (strike > forward) return chain.charm[call]
    const { dividendYield: q, t } = chain.carries[at]
    const put = slotsAt(chain, at, strike).find((i) => chain.right[i] !== CALL)!
    // delta call - delta put = e^(-qT), and a day passing changes T by -1/365.
    return chain.charm[put] + (q * Math.exp(-q * t)) / 365
  }
})

describe('liquidity', () => {
  test('of one chain adds up by hand', () => {
    const quote = (strike: number, right: number) =>
      strike === 100 ? ([right === CALL ? 1.98 : 0, 2.02] as const) : ([0.9, 1.1] as const)
    const oi = (strike: number) => (strike === 100 ? 1000 : 500)
    const series = { strikes: ladder(90, 110, 10), quote, oi }
    const chain = priced(
      sketched({
        date: '2026-07-29',
        time: '11:00',
        spot: 100.3,
        series: [
          { ...series, date: '2026-08-21' },
          { ...series, date: '2026-09-18', oi: 0, quote: () => [0, 0] as const }
        ]
      })
    )
    const market: Market = { name: 'by hand', chain, prior: undefined, vix: undefined }
    const found = asked<Liquidity>('/v1/liquidity/{symbol}', market)!
    // At 100: the call quotes 1.98 to 2.02, a spread of 2 %; the put has no bid. The four others quote 20 % wide.
    const weighted = (1000 * 2 + 4 * 500 * 20) / 3000
    const score = Math.round(70 * Math.exp(-1) + 30 * 0.4)
    expect(found.expiries[0]).toMatchObject({ atm_spread_pct: 2, weighted_spread_pct: 14, atm_oi: 2000 })
    expect(weighted).toBe(14)
    expect(found.expiries[0]).toMatchObject({ execution_score: score, label: 'wide' })
    expect(found.expiries[1]).toMatchObject({ atm_spread_pct: null, weighted_spread_pct: null, execution_score: 0 })
    expect(found).toMatchObject({
      chain_execution_score: score,
      best_expiry: '2026-08-21',
      worst_expiry: '2026-09-18',
      thin_expiry_count: 1
    })
  })
})

describe('svi_vol of an option quote', () => {
  test('is the fitted smile at the strike on Alpha, and withheld below', () => {
    const endpoint = endpointAt('/optionquote/{ticker}')
    const rowsFor = (caller: readonly 'svi'[]) => {
      const result = textOf(endpoint, spy, {}, caller)
      return JSON.parse('text' in result ? result.text : '[]') as readonly OptionQuote[]
    }
    const accepted = new Map(acceptedSlices(spy.chain).map((slice) => [slice.date as string, slice]))
    let fitted = 0
    for (const { expiry, strike, svi_vol, svi_vol_gated } of rowsFor(['svi'])) {
      const slice = accepted.get(expiry)
      if (slice === undefined) {
        expect([svi_vol, svi_vol_gated]).toEqual([null, 'not_fitted'])
        continue
      }
      fitted++
      const sigma = Math.sqrt(totalVariance(slice.svi, Math.log(strike / slice.forward)) / slice.t)
      expect(Math.abs(svi_vol! - sigma)).toBeLessThan(1e-6)
      expect(svi_vol_gated).toBeNull()
    }
    expect(fitted).toBeGreaterThan(1000)
    expect(new Set(rowsFor([]).map((row) => row.svi_vol_gated))).toEqual(new Set(['requires_alpha_tier']))
  })
})

describe('refusals', () => {
  test.each([
    ['/v1/surface/{symbol}/svi', 'one strike', 'symbol_not_found'],
    ['/v1/volatility/skew-term/{symbol}', 'one strike', 'no_data'],
    ['/v1/volatility/{symbol}', 'nothing left after the close', 'no_data'],
    ['/v1/adv_volatility/{symbol}', 'nothing left after the close', 'no_data'],
    ['/v1/expected-move/{symbol}', 'nothing left after the close', 'no_data'],
    ['/v1/liquidity/{symbol}', 'nothing left after the close', 'no_data'],
    ['/v1/macro/vix-state', 'one expiration', 'no_vix']
  ])('%s of %s is %s', (path, name, code) => {
    expect(codeOf(path, handMade(name))).toBe(code)
  })

  test.each([
    [{ expiry: 'tomorrow' }, 'invalid_expiry'],
    [{ expiration: '2026-02-30' }, 'invalid_expiry'],
    [{ expiry: '2026-08-06' }, 'no_data']
  ])('an expected move of %j is %s', (query, code) => {
    expect(codeOf('/v1/expected-move/{symbol}', several, query)).toBe(code)
  })

  test('a VIX without bars of SPX beside it is no_rv_data', () => {
    expect(codeOf('/v1/macro/vix-state', withBars(walk(1, 20)))).toBe('no_rv_data')
    const flat = asked<VixState>('/v1/macro/vix-state', withBars(barsOfCloses(Array.from({ length: 30 }, () => 5))))!
    expect(flat).toMatchObject({ vix: 17.35, spx_rv_20d: 0, spread: 17.35, ratio: null, state: 'overvixing' })
  })

  test.each([
    ['/v1/volatility/{symbol}', 'growth'],
    ['/v1/adv_volatility/{symbol}', 'alpha'],
    ['/v1/volatility/realized/{symbol}', 'alpha'],
    ['/v1/volatility/forecast/{symbol}', 'alpha'],
    ['/v1/volatility/skew-term/{symbol}', 'growth'],
    ['/v1/expected-move/{symbol}', 'basic'],
    ['/v1/liquidity/{symbol}', 'growth'],
    ['/v1/dispersion', 'alpha'],
    ['/v1/macro/vix-state', 'growth'],
    ['/v1/surface/{symbol}/svi', 'alpha']
  ] as const)('%s is sold from %s on', (path, plan) => {
    expect(endpointAt(path).plan).toBe(plan)
    expect(defaultPlans.byId(plan)).toBeDefined()
  })
})

describe('dispersion', () => {
  const endpoint = endpointAt('/v1/dispersion')
  const [index, one, two] = ['INDEX', 'ONE', 'TWO'] as Ticker[]
  const chainOf = (symbol: string, sigma: number) =>
    priced(
      sketched({
        symbol,
        date: '2026-07-29',
        time: '11:00',
        spot: 100,
        series: [{ date: '2026-08-28', strikes: ladder(80, 120, 2.5), sigma }]
      })
    )
  const dead = priced(sketched({ ...{ symbol: 'DEAD', date: '2026-07-29', time: '11:00', spot: 100 }, series: [] }))
  const chains = new Map([
    [index, chainOf('INDEX', 0.15)],
    [one, chainOf('ONE', 0.2)],
    [two, chainOf('TWO', 0.3)],
    ['DEAD' as Ticker, dead]
  ])
  const bars = walk(3, 400)
  const inverse = bars.map((bar) => ({ ...bar, close: 1e4 / bar.close }))
  const histories = new Map([
    [index, bars],
    [one, bars],
    [two, inverse]
  ])
  const source = {
    now: () => instantOfEastern(bars.at(-1)!.date, 17 * 60),
    chain: (symbol: Ticker) => chains.get(symbol),
    bars: async (symbol: Ticker) => histories.get(symbol) ?? []
  } as unknown as MarketSource
  const ask = async (query: Readonly<Record<string, string>>): Promise<Dispersion | string> => {
    try {
      const params = readParameters(endpoint.params, {}, query, { today: '2026-07-29' as IsoDate })
      endpoint.check(params as never)
      const { inputs } = await loadInputs(endpoint, params, { source, maxAge: 0, keyless: false })
      for (const list of inputs.histories!.values()) {
        expect(list.length).toBeLessThanOrEqual((params['horizon_days'] as number) + 40)
      }
      return JSON.parse(answer(endpoint, { params, inputs, body: undefined, caller: [] }))
    } catch (error) {
      if (error instanceof ApiError) return error.code
      throw error
    }
  }

  test('weighs volatilities and correlations of its constituents', async () => {
    const found = (await ask({ index: 'index', symbols: 'one, ,two,NOBODY,DEAD', weights: '3,1,5,5' })) as Dispersion
    expect(found.missing_symbols).toEqual(['NOBODY', 'DEAD'])
    expect(found.top_contributors.map(({ symbol, weight }) => [symbol, weight])).toEqual([
      ['ONE', 0.75],
      ['TWO', 0.25]
    ])
    const alone = (0.75 * 0.2) ** 2 + (0.25 * 0.3) ** 2
    const implied = (0.15 ** 2 - alone) / ((0.75 * 0.2 + 0.25 * 0.3) ** 2 - alone)
    expect(found.implied_correlation).toBeCloseTo(implied, 2)
    // One moves with the index and the other against it.
    expect(found.realized_correlation).toBe(0.5)
  })

  test('reads duplicates as one holding with both weights', async () => {
    const found = (await ask({ index: 'INDEX', symbols: 'ONE,TWO,one', weights: '1,2,1' })) as Dispersion
    expect(found.top_contributors.map(({ symbol, weight }) => [symbol, weight])).toEqual([
      ['TWO', 0.5],
      ['ONE', 0.5]
    ])
  })

  test.each([
    [{ symbols: 'ONE' }, 'missing_index'],
    [{ index: 'INDEX' }, 'missing_symbols'],
    [{ index: 'INDEX', symbols: ' , ' }, 'missing_symbols'],
    [{ index: 'INDEX', symbols: Array.from({ length: 51 }, (_, k) => `S${k}`).join() }, 'too_many_symbols'],
    [{ index: 'INDEX', symbols: 'ONE,ONE', weights: '1' }, 'weight_count_mismatch'],
    [{ index: 'INDEX', symbols: 'ONE', weights: 'half' }, 'invalid_weights'],
    [{ index: 'INDEX', symbols: 'ONE', weights: '-1' }, 'invalid_weights'],
    [{ index: 'INDEX', symbols: 'ONE', weights: '0' }, 'invalid_weights'],
    [{ index: 'INDEX', symbols: 'ONE', horizon_days: '20.5' }, 'invalid_parameter'],
    [{ index: 'NOBODY', symbols: 'ONE' }, 'index_not_found'],
    [{ index: 'a b', symbols: 'ONE' }, 'index_not_found'],
    [{ index: 'INDEX', symbols: 'NOBODY' }, 'no_data']
  ])('%j is %s', async (query, code) => {
    expect(await ask(query as Readonly<Record<string, string>>)).toBe(code)
  })

  test('moves a horizon out of range to the nearest bound', async () => {
    for (const [horizon_days, used] of [
      ['1', 5],
      ['999', 252]
    ] as const) {
      expect(await ask({ index: 'INDEX', symbols: 'ONE,TWO', horizon_days })).toMatchObject({ horizon_days: used })
    }
  })

  test('of an index without any volatility is no_index_iv', async () => {
    const mute = priced(
      sketched({
        symbol: 'MUTE',
        date: '2026-07-29',
        time: '11:00',
        spot: 100,
        series: [{ date: '2026-08-28', strikes: [100], quote: () => [0, 0] as const }]
      })
    )
    chains.set('MUTE' as Ticker, mute)
    expect(await ask({ index: 'MUTE', symbols: 'ONE' })).toBe('no_index_iv')
  })
})
