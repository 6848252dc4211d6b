import { beforeAll, expect, test } from 'vitest'
import { signConvention } from '../../src/exposure/book.ts'
import { bookOfModel } from '../../src/exposure/dealer-models.ts'
import { type HigherMeasure, higherByStrike, higherMeasures, netHigher } from '../../src/exposure/higher-exposures.ts'
import { carriesExposure, expirationOfSlots, liveScope, type Scope, withBook } from '../../src/exposure/scope.ts'
import { CALL } from '../../src/market/chain.ts'
import { type Greeks, greeks, type Option } from '../../src/pricing/bsm.ts'
import { allMarkets, type Market } from '../support/markets.ts'

let markets: readonly Market[]
beforeAll(async () => {
  markets = await allMarkets()
})

/** Slope of a greek in spot or volatility, by the five-point rule. */
function slope(of: keyof Greeks, along: 'spot' | 'sigma', at: Option): number {
  const step = 0.01 * (along === 'spot' ? at.spot * at.sigma * Math.sqrt(at.t) : at.sigma)
  const value = (steps: number) => greeks({ ...at, [along]: at[along] + steps * step })[of]
  return (8 * (value(1) - value(-1)) - (value(2) - value(-2))) / (12 * step)
}

/** What is bumped, and how many USD its slope is for a contract at an underlying. Vega of `greeks` is per 1.00. */
const bumps: Readonly<Record<HigherMeasure, readonly [keyof Greeks, 'spot' | 'sigma', (s: number) => number]>> = {
  speed: ['gamma', 'spot', (s) => 100 * s * s * 0.01 * (0.01 * s)],
  zomma: ['gamma', 'sigma', (s) => 100 * s * s * 0.01 * 0.01],
  vomma: ['vega', 'sigma', () => 100 * 0.01 * 0.01]
}

function bumped(scope: Scope, measure: HigherMeasure) {
  const { chain, slots, book } = scope
  const [of, along, dollars] = bumps[measure]
  let sum = 0
  let gross = 0
  for (const i of slots) {
    if (!carriesExposure(scope, i) || Number.isNaN(chain.sigma[i])) continue
    const { spot, t, rate, dividendYield, exposureSpot } = chain.carries[expirationOfSlots(chain)[i]]
    const right = chain.right[i] === CALL ? 'call' : 'put'
    const terms = { right, spot, strike: chain.strike[i], t, sigma: chain.sigma[i], rate, dividendYield } as const
    const each = slope(of, along, terms) * book.position[i] * dollars(chain.onForward ? exposureSpot : chain.spot)
    sum += each
    gross += Math.abs(each)
  }
  return { sum, gross }
}

test.each(higherMeasures)('%s of every market is that of bumped greeks', (measure) => {
  let compared = 0
  for (const { chain, name } of markets) {
    const scope = liveScope(chain)
    const { sum, gross } = bumped(scope, measure)
    expect(Math.abs(netHigher(scope, measure) - sum), name).toBeLessThanOrEqual(1e-6 * gross)
    if (gross > 0) compared++
  }
  expect(compared).toBeGreaterThan(5)
})

test('rows ascend by strike, add up, and turn their sign with the book', () => {
  for (const { chain } of markets) {
    const scope = liveScope(chain)
    const rows = higherByStrike(scope)
    expect(rows.map(({ strike }) => strike)).toEqual(
      [...new Set(rows.map(({ strike }) => strike))].sort((a, b) => a - b)
    )
    const short = higherByStrike(withBook(scope, bookOfModel(chain, 'all_short')))
    const { openInterest } = signConvention(chain)
    if (!openInterest.some((open) => open > 0)) continue
    short.forEach(({ call, put }, k) => {
      for (const measure of higherMeasures) {
        expect(call[measure]).toBeCloseTo(-rows[k].call[measure], 4)
        expect(put[measure]).toBe(rows[k].put[measure])
      }
    })
  }
})
