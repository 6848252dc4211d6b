import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { correlation, type DayEnd, spotVolCorrelation } from '../../../src/volatility/realized/correlation.ts'
import {
  basketVolatility,
  impliedCorrelation,
  realizedCorrelation
} from '../../../src/volatility/realized/dispersion.ts'
import { barsOfCloses, normalStream } from '../made-up-bars.ts'

/** Closes of a walk that shares `share` of its variance with the walk of the first seed. */
function closesOf(seed: number, share: number, count = 80): readonly number[] {
  const [common, own] = [normalStream(1), normalStream(seed)]
  let price = 100
  return Array.from({ length: count }, () => {
    price *= Math.exp(0.01 * (Math.sqrt(share) * common() + Math.sqrt(1 - share) * own()))
    return price
  })
}

const returnsOf = (closes: readonly number[]) => closes.slice(1).map((close, i) => Math.log(close / closes[i]))

/** The textbook sums, unlike ours in order and form. */
function pearson(x: readonly number[], y: readonly number[]): number {
  const n = x.length
  const total = (f: (i: number) => number) => x.reduce((sum, _, i) => sum + f(i), 0)
  const [sx, sy] = [total((i) => x[i]), total((i) => y[i])]
  const [sxx, syy] = [total((i) => x[i] ** 2), total((i) => y[i] ** 2)]
  const sxy = total((i) => x[i] * y[i])
  return (n * sxy - sx * sy) / Math.sqrt((n * sxx - sx ** 2) * (n * syy - sy ** 2))
}

describe('correlation', () => {
  test('agrees with the textbook sums', () => {
    const [x, y] = [returnsOf(closesOf(2, 0.4)), returnsOf(closesOf(3, 0.7))]
    expect(correlation(x, y)).toBeCloseTo(pearson(x, y), 12)
    expect(correlation([1, 2, 3, 4], [1, 3, 2, 4])).toBeCloseTo(0.8, 14)
  })

  test('stays within -1 and 1, is the same both ways and changes sign with a side', () => {
    const number = fc.double({ min: -1e3, max: 1e3, noNaN: true })
    fc.assert(
      fc.property(fc.array(fc.tuple(number, number), { maxLength: 30 }), (pairs) => {
        const [x, y] = [pairs.map(([a]) => a), pairs.map(([, b]) => b)]
        const value = correlation(x, y)
        if (value === undefined) return
        expect(Math.abs(value)).toBeLessThanOrEqual(1)
        expect(correlation(y, x)).toBeCloseTo(value, 12)
        expect(
          correlation(
            x,
            y.map((b) => -b)
          )
        ).toBeCloseTo(-value, 12)
      })
    )
  })

  test('is 1 or -1 on a line', () => {
    expect(correlation([1, 2, 4], [10, 20, 40])).toBeCloseTo(1, 14)
    expect(correlation([1, 2, 4], [-1, -2, -4])).toBeCloseTo(-1, 14)
  })

  test('has no answer where a side never changes or there are too few pairs', () => {
    expect(correlation([1, 2, 3], [5, 5, 5])).toBeUndefined()
    expect(correlation([0.1, 0.1, 0.1], [1, 2, 3])).toBeUndefined()
    expect(correlation([1], [2])).toBeUndefined()
    expect(correlation([], [])).toBeUndefined()
    expect(correlation([1, 2, Number.NaN], [1, 2, 3])).toBeUndefined()
  })
})

describe('spot and volatility', () => {
  const normal = normalStream(5)
  let [spot, atmIv] = [100, 20]
  const days: readonly DayEnd[] = Array.from({ length: 90 }, () => {
    const r = 0.01 * normal()
    spot *= Math.exp(r)
    atmIv += -80 * r + 0.5 * normal()
    return { spot, atmIv }
  })

  test.each([20, 60])('are compared over the last %d pairs', (n) => {
    const last = days.slice(-n - 1)
    const returns = returnsOf(last.map((day) => day.spot))
    const changes = last.slice(1).map((day, i) => day.atmIv! - last[i].atmIv!)
    expect(spotVolCorrelation(days, n)).toBeCloseTo(pearson(returns, changes), 12)
    expect(spotVolCorrelation(days, n)).toBeLessThan(-0.5)
  })

  test('have no answer with a pair too few, or a side that never changes', () => {
    expect(spotVolCorrelation(days.slice(0, 21), 20)).toBeDefined()
    expect(spotVolCorrelation(days.slice(0, 20), 20)).toBeUndefined()
    const still = days.map((day) => ({ ...day, atmIv: 20 }))
    expect(spotVolCorrelation(still, 20)).toBeUndefined()
  })

  test('pass over days without a volatility or a spot', () => {
    const gaps: readonly DayEnd[] = [
      { spot: 5, atmIv: undefined },
      { spot: 0, atmIv: 20 },
      { spot: Number.NaN, atmIv: 20 },
      { spot: 5, atmIv: Number.NaN }
    ]
    const holed = days.toSpliced(80, 0, ...gaps)
    expect(spotVolCorrelation(holed, 20)).toBe(spotVolCorrelation(days, 20))
  })
})

describe('dispersion', () => {
  const members = [
    { weight: 0.5, sigma: 0.3 },
    { weight: 0.3, sigma: 0.2 },
    { weight: 0.2, sigma: 0.5 }
  ]

  test('the implied correlation is the one that members were combined with', () => {
    for (const rho of [-0.2, 0, 0.35, 1]) {
      let variance = 0
      members.forEach((a, i) => {
        members.forEach((b, j) => {
          variance += a.weight * a.sigma * b.weight * b.sigma * (i === j ? 1 : rho)
        })
      })
      expect(impliedCorrelation(Math.sqrt(variance), members)).toBeCloseTo(rho, 12)
    }
  })

  test('an index as volatile as its basket has an implied correlation of 1, a livelier one more', () => {
    const basket = basketVolatility(members)
    expect(basket).toBeCloseTo(0.31, 14)
    expect(impliedCorrelation(basket, members)).toBeCloseTo(1, 12)
    expect(impliedCorrelation(basket * 1.1, members)).toBeGreaterThan(1)
  })

  test('a single member implies no correlation', () => {
    expect(impliedCorrelation(0.2, [{ weight: 1, sigma: 0.3 }])).toBeUndefined()
    expect(impliedCorrelation(0.2, [...members.slice(0, 1), { weight: 0, sigma: 0.3 }])).toBeUndefined()
    expect(impliedCorrelation(0.2, [])).toBeUndefined()
  })

  const index = barsOfCloses(closesOf(2, 1))
  const [a, b] = [closesOf(3, 0.6), closesOf(4, 0.2)]

  test('the realized correlation is the mean of the members with the index', () => {
    const found = realizedCorrelation(
      index,
      [
        { weight: 0.7, bars: barsOfCloses(a) },
        { weight: 0.3, bars: barsOfCloses(b) }
      ],
      20
    )
    const ofIndex = returnsOf(closesOf(2, 1)).slice(-20)
    const expected = 0.7 * pearson(returnsOf(a).slice(-20), ofIndex) + 0.3 * pearson(returnsOf(b).slice(-20), ofIndex)
    expect(found).toBeCloseTo(expected, 12)
  })

  test('it compares days that both have a close', () => {
    const holed = barsOfCloses(a).filter((_, i) => i !== 70)
    const indexOfSame = closesOf(2, 1).filter((_, i) => i !== 70)
    const expected = pearson(returnsOf(a.filter((_, i) => i !== 70)).slice(-20), returnsOf(indexOfSame).slice(-20))
    expect(realizedCorrelation(index, [{ weight: 1, bars: holed }], 20)).toBeCloseTo(expected, 12)
    const spoiled = barsOfCloses(a).map((bar, i) => (i === 70 ? { ...bar, close: Number.NaN } : bar))
    expect(realizedCorrelation(index, [{ weight: 1, bars: spoiled }], 20)).toBeCloseTo(expected, 12)
  })

  test('a member that cannot be told counts as 0 and keeps its weight', () => {
    const alone = realizedCorrelation(index, [{ weight: 0.6, bars: barsOfCloses(a) }], 20)!
    for (const bars of [[], barsOfCloses(a).slice(-5), barsOfCloses(Array(80).fill(10))]) {
      const both = [
        { weight: 0.6, bars: barsOfCloses(a) },
        { weight: 0.4, bars }
      ]
      expect(realizedCorrelation(index, both, 20)).toBe(alone)
      expect(realizedCorrelation(index, [{ weight: 1, bars }], 20)).toBeUndefined()
    }
    expect(realizedCorrelation(index, [{ weight: 1, bars: barsOfCloses(a).slice(-6) }], 20)).toBeDefined()
  })

  test('an index moves with itself', () => {
    expect(realizedCorrelation(index, [{ weight: 1, bars: index }], 60)).toBeCloseTo(1, 14)
  })
})
