import { describe, expect, test } from 'vitest'
import { netExposures } from '../../src/exposure/net.ts'
import { liveScope } from '../../src/exposure/scope.ts'
import { gammaFlip, netGammaAt } from '../../src/exposure/spot-ladder/gamma-flip.ts'
import { addDays } from '../../src/market/calendar.ts'
import { CALL } from '../../src/market/chain.ts'
import { yearsToExpiry } from '../../src/market/clock.ts'
import type { IsoDate } from '../../src/market/units.ts'
import { americanGreeks, americanPrice } from '../../src/pricing/american/american-option.ts'
import { type Assumptions, defaultAssumptions, flatRate } from '../../src/pricing/assumptions.ts'
import { priceChain } from '../../src/pricing/price-chain.ts'
import { eastern, ladder, sketched } from '../support/hand-made.ts'

const [date, time, rate, dividendYield] = ['2026-07-29', '11:00', 0.06, 0.01]
const assumptions: Assumptions = { ...defaultAssumptions, rates: flatRate(rate), dividendYield }
const leaning = (strike: number) => 0.24 + 0.002 * (100 - strike)

/** A stock of 100 whose options are quoted at exact American prices, a tenth of a cent wide. */
const chain = priceChain(
  sketched({
    symbol: 'KO',
    date,
    time,
    spot: 100,
    series: [30, 170, 400].map((days) => {
      const expiration = addDays(date as IsoDate, days)
      const t = yearsToExpiry(eastern(date, time), expiration, 'pm')
      return {
        date: expiration,
        strikes: ladder(80, 120, 5),
        oi: (strike: number, right: number) => ((right === CALL) === strike > 100 ? 400 : 60),
        quote: (strike: number, right: number) => {
          const option = { right: right === CALL ? ('call' as const) : ('put' as const), spot: 100, strike, t, rate }
          const price = americanPrice({ ...option, dividendYield, sigma: leaning(strike) })!
          return [price - 0.0005, price + 0.0005] as const
        }
      }
    })
  }),
  assumptions
)
const scope = liveScope(chain)

/** Net gamma at another spot in the plainest way: one exact option after another, exercised where it is worth exercising. */
function netGamma(x: number): number {
  let sum = 0
  chain.expirations.forEach(({ start, end }, at) => {
    const { t, dividendYield: q } = chain.carries[at]
    for (let i = start; i < end; i++) {
      const sign = chain.right[i] === CALL ? 1 : -1
      const right = sign > 0 ? ('call' as const) : ('put' as const)
      const option = { right, spot: x, strike: chain.strike[i], t, rate, dividendYield: q, sigma: chain.sigma[i] }
      sum += sign * chain.openInterest[i] * 100 * americanGreeks(option)!.gamma * x * x * 0.01
    }
  })
  return sum
}

describe('a chain of American options', () => {
  test('gives back the volatilities and the carry that it was made with', () => {
    for (let i = 0; i < chain.size; i++) {
      if (chain.sigmaSource[i] === 1) expect(Math.abs(chain.sigma[i] - leaning(chain.strike[i]))).toBeLessThan(0.003)
    }
    for (const { spot, forward, t } of chain.carries) {
      expect(spot).toBe(100)
      expect(1e4 * Math.abs(Math.log(forward / 100) - (rate - dividendYield) * t)).toBeLessThan(3)
    }
  })

  test('has the net gamma of exact options at every spot, within a thousandth', () => {
    const scale = Math.abs(netGamma(90)) + Math.abs(netGamma(110))
    expect(Math.abs(netExposures(scope).gex - netGammaAt(scope, 100)) / scale).toBeLessThan(1e-7)
    for (const x of [72, 81, 88, 94, 97, 100, 103, 107, 113, 121, 130]) {
      expect(Math.abs(netGammaAt(scope, x) - netGamma(x)) / scale, `at ${x}`).toBeLessThan(1e-3)
    }
  })

  test('has its flip where they cross zero, which is not where European ones do', () => {
    const flip = gammaFlip(scope)!
    expect(netGamma(flip - 0.05) * netGamma(flip + 0.05)).toBeLessThan(0)
    const european = { ...chain, carries: chain.carries.map((carry) => ({ ...carry, american: undefined })) }
    expect(Math.abs(gammaFlip(liveScope(european))! - flip)).toBeGreaterThan(0.05)
  })
})
