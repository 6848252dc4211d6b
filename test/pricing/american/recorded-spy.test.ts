import { describe, expect, test } from 'vitest'
import { type Assumptions, defaultAssumptions } from '../../../src/pricing/assumptions.ts'
import { carriesOf } from '../../../src/pricing/carry.ts'
import { type PricedChain, priceChain } from '../../../src/pricing/price-chain.ts'
import { quoteVolatilities } from '../../../src/pricing/quote-volatility.ts'
import { impliedRates } from '../../../src/pricing/rates/implied-rates.ts'
import { recordedPayloads } from '../../support/cboe-payload.ts'
import { recordedChain } from '../../support/markets.ts'

const folder = recordedPayloads()
const session = '2026-07-30'

/** Strikes at which call and put are both liquid and both hold time value, and those whose volatilities overlap. */
function agreement(chain: PricedChain, accepts: (days: number) => boolean) {
  const { bid, ask } = quoteVolatilities(chain)
  let [liquid, overlapping] = [0, 0]
  chain.expirations.forEach(({ start, end }, at) => {
    const { days, forward, discount, spot } = chain.carries[at]
    if (days < 1 || !accepts(days)) return
    const isLiquid = (i: number) => {
      const [mid, spread] = [(chain.bid[i] + chain.ask[i]) / 2, chain.ask[i] - chain.bid[i]]
      const sign = chain.right[i] === 0 ? 1 : -1
      const { [i]: strike } = chain.strike
      const intrinsic = Math.max(0, sign * discount * (forward - strike), sign * (spot - strike))
      return chain.bid[i] > 0 && (spread <= 0.1 * mid || spread <= 0.05) && mid - intrinsic > spread / 2
    }
    for (let i = start; i + 1 < end; i++) {
      if (chain.strike[i] !== chain.strike[i + 1] || !isLiquid(i) || !isLiquid(i + 1)) continue
      liquid++
      // A price at what exercise brings is one of any volatility, however low.
      const from = (k: number) => (Number.isNaN(bid[k]) ? 0 : bid[k])
      if (from(i) <= ask[i + 1] && from(i + 1) <= ask[i]) overlapping++
    }
  })
  return { liquid, share: overlapping / liquid }
}

describe.skipIf(folder === undefined)('SPY as recorded on 2026-07-30', async () => {
  if (folder === undefined) return
  const [spy, spx] = [await recordedChain(folder, 'SPY', session), await recordedChain(folder, 'SPX', session)]
  const rates = impliedRates(spx)
  const american: Assumptions = { ...defaultAssumptions, rates }
  const chain = priceChain(spy, american)
  const european = priceChain(spy, { ...american, exercise: 'european' })

  test('calls and puts of 95 % of liquid strikes agree, where European rules made 61 %', () => {
    expect(agreement(european, () => true).share).toBeLessThan(0.65)
    const { liquid, share } = agreement(chain, () => true)
    expect(liquid).toBeGreaterThan(2000)
    expect(share).toBeGreaterThan(0.97)
    // The skew is what is left beyond 400 days.
    for (const [from, to] of [
      [1, 30],
      [30, 90],
      [90, 200],
      [200, 400],
      [400, 2000]
    ]) {
      expect(agreement(chain, (days) => days >= from && days < to).share, `${from} days`).toBeGreaterThan(0.92)
    }
  })

  const ofIndex = carriesOf(spx, american)
  /** Excess of ln(F / S) over that of the index, basis points, by days to each expiration. */
  const gaps = (priced: PricedChain, settled: 'am' | 'pm') =>
    priced.carries.flatMap(({ days, forward, spot }, at) => {
      const same = spx.expirations.findIndex(
        ({ date, settlement }) => date === priced.expirations[at].date && settlement === settled
      )
      if (days < 1 || same === -1) return []
      const gap = 1e4 * (Math.log(forward / spot) - Math.log(ofIndex[same].forward / ofIndex[same].spot))
      return [{ days, gap }]
    })

  test('forwards lie within 15 bp of those of SPX scaled, where they were 41 bp low', () => {
    const [before, after] = [european, chain].map((priced) => gaps(priced, 'pm').map(({ gap }) => gap))
    expect(after.length).toBeGreaterThan(20)
    expect(Math.max(...after.map(Math.abs))).toBeLessThan(15)
    expect(Math.min(...before)).toBeLessThan(-40)
  })

  test("the far ones, of the monthly series, are those that the fund's expenses leave, where they were 150 bp low", () => {
    // The two sets of quotes differ in time; the nearest expiration shows by how much their spots differ.
    const fromNearest = (priced: PricedChain) => {
      const [nearest, ...others] = gaps(priced, 'am')
      return others.map(({ days, gap }) => ({ days, gap: gap - nearest.gap }))
    }
    const far = fromNearest(chain).filter(({ days }) => days > 200)
    expect(far.map(({ days }) => Math.round(days))).toEqual([232, 322, 414, 505, 687, 869])
    for (const { days, gap } of far) {
      expect(Math.abs(gap), `${days} days`).toBeLessThan(days < 800 ? 15 : 30)
      expect(Math.abs(gap - (9.45 * days) / 365), `${days} days, beside the expenses`).toBeLessThan(6)
    }
    expect(fromNearest(european).at(-1)!.gap).toBeLessThan(-150)
  })

  test('deltas stay within their bounds and those of exercised options are whole', () => {
    let whole = 0
    for (let i = 0; i < chain.size; i++) {
      const delta = chain.delta[i]
      if (Number.isNaN(delta)) continue
      expect(Math.abs(delta)).toBeLessThanOrEqual(1.001)
      if (delta === -1) {
        whole++
        expect([chain.gamma[i], chain.vega[i], chain.theta[i], chain.charm[i]]).toEqual([0, 0, 0, 0])
      }
    }
    expect(whole).toBeGreaterThan(100)
  })
})
