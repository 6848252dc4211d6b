import { describe, expect, test } from 'vitest'
import type { Chain } from '../../../src/market/chain.ts'
import type { PricedChain } from '../../../src/pricing/price-chain.ts'
import { quarterSkewOf } from '../../../src/volatility/smile/skew.ts'
import { type Slice, slices } from '../../../src/volatility/smile/slice.ts'
import { wingVolatility } from '../../../src/volatility/smile/wing-volatility.ts'
import { ladder, sketched } from '../../support/hand-made.ts'
import { priced } from '../../support/markets.ts'
import { quotedWhere, series, sliceOn } from '../chains.ts'
import { acceptedOf, randomStream } from '../generated.ts'

const DATE = '2026-08-28'
const TICK = 0.05
const TO_QUARTER = 0.6745

/** An expiration of a stock whose options are quoted at few strikes, 5 to 30 cents wide, each a little off its smile. */
function thinChain(seed: number): Chain {
  const random = randomStream(seed * 7919 + 13)
  const step = [1, 1.5, 2, 2.5][seed % 4]
  const spot = 68 + 6 * random()
  const strikes = ladder(40, 100, step).filter(() => random() > 0.25)
  const level = 0.18 + 0.2 * random()
  const lean = 0.1 + 0.3 * random()
  const sigma = (strike: number) => level - lean * Math.log(strike / spot) + 0.3 * Math.log(strike / spot) ** 2
  const chain = sketched({ date: '2026-07-29', time: '11:00', spot, series: [series(DATE, { strikes, sigma })] })
  const [bid, ask] = [new Float64Array(chain.size), new Float64Array(chain.size)]
  for (let i = 0; i < chain.size; i++) {
    const mid = ((chain.bid[i] + chain.ask[i]) / 2) * (1 + 0.02 * (random() - 0.5))
    const half = TICK * (0.5 + 2.5 * random())
    bid[i] = Math.max(0, Math.floor((mid - half) / TICK) * TICK)
    ask[i] = Math.ceil((mid + half) / TICK) * TICK
    if (bid[i] === 0) bid[i] = Number.NaN
  }
  return { ...chain, bid, ask }
}

/** The chain with one contract unquoted, without a bid, or with a bid a tick higher, if that is still below the ask. */
function alterations(chain: Chain, slot: number): readonly Chain[] {
  const [bid, ask] = [chain.bid[slot], chain.ask[slot]]
  if (Number.isNaN(bid)) return []
  const quoted = (newBid: number, newAsk: number) => ({
    ...chain,
    bid: chain.bid.with(slot, newBid),
    ask: chain.ask.with(slot, newAsk)
  })
  const flicker = ask - bid > 1.5 * TICK ? [quoted(bid + TICK, ask), quoted(bid, ask - TICK)] : []
  return [quoted(Number.NaN, Number.NaN), quoted(Number.NaN, ask), ...flicker]
}

const strikeAt = ({ forward }: Slice, k: number) => forward * Math.exp(k)

/**
 * Strikes whose quotes may move a skew: the two quoted ones around the forward and around each 25-delta strike, with as
 * many next to them, since one of these takes over when a quote is missing.
 */
function explaining(slice: Slice, atm: number): ReadonlySet<number> {
  const strikes = Array.from(slice.points.strike)
  const s = (atm / 100) * Math.sqrt(slice.t)
  const near = [-TO_QUARTER * s, 0, TO_QUARTER * s].flatMap((k) => {
    const above = strikes.findIndex((strike) => strike >= strikeAt(slice, k))
    const from = above < 0 ? strikes.length : above
    return strikes.slice(Math.max(0, from - 2), from + 2)
  })
  return new Set(near)
}

const only = (chain: PricedChain) => slices(chain)[0]

describe('the skew of a thin expiration', () => {
  test('moves by a tenth at most when a quote changes elsewhere in the chain', () => {
    let [altered, thin] = [0, 0]
    for (let seed = 1; seed <= 60; seed++) {
      const chain = thinChain(seed)
      const slice = only(priced(chain))
      const before = quarterSkewOf(slice)
      if (before === undefined || slice.points.size >= 20) continue
      thin++
      const explained = explaining(slice, before.atm)
      for (let slot = seed % 3; slot < chain.size; slot += 3) {
        if (explained.has(chain.strike[slot])) continue
        for (const change of alterations(chain, slot)) {
          const after = only(priced(change))
          const now = quarterSkewOf(after)
          if (now === undefined || after.forward !== slice.forward) continue
          altered++
          const moved = Math.abs(now.skew25 - before.skew25)
          expect(moved, `chain ${seed}, strike ${chain.strike[slot]}`).toBeLessThanOrEqual(
            0.1 * Math.abs(before.skew25)
          )
        }
      }
    }
    expect(thin).toBeGreaterThan(25)
    expect(altered).toBeGreaterThan(400)
  })

  test('does not exist where no quote reaches the 25-delta strikes, though a curve was fitted', () => {
    const wing = (lowest: number, highest: number) => {
      const quote = quotedWhere((strike) => strike >= lowest && strike <= highest)
      const chain = priced(
        sketched({ date: '2026-07-29', time: '11:00', spot: 100, series: [series(DATE, { quote, spread: 0.02 })] })
      )
      return sliceOn(chain, DATE)
    }
    // One deviation to August 28th is 5.7 %, so the 25-delta strikes lie near 96 and 104.
    for (const [lowest, highest, reaches] of [
      [90, 110, true],
      [98, 110, false],
      [90, 102, false]
    ] as const) {
      const slice = wing(lowest, highest)
      expect(slice.svi).toBeDefined()
      expect(quarterSkewOf(slice) !== undefined).toBe(reaches)
    }
  })
})

describe('the volatility in a wing', () => {
  const svi = { a: 0.002, b: 0.08, rho: -0.6, m: 0.03, sigma: 0.12 }
  const whole = acceptedOf(svi, 0.25)
  /** The fitted curve with `size` points, each half a point of volatility above it. */
  const withPoints = (size: number): Slice => {
    const pick = (column: Float64Array) =>
      Float64Array.from({ length: size }, (_, i) => column[Math.round((i * (column.length - 1)) / (size - 1))])
    const { k, iv, halfSpread, strike, scale } = whole.points
    const points = { size, k: pick(k), iv: pick(iv).map((one) => one + 0.005), halfSpread: pick(halfSpread) }
    return { ...whole, points: { ...points, strike: pick(strike), scale } }
  }
  const at = (size: number, k: number) => wingVolatility(withPoints(size), k)!

  test('is that of the fitted curve with 20 points or more, and of the two quotes around it with 10 or fewer', () => {
    const k = -0.08
    const fitted = wingVolatility(whole, k)!
    expect(at(20, k)).toBe(fitted)
    expect(at(60, k)).toBe(fitted)
    const { points, t } = withPoints(10)
    const high = points.k.findIndex((one) => one >= k)
    const share = (k - points.k[high - 1]) / (points.k[high] - points.k[high - 1])
    const [left, right] = [points.iv[high - 1] ** 2 * t, points.iv[high] ** 2 * t]
    expect(at(10, k)).toBeCloseTo(Math.sqrt((left + share * (right - left)) / t), 12)
  })

  test('passes from one to the other by equal steps of variance', () => {
    const atPoint = withPoints(15).points.k[4]
    const curve = wingVolatility(whole, atPoint)! ** 2
    const quoted = withPoints(15).points.iv[4] ** 2
    expect(at(15, atPoint) ** 2).toBeCloseTo((curve + quoted) / 2, 12)
  })

  test('keeps its distance from the curve beyond the outermost quote', () => {
    const { k, iv } = withPoints(10).points
    const edge = wingVolatility(whole, k[0])!
    expect(at(10, k[0])).toBeCloseTo(iv[0], 12)
    expect(at(10, k[0] - 0.1) / wingVolatility(whole, k[0] - 0.1)!).toBeCloseTo(iv[0] / edge, 12)
  })
})
