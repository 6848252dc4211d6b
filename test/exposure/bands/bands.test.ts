import { describe, expect, test } from 'vitest'
import { flipAlong, flipBand } from '../../../src/exposure/bands/flip-band.ts'
import { jointGammas, nodesAround } from '../../../src/exposure/bands/gamma-at-nodes.ts'
import { netBands } from '../../../src/exposure/bands/net-bands.ts'
import { positionFigures } from '../../../src/exposure/bands/position-figures.ts'
import { exposuresByQuote } from '../../../src/exposure/bands/quote-range.ts'
import { wallOdds } from '../../../src/exposure/bands/wall-odds.ts'
import { netExposures } from '../../../src/exposure/net.ts'
import { liveScope } from '../../../src/exposure/scope.ts'
import { gammaFlip, nearestCrossing } from '../../../src/exposure/spot-ladder/gamma-flip.ts'
import { strikeRange } from '../../../src/exposure/spot-ladder/strike-range.ts'
import { CALL } from '../../../src/market/chain.ts'
import { normalCdf } from '../../../src/math/normal.ts'
import { covarianceRoot, normalDraw } from '../../../src/math/normal-draws.ts'
import { keyOf } from '../../../src/math/random.ts'
import type { PricedChain } from '../../../src/pricing/price-chain.ts'
import { quoteVolatilities } from '../../../src/pricing/quote-volatility.ts'
import { OWN_MID } from '../../../src/pricing/sources.ts'
import { jumbled, sketched } from '../../support/hand-made.ts'
import { handMade, priced } from '../../support/markets.ts'
import { scalarGreeks } from '../../support/scalar.ts'

const measures = ['gex', 'dex', 'vex', 'chex'] as const
const dates = ['2026-07-29', '2026-07-30', '2026-08-05', '2026-08-14', '2026-09-18', '2026-12-18']
/** Volumes in hundreds, so that what they change by is whole contracts. */
const volume = (strike: number, right: number) => 100 * jumbled(strike, right, 7)
const series = dates.map((date) => ({ date, strikes: [95, 100, 105], oi: 400, volume }))
const sketch = { date: '2026-07-29', time: '11:00', spot: 100.3, series }
const chain = priced(sketched(sketch))
const scope = liveScope(chain)
const size = chain.size

/** Figures of a class, by tenor and zone of moneyness, from a table of its own. */
const stocks = {
  means: ['28 20 15 6 0', '32 22 17 6 0', '44 36 26 8 5', '36 33 24 8 5', '28 28 23 10 5', '38 38 30 20 10'],
  tenors: [10, 13, 22, 32, 36, 50],
  zones: [125, 95, 90, 110, 150],
  few: 75,
  zone: [30, 25, 22, 50, 80],
  times: [100, 100, 120, 120, 120, 120],
  expiration: [15, 15, 20, 20, 20, 20],
  right: 15,
  symbol: 10
}
const funds: typeof stocks = {
  means: ['21 15 13 8 0', '22 15 14 6 0', '38 27 23 8 5', '30 31 22 8 5', '20 24 21 10 5', '36 36 29 25 10'],
  tenors: stocks.tenors,
  zones: [125, 90, 80, 90, 125],
  few: 70,
  zone: [14, 9, 7, 12, 25],
  times: [100, 100, 120, 150, 150, 150],
  expiration: [4, 4, 7, 20, 20, 15],
  right: 5,
  symbol: 5
}
const lasts = [1, 3, 7, 21, 60, 99999]

/** Mean and deviations of a contract's change in contracts, read from a table in hundredths of its volume. */
function changeOf(of: PricedChain, i: number, figures = stocks) {
  const at = of.expirations.findIndex(({ start, end }) => i >= start && i < end)
  const { days } = of.carries[at]
  const v = of.volume[i] / 100
  const delta = Math.abs(of.delta[i])
  const zone = delta < 0.1 ? 0 : delta < 0.35 ? 1 : delta < 0.65 ? 2 : delta < 0.9 ? 3 : 4
  if (days === 0) return { mean: 0, own: 0, zone: 0, expiration: 0, right: 0, symbol: 0, name: '' }
  const tenor = lasts.findIndex((last) => days <= last)
  const few = figures.few * Math.sqrt(150 / (150 + of.volume[i]))
  return {
    mean: v * Number(figures.means[tenor].split(' ')[zone]),
    own: (v * figures.zones[zone] * Math.hypot(figures.tenors[tenor], few)) / 100,
    zone: (v * figures.zone[zone] * figures.times[tenor]) / 100,
    expiration: v * figures.expiration[tenor],
    right: v * figures.right,
    symbol: v * figures.symbol,
    name: `${of.expirations[at].date} ${of.right[i]} ${zone}`
  }
}

/** Covariance of the changes of two contracts, in contracts squared. */
function covarianceOf(of: PricedChain, i: number, j: number, figures = stocks): number {
  const [a, b] = [changeOf(of, i, figures), changeOf(of, j, figures)]
  const one = (is: boolean, part: 'own' | 'zone' | 'expiration' | 'right' | 'symbol') => (is ? a[part] * b[part] : 0)
  return (
    one(i === j, 'own') +
    one(a.name === b.name, 'zone') +
    one(a.name.slice(0, 10) === b.name.slice(0, 10), 'expiration') +
    one(of.right[i] === of.right[j], 'right') +
    one(true, 'symbol')
  )
}

describe('bands of net exposures', () => {
  test.each(measures)('of %s have the mean and the deviation that bumped open interest gives', (measure) => {
    for (const [symbol, figures] of [
      ['TEST', stocks],
      ['SPY', funds]
    ] as const) {
      const of = priced(sketched({ ...sketch, symbol }))
      const bumpedBy = (bumped: number) =>
        netExposures(liveScope({ ...of, openInterest: of.openInterest.map((_, i) => (i === bumped ? 401 : 400)) }))[
          measure
        ]
      const plain = netExposures(liveScope(of))[measure]
      const each = Array.from({ length: size }, (_, i) => bumpedBy(i) - plain)
      let [mean, variance] = [plain, 0]
      for (let i = 0; i < size; i++) {
        mean += each[i] * changeOf(of, i, figures).mean
        for (let j = 0; j < size; j++) variance += each[i] * each[j] * covarianceOf(of, i, j, figures)
      }
      const { positions } = netBands(liveScope(of), measure, 0.85)
      expect(Math.abs(positions.mean / mean - 1)).toBeLessThan(1e-6)
      expect(Math.abs(positions.deviation / Math.sqrt(variance) - 1)).toBeLessThan(1e-6)
    }
  })

  test('a calibration moves the mean by deviations of the prior, and widens', () => {
    const prior = netBands(scope, 'dex', 0.85).positions
    const { positions, combined } = netBands(scope, 'dex', 0.85, { shift: -0.5, factor: 1.5 })
    expect(positions.mean).toBe(prior.mean - 0.5 * prior.deviation)
    expect(positions.deviation).toBe(1.5 * prior.deviation)
    expect(combined).toEqual(positions)
  })

  test.each(measures)('of %s have the mean and the deviation of all sides enumerated', (measure) => {
    const small = priced(sketched({ ...sketch, series: series.slice(4, 5) }))
    const own = liveScope(small)
    const p = 0.8
    const each = Array.from({ length: small.size }, (_, one) =>
      [0, 1].map((mean) => {
        const open = 400 + (mean === 1 ? changeOf(small, one).mean : 0)
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
    expect(positionFigures('equity', 0, 2, 100)).toEqual({ mean: 0, own: 0, shared: [0, 0, 0, 0] })
    const means = [1, 2, 3, 4, 7, 8, 21, 22, 60, 61].map((days) => positionFigures('index', days, 2, 100).mean)
    expect(means).toEqual([0.13, 0.14, 0.14, 0.23, 0.23, 0.22, 0.22, 0.21, 0.21, 0.29])
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
          const [gx, gy] = [gammaOf(i, nodes[x]), gammaOf(i, nodes[y])]
          const open = 400 + changeOf(chain, i).mean
          mean += gx * open
          bySide += 4 * p * (1 - p) * open * open * gx * gy
          for (let j = 0; j < size; j++) byPosition += gx * gammaOf(j, nodes[y]) * covarianceOf(chain, i, j)
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
    const wide = { lowest: 50, highest: 150 }
    const sure = flipBand(still, 100, wide, 1)
    expect([sure.quantileAt(0.05), sure.quantileAt(0.95), sure.shareWithout]).toEqual([98, 98, 0])
    const up = { ...still, mean: mean.map((value) => value + 1000) }
    expect(flipBand(up, 100, wide, 1)).toMatchObject({ shareWithout: 1 })
    expect(flipBand(up, 100, wide, 1).quantileAt(0.5)).toBeUndefined()
    const shaken = { mean, covariance: Float64Array.from(still.covariance, () => 4) }
    const band = (key: number) => flipBand(shaken, 100, wide, key).quantileAt(0.25)!
    expect(band(7)).toBe(band(7))
    // All nodes move together: the flip is 98 less a normal figure of deviation 2.
    expect(Math.abs(band(7) - (98 - 2 * 0.6745))).toBeLessThan(0.4)
  })

  test('counts a draw whose flip lies outside the listed strikes as one without', () => {
    const nodes = nodesAround(100)
    const mean = Float64Array.from(nodes, (x) => x - 98)
    const shaken = { mean, covariance: Float64Array.from({ length: nodes.length ** 2 }, () => 4) }
    // The flip is normal around 98 with a deviation of 2, so half of the draws lie at or above 98.
    const band = flipBand(shaken, 100, { lowest: 98, highest: 150 }, 7)
    expect(Math.abs(band.shareWithout - 0.5)).toBeLessThan(0.1)
    expect(band.quantileAt(0)).toBeGreaterThanOrEqual(98)
    const none = { lowest: undefined, highest: undefined }
    for (const strikes of [{ lowest: 120, highest: 150 }, none]) {
      expect(flipBand(shaken, 100, strikes, 7).shareWithout).toBe(1)
    }
  })

  test('follows one rule with the plain flip: neither exists beyond the listed strikes', () => {
    for (const spot of [85, 94, 106, 115]) {
      const own = liveScope(priced(sketched({ ...sketch, spot, series })))
      const flip = gammaFlip(own)
      const band = flipBand(jointGammas(own, 1).positions, spot, strikeRange(own), 3)
      if (flip === undefined && nearestCrossing(own) !== undefined) expect(band.shareWithout).toBeGreaterThan(0.5)
      for (const level of [flip, band.quantileAt(0), band.quantileAt(1)]) {
        if (level === undefined) continue
        expect(level).toBeGreaterThanOrEqual(95)
        expect(level).toBeLessThanOrEqual(105)
      }
    }
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
    const { mean, own, zone, expiration, right, symbol } = changeOf(pair, i)
    return {
      mean: each * (pair.openInterest[i] + mean),
      variance: (each * Math.hypot(own, zone, expiration, right, symbol)) ** 2
    }
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
