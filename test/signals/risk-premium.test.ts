import { describe, expect, test } from 'vitest'
import { PUT } from '../../src/market/chain.ts'
import type { IsoDate } from '../../src/market/units.ts'
import {
  type DealerPositioning,
  dealerFlowRisk,
  dollarVolume,
  gammaSide,
  vannaOutlook
} from '../../src/signals/risk-premium/dealer-flow-risk.ts'
import { type ImpliedSide, impliedSide } from '../../src/signals/risk-premium/implied-realized.ts'
import type { PremiumFigures } from '../../src/signals/risk-premium/premium-figures.ts'
import { premiumRank, premiumWindow } from '../../src/signals/risk-premium/premium-rank.ts'
import {
  isEventNear,
  type PremiumContext,
  premiumRegime,
  warningsOf
} from '../../src/signals/risk-premium/premium-regime.ts'
import { harvestScore, netHarvestScore, sellingScores } from '../../src/signals/risk-premium/selling-scores.ts'
import { ladder, sketched } from '../support/hand-made.ts'
import { recordOf, sessionsBefore } from '../support/made-up-records.ts'
import { handMade, priced } from '../support/markets.ts'
import { barsOfCloses } from '../volatility/made-up-bars.ts'

const day = '2026-07-29' as IsoDate
const implied: ImpliedSide = {
  atmIv: 20,
  atmIv30: 20,
  fairVol: 22,
  putWing25: 23,
  callWing25: 19,
  relativeSkew: 0.2,
  expiry: '2026-08-21' as IsoDate,
  fitted: true,
  butterfly: false
}
const realized = { rv5: 15, rv10: 15.5, rv20: 16, rv30: 17, downside20: 17, upside20: 15 }
const dealers: DealerPositioning = { spot: 102, netGex: 1e8, netVex: 5e7, gammaFlip: 100, dollarVolume: 1e10 }
const usual: PremiumFigures = {
  implied,
  realized,
  term: [{ days: 7, iv: 18, rv: 15, premium: 3 }],
  nearSlope: 6,
  dealers,
  executionScore: 80
}
const rank = { sessions: 60, zScore: 0.4, percentile: 65 }
const calm: PremiumContext = {
  rank,
  eventRisk: false,
  wings: { mean: 10, contracts: 40 },
  vixSlope: 1.1,
  highYieldSpread: 3.2
}

describe('the rank of a premium', () => {
  test('is its distance from the mean in sample deviations, and the share below it', () => {
    const window = [2, 4, 4, 4, 5, 5, 7, 9] // mean 5, sum of squares 32
    expect(premiumRank(7, window)).toEqual({ sessions: 8, zScore: 2 / Math.sqrt(32 / 7), percentile: 81 })
    expect(premiumRank(-1, window)).toMatchObject({ percentile: 0 })
    expect(premiumRank(10, window)).toMatchObject({ percentile: 100 })
  })

  test('is unknown from fewer than five sessions, and has no score where they are all alike', () => {
    expect(premiumRank(3, [1, 2, 3, 4])).toEqual({ sessions: 4, zScore: undefined, percentile: undefined })
    expect(premiumRank(3, [0.1, 0.1, 0.1, 0.1, 0.1])).toEqual({ sessions: 5, zScore: undefined, percentile: 100 })
    expect(premiumRank(undefined, [1, 2, 3, 4, 5])).toEqual({ sessions: 5, zScore: undefined, percentile: undefined })
  })

  test('looks at the last sixty sessions that have both volatilities', () => {
    const records = sessionsBefore(day, 70).map((date, k) => {
      if (k === 40) return recordOf(date, { atmIv: undefined })
      return k === 50 ? recordOf(date, { rv20: undefined }) : recordOf(date, { atmIv: 20 + k, rv20: 16 })
    })
    const window = premiumWindow(records)
    expect([window.length, window[0], window.at(-1)]).toEqual([60, 12, 73])
    expect(window).not.toContain(44)
    expect(window).not.toContain(54)
  })
})

describe('the implied side of a chain', () => {
  test('falls back on the mean volatility of contracts by open interest where no smile was fitted', () => {
    const { chain } = handMade('all puts')
    const side = impliedSide(chain)
    expect([side.fitted, side.putWing25, side.butterfly]).toEqual([false, undefined, false])
    let [sum, weight] = [0, 0]
    chain.sigma.forEach((sigma, i) => {
      if (Number.isNaN(sigma) || chain.openInterest[i] <= 0 || Math.abs(chain.strike[i] / chain.spot - 1) > 0.2) return
      sum += sigma * chain.openInterest[i]
      weight += chain.openInterest[i]
    })
    expect(side.fairVol).toBeCloseTo((100 * sum) / weight, 10)
  })

  test('has the shape of another expiration, at its own level, where its reference has too few quotes for a slice', () => {
    const few = (strike: number) => ([96, 98, 99, 102, 104].includes(strike) ? undefined : ([NaN, NaN] as const))
    const strikes = ladder(70, 130, 1)
    const sigma = (strike: number) => 0.2 - 0.25 * Math.log(strike / 100)
    const month = { date: '2026-08-28', strikes, sigma }
    const later = { date: '2026-10-16', strikes, sigma: (strike: number) => 1.5 * sigma(strike) }
    const chainOf = (first: object) =>
      impliedSide(
        priced(sketched({ date: '2026-07-29', time: '11:00', spot: 100, series: [{ ...month, ...first }, later] }))
      )
    const [whole, thin] = [chainOf({}), chainOf({ quote: few })]
    expect(thin).toMatchObject({ expiry: whole.expiry, fitted: true })
    expect(thin.atmIv).toBeCloseTo(whole.atmIv!, 0)
    expect(thin.fairVol).toBeGreaterThan(thin.atmIv!)
    expect(Math.abs(thin.fairVol! / whole.fairVol! - 1)).toBeLessThan(0.1) // the other one would have said 1.5 times as much
    expect(thin.putWing25).toBeGreaterThan(thin.atmIv!)
    expect(thin.callWing25).toBeLessThan(thin.atmIv!)
  })

  test('leaves contracts that have expired out of that mean', () => {
    const strikes = ladder(80, 100, 5)
    const puts = { strikes, rights: [PUT] }
    const live = { ...puts, date: '2026-08-28', sigma: 0.2 }
    const expired = { ...puts, date: '2026-07-29', sigma: 1.5 }
    const chain = priced(sketched({ date: '2026-07-29', time: '16:00', spot: 100, series: [expired, live] }))
    const { start, end } = chain.expirations[0]
    expect(chain.sigma.subarray(start, end).every(Number.isNaN)).toBe(true)
    chain.sigma.fill(1.5, start, end)
    expect(chain.sigma.subarray(start, end).some((sigma) => sigma > 1)).toBe(true)
    expect(impliedSide(chain).fairVol).toBeCloseTo(20, 1)
  })

  test('knows nothing of a chain without quotes', () => {
    const nothing = { atmIv: undefined, fairVol: undefined, putWing25: undefined, callWing25: undefined }
    expect(impliedSide(handMade('no quotes').chain)).toMatchObject(nothing)
  })
})

describe('dealers', () => {
  test('are on no known side of gamma where it nets to nothing', () => {
    expect([1, -1, 0, undefined].map(gammaSide)).toEqual(['positive_gamma', 'negative_gamma', 'unknown', 'unknown'])
  })

  test.each([
    [1, 101, 'vanna_supportive'],
    [1, 100, 'vanna_supportive'],
    [1, 99, 'vanna_neutral'],
    [-1, 101, 'vanna_neutral'],
    [-1, 99, 'vanna_cascade_risk'],
    [0, 99, 'vanna_neutral']
  ])('with a vanna of %d at spot %d and a flip at 100 have the outlook %s', (netVex, spot, outlook) => {
    expect(vannaOutlook({ ...dealers, netVex, spot })).toBe(outlook)
  })

  test('have an unknown outlook without vanna or without a flip', () => {
    expect(vannaOutlook({ ...dealers, netVex: undefined })).toBe('unknown')
    expect(vannaOutlook({ ...dealers, gammaFlip: undefined })).toBe('unknown')
  })

  // gamma part + hedging part + vanna part, by hand
  test.each<readonly [string, Partial<DealerPositioning>, number]>([
    ['2 % above the flip, little to hedge', {}, Math.round(20 * (1 - 2 / 3) + 35 * 0.1 * 0.25)],
    ['3 % above the flip', { spot: 103 }, 1],
    ['long gamma without a flip', { gammaFlip: undefined }, 11],
    [
      'short gamma, 2 % below the flip, and short vanna',
      { netGex: -1e8, netVex: -1, spot: 98 },
      Math.round(31 + 3.5 + 25)
    ],
    ['short gamma, far from the flip', { netGex: -1e8, spot: 80 }, Math.round(40 + 3.5)],
    ['short gamma without a flip', { netGex: -1e8, gammaFlip: undefined }, Math.round(25 + 3.5)],
    ['as much to hedge as a tenth of what trades', { netGex: -1e9, netVex: -1, spot: 80 }, 100],
    ['short vanna above the flip', { netVex: -1, spot: 103 }, 11],
    ['no known side', { netGex: 0 }, 20],
    ['no known volume', { dollarVolume: undefined, spot: 103 }, 15]
  ])('are a risk where %s', (_, more, risk) => {
    expect(dealerFlowRisk({ ...dealers, ...more })).toBe(risk)
  })

  test('hedge against the mean value of the shares of twenty days', () => {
    const bars = barsOfCloses(Array.from({ length: 25 }, (_, k) => 100 + k))
    expect(dollarVolume(bars)).toBe(1000 * 114.5)
    expect(dollarVolume(bars.slice(6))).toBeUndefined()
    expect(dollarVolume(bars.map((bar) => ({ ...bar, volume: 0 })))).toBeUndefined()
  })
})

describe('the scores of ways to sell volatility', () => {
  test('are the weighted signals', () => {
    const [atm, put] = [4 / 8, 6 / 10]
    const asymmetry = (6 / 4 - 1) / 3
    const [steep, moderate] = [0.2 / 0.3, 1 - 0.05 / 0.15]
    const symmetry = 1 - 2 / 10
    const [contango, frontLow] = [6 / 15, 1 - 3 / 7.2]
    expect(sellingScores(usual)).toEqual({
      shortPutSpread: Math.round(100 * (0.35 * put + 0.3 * asymmetry + 0.2 * steep + 0.15)),
      shortStrangle: Math.round(100 * (0.4 * atm + 0.25 + 0.2 * moderate + 0.15)),
      ironCondor: Math.round(100 * (0.3 + 0.3 * symmetry + 0.2 + 0.2 * 0.8)),
      calendarSpread: Math.round(100 * (0.4 * contango + 0.25 * frontLow + 0.2 + 0.15))
    })
  })

  test('rest on halves where the slope, the front or the spreads are unknown', () => {
    const { calendarSpread, ironCondor } = sellingScores({
      ...usual,
      term: [],
      nearSlope: undefined,
      executionScore: undefined,
      dealers: { ...dealers, netGex: 0 }
    })
    expect(calendarSpread).toBe(Math.round(100 * (0.2 + 0.125 + 0.1 + 0.15)))
    expect(ironCondor).toBe(Math.round(100 * (0.3 + 0.24 + 0.1 + 0.1)))
  })

  test('are absent where a signal they rest on is', () => {
    const without = (more: Partial<PremiumFigures>) =>
      Object.values(sellingScores({ ...usual, ...more })).map((one) => one !== undefined)
    expect(without({ implied: { ...implied, putWing25: undefined } })).toEqual([false, true, false, true])
    expect(without({ implied: { ...implied, relativeSkew: undefined } })).toEqual([false, false, true, true])
    expect(without({ realized: { ...realized, rv5: undefined } })).toEqual([true, false, true, false])
    expect(without({ implied: { ...implied, atmIv: undefined } })).toEqual([false, false, false, true])
  })

  test.each<readonly [string, Partial<ImpliedSide>, Partial<typeof realized>, number]>([
    ['the downside has no premium', { putWing25: 17 }, {}, 0],
    ['the upside has none', {}, { upside20: 30 }, 1],
    ['the downside has four times that of the upside', { putWing25: 33 }, {}, 1]
  ])('see the asymmetry where %s', (_, moreImplied, moreRealized, asymmetry) => {
    const premiums = { ...usual, implied: { ...implied, ...moreImplied }, realized: { ...realized, ...moreRealized } }
    const down = premiums.implied.putWing25! - premiums.realized.downside20
    const put = Math.min(1, Math.max(0, down / 10))
    const rest = 0.35 * put + 0.3 * asymmetry + 0.2 * (0.2 / 0.3) + 0.15
    expect(sellingScores(premiums).shortPutSpread).toBe(Math.round(100 * rest))
  })

  test.each<readonly [string, Partial<DealerPositioning>, number]>([
    ['long gamma', {}, 1],
    ['long gamma within a percent of the flip', { spot: 100.9 }, 0.8],
    ['short gamma', { netGex: -1 }, 0.35],
    ['no known gamma', { netGex: undefined }, 0.6]
  ])('harvest a share of the premium in %s', (_, more, factor) => {
    expect(harvestScore({ ...usual, dealers: { ...dealers, ...more } })).toBeCloseTo(0.5 * factor, 12)
  })

  test('come to one figure that burdens lower and no premium caps', () => {
    const setting = { percentile: 60, dealerFlowRisk: 40, burdens: 0 }
    const base = 0.45 * 0.5 + 0.25 * 0.6 + 0.3 * 0.5
    expect(netHarvestScore(usual, setting)).toBe(Math.round(100 * base * 0.8))
    expect(netHarvestScore(usual, { ...setting, burdens: 2 })).toBe(Math.round(100 * base * 0.8 - 20))
    expect(netHarvestScore(usual, { ...setting, burdens: 9 })).toBe(0)
    const dear = { ...usual, realized: { ...realized, rv20: 20 } }
    expect(netHarvestScore(dear, { percentile: 100, dealerFlowRisk: 0, burdens: 0 })).toBe(20)
    expect(netHarvestScore(usual, { ...setting, percentile: undefined })).toBeUndefined()
    expect(netHarvestScore(usual, { ...setting, dealerFlowRisk: undefined })).toBeUndefined()
  })
})

describe('the warnings', () => {
  test.each<readonly [string, Partial<PremiumFigures>, Partial<PremiumContext>]>([
    ['event_risk', {}, { eventRisk: true }],
    ['negative_gamma', { dealers: { ...dealers, netGex: -1 } }, {}],
    ['poor_wing_liquidity', {}, { wings: { mean: 50.1, contracts: 40 } }],
    ['poor_wing_liquidity', {}, { wings: { mean: 10, contracts: 4 } }],
    ['poor_wing_liquidity', {}, { wings: { mean: undefined, contracts: 0 } }],
    ['term_inversion', { nearSlope: -0.1 }, {}],
    ['term_inversion', {}, { vixSlope: 0.99 }],
    ['credit_stress', {}, { highYieldSpread: 5 }],
    ['extreme_vrp', {}, { rank: { ...rank, zScore: -2.5 } }],
    ['insufficient_history_for_zscore', {}, { rank: { sessions: 4, zScore: undefined, percentile: undefined } }]
  ])('tell of %s', (warning, premiums, around) => {
    expect(warningsOf({ ...usual, ...premiums }, { ...calm, ...around })).toEqual([warning])
  })

  test('are none on a calm day, and none of what nobody knows', () => {
    expect(warningsOf(usual, calm)).toEqual([])
    const unknown = { wings: undefined, vixSlope: undefined, highYieldSpread: undefined }
    expect(warningsOf({ ...usual, nearSlope: undefined }, { ...calm, ...unknown })).toEqual([])
  })

  test.each([
    ['2026-08-12', true],
    ['2026-08-13', true], // before the reference expiration
    ['2026-08-21', true],
    ['2026-08-22', false],
    ['2026-07-29', true],
    ['2026-07-28', false]
  ])('see a report on %s: %s', (date, near) => {
    expect(isEventNear(day, implied.expiry, [date as IsoDate])).toBe(near)
  })

  test('look 14 days ahead of a nearer expiration', () => {
    const at = (date: string) => isEventNear(day, '2026-07-31' as IsoDate, [date as IsoDate])
    expect([at('2026-08-12'), at('2026-08-13')]).toEqual([true, false])
    expect(isEventNear(day, undefined, ['2026-08-12' as IsoDate])).toBe(true)
  })
})

describe('the regime of a premium', () => {
  const regimeOf = (more: Partial<PremiumFigures>, ranked = {}, { eventRisk = false, dealerFlowRisk = 20 } = {}) =>
    premiumRegime({ ...usual, ...more }, { ...rank, ...ranked }, { eventRisk, dealerFlowRisk })
  const short = { ...dealers, netGex: -1 }

  test('is a distorted surface before anything else', () => {
    for (const one of [{ fitted: false }, { butterfly: true }, { fairVol: 18.9 }, { fairVol: 32.1 }]) {
      expect(regimeOf({ implied: { ...implied, ...one } }, {}, { eventRisk: true })).toBe('surface_distorted')
    }
  })

  test('is about the event where one is near and paid for', () => {
    expect(regimeOf({ dealers: short }, {}, { eventRisk: true })).toBe('event_only')
    expect(regimeOf({ realized: { ...realized, rv20: 21 } }, {}, { eventRisk: true })).not.toBe('event_only')
  })

  test('is toxic in negative gamma without a premium, with rising volatility or under heavy hedging', () => {
    expect(regimeOf({ dealers: short, realized: { ...realized, rv20: 20 } })).toBe('toxic_short_vol')
    expect(regimeOf({ dealers: short, realized: { ...realized, rv5: 20.1 } })).toBe('toxic_short_vol')
    expect(regimeOf({ dealers: short }, {}, { dealerFlowRisk: 70 })).toBe('toxic_short_vol')
    expect(regimeOf({}, {}, { dealerFlowRisk: 70 })).toBe('harvestable')
  })

  test('is cheap convexity without a premium, or with one that is low for its own history', () => {
    expect(regimeOf({ realized: { ...realized, rv20: 20 } })).toBe('cheap_convexity')
    expect(regimeOf({}, { percentile: 20 })).toBe('cheap_convexity')
    expect(regimeOf({}, { zScore: -1 })).toBe('cheap_convexity')
  })

  test('is harvestable from the middle of its history on, unless gamma is negative', () => {
    expect(regimeOf({}, { percentile: 50 })).toBe('harvestable')
    expect(regimeOf({}, { percentile: 49 })).toBe('fair_value')
    expect(regimeOf({ dealers: short })).toBe('fair_value')
  })

  // Known difference from the contract, whose regime rule for harvestable reads the premium over 20 days alone.
  test('is not harvestable where most maturities pay nothing', () => {
    const term = (...premiums: readonly number[]) =>
      premiums.map((premium, n) => ({ days: 7 * (n + 1), iv: 20 + premium, rv: 20, premium }))
    expect(regimeOf({ term: term(3, -1, -2, -4) })).toBe('fair_value')
    expect(regimeOf({ term: term(3, 0, 0, 0) })).toBe('fair_value')
    expect(regimeOf({ term: term(3, 1, -2, -4) })).toBe('harvestable')
    expect(regimeOf({ term: [] })).toBe('harvestable')
  })

  test('is unknown without a rank or a premium', () => {
    expect(regimeOf({}, { zScore: undefined })).toBeUndefined()
    expect(regimeOf({}, { percentile: undefined })).toBeUndefined()
    expect(regimeOf({ implied: { ...implied, atmIv: undefined } })).toBeUndefined()
  })
})
