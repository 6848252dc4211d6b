import { describe, expect, test } from 'vitest'
import { answer } from '../../src/api/answer.ts'
import { ApiError } from '../../src/api/error.ts'
import { loadInputs } from '../../src/api/inputs/load.ts'
import type { MarketSource } from '../../src/api/market-source.ts'
import { createSynthetic } from '../../src/connectors/synthetic/synthetic-connector.ts'
import type { DailyBar } from '../../src/market/bar.ts'
import type { Macro } from '../../src/market/macro.ts'
import { publishedBars } from '../../src/market/macro-series.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { asked, endpointAt } from '../support/asking.ts'
import { eastern, ladder, sketched } from '../support/hand-made.ts'
import { handMade, type Market, madeUpMacro, priced } from '../support/markets.ts'
import { chainOf, leaning, series } from '../volatility/chains.ts'
import type { StockSummary } from './answers.ts'

const path = '/v1/stock/{symbol}/summary'
const several = handMade('several expirations on a day of expiry')
const summaryOf = (market: Market) => asked<StockSummary>(path, market)!
const marketOf = (chain: Market['chain']): Market => ({ ...several, chain })

describe('the wider market', () => {
  const nothing: Macro = madeUpMacro({ vix: undefined })
  const macroOf = (change: Partial<Macro>) => summaryOf({ ...several, macro: { ...nothing, ...change } }).macro
  const level = (value: number, previous?: number) => ({ value, previous })

  test('is told with its change since the close before', () => {
    const { vix, vvix, spx } = macroOf({ levels: { vix: level(17.1, 18), vvix: level(92), spx: level(6500, 6400) } })
    expect(vix).toEqual({ value: 17.1, change: -0.9, change_pct: -5 })
    expect(vvix).toEqual({ value: 92, change: null, change_pct: null })
    expect(spx).toEqual({ value: 6500, change: 100, change_pct: 1.5625 })
  })

  test('is null where nobody quotes it', () => {
    expect(macroOf({})).toEqual({
      vix: null,
      vvix: null,
      skew: null,
      spx: null,
      move: null,
      vix_term_structure: null,
      vix_futures: null,
      fear_and_greed: null
    })
  })

  test('has the shape of the term structure and the futures from the levels', () => {
    const { vix_term_structure, vix_futures } = macroOf({
      levels: { vix9d: level(15), vix: level(16), vix3m: level(20) }
    })
    expect(vix_term_structure).toEqual({
      levels: { vix9d: 15, vix: 16, vix3m: 20, vix6m: null },
      near_slope_pct: 6.6667,
      structure: 'contango'
    })
    expect(vix_futures).toEqual({ front_month: 20, spot: 16, spread: 4, basis_pct: 25, basis: 'contango' })
  })

  test('is in backwardation when the near index is above the far one, and not when they are level', () => {
    const shape = (vix: number, vix3m: number) => {
      const { vix_term_structure, vix_futures } = macroOf({ levels: { vix: level(vix), vix3m: level(vix3m) } })
      expect(vix_futures!.basis).toBe(vix_term_structure!.structure)
      expect(vix_term_structure!.near_slope_pct).toBeNull()
      return vix_futures!.basis
    }
    expect([shape(30, 27), shape(27, 27), shape(26.99, 27)]).toEqual(['backwardation', 'contango', 'contango'])
  })

  test('has no term structure with one of the two levels alone', () => {
    for (const levels of [{ vix: level(17) }, { vix3m: level(19), vix9d: level(15) }]) {
      const { vix_term_structure, vix_futures } = macroOf({ levels })
      expect([vix_term_structure, vix_futures]).toEqual([null, null])
    }
  })

  test.each([
    [0, 'Extreme Fear'],
    [24, 'Extreme Fear'],
    [24.5, 'Fear'],
    [44, 'Fear'],
    [45, 'Neutral'],
    [55, 'Neutral'],
    [56, 'Greed'],
    [75.4, 'Greed'],
    [76, 'Extreme Greed'],
    [100, 'Extreme Greed']
  ])('has a mood of %s in words: %s', (fearAndGreed, rating) => {
    expect(macroOf({ fearAndGreed }).fear_and_greed).toEqual({ score: Math.round(fearAndGreed), rating })
  })
})

describe('exposure', () => {
  test('is null where no contract has greeks, while the open interest is still counted', () => {
    const { exposure, options_flow, volatility } = summaryOf(handMade('no quotes'))
    expect(exposure).toBeNull()
    expect(options_flow.total_call_oi).toBeGreaterThan(0)
    expect(volatility).toMatchObject({ atm_iv: null, vrp: null, skew_25d: null, iv_term_structure: [] })
  })

  test('is null for a symbol without options, which still has a price', () => {
    const empty = priced(sketched({ date: '2026-07-29', time: '11:00', spot: 100.3, series: [] }))
    const { exposure, options_flow, price } = summaryOf(marketOf(empty))
    expect(exposure).toBeNull()
    expect(price).toMatchObject({ bid: 100.29, ask: 100.31, mid: 100.3, last: 100.3 })
    expect(options_flow).toEqual({
      total_call_oi: 0,
      total_put_oi: 0,
      total_call_volume: 0,
      total_put_volume: 0,
      pc_ratio_oi: null,
      pc_ratio_volume: null,
      active_expirations: 0
    })
  })

  test('is zero rather than null where greeks are there and open interest is not', () => {
    const { exposure } = summaryOf(handMade('no open interest'))
    expect(exposure).toMatchObject({ net_gex: 0, regime: 'positive_gamma', top_strikes: [], oi_weighted_dte: null })
    expect(exposure!.hedging_estimate).toEqual({
      spot_down_1pct: { dealer_shares: 0, direction: 'buy', notional_usd: 0 },
      spot_up_1pct: { dealer_shares: 0, direction: 'buy', notional_usd: 0 }
    })
  })

  test('weighs days to expiry by open contracts', () => {
    const strikes = ladder(90, 110, 5)
    const chain = chainOf([
      { date: '2026-08-03', strikes, oi: 30 },
      { date: '2026-08-28', strikes, oi: 10 }
    ])
    // 5 days and 30 days, three contracts to one.
    expect(summaryOf(marketOf(chain)).exposure!.oi_weighted_dte).toBe(11.3)
  })

  test('reads negative gamma as dealers who sell into a fall', () => {
    const heavy = {
      date: '2026-08-28',
      strikes: ladder(80, 120, 2.5),
      oi: (_: number, right: number) => 50 + 500 * right
    }
    const { exposure } = summaryOf(marketOf(chainOf([heavy])))
    expect(exposure!.net_gex).toBeLessThan(0)
    expect(exposure!.regime).toBe('negative_gamma')
    expect(exposure!.hedging_estimate.spot_down_1pct.direction).toBe('sell')
    expect(exposure!.hedging_estimate.spot_up_1pct.direction).toBe('buy')
  })
})

test('the skew is that of the reference expiration, fitted or not, where it reaches 25 delta', () => {
  const wild = (strike: number) => leaning(strike) + (strike % 2 === 0 ? 0.08 : 0)
  // One deviation to August 31st is 5.8 %: these strikes end at 1.05 of them, short of 10 delta.
  const narrow = series('2026-08-31', { sigma: wild, strikes: ladder(94, 106, 0.5) })
  const { volatility } = summaryOf(marketOf(chainOf([narrow])))
  expect(volatility.skew_25d).toMatchObject({ expiry: '2026-08-31', days_to_expiry: 33, atm_iv: volatility.atm_iv })
  expect(volatility.iv_term_structure).toEqual([])
  const narrower = series('2026-08-31', { sigma: wild, strikes: ladder(98, 102, 0.5) })
  expect(summaryOf(marketOf(chainOf([narrower]))).volatility.skew_25d).toBeNull()
})

describe('without a key', () => {
  const synthetic = createSynthetic({ seed: 7 })
  const { signal } = new AbortController()
  const endpoint = endpointAt(path)

  const histories = new Map<Ticker, Promise<readonly DailyBar[]>>()
  /** At every moment asked about here the last completed session is that of June 9th, so bars are made once. */
  const bars = (symbol: Ticker) => {
    const known = histories.get(symbol) ?? synthetic.dailyBars(symbol, eastern('2026-06-10', '11:00'), signal)
    histories.set(symbol, known)
    return known
  }

  const sourceAt = (now: number): MarketSource =>
    ({
      now: () => now,
      quality: () => undefined,
      chain: async (symbol: Ticker) => priced((await synthetic.chain(symbol, now, signal))!),
      closing: async (symbol: Ticker, date: IsoDate) => {
        const closing = await synthetic.closingChain(symbol, date, signal)
        return closing && priced(closing)
      },
      bars: async (symbol: Ticker) => publishedBars(await bars(symbol), symbol, now)
    }) as unknown as MarketSource

  const ask = async (now: number, keyless: boolean, symbol = 'AAPL'): Promise<StockSummary | string> => {
    try {
      const { inputs } = await loadInputs(endpoint, { symbol }, { source: sourceAt(now), maxAge: 0, keyless })
      return JSON.parse(answer(endpoint, { params: { symbol }, inputs, body: undefined, caller: [] }))
    } catch (error) {
      if (error instanceof ApiError) return error.code
      throw error
    }
  }

  test('the close of the session before is described, levels and changes of the wider market included', async () => {
    const now = eastern('2026-06-10', '11:00')
    const snapshot = (await ask(now, true)) as StockSummary
    const [live, later] = [(await ask(now, false)) as StockSummary, await ask(now + 3_600_000, true)]
    expect([snapshot.as_of, snapshot.market_open]).toEqual(['2026-06-09T20:00:00.000Z', false])
    expect([live.as_of, live.market_open]).toEqual(['2026-06-10T15:00:00.000Z', true])
    expect(later).toEqual(snapshot)
    // The change shown in the evening differs from the live one, which counts from that evening.
    const { value, change } = snapshot.macro.vix!
    expect(live.macro.vix!.value - live.macro.vix!.change!).toBeCloseTo(value, 2)
    expect(change).not.toBe(live.macro.vix!.change)
    expect(snapshot.volatility.hv_20).not.toBeNull()
    expect(snapshot.macro.move!.value).toBe(live.macro.move!.value - live.macro.move!.change!)
    expect(live.macro.fear_and_greed).not.toBeNull()
  })

  test('the answer equals what a key would have got at that close', async () => {
    const close = eastern('2026-06-09', '16:00')
    const snapshot = (await ask(eastern('2026-06-10', '11:00'), true)) as StockSummary
    expect(await ask(close, false)).toEqual(snapshot)
  })

  test('a symbol that nobody knows has no snapshot', async () => {
    expect(await ask(eastern('2026-06-10', '11:00'), true, 'NOBODY')).toBe('no_snapshot')
  })
})

test('a symbol of which nothing but bars is known is not found', () => {
  const inputs = { anyChain: undefined, bars: [], macro: madeUpMacro({ vix: 17 }) }
  const question = { params: { symbol: 'XYZ' }, inputs, body: undefined, caller: [] }
  expect(() => answer(endpointAt(path), question)).toThrow(expect.objectContaining({ code: 'symbol_not_found' }))
})
