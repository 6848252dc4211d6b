import { expect, test } from 'vitest'
import { addDays } from '../../../src/market/calendar.ts'
import { CALL } from '../../../src/market/chain.ts'
import { yearsToExpiry } from '../../../src/market/clock.ts'
import type { IsoDate } from '../../../src/market/units.ts'
import { americanPrice } from '../../../src/pricing/american/american-option.ts'
import { type Assumptions, defaultAssumptions, flatRate } from '../../../src/pricing/assumptions.ts'
import { priceChain } from '../../../src/pricing/price-chain.ts'
import { OWN_MID, SIBLING } from '../../../src/pricing/sources.ts'
import { eastern, ladder, sketched } from '../../support/hand-made.ts'

const [date, time, rate, dividendYield] = ['2026-07-29', '11:00', 0.045, 0.02]
const assumptions: Assumptions = { ...defaultAssumptions, rates: flatRate(rate), dividendYield }

/** A stock of 100 at 25 %, quoted a cent wide, a call at 92 dearer by what its holder gains from a dividend. */
function chainWith(gain: number, days: number) {
  const expiration = addDays(date as IsoDate, days)
  const t = yearsToExpiry(eastern(date, time), expiration, 'pm')
  const quote = (strike: number, right: number) => {
    const isCall = right === CALL
    const option = { right: isCall ? ('call' as const) : ('put' as const), spot: 100, strike, t, rate, dividendYield }
    const price = americanPrice({ ...option, sigma: 0.25 })! + (isCall && strike === 92 ? gain : 0)
    return [price - 0.005, price + 0.005] as const
  }
  const series = [{ date: expiration, strikes: ladder(88, 112, 4), quote }]
  return priceChain(sketched({ symbol: 'KO', date, time, spot: 100, series }), assumptions)
}

const callAt92 = ({ strike, right }: ReturnType<typeof chainWith>) =>
  strike.findIndex((one, i) => one === 92 && right[i] === CALL)

test('a call in the money that contradicts its put by more than their spreads takes the volatility of the put', () => {
  const chain = chainWith(0.15, 20)
  const slot = callAt92(chain)
  expect([chain.sigmaSource[slot], chain.sigmaSource[slot + 1]]).toEqual([SIBLING, OWN_MID])
  expect(chain.sigma[slot]).toBe(chain.sigma[slot + 1])
  expect(Math.abs(chain.sigma[slot] - 0.25)).toBeLessThan(0.003)
})

test('within their spreads both keep their own, and beyond 100 days as well', () => {
  for (const chain of [chainWith(0.002, 20), chainWith(0.15, 140)]) {
    const slot = callAt92(chain)
    expect([chain.sigmaSource[slot], chain.sigmaSource[slot + 1]]).toEqual([OWN_MID, OWN_MID])
  }
})
