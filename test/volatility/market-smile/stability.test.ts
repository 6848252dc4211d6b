import { beforeAll, describe, expect, test } from 'vitest'
import type { PricedChain } from '../../../src/pricing/price-chain.ts'
import { priceQuantile } from '../../../src/volatility/market-smile/distribution.ts'
import {
  intervalsOf,
  type Prices,
  type QuoteIntervals,
  ticksOf
} from '../../../src/volatility/market-smile/quote-intervals.ts'
import { type SmileCurve, totalVarianceAt } from '../../../src/volatility/market-smile/smile-curve.ts'
import { replicatedVariance } from '../../../src/volatility/market-smile/whole-variance.ts'
import { madeUpAssumptions } from '../../support/made-up.ts'
import { randomStream } from '../generated.ts'
import { fitted, hasSession, listingsOf, only, session } from './sessions.ts'

/**
 * Figures read from a smile: volatilities at the money, at a 25-delta put and of the variance swap in points; quantiles
 * in k / s.
 */
interface Reading {
  readonly atm: number
  readonly put: number
  readonly swap: number
  readonly quantiles: readonly number[]
}

function read(curve: SmileCurve, t: number): Reading {
  const points = (w: number) => 100 * Math.sqrt(w / t)
  let k = 0
  for (let n = 0; n < 30; n++) {
    const total = Math.sqrt(totalVarianceAt(curve, k))
    k = total * (total / 2 - 0.6744897501960817)
  }
  return {
    atm: points(totalVarianceAt(curve, 0)),
    put: points(totalVarianceAt(curve, k)),
    swap: points(replicatedVariance(curve).total),
    quantiles: [0.05, 0.25, 0.5, 0.75, 0.95].map((p) => priceQuantile(curve, p)! / curve.scale)
  }
}

/** Median and 95th percentile over listings. */
type Change = readonly [median: number, high: number]
interface Changes {
  readonly atm: Change
  readonly put: Change
  readonly swap: Change
  readonly quantiles: Change
}

function changes(before: readonly (Reading | undefined)[], after: readonly (Reading | undefined)[]): Changes {
  const pairs = before.flatMap((one, at) => (one && after[at] ? [[one, after[at]] as const] : []))
  const spread = (change: (one: Reading, other: Reading) => number): Change => {
    const sorted = pairs.map(([one, other]) => change(one, other)).sort((a, b) => a - b)
    return [sorted[sorted.length >> 1], sorted[Math.floor(0.95 * (sorted.length - 1))]]
  }
  return {
    atm: spread((a, b) => Math.abs(a.atm - b.atm)),
    put: spread((a, b) => Math.abs(a.put - b.put)),
    swap: spread((a, b) => Math.abs(a.swap - b.swap)),
    quantiles: spread((a, b) => Math.max(...a.quantiles.map((z, n) => Math.abs(z - b.quantiles[n]))))
  }
}

type Prices4 = { readonly [Side in 'bid' | 'ask']: Float64Array }
type Disturb = (prices: Prices4, quotes: QuoteIntervals, tick: (price: number) => number, scale: number) => void

/** The quote with both sides nearest to some deviations. */
function nearest({ k, mid, size }: QuoteIntervals, at: number): number {
  let best = 0
  for (let i = 0; i < size; i++) if (mid[i] > 0 && Math.abs(k[i] - at) < Math.abs(k[best] - at)) best = i
  return best
}

/** Eight quotes, as evenly as they are quoted, from four deviations below the money to three above. */
function eight(quotes: QuoteIntervals): ReadonlySet<number> {
  if (quotes.twoSided === 0) return new Set()
  const scale = Math.sqrt(quotes.mid[nearest(quotes, 0)])
  return new Set(Array.from({ length: 8 }, (_, n) => nearest(quotes, scale * (n - 4))))
}

const scaled =
  (deviations: number, factor: number): Disturb =>
  ({ bid, ask }, quotes, _, scale) => {
    const i = nearest(quotes, deviations * scale)
    bid[i] *= factor
    ask[i] *= factor
  }

const disturbances: Readonly<Record<string, () => Disturb>> = {
  'ticks at random': () => {
    const random = randomStream(3)
    return ({ bid, ask }, _, tick) => {
      for (let i = 0; i < bid.length; i++) {
        if (!(bid[i] > 0)) continue
        const moves = Math.floor(3 * random()) - 1
        const moved = Math.max(tick(bid[i]), bid[i] + moves * tick(bid[i]))
        ask[i] += moved - bid[i]
        bid[i] = moved
      }
    }
  },
  'one crossed quote':
    () =>
    ({ bid, ask }, quotes, _, scale) => {
      const i = nearest(quotes, -0.5 * scale)
      bid[i] = 1.2 * ask[i]
    },
  'one 40 % too high at -0.5 deviations': () => scaled(-0.5, 1.4),
  'one three times too high at -3 deviations': () => scaled(-3, 3)
}

// The figures of the design, which come from the same sessions: median and 95th percentile over listings, in points at the
// money / of the 25-delta put / of the variance swap, and in deviations of quantiles. Asked for is twice of each, and never
// less than the last digit they were written with. Which eight quotes the design kept is not written down: those figures
// are of the eight kept here. All of them are of quotes as they are, with whatever early exercise is in them.
const design: Readonly<Record<string, Readonly<Record<string, Partial<Changes>>>>> = {
  'SPX 2026-07-30': {
    'ticks at random': { atm: [0.001, 0.005], put: [0.001, 0.011], swap: [0.022, 0.07], quantiles: [0.002, 0.009] },
    'one crossed quote': { atm: [0, 0] },
    'one 40 % too high at -0.5 deviations': { atm: [0.006, 0.015], put: [0.05, 0.12] },
    'one three times too high at -3 deviations': { atm: [0, 0], put: [0, 0.002], swap: [0.008, 0.12] },
    'eight quotes a listing': { atm: [0.004, 0.027], put: [0.013, 0.163], swap: [0.28, 0.61] }
  },
  'SPY 2026-08-04': {
    'ticks at random': { atm: [0.001, 0.011], put: [0.001, 0.012], swap: [0.04, 0.13], quantiles: [0.003, 0.009] },
    'one crossed quote': { atm: [0, 0.004] },
    'one 40 % too high at -0.5 deviations': { atm: [0.07, 0.21], put: [0.23, 0.54] },
    'one three times too high at -3 deviations': { atm: [0.001, 0.005], put: [0.004, 0.011], swap: [0.02, 0.37] },
    'eight quotes a listing': { atm: [0.071, 0.129], put: [0.027, 0.105], swap: [0.38, 0.89] }
  }
}

describe.each([
  ['SPX', '2026-07-30'],
  ['SPY', '2026-08-04']
] as const)('%s of %s', (symbol, date) => {
  describe.runIf(hasSession(symbol, date))('disturbed', () => {
    let chain: PricedChain
    let before: readonly (Reading | undefined)[]
    const readings = (quotes: readonly QuoteIntervals[]) =>
      fitted(quotes.map((q, at) => ({ t: chain.carries[at].t, quotes: q }))).map(
        (curve, at) => curve && read(curve, chain.carries[at].t)
      )
    beforeAll(async () => {
      chain = await session(symbol, date, madeUpAssumptions)
      before = readings(listingsOf(chain).map(({ quotes }) => quotes))
    })

    /** Every listing's quotes after a change of their prices, those that it crosses left out. */
    function disturbed(change: Disturb): readonly QuoteIntervals[] {
      const ticks = ticksOf(chain)
      return listingsOf(chain).map(({ at, quotes }) => {
        const { prices } = quotes
        const moved: Prices = { ...prices, bid: prices.bid.slice(), ask: prices.ask.slice() }
        if (quotes.twoSided === 0) return quotes
        const scale = Math.sqrt(quotes.mid[nearest(quotes, 0)])
        change(moved, quotes, (price) => (price < 3 ? ticks.below3 : ticks.from3), scale)
        const whole = intervalsOf(chain.carries[at], moved, ticks)
        return only(whole, (i) => whole.prices.ask[i] >= whole.prices.bid[i])
      })
    }

    function expectWithin(name: string, found: Changes): void {
      const bounds = design[`${symbol} ${date}`][name]
      console.log(
        `${symbol} ${name}: ${Object.entries(found)
          .map(([what, [m, h]]) => `${what} ${m.toFixed(3)}, ${h.toFixed(3)}`)
          .join(' / ')}`
      )
      for (const [what, [median, high]] of Object.entries(bounds)) {
        const [foundMedian, foundHigh] = found[what as keyof Changes]
        expect.soft(foundMedian, `${name}: median of ${what}`).toBeLessThanOrEqual(Math.max(0.001, 2 * median))
        expect.soft(foundHigh, `${name}: 95th percentile of ${what}`).toBeLessThanOrEqual(Math.max(0.001, 2 * high))
      }
    }

    test.each(Object.keys(disturbances))('%s', (name) => {
      expectWithin(name, changes(before, readings(disturbed(disturbances[name]()))))
    })

    test('eight quotes a listing', () => {
      const quotes = listingsOf(chain).map(({ quotes: all }) => {
        const kept = eight(all)
        return only(all, (i) => kept.has(i))
      })
      expectWithin('eight quotes a listing', changes(before, readings(quotes)))
    })

    test('one listing 30 % too high, or tripled, changes no other', () => {
      const middle = chain.carries.length >> 1
      for (const factor of [1.3, 0.7, 3]) {
        const quotes = listingsOf(chain).map(({ at, quotes: all }) => {
          if (at !== middle) return all
          const times = (column: Float64Array) => column.map((w) => w * factor)
          return { ...all, low: times(all.low), mid: times(all.mid), high: times(all.high) }
        })
        const after = readings(quotes)
        const { atm } = changes(before.with(middle, undefined), after)
        console.log(`${symbol} one listing times ${factor}: ${atm.map((x) => x.toFixed(4)).join(', ')}`)
        expect(atm[1]).toBeLessThan(0.01)
      }
    })
  })
})
