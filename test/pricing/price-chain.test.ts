import { describe, expect, test } from 'vitest'
import { deltaExposure, gammaExposure } from '../../src/exposure/contract-exposure.ts'
import { netExposures } from '../../src/exposure/net.ts'
import { liveScope } from '../../src/exposure/scope.ts'
import { gammaAt, gammaBySpot } from '../../src/exposure/spot-ladder/gamma-by-spot.ts'
import { CALL, PUT } from '../../src/market/chain.ts'
import { type Assumptions, flatRate, rateAt } from '../../src/pricing/assumptions.ts'
import { carriesOf } from '../../src/pricing/carry.ts'
import { type PricedChain, priceChain } from '../../src/pricing/price-chain.ts'
import { quoteVolatilities } from '../../src/pricing/quote-volatility.ts'
import { BETWEEN, countSources, INTRINSIC, NO_SIGMA, OWN_MID, SIBLING } from '../../src/pricing/sources.ts'
import { type ChainSketch, ladder, sketched } from '../support/hand-made.ts'
import { madeUpAssumptions } from '../support/made-up.ts'
import { priced } from '../support/markets.ts'
import { scalarGreeks } from '../support/scalar.ts'

const rate = 0.045
const expiration = '2026-08-28'
/** 30 calendar days from 11:00 with 300 of 390 minutes left. */
const t = (29 + 300 / 390) / 365 + 1 / 252
const discount = Math.exp(-rate * t)
const terms: Omit<ChainSketch, 'series'> = { date: '2026-07-29', time: '11:00', spot: 100 }

/** A chain whose strikes each say another forward: the call's mid is that of the put plus D (F - K). */
function saying(forwards: Readonly<Record<string, number>>, more: Partial<ChainSketch> = {}, date = expiration) {
  const quote = (strike: number, right: number) => {
    const gap = discount * (forwards[strike] - strike)
    const mid = 20 + (right === CALL ? gap : 0)
    return [mid - 0.05, mid + 0.05] as const
  }
  const strikes = Object.keys(forwards).map(Number)
  return sketched({ ...terms, ...more, series: [{ date, strikes, quote }] })
}

const carry = (chain: ReturnType<typeof saying>, assumptions = madeUpAssumptions) => carriesOf(chain, assumptions)[0]
const expected = 100 * Math.exp((rate - 0.013) * t)

describe('the forward', () => {
  test('is the median over the nine strikes whose call and put cost most alike', () => {
    const near = { 96: 100.36, 97: 100.37, 98: 100.38, 99: 100.39, 100: 100.4, 101: 100.41, 102: 100.42, 103: 100.43 }
    const found = carry(saying({ 85: 99, 95: 100.35, ...near, 106: 100.1, 112: 98 }))
    expect(found.t).toBeCloseTo(t, 14)
    // The nine are those of 96 to 103 and, 5.4 away, 95; 106 is further.
    expect(found.forward).toBeCloseTo(100.39, 10)
    expect(found.fromParity).toBe(true)
    expect(found.dividendYield).toBeCloseTo(rate - Math.log(100.39 / 100) / t, 10)
    expect(100 * Math.exp((rate - found.dividendYield) * t)).toBeCloseTo(found.forward, 10)
  })

  test('leans on the pairs that are quoted closest', () => {
    const widths: Readonly<Record<string, number>> = { 98: 0.5, 99: 0.5, 100: 0.02, 101: 0.5, 102: 0.02 }
    const quote = (strike: number, right: number) => {
      const forward = strike === 100 || strike === 102 ? 100.5 : 100.4
      const mid = 20 + (right === CALL ? discount * (forward - strike) : 0)
      return [mid - widths[strike] / 2, mid + widths[strike] / 2] as const
    }
    const strikes = Object.keys(widths).map(Number)
    expect(carry(sketched({ ...terms, series: [{ date: expiration, strikes, quote }] })).forward).toBeCloseTo(100.5, 10)
  })

  test('takes fewer strikes where fewer have both sides, the mean of the middle two of an even number', () => {
    expect(carry(saying({ 99: 100.2, 101: 100.8 })).forward).toBeCloseTo(100.5, 10)
    expect(carry(saying({ 99: 100.2 })).forward).toBeCloseTo(100.2, 10)
  })

  test('is the configured one where no strike has both sides two-sided', () => {
    const oneSided = {
      date: expiration,
      strikes: [99, 101],
      quote: (_: number, right: number) => (right === PUT ? ([0, 1] as const) : undefined)
    }
    const found = carry(sketched({ ...terms, series: [oneSided] }))
    expect([found.fromParity, found.dividendYield, found.clockYield]).toEqual([false, 0.013, 0.013])
    expect(found.forward).toBeCloseTo(expected, 10)
  })

  test('of one or two pairs is discarded when it departs from the configured one by more than 5 % plus 25 % of the time', () => {
    const reach = 0.05 + 0.25 * t
    for (const [departure, kept] of [
      [reach - 1e-6, true],
      [reach + 1e-6, false],
      [1e-6 - reach, true],
      [-reach - 1e-6, false]
    ] as const) {
      const forward = expected * (1 + departure)
      const found = carry(saying({ 99: forward, 101: forward }))
      expect(found.fromParity).toBe(kept)
      if (kept) expect(found.forward).toBeCloseTo(forward, 8)
      else expect(found.dividendYield).toBe(0.013)
    }
  })

  test('of three pairs or more is judged by their agreement alone, however far it lies', () => {
    const found = carry(saying({ 99: 140, 100: 140.05, 101: 140.1 }))
    expect([found.fromParity, found.forward]).toEqual([true, expect.closeTo(140.05, 8)])
    // Half the median of the two spreads together is 0.1 here, and 0.1 % of spot as much.
    for (const [apart, kept] of [
      [0.099, true],
      [0.101, false]
    ] as const) {
      expect(carry(saying({ 99: 100.3 - apart, 100: 100.3, 101: 100.3 + apart })).fromParity).toBe(kept)
    }
  })

  test('never comes from parity on the expiration day', () => {
    const found = carry(saying({ 99: 100.9, 100: 100.9, 101: 100.9 }, {}, '2026-07-29'))
    const left = 300 / 390 / 252
    expect(found.t).toBeCloseTo(left, 14)
    expect(found.fromParity).toBe(false)
    expect(found.forward).toBeCloseTo(100 * Math.exp((rate - 0.013) * left), 10)
  })

  test('of AM and PM series of one date is found for each, on its own clock', () => {
    const strikes = ladder(95, 105, 1)
    const chain = priced(
      sketched({
        ...terms,
        symbol: 'SPX',
        series: [
          { date: '2026-08-21', root: 'SPX', settlement: 'am', strikes },
          { date: '2026-08-21', root: 'SPXW', settlement: 'pm', strikes }
        ]
      })
    )
    const before = (22 + 300 / 390) / 365
    expect(chain.carries.map((one) => one.t)).toEqual([
      expect.closeTo(before + 17.5 / 24 / 365, 14),
      expect.closeTo(before + 1 / 252, 14)
    ])
    for (const { dividendYield, fromParity } of chain.carries) {
      expect(fromParity).toBe(true)
      expect(dividendYield).toBeCloseTo(0.013, 8)
    }
    for (const sigma of chain.sigma) expect(sigma).toBeCloseTo(0.2, 6)
  })
})

test('rates are linear between the points of their curve and flat beyond its ends', () => {
  const points = [
    { days: 10, rate: 0.03 },
    { days: 30, rate: 0.04 },
    { days: 90, rate: 0.035 }
  ]
  const rates = (between: 'rate' | 'yield') =>
    [0, 10, 20, 30, 60, 90, 400].map((days) => rateAt({ points, between }, days))
  expect(rates('rate')).toEqual([0.03, 0.03, 0.035, 0.04, 0.0375, 0.035, 0.035].map((rate) => expect.closeTo(rate, 15)))
  // Halfway from 10 to 30 days 0.3 and 1.2 days' worth have come to 0.75.
  const yields = [0.03, 0.03, 0.75 / 20, 0.04, (1.2 + 3.15) / 120, 0.035, 0.035]
  expect(rates('yield')).toEqual(yields.map((rate) => expect.closeTo(rate, 15)))
  expect(rateAt(flatRate(0.02), 100)).toBe(0.02)
})

test('a symbol with a configured yield of its own uses that one', () => {
  const assumptions: Assumptions = {
    ...madeUpAssumptions,
    rates: flatRate(0.02),
    dividendYield: 0.01,
    dividendYields: { TEST: 0.06 }
  }
  const found = carry(
    sketched({ ...terms, series: [{ date: expiration, strikes: [100], rights: [CALL] }] }),
    assumptions
  )
  expect([found.rate, found.dividendYield]).toEqual([0.02, 0.06])
  expect(found.forward).toBeCloseTo(100 * Math.exp(-0.04 * t), 10)
})

/** One expiration quoted at a yield, for a spot that the payload may state otherwise. */
function quotedAt(impliedYield: number, date: string, years: number, stated: number) {
  const quote = (strike: number, right: number) => {
    const option = { call: right === CALL, spot: 100, strike, t: years, rate, dividendYield: impliedYield, sigma: 0.3 }
    const { price } = scalarGreeks(option)
    return [price - 0.005, price + 0.005] as const
  }
  const quotes = { ...terms, spot: stated, symbol: 'XSP' }
  return priced(sketched({ ...quotes, series: [{ date, strikes: ladder(95, 105, 2.5), quote }] }))
}

test.each([
  ['plausible', 0.0629, true],
  ['implausible', 0.0631, false],
  ['implausible on the other side', -0.0371, false],
  ['plausible on the other side', -0.0369, true]
])('an %s yield of %d, beyond the days that tell the spot', (_, implied, isAccepted) => {
  const chain = quotedAt(implied, expiration, t, 100)
  const [found] = chain.carries
  expect(found.spot).toBe(100)
  expect(found.dividendYield).toBeCloseTo(implied, 6)
  expect(found.clockYield).toBe(isAccepted ? found.dividendYield : 0.013)
  for (let i = 0; i < chain.size; i++) {
    const option = { call: chain.right[i] === CALL, spot: 100, strike: chain.strike[i], t, rate, sigma: chain.sigma[i] }
    const all = scalarGreeks({ ...option, dividendYield: found.dividendYield })
    const clock = scalarGreeks({ ...option, dividendYield: isAccepted ? found.dividendYield : 0.013 })
    for (const name of ['delta', 'gamma', 'vega', 'vanna'] as const) expect(chain[name][i]).toBeCloseTo(all[name], 10)
    for (const name of ['theta', 'charm', 'rho'] as const) expect(chain[name][i]).toBeCloseTo(clock[name], 10)
  }
})

describe('the spot', () => {
  const nextDay = '2026-07-30'
  const untilNextDay = 300 / 390 / 365 + 1 / 252

  test('is that of the quotes where the one beside them implies no plausible yield: after hours, a quarter of an hour old', () => {
    const chain = quotedAt(0.013, nextDay, untilNextDay, 99.6)
    const [found] = chain.carries
    expect(found.spot).toBeCloseTo(100, 6)
    expect(found.exposureSpot).toBe(99.6)
    expect([found.dividendYield, found.clockYield]).toEqual([expect.closeTo(0.013, 5), expect.closeTo(0.013, 5)])
    for (let i = 0; i < chain.size; i++) {
      const call = chain.right[i] === CALL
      const option = {
        call,
        spot: 100,
        strike: chain.strike[i],
        t: untilNextDay,
        rate,
        dividendYield: 0.013,
        sigma: 0.3
      }
      expect(chain.gamma[i]).toBeCloseTo(scalarGreeks(option).gamma, 6)
    }
  })

  test('is the one beside the quotes where that is plausible, and where no expiration is near', () => {
    expect(quotedAt(0.03, nextDay, untilNextDay, 100).carries[0].spot).toBe(100)
    expect(quotedAt(0.013, expiration, t, 99).carries[0].spot).toBe(99)
  })
})

describe('options on a volatility index', () => {
  /** The forward lies a fifth above the index, as in a calm July. */
  const forward = 18
  const settled = { date: '2026-08-26', root: 'VIX', settlement: 'am' as const }
  const years = (27 + 300 / 390) / 365 + 17.5 / 24 / 365
  const value = (call: boolean, strike: number) =>
    scalarGreeks({ call, spot: forward, strike, t: years, rate, dividendYield: rate, sigma: 0.8 })
  const chain = priced(
    sketched({
      ...terms,
      symbol: 'VIX',
      spot: 15,
      series: [
        {
          ...settled,
          strikes: ladder(12, 30, 1),
          oi: (_, right) => (right === CALL ? 300 : 100),
          quote: (strike, right) => {
            const { price } = value(right === CALL, strike)
            return [price - 0.001, price + 0.001]
          }
        }
      ]
    })
  )

  test('are on the forward of their expiration, under Black (1976)', () => {
    const [found] = chain.carries
    for (const spot of [found.forward, found.spot, found.exposureSpot]) expect(spot).toBeCloseTo(forward, 8)
    expect(found.dividendYield).toBe(rate)
    for (let i = 0; i < chain.size; i++) {
      const expected = value(chain.right[i] === CALL, chain.strike[i])
      expect(chain.sigma[i]).toBeCloseTo(0.8, 5)
      for (const name of ['delta', 'gamma', 'vega', 'vanna', 'charm', 'theta'] as const) {
        expect(chain[name][i]).toBeCloseTo(expected[name], 5)
      }
      // V = e^(-rT) times a value that knows no rate: dV/dr = -T V, per 0.01.
      expect(chain.rho[i]).toBeCloseTo((-years * expected.price) / 100, 7)
    }
  })

  test('count their exposure in the forward, and the flip moves all forwards by one percentage', () => {
    const scope = liveScope(chain)
    const slot = chain.strike.indexOf(18)
    expect(gammaExposure(scope, slot)).toBeCloseTo(chain.gamma[slot] * 300 * 100 * forward ** 2 * 0.01, 6)
    expect(deltaExposure(scope, slot)).toBeCloseTo(chain.delta[slot] * 300 * 100 * forward, 6)
    const profile = gammaBySpot(scope)
    expect(15 * gammaAt(profile, Math.log(15))).toBeCloseTo(netExposures(scope).gex, 5)
    // At an index of 16.5 the forward stands at 19.8.
    let moved = 0
    for (let i = 0; i < chain.size; i++) {
      const call = chain.right[i] === CALL
      const option = { call, strike: chain.strike[i], t: years, rate, dividendYield: rate, sigma: chain.sigma[i] }
      moved += (call ? 3 : -1) * scalarGreeks({ ...option, spot: 19.8 }).gamma * 100 * 100 * 19.8 ** 2 * 0.01
    }
    expect((16.5 * gammaAt(profile, Math.log(16.5))) / moved).toBeCloseTo(1, 6)
  })

  test('so do those of symbols that the operator names', () => {
    const sketch = { ...terms, symbol: 'XSP', series: [{ date: expiration, strikes: ladder(90, 110, 5) }] }
    const [found] = carriesOf(sketched(sketch), { ...madeUpAssumptions, forwardSymbols: ['XSP'] })
    expect([found.spot, found.dividendYield]).toEqual([found.forward, rate])
  })
})

describe('a volatility', () => {
  /** Prices at 20 %, some contracts quoted otherwise. */
  function quoted(quotes: Readonly<Record<string, readonly [number, number]>>): PricedChain {
    const quote = (strike: number, right: number) => quotes[`${right === CALL ? 'C' : 'P'}${strike}`]
    return priced(sketched({ ...terms, series: [{ date: expiration, strikes: ladder(80, 120, 5), quote }] }))
  }
  const slotOf = (chain: PricedChain, name: string) =>
    chain.strike.findIndex((strike, i) => `${chain.right[i] === CALL ? 'C' : 'P'}${strike}` === name)
  const worth = (call: boolean, strike: number, sigma = 0.2) =>
    scalarGreeks({ call, spot: 100, strike, t, rate, dividendYield: 0.013, sigma }).price

  test('is that of the own mid for a two-sided quote', () => {
    const chain = quoted({ P95: [worth(false, 95, 0.31) - 0.01, worth(false, 95, 0.31) + 0.01] })
    const slot = slotOf(chain, 'P95')
    expect([chain.sigma[slot], chain.sigmaSource[slot]]).toEqual([expect.closeTo(0.31, 3), OWN_MID])
    expect(chain.sigma[slotOf(chain, 'C105')]).toBeCloseTo(0.2, 6)
  })

  test('in the money is its own only while the time value is at least half the spread', () => {
    // The forward stays where the other strikes see it: parity takes the five that lie closest.
    const forward = 100 * Math.exp((rate - 0.013) * t)
    const intrinsic = discount * (forward - 80)
    for (const [half, own] of [
      [0.0999, true],
      [0.1001, false]
    ] as const) {
      const chain = quoted({ C80: [intrinsic + 0.1 - half, intrinsic + 0.1 + half], P80: [0.02, 0.04] })
      const [call, put] = [slotOf(chain, 'C80'), slotOf(chain, 'P80')]
      expect(chain.sigmaSource[put]).toBe(OWN_MID)
      expect(chain.sigmaSource[call]).toBe(own ? OWN_MID : SIBLING)
      if (own) expect(chain.sigma[call]).not.toBe(chain.sigma[put])
      else expect(chain.sigma[call]).toBe(chain.sigma[put])
      expect(quoteVolatilities(chain).mid[call]).toBeGreaterThan(chain.sigma[put])
    }
  })

  test('is lent by the other right of the strike, whichever of the two lacks its own', () => {
    const missing = [Number.NaN, Number.NaN] as const
    const chain = quoted({ C90: missing, P110: missing, C100: [0, 3], P105: [7, 6] })
    for (const [lent, from] of [
      ['C90', 'P90'],
      ['P110', 'C110'],
      ['C100', 'P100'],
      ['P105', 'C105']
    ]) {
      expect(chain.sigmaSource[slotOf(chain, lent)]).toBe(SIBLING)
      expect(chain.sigma[slotOf(chain, lent)]).toBe(chain.sigma[slotOf(chain, from)])
      expect(quoteVolatilities(chain).mid[slotOf(chain, lent)]).toBeNaN()
    }
    const { none, own_mid, twin } = countSources(chain)
    expect([none, own_mid + twin]).toEqual([0, chain.size])
  })

  test('of a strike that tells none lies between its neighbours, linear in total variance, flat beyond the outermost', () => {
    const missing = [Number.NaN, Number.NaN] as const
    const at = (strike: number, sigma: number) => {
      const price = worth(strike > 100, strike, sigma)
      return [price - 1e-7, price + 1e-7] as const
    }
    const chain = quoted({
      C80: missing,
      P80: missing,
      C85: missing,
      P85: at(85, 0.32),
      C90: missing,
      P90: missing,
      C95: missing,
      P95: at(95, 0.24),
      C120: missing,
      P120: [0, 0.4]
    })
    const k = (strike: number) => Math.log(strike / chain.carries[0].forward)
    const share = (k(90) - k(85)) / (k(95) - k(85))
    const between = Math.sqrt((1 - share) * 0.32 ** 2 + share * 0.24 ** 2)
    for (const [name, sigma] of [
      ['C90', between],
      ['P90', between],
      ['C80', 0.32],
      ['P80', 0.32],
      ['C120', 0.2],
      ['P120', 0.2]
    ] as const) {
      const slot = slotOf(chain, name)
      expect(chain.sigmaSource[slot]).toBe(BETWEEN)
      expect(chain.sigma[slot]).toBeCloseTo(sigma, 4)
      expect(chain.delta[slot]).not.toBeNaN()
    }
    expect(countSources(chain).between).toBe(6)
  })

  test('is absent where nothing of the expiration tells one: in the money delta is whole, out of the money all is missing', () => {
    const forward = 100 * Math.exp((rate - 0.013) * t)
    const quote = (strike: number, right: number) => {
      const intrinsic = discount * (right === CALL ? forward - strike : strike - forward)
      return intrinsic > 0 ? ([intrinsic - 0.2, intrinsic + 0.2] as const) : ([0, 0.4] as const)
    }
    const chain = priced(sketched({ ...terms, series: [{ date: expiration, strikes: ladder(80, 120, 10), quote }] }))
    const carried = Math.exp(-0.013 * t)
    for (const [name, sign, strike] of [
      ['C80', 1, 80],
      ['P120', -1, 120]
    ] as const) {
      const slot = slotOf(chain, name)
      expect([chain.sigmaSource[slot], chain.sigma[slot]]).toEqual([INTRINSIC, Number.NaN])
      expect(chain.delta[slot]).toBeCloseTo(sign * carried, 12)
      for (const greek of ['gamma', 'vega', 'vanna', 'charm'] as const) expect(chain[greek][slot]).toBe(0)
      // The limit of an option as its volatility goes to zero.
      const limit = scalarGreeks({ call: sign > 0, spot: 100, strike, t, rate, dividendYield: 0.013, sigma: 0.01 })
      for (const greek of ['delta', 'theta', 'rho'] as const) expect(chain[greek][slot]).toBeCloseTo(limit[greek], 9)
    }
    for (const name of ['P80', 'C120']) {
      const slot = slotOf(chain, name)
      expect(chain.sigmaSource[slot]).toBe(NO_SIGMA)
      for (const column of ['sigma', 'delta', 'gamma', 'theta', 'vega', 'rho', 'vanna', 'charm'] as const) {
        expect(chain[column][slot]).toBeNaN()
      }
    }
    // A contract at intrinsic value contributes its delta and no gamma.
    const scope = liveScope(chain)
    expect(deltaExposure(scope, slotOf(chain, 'C80'))).toBeCloseTo(carried * 100 * 100 * 100, 6)
    expect(gammaAt(gammaBySpot(scope), Math.log(100))).toBe(0)
  })

  test('outside 1 % to 2,000 % counts as a quote gone wrong', () => {
    const at = (sigma: number, width: number) =>
      [worth(false, 95, sigma) - width, worth(false, 95, sigma) + width] as const
    for (const [sigma, sound] of [
      [5.02, true],
      [19.9, true],
      [20.1, false]
    ] as const) {
      const chain = quoted({ P95: at(sigma, 0.01), C95: [Number.NaN, Number.NaN] })
      expect(chain.sigmaSource[slotOf(chain, 'P95')] === OWN_MID).toBe(sound)
      expect(Number.isNaN(quoteVolatilities(chain).mid[slotOf(chain, 'P95')])).toBe(!sound)
    }
    const near = (sigma: number) => {
      const price = scalarGreeks({ call: false, spot: 100, strike: 100, t, rate, dividendYield: 0.013, sigma }).price
      return [price - 1e-6, price + 1e-6] as const
    }
    for (const [sigma, sound] of [
      [0.0101, true],
      [0.0099, false]
    ] as const) {
      const chain = quoted({ P100: near(sigma), C100: [Number.NaN, Number.NaN] })
      expect(chain.sigmaSource[slotOf(chain, 'P100')] === OWN_MID).toBe(sound)
    }
  })

  test('does not exist for a mid at or outside the European bounds', () => {
    const chain = quoted({
      C120: [105, 106],
      P120: [Number.NaN, Number.NaN],
      P80: [79.9, 80.3],
      C80: [Number.NaN, Number.NaN]
    })
    for (const name of ['C120', 'P120', 'P80', 'C80']) expect(chain.sigmaSource[slotOf(chain, name)]).toBe(BETWEEN)
  })

  test('of bid and ask is inverted where the quote is two-sided', () => {
    const chain = quoted({ C100: [2, 2.4], P90: [0, 0.4] })
    const { bid, mid, ask } = quoteVolatilities(chain)
    const call = slotOf(chain, 'C100')
    const priceAt = (sigma: number) =>
      scalarGreeks({
        call: true,
        spot: 100,
        strike: 100,
        t,
        rate,
        dividendYield: chain.carries[0].dividendYield,
        sigma
      }).price
    expect([priceAt(bid[call]), priceAt(mid[call]), priceAt(ask[call])]).toEqual(
      [2, 2.2, 2.4].map((price) => expect.closeTo(price, 9))
    )
    const put = slotOf(chain, 'P90')
    expect([bid[put], mid[put], ask[put]]).toEqual([Number.NaN, Number.NaN, Number.NaN])
  })
})

test('pricing a chain changes nothing of what the source gave', () => {
  const raw = sketched({ ...terms, series: [{ date: expiration, strikes: ladder(90, 110, 5) }] })
  const copy = structuredClone(raw)
  const chain = priceChain(raw, madeUpAssumptions)
  expect(raw).toEqual(copy)
  expect(chain.bid).toBe(raw.bid)
})
