import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fitListings } from '../../../src/volatility/market-smile/market-surface.ts'
import { intervalsOf, type QuoteIntervals } from '../../../src/volatility/market-smile/quote-intervals.ts'
import { totalVarianceAt } from '../../../src/volatility/market-smile/smile-curve.ts'
import { outOfTheMoneyValue } from '../../../src/volatility/variance/variance-swap.ts'
import { fault, intervals, type Listing } from './made-quotes.ts'

interface Made {
  readonly t: number
  readonly listing: Listing
  readonly quotes: QuoteIntervals
}

/** Times to expiration from five minutes to five years. */
const years = fc.double({ min: Math.log(5 / 390 / 252), max: Math.log(5), noNaN: true }).map(Math.exp)

/** A listing of any shape, its quotes moved at random. */
const anyListing = fc
  .record({
    t: years,
    level: fc.double({ min: 0.03, max: 2, noNaN: true }),
    lean: fc.double({ min: -0.8, max: 0.8, noNaN: true }),
    bend: fc.double({ min: -0.05, max: 0.5, noNaN: true }),
    count: fc.oneof(fc.integer({ min: 3, max: 20 }), fc.integer({ min: 20, max: 500 })),
    reach: fc.double({ min: 0.3, max: 12, noNaN: true }),
    tick: fc.constantFrom(0.0001, 0.01, 0.05),
    halfSpread: fc.integer({ min: 1, max: 30 }),
    noise: fc.double({ min: 0, max: 0.3, noNaN: true }),
    seed: fc.integer({ min: 1, max: 2 ** 30 })
  })
  .map(({ t, level, lean, bend, count, reach, tick, halfSpread, noise, seed }): Made => {
    const s = level * Math.sqrt(t)
    const w = (k: number) => s * s * Math.max(0.05, 1 + lean * Math.tanh(k / s) + bend * (k / s) ** 2)
    const strikes = [
      ...new Set(Array.from({ length: count }, (_, n) => 100 * Math.exp((s * reach * (2 * n - count + 1)) / count)))
    ]
    const price = (k: number) => outOfTheMoneyValue(k, w(k))
    const listing: Listing = {
      forward: 100,
      discount: 0.97,
      t,
      ticks: { below3: tick, from3: tick },
      strikes,
      halfSpread
    }
    const quotes = intervals(listing, price, ({ bid, ask }) => {
      let state = seed
      for (let i = 0; i < bid.length; i++) {
        state = (state * 48271) % 2147483647
        if (state % 100 > 3) continue
        const factor = 1 + noise * (state / 2147483647 - 0.5)
        bid[i] *= factor
        ask[i] *= factor
      }
    })
    return { t, listing, quotes }
  })

test('whatever is quoted, each listing has a sound smile or is refused, and none later lies below an earlier one', () => {
  let [smiles, refused] = [0, 0]
  fc.assert(
    fc.property(fc.array(anyListing, { minLength: 1, maxLength: 4 }), (listings) => {
      const outcomes = fitListings(listings)
      const sound = outcomes.flatMap(({ curve, refusal, evaluations }, n) => {
        expect(curve === undefined).toBe(refusal !== undefined)
        expect(evaluations).toBeLessThanOrEqual(2 * (40 + 6))
        if (curve === undefined) return []
        expect(curve.coefficients.every(Number.isFinite)).toBe(true)
        expect(fault(curve)).toBeUndefined()
        return [{ t: listings[n].t, curve }]
      })
      smiles += sound.length
      refused += outcomes.length - sound.length
      sound.sort((a, b) => a.t - b.t)
      for (let n = 1; n < sound.length; n++) {
        const [earlier, later] = [sound[n - 1], sound[n]]
        if (earlier.t === later.t) continue
        for (let z = -10; z <= 10; z += 0.17) {
          const k = z * Math.max(earlier.curve.scale, later.curve.scale)
          expect(totalVarianceAt(later.curve, k) / totalVarianceAt(earlier.curve, k)).toBeGreaterThan(1 - 1e-4)
        }
      }
    }),
    { numRuns: 150, seed: 11 }
  )
  console.log(`${smiles} smiles, ${refused} refused`)
})

test('equal quotes give equal bits, in whatever order the listings are given', () => {
  fc.assert(
    fc.property(fc.array(anyListing, { minLength: 2, maxLength: 4 }), (listings) => {
      const outcomes = fitListings(listings)
      expect(fitListings(listings)).toEqual(outcomes)
      expect(fitListings(listings.toReversed()).toReversed()).toEqual(outcomes)
    }),
    { numRuns: 25, seed: 12 }
  )
})

test('the unit of prices does not matter', () => {
  fc.assert(
    fc.property(anyListing, ({ t, listing, quotes }) => {
      const { strike, bid, ask } = quotes.prices
      const [times, tick] = [(column: Float64Array) => column.map((x) => 7 * x), 7 * listing.ticks.below3]
      const prices = { ...quotes.prices, strike: times(strike), bid: times(bid), ask: times(ask) }
      const scaled = intervalsOf({ ...listing, forward: 7 * listing.forward }, prices, { below3: tick, from3: tick })
      const [{ curve }] = fitListings([{ t, quotes }])
      const [{ curve: same }] = fitListings([{ t, quotes: scaled }])
      expect(same?.coefficients.length).toBe(curve?.coefficients.length)
      curve?.coefficients.forEach((c, i) => {
        expect(same!.coefficients[i]).toBeCloseTo(c, 6)
      })
    }),
    { numRuns: 40, seed: 13 }
  )
})
