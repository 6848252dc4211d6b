import { describe, expect, test } from 'vitest'
import { densityAt } from '../../../src/volatility/market-smile/distribution.ts'
import { fitListings } from '../../../src/volatility/market-smile/market-surface.ts'
import type { QuoteIntervals } from '../../../src/volatility/market-smile/quote-intervals.ts'
import { durrlemanAt, type SmileCurve, totalVarianceAt } from '../../../src/volatility/market-smile/smile-curve.ts'
import { replicatedVariance } from '../../../src/volatility/market-smile/whole-variance.ts'
import { type Svi, totalVariance } from '../../../src/volatility/svi/svi.ts'
import { vogt } from '../generated.ts'
import { alone, fault, index, intervals, type Listing, missed, modes, month, priced } from './made-quotes.ts'
import { only } from './sessions.ts'

const flatVariance = 0.2 ** 2 / 12
const lean: Svi = { a: 0.001, b: 0.018, rho: -0.5, m: 0.01, sigma: 0.06 }
const ladder = (from: number, to: number, step: number) =>
  Array.from({ length: Math.round((to - from) / step) + 1 }, (_, n) => from + n * step)

/** The forward price of out-of-the-money options when ln S ends in one of two normal places, `apart` deviations apart. */
function twoPlaces(width: number, apart: number): (k: number) => number {
  const places = [
    [0.5, (-apart * width) / 2],
    [0.5, (apart * width) / 2]
  ] as const
  const level = places.reduce((sum, [share, mean]) => sum + share * Math.exp(mean), 0)
  const w = width * width
  return (k) =>
    places.reduce((sum, [share, mean]) => {
      // A lognormal price with mean F m: a call on it is m times one at k - ln m.
      const m = Math.exp(mean) / level
      const shifted = k - Math.log(m)
      const otm = priced(() => w)(shifted)
      // The option is out of the money around F, not around F m: parity turns one into the other.
      const asCall = m * (shifted > 0 ? otm : otm + 1 - Math.exp(shifted))
      return sum + share * (k > 0 ? asCall : asCall - m + Math.exp(k))
    }, 0)
}

describe('quotes made from a known smile', () => {
  const known: readonly (readonly [string, (k: number) => number])[] = [
    ['a flat one', () => flatVariance],
    ['an SVI slice', (k) => totalVariance(lean, k)]
  ]
  test.each(known)('%s comes back within half an interval, with one mode', (_, w) => {
    const quotes = intervals(month, priced(w))
    const curve = alone(month.t, quotes)!
    for (let i = 0; i < quotes.size; i++) {
      if (!(quotes.mid[i] > 0)) continue
      const half = (quotes.high[i] - quotes.low[i]) / 2
      expect(Math.abs(totalVarianceAt(curve, quotes.k[i]) - w(quotes.k[i]))).toBeLessThanOrEqual(half)
    }
    expect(missed(month, quotes, curve)).toBe(0)
    expect(modes((k) => densityAt(curve, k), curve.scale)).toBe(1)
    expect(fault(curve)).toBeUndefined()
  })

  test('two lognormals two deviations of each apart keep both their modes', () => {
    for (const width of [0.35, 0.5]) {
      // In deviations of the whole: each is `width` wide and their means are two apart.
      const whole = 0.08
      const each = whole * width
      const listing = { ...month, strikes: ladder(70, 130, 0.5), halfSpread: 1 }
      const quotes = intervals(listing, twoPlaces(each, 2 / width))
      const curve = alone(listing.t, quotes)!
      expect(missed(listing, quotes, curve, 1)).toBe(0)
      expect(modes((k) => densityAt(curve, k), curve.scale)).toBe(2)
      expect(fault(curve)).toBeUndefined()
    }
  })

  test('a flat smile has g of one between its quotes, and its variance', () => {
    // Fine ticks leave nothing for the fit to choose.
    const fine = { ...month, ticks: { below3: 1e-6, from3: 1e-6 }, halfSpread: 1 }
    const curve = alone(
      fine.t,
      intervals(
        fine,
        priced(() => flatVariance)
      )
    )!
    for (let z = -3; z <= 3; z += 0.1) expect(durrlemanAt(curve, z * curve.scale)).toBeCloseTo(1, 2)
    expect(replicatedVariance(curve).total / flatVariance).toBeCloseTo(1, 3)
  })
})

describe('quotes that contain arbitrage', () => {
  test('a butterfly of minus one tick leaves the quotes around it alone', () => {
    const listing = { ...month, halfSpread: 1 }
    const quotes = intervals(
      listing,
      priced(() => flatVariance),
      ({ strike, bid, ask }) => {
        const i = strike.indexOf(104)
        const wings = (bid[i - 1] + ask[i - 1] + bid[i + 1] + ask[i + 1]) / 4
        bid[i] = wings + 0.01
        ask[i] = wings + 0.02
      }
    )
    const curve = alone(listing.t, quotes)!
    expect(fault(curve)).toBeUndefined()
    const others = only(quotes, (i) => Math.abs(quotes.prices.strike[i] - 104) > 1)
    expect(missed(listing, quotes, curve)).toBeGreaterThan(0)
    console.log(
      others.prices.strike.filter(
        (_, i) =>
          missed(
            listing,
            only(others, (j) => j === i),
            curve
          ) > 0
      )
    )
    expect(missed(listing, others, curve, 1)).toBe(0)
  })

  test("Vogt's slice, whose density is negative, is met where it can be", () => {
    const listing: Listing = {
      ...month,
      forward: 1000,
      discount: 1,
      t: 1,
      ticks: index,
      strikes: ladder(225, 4500, 25),
      halfSpread: 1
    }
    const quotes = intervals(
      listing,
      priced((k) => totalVariance(vogt, k))
    )
    const curve = alone(listing.t, quotes)!
    expect(fault(curve)).toBeUndefined()
    expect(missed(listing, quotes, curve, 1) / quotes.twoSided).toBeLessThan(0.15)
  })

  test('one quote twenty ticks off loses, and takes at most its neighbours along', () => {
    const quotes = intervals(
      month,
      priced((k) => totalVariance(lean, k)),
      ({ strike, bid, ask }) => {
        const i = strike.indexOf(95)
        bid[i] += 0.2
        ask[i] += 0.2
      }
    )
    const curve = alone(month.t, quotes)!
    expect(fault(curve)).toBeUndefined()
    expect(missed(month, quotes, curve, 1)).toBeLessThanOrEqual(3)
  })

  test.each([
    ['ten percent above', 1.1],
    ['two percent below', 0.98]
  ])('a listing whose total variance is %s its neighbours is refused, and they do not notice', (_, factor) => {
    const listings = [1, 1.01, 1.02, 1.03, 1.04].map((late, n) => {
      const t = month.t * late
      const w = flatVariance * late * (n === 2 ? factor : 1)
      const listing = { ...month, t, ticks: { below3: 1e-4, from3: 1e-4 }, halfSpread: 1 }
      return {
        t,
        quotes: intervals(
          listing,
          priced(() => w)
        )
      }
    })
    const [with2, without2] = [fitListings(listings), fitListings(listings.filter((_, n) => n !== 2))]
    expect(with2[2].curve).toBeUndefined()
    expect(with2[2].refusal).toMatch(/rough|no_fit/)
    for (const [n, m] of [
      [0, 0],
      [1, 1],
      [3, 2],
      [4, 3]
    ] as const) {
      const change = totalVarianceAt(with2[n].curve!, 0) / totalVarianceAt(without2[m].curve!, 0) - 1
      expect(Math.abs(change)).toBeLessThan(1e-3)
    }
  })
})

describe('degenerate quotes', () => {
  const quotes = intervals(
    month,
    priced((k) => totalVariance(lean, k))
  )
  const sound = (curve: SmileCurve | undefined, given: QuoteIntervals, ticks = 0) => {
    expect(curve).toBeDefined()
    expect(fault(curve!)).toBeUndefined()
    expect(missed(month, given, curve!, ticks)).toBe(0)
  }

  test('three quotes are enough, two are not', () => {
    const three = only(quotes, (i) => [20, 30, 36].includes(i))
    sound(alone(month.t, three), three)
    const [{ curve, refusal }] = fitListings([{ t: month.t, quotes: only(quotes, (i) => i === 20 || i === 30) }])
    expect([curve, refusal]).toEqual([undefined, 'few_points'])
  })

  test('all strikes on one side of the forward', () => {
    const below = only(quotes, (i) => quotes.k[i] < 0)
    sound(alone(month.t, below), below)
    const above = only(quotes, (i) => quotes.k[i] > 0)
    sound(alone(month.t, above), above)
  })

  test('locked quotes count by the half tick that they are rounded by', () => {
    const locked = intervals(
      month,
      priced((k) => totalVariance(lean, k)),
      ({ bid, ask }) => {
        for (let i = 0; i < bid.length; i++) if (bid[i] > 0) bid[i] = ask[i]
      }
    )
    sound(alone(month.t, locked), locked, 1)
  })

  test('one strike quoted twice', () => {
    const twice = only(quotes, () => true)
    const doubled = { ...twice, k: twice.k.slice() }
    doubled.k[31] = doubled.k[30]
    const curve = alone(month.t, doubled)
    expect(curve).toBeDefined()
    expect(fault(curve!)).toBeUndefined()
  })

  test('asks without a single bid are no smile', () => {
    const asks = intervals(
      month,
      priced((k) => totalVariance(lean, k)),
      ({ bid }) => bid.fill(0)
    )
    expect(fitListings([{ t: month.t, quotes: asks }])[0]).toMatchObject({ curve: undefined, refusal: 'few_points' })
  })

  test('two listings that expire together', () => {
    const [one, other] = fitListings([
      { t: month.t, quotes },
      { t: month.t, quotes: only(quotes, (i) => i % 2 === 0) }
    ])
    sound(one.curve, quotes)
    sound(other.curve, quotes, 1)
  })
})

describe('the last hours of a day', () => {
  const strikes = ladder(6000, 6800, 5)
  /** A smile of 12 % over deviations. */
  const inDeviations = (z: number) => 1 - 0.15 * z + 0.06 * z * z

  test.each([120, 30, 5])('%d minutes before the end all quotes are met within a tick', (left) => {
    const t = left / 390 / 252
    const listing: Listing = { ...month, forward: 6402, discount: 1, t, ticks: index, strikes, halfSpread: 1 }
    const scale = 0.12 * Math.sqrt(t)
    const w = (k: number) => scale * scale * inDeviations(k / scale)
    const quotes = intervals(listing, priced(w))
    const curve = alone(listing.t, quotes)!
    expect(missed(listing, quotes, curve, 1)).toBe(0)
    const points = (variance: number) => 100 * Math.sqrt(variance / listing.t)
    // A tick of the option at the money is 0.27 points with five minutes left.
    expect(Math.abs(points(totalVarianceAt(curve, 0)) - points(w(0)))).toBeLessThan(0.2)
  })
})
