import { describe, expect, test } from 'vitest'
import { netExposures } from '../../../src/exposure/net.ts'
import { liveScope } from '../../../src/exposure/scope.ts'
import { netGammaAt } from '../../../src/exposure/spot-ladder/gamma-flip.ts'
import { addDays } from '../../../src/market/calendar.ts'
import { CALL, type Chain, PUT } from '../../../src/market/chain.ts'
import { withDividends } from '../../../src/market/dividend.ts'
import { leastValue, yieldOfDividends } from '../../../src/pricing/american/dividends/dividend-terms.ts'
import { type Assumptions, defaultAssumptions, flatRate } from '../../../src/pricing/assumptions.ts'
import { fillGreeksOf } from '../../../src/pricing/by-exercise.ts'
import { type PricedChain, priceChain } from '../../../src/pricing/price-chain.ts'
import { OWN_MID } from '../../../src/pricing/sources.ts'
import { ladder } from '../../support/hand-made.ts'
import { chainDate, chainRate, dividendChain, latticePrice } from './dividend-chain.ts'

const assumptions: Assumptions = { ...defaultAssumptions, rates: flatRate(chainRate), dividendYield: 0 }
const price = (chain: Chain) => priceChain(chain, assumptions)
const withoutSchedule = ({ dividends: _, ...chain }: Chain): PricedChain => price(chain)

/** Strikes at which call and put have time value of five cents and more, and those whose volatilities are within 0.3 points. */
function agreement(quotedChain: Chain, chain: PricedChain) {
  let [strikes, agree] = [0, 0]
  const known = price(quotedChain)
  known.expirations.forEach(({ start, end }, at) => {
    const { t, rate, spot, dividendYield, dividends } = known.carries[at]
    const terms = { t, rate, dividendYield: dividendYield - yieldOfDividends(dividends, t), dividends }
    const [call, put] = [CALL, PUT].map((right) => leastValue({ right, ...terms }))
    for (let i = start; i < end; i += 2) {
      const [forCall, forPut] = [i, i + 1].map((k) => (chain.bid[k] + chain.ask[k]) / 2)
      if (forCall - call(spot, chain.strike[i]) < 0.05 || forPut - put(spot, chain.strike[i]) < 0.05) continue
      strikes++
      const own = chain.sigmaSource[i] === OWN_MID && chain.sigmaSource[i + 1] === OWN_MID
      if (own && Math.abs(chain.sigma[i] - chain.sigma[i + 1]) < 0.003) agree++
    }
  })
  return { strikes, agree }
}

const cases = [
  { name: 'a fund ex in 10 days', paid: [[10, 0.25]], expiries: [12, 20], strikes: ladder(94, 106, 2), sigma: 0.14 },
  { name: 'a stock ex tomorrow', paid: [[1, 1]], expiries: [5, 60], strikes: ladder(88, 112, 4), sigma: 0.3 },
  {
    name: 'a stock with two dividends',
    paid: [
      [20, 0.8],
      [111, 0.8]
    ],
    expiries: [40, 150],
    strikes: ladder(84, 116, 4),
    sigma: 0.25
  },
  {
    name: 'a stock dear to borrow, ex on the day of expiry',
    paid: [[16, 1.5]],
    expiries: [16, 44],
    strikes: ladder(85, 115, 5),
    sigma: 0.4,
    borrow: 0.03
  }
] as const

describe.each(cases)('$name', (sketch) => {
  const raw = dividendChain(sketch)
  const chain = price(raw)

  test('has the forwards it was made with, within a basis point', () => {
    for (const { t, forward, dividends } of chain.carries) {
      const paid = yieldOfDividends(dividends, t)
      const exact = 100 * Math.exp((chainRate - paid - ('borrow' in sketch ? sketch.borrow : 0)) * t)
      expect(1e4 * Math.abs(Math.log(forward / exact))).toBeLessThan(1)
      expect(dividends.length).toBeGreaterThan(0)
    }
  })

  test('has its volatility for calls and puts alike, and their deltas', () => {
    let own = 0
    chain.expirations.forEach(({ start, end }, at) => {
      const { t, rate, spot, dividendYield, dividends } = chain.carries[at]
      const terms = { t, dividendYield: dividendYield - yieldOfDividends(dividends, t), dividends }
      for (let i = start; i < end; i++) {
        const [strike, right] = [chain.strike[i], chain.right[i]]
        const value = (chain.bid[i] + chain.ask[i]) / 2
        if (value - leastValue({ right, rate, ...terms })(spot, strike) < 0.05) continue
        const slot = `${right === CALL ? 'call' : 'put'} ${strike}, ${chain.carries[at].days} days`
        expect(chain.sigmaSource[i], slot).toBe(OWN_MID)
        expect(Math.abs(chain.sigma[i] - sketch.sigma), slot).toBeLessThan(0.0015)
        // A dividend is a share of the spot: the same at a spot nearby.
        const around = [99.5, 100.5].map((at) => latticePrice(right, at, strike, sketch.sigma, terms, 401))
        expect(Math.abs(chain.delta[i] - (around[1] - around[0])), slot).toBeLessThan(0.006)
        own++
      }
    })
    expect(own).toBeGreaterThan(12)
  })

  test('calls and puts agree at every strike, which they do not without the schedule', () => {
    const before = agreement(raw, withoutSchedule(raw))
    const after = agreement(raw, chain)
    console.log(`${sketch.name}: ${before.agree} of ${before.strikes} strikes agree, with the schedule ${after.agree}`)
    expect(after.agree).toBe(after.strikes)
    expect(before.agree).toBeLessThan(0.8 * before.strikes)
  })

  test('its net gamma by spot is that of its greeks there', () => {
    const scope = liveScope(chain)
    expect(netGammaAt(scope, 100) / netExposures(scope).gex - 1).toBeCloseTo(0, 5)
    const gross = chain.gamma.reduce((sum, gamma) => sum + (gamma > 0 ? gamma : 0), 0) * 1e6
    for (const x of [90, 97, 103, 111]) {
      let sum = 0
      const out = Object.fromEntries(
        ['delta', 'gamma', 'theta', 'vega', 'rho', 'vanna', 'charm'].map((name) => [name, new Float64Array(chain.size)])
      ) as Pick<PricedChain, 'delta' | 'gamma' | 'theta' | 'vega' | 'rho' | 'vanna' | 'charm'>
      chain.expirations.forEach(({ start, end }, at) => {
        const carry = { ...chain.carries[at], spot: x, forward: (chain.carries[at].forward * x) / 100 }
        fillGreeksOf(carry, chain.strike, chain.right, chain.sigma, start, end, out)
        for (let i = start; i < end; i++) {
          if (Number.isNaN(chain.sigma[i])) continue
          sum += (chain.right[i] === CALL ? 1 : -1) * out.gamma[i] * chain.openInterest[i] * x * x
        }
      })
      expect(Math.abs(netGammaAt(scope, x) - sum) / gross, `${x}`).toBeLessThan(1e-6)
    }
  })
})

describe('a schedule', () => {
  const sketch = { paid: [[10, 0.5]], expiries: [8, 20, 400], strikes: [95, 100, 105], sigma: 0.2 } as const
  const raw = dividendChain(sketch)
  const same = (a: PricedChain, b: PricedChain, at: number) => {
    const { start, end } = a.expirations[at]
    expect([...a.sigma.subarray(start, end)]).toEqual([...b.sigma.subarray(start, end)])
    expect([...a.delta.subarray(start, end)]).toEqual([...b.delta.subarray(start, end)])
  }

  test('counts for expirations it lies before, up to half a year', () => {
    const [with_, without] = [price(raw), withoutSchedule(raw)]
    expect(with_.carries.map(({ dividends }) => dividends.length)).toEqual([0, 1, 0])
    same(with_, without, 0)
    same(with_, without, 2)
    expect(with_.carries[1].dividendYield).not.toBe(without.carries[1].dividendYield)
  })

  test('counts from the moment it is known', () => {
    const { dividends, ...chain } = raw
    const later = dividends!.map((one) => ({ ...one, knownFrom: chain.asOf + 1 }))
    expect(price(withDividends(chain, later)).carries[1].dividends).toEqual([])
    expect(price(withDividends({ ...chain, asOf: chain.asOf + 1 }, later)).carries[1].dividends.length).toBe(1)
  })

  test('no longer counts on its ex-date', () => {
    const { dividends, ...chain } = raw
    const today = dividends!.map((one) => ({ ...one, exDate: chainDate }))
    expect(price(withDividends(chain, today)).carries[1].dividends).toEqual([])
  })

  test('that the forward contradicts is left out, as is one of the whole spot', () => {
    const { dividends, ...chain } = raw
    const special = [...dividends!, { exDate: addDays(chainDate, 12), amount: 15, knownFrom: 0 }]
    same(price({ ...chain, dividends: special }), price(chain), 1)
    const wrong = [...dividends!, { exDate: addDays(chainDate, 12), amount: 150, knownFrom: 0 }]
    same(price({ ...chain, dividends: wrong }), price(raw), 1)
  })

  test('prices a chain the same whatever was priced before it', () => {
    const late = { ...raw, asOf: raw.asOf + 3_600_000, spot: raw.spot * 1.001 }
    const first = price(late)
    for (let minute = 0; minute < 60; minute += 7) {
      price({ ...raw, asOf: raw.asOf + 60_000 * minute, spot: raw.spot * (1 + 1e-4 * minute) })
    }
    same(price({ ...late }), first, 1)
  })

  test('holds in the last hours: ex tomorrow at the open, expiry at its close', () => {
    const night = dividendChain({
      paid: [[1, 0.4]],
      expiries: [1],
      strikes: [97, 98, 99, 100, 101],
      sigma: 0.3,
      time: '15:59'
    })
    const chain = price(night)
    const [{ start, end }] = chain.expirations
    for (let i = start; i < end; i++) {
      if (chain.sigmaSource[i] === OWN_MID) expect(Math.abs(chain.sigma[i] - 0.3), `${i}`).toBeLessThan(0.01)
      expect(chain.delta[i]).not.toBeNaN()
    }
  })
})
