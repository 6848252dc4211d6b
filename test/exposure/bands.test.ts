import { describe, expect, test } from 'vitest'
import { flipAlong, flipBand } from '../../src/exposure/bands/flip-band.ts'
import { jointGammas, nodesAround } from '../../src/exposure/bands/gamma-at-nodes.ts'
import { netBands } from '../../src/exposure/bands/net-bands.ts'
import { positionFigures } from '../../src/exposure/bands/position-figures.ts'
import { exposuresByQuote } from '../../src/exposure/bands/quote-range.ts'
import { wallOdds } from '../../src/exposure/bands/wall-odds.ts'
import { netExposures } from '../../src/exposure/net.ts'
import { liveScope } from '../../src/exposure/scope.ts'
import { CALL } from '../../src/market/chain.ts'
import { normalCdf } from '../../src/math/normal.ts'
import { covarianceRoot, normalDraw } from '../../src/math/normal-draws.ts'
import { keyOf } from '../../src/math/random.ts'
import type { PricedChain } from '../../src/pricing/price-chain.ts'
import { quoteVolatilities } from '../../src/pricing/quote-volatility.ts'
import { OWN_MID } from '../../src/pricing/sources.ts'
import { jumbled, sketched } from '../support/hand-made.ts'
import { handMade, priced } from '../support/markets.ts'
import { scalarGreeks } from '../support/scalar.ts'

const measures = ['gex', 'dex', 'vex', 'chex'] as const
const dates = ['2026-07-29', '2026-07-30', '2026-08-05', '2026-08-14', '2026-09-18', '2026-12-18']
/** Volumes in hundreds, so that what they change by is whole contracts. */
const volume = (strike: number, right: number) => 100 * jumbled(strike, right, 7)
const series = dates.map((date) => ({ date, strikes: [95, 100, 105], oi: 400, volume }))
const sketch = { date: '2026-07-29', time: '11:00', spot: 100.3, series }
const chain = priced(sketched(sketch))
const scope = liveScope(chain)
const size = chain.size

/** a and k of each slot, from a table of their own. */
const table = [
  [0, 0, 0],
  [1, 0.11, 0.08],
  [3, 0.16, 0.14],
  [7, 0.3, 0.3],
  [21, 0.25, 0.42],
  [60, 0.26, 0.5],
  [9999, 0.31, 0.64]
]
const figuresAt = (i: number) => {
  const at = chain.expirations.findIndex(({ start, end }) => i >= start && i < end)
  return table.find(([last]) => chain.carries[at].days <= last)!
}

/** Net exposures where each contract has another open interest. */
const netWith = (openInterest: (i: number) => number) =>
  netExposures(liveScope({ ...chain, openInterest: chain.openInterest.map((_, i) => openInterest(i)) }))

describe('bands of net exposures', () => {
  test.each(measures)('of %s have the mean and the deviation that bumped open interest gives', (measure) => {
    const { positions } = netBands(scope, measure, 0.85)
    const moved = netWith((i) => 400 + Math.round(figuresAt(i)[1] * chain.volume[i]))
    const plain = netExposures(scope)[measure]
    let variance = 0
    for (let bumped = 0; bumped < size; bumped++) {
      const by = Math.round(2 * figuresAt(bumped)[2] * chain.volume[bumped])
      variance += (netWith((i) => (i === bumped ? 400 + by : 400))[measure] - plain) ** 2
    }
    expect(Math.abs(positions.mean / moved[measure] - 1)).toBeLessThan(1e-9)
    expect(Math.abs(positions.deviation / Math.sqrt(variance) - 1)).toBeLessThan(1e-6)
  })

  test.each(measures)('of %s have the mean and the deviation of all sides enumerated', (measure) => {
    const small = priced(sketched({ ...sketch, series: series.slice(4, 5) }))
    const own = liveScope(small)
    const p = 0.8
    const each = Array.from({ length: small.size }, (_, one) =>
      [0, 1].map((mean) => {
        const open = 400 + (mean === 1 ? 0.26 * small.volume[one] : 0)
        const alone = { ...small, openInterest: small.openInterest.map((_, i) => (i === one ? 1 : 0)) }
        return open * netExposures(liveScope(alone))[measure]
      })
    )
    const { sign, combined, positions } = netBands(own, measure, p)
    for (const [found, column, further] of [
      [sign, 0, 0],
      [combined, 1, positions.deviation ** 2]
    ] as const) {
      let [first, second] = [0, 0]
      for (let sides = 0; sides < 2 ** small.size; sides++) {
        let [odds, sum] = [1, 0]
        for (let k = 0; k < small.size; k++) {
          const isRight = measure === 'dex' || ((sides >> k) & 1) === 0
          odds *= measure === 'dex' ? 0.5 : isRight ? p : 1 - p
          sum += (isRight ? 1 : -1) * each[k][column]
        }
        first += odds * sum
        second += odds * sum * sum
      }
      const variance = Math.max(0, second - first * first) + further
      expect(Math.abs(found.mean - first)).toBeLessThan(1e-9 * Math.sqrt(second))
      expect(Math.abs(found.deviation ** 2 - variance)).toBeLessThan(1e-6 * (second + 1))
    }
  })

  test('AM and PM contracts of one date, strike and right are one group', () => {
    const both = handMade('AM and PM series on one date').chain
    const p = 0.7
    const sums = new Map<string, number>()
    both.expirations.forEach(({ date, start, end }) => {
      for (let i = start; i < end; i++) {
        if (Number.isNaN(both.gamma[i])) continue
        const name = `${date} ${both.strike[i]} ${both.right[i]}`
        const gex = both.gamma[i] * both.openInterest[i] * both.spot ** 2
        sums.set(name, (sums.get(name) ?? 0) + gex)
      }
    })
    const squares = [...sums.values()].reduce((total, gex) => total + gex * gex, 0)
    const { sign } = netBands(liveScope(both), 'gex', p)
    expect(Math.abs(sign.deviation / Math.sqrt(4 * p * (1 - p) * squares) - 1)).toBeLessThan(1e-9)
  })

  test('what expires today does not change before it does', () => {
    expect(positionFigures(0)).toMatchObject({ mean: 0, deviation: 0 })
    expect([1, 2, 3, 4, 7, 8, 21, 22, 60, 61].map((days) => positionFigures(days).deviation)).toEqual([
      0.08, 0.14, 0.14, 0.3, 0.3, 0.42, 0.42, 0.5, 0.5, 0.64
    ])
  })
})

describe('the range of quotes', () => {
  test('is that of volatilities inverted from bid and ask, contract by contract', () => {
    const { chain: whole } = handMade('several expirations on a day of expiry')
    const found = exposuresByQuote(liveScope(whole))
    const sides = quoteVolatilities(whole)
    expect(found[0]).toBe(netExposures(liveScope(whole)))
    for (const [k, side] of [sides.bid, sides.ask].entries()) {
      let gex = 0
      whole.expirations.forEach(({ start, end }, at) => {
        const { t, rate, dividendYield } = whole.carries[at]
        for (let i = start; i < end; i++) {
          if (Number.isNaN(whole.sigma[i])) continue
          const other = whole.strike[i + 1] === whole.strike[i] && i + 1 < end ? i + 1 : i - 1
          const from = whole.sigmaSource[i] === OWN_MID ? i : whole.sigmaSource[i] === 2 ? other : -1
          const isQuoted = from >= 0 && !Number.isNaN(sides.bid[from]) && !Number.isNaN(sides.ask[from])
          const sigma = isQuoted ? side[from] : whole.sigma[i]
          const isCall = whole.right[i] === CALL
          const terms = { spot: whole.spot, strike: whole.strike[i], t, rate, dividendYield, sigma }
          const { gamma } = scalarGreeks({ call: isCall, ...terms })
          gex += (isCall ? 1 : -1) * gamma * whole.openInterest[i] * whole.spot ** 2
        }
      })
      expect(Math.abs(found[k + 1].gex / gex - 1)).toBeLessThan(1e-6)
    }
  })
})

describe('the flip', () => {
  test('is drawn from the means and covariances of Black-Scholes gammas', () => {
    const p = 0.75
    const nodes = nodesAround(chain.spot)
    const gammaOf = (i: number, spot: number) => {
      const at = chain.expirations.findIndex(({ start, end }) => i >= start && i < end)
      const { t, rate, dividendYield } = chain.carries[at]
      const isCall = chain.right[i] === CALL
      const terms = { spot, strike: chain.strike[i], t, rate, dividendYield, sigma: chain.sigma[i] }
      return (isCall ? 1 : -1) * scalarGreeks({ call: isCall, ...terms }).gamma * spot * spot
    }
    const { positions, combined } = jointGammas(scope, p)
    const places = [20, 45, 60, 66, 100]
    for (const x of places) {
      for (const y of places.filter((other) => other <= x)) {
        let [mean, byPosition, bySide] = [0, 0, 0]
        for (let i = 0; i < size; i++) {
          const [, a, k] = figuresAt(i)
          const [gx, gy] = [gammaOf(i, nodes[x]), gammaOf(i, nodes[y])]
          const open = 400 + a * chain.volume[i]
          mean += gx * open
          byPosition += (2 * k * chain.volume[i]) ** 2 * gx * gy
          bySide += 4 * p * (1 - p) * open * open * gx * gy
        }
        const at = x * nodes.length + y
        const scale = Math.sqrt(combined.covariance[x * nodes.length + x] * combined.covariance[y * nodes.length + y])
        expect(Math.abs(positions.covariance[at] - byPosition)).toBeLessThan(1e-6 * scale)
        expect(Math.abs(combined.covariance[at] - byPosition - bySide)).toBeLessThan(1e-6 * scale)
        expect(Math.abs(positions.mean[x] - mean)).toBeLessThan(
          1e-6 * Math.sqrt(combined.covariance[x * nodes.length + x])
        )
        expect(combined.mean[x]).toBe((2 * p - 1) * positions.mean[x])
      }
    }
  })

  test('of straight lines lies where the nearest on the right side crosses zero', () => {
    const nodes = [90, 95, 100, 105, 110]
    const flip = (...gamma: readonly number[]) => flipAlong(nodes, Float64Array.from(gamma))
    expect(flip(-3, -1, 1, 2, 3)).toBe(97.5)
    expect(flip(3, 2, -1, 3, -3)).toBe(101.25)
    expect(flip(1, 2, 3, -1, -2)).toBeUndefined()
    expect(flip(-1, 0, 3, 4, 5)).toBe(95)
    expect(flip(1, 1, 0, 1, 1)).toBe(100)
    expect(flip(0, 0, 0, 0, 0)).toBeUndefined()
  })

  test('has no width without deviation, the same draws for a key, and no quantiles of too few', () => {
    const nodes = nodesAround(100)
    const mean = Float64Array.from(nodes, (x) => x - 98)
    const still = { mean, covariance: new Float64Array(nodes.length ** 2) }
    const sure = flipBand(still, 100, 1)
    expect([sure.quantileAt(0.05), sure.quantileAt(0.95), sure.shareWithout]).toEqual([98, 98, 0])
    const up = { ...still, mean: mean.map((value) => value + 1000) }
    expect(flipBand(up, 100, 1)).toMatchObject({ shareWithout: 1 })
    expect(flipBand(up, 100, 1).quantileAt(0.5)).toBeUndefined()
    const shaken = { mean, covariance: Float64Array.from(still.covariance, () => 4) }
    const band = (key: number) => flipBand(shaken, 100, key).quantileAt(0.25)!
    expect(band(7)).toBe(band(7))
    // All nodes move together: the flip is 98 less a normal figure of deviation 2.
    expect(Math.abs(band(7) - (98 - 2 * 0.6745))).toBeLessThan(0.4)
  })
})

test('joint draws have the covariance they are asked for, one of less than full rank too', () => {
  const covariance = Float64Array.from([4, 2, 2, 2, 3, 1, 2, 1, 1])
  const root = covarianceRoot(covariance, 3)
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      let sum = 0
      for (let k = 0; k < 3; k++) sum += root[3 * i + k] * root[3 * j + k]
      expect(sum).toBeCloseTo(covariance[3 * i + j], 12)
    }
  }
  const draws = Array.from({ length: 20_000 }, (_, k) => normalDraw(Float64Array.from([1, 2, 3]), root, 5, k))
  const mean = (of: (draw: Float64Array) => number) => draws.reduce((total, draw) => total + of(draw), 0) / draws.length
  expect(Math.abs(mean(([x]) => x) - 1)).toBeLessThan(0.05)
  expect(Math.abs(mean(([x, y]) => (x - 1) * (y - 2)) - 2)).toBeLessThan(0.12)
})

test('of two strikes the odds to be the wall are those of their difference', () => {
  const pair = priced(
    sketched({
      ...sketch,
      series: [
        {
          date: '2026-09-18',
          strikes: [100, 105],
          sigma: 0.2,
          oi: (strike) => (strike === 100 ? 400 : 420),
          volume: 400
        }
      ]
    })
  )
  const own = liveScope(pair)
  const [mine, other] = [0, 2].map((i) => {
    const each = pair.gamma[i] * 100
    return { mean: each * (pair.openInterest[i] + 0.26 * 400), variance: (each * 2 * 0.5 * 400) ** 2 }
  })
  const expected = normalCdf((mine.mean - other.mean) / Math.sqrt(mine.variance + other.variance))
  const odds = wallOdds(own, CALL, keyOf(1, 'odds'))
  const found = odds.find(({ strike }) => strike === 100)!.probability
  expect(Math.abs(found - expected)).toBeLessThan(0.1)
  expect(odds.reduce((sum, { probability }) => sum + probability, 0)).toBeLessThanOrEqual(1)
  const quiet: PricedChain = { ...pair, volume: pair.volume.map(() => 0) }
  expect(wallOdds(liveScope(quiet), CALL, 1)).toHaveLength(1)
  expect(wallOdds(liveScope({ ...quiet, openInterest: quiet.openInterest.map(() => 0) }), CALL, 1)).toEqual([])
})
