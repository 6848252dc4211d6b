import { describe, expect, test } from 'vitest'
import { volatilityForecast } from '../../../src/volatility/forecast/forecast.ts'
import { dailyVariances, harForecast } from '../../../src/volatility/forecast/har-rv.ts'
import { barAt, barsOfCloses, normalStream, walk } from '../made-up-bars.ts'

const annual = (variance: number) => Math.sqrt(252 * variance)
const average = (values: ArrayLike<number>) => Array.from(values).reduce((sum, v) => sum + v, 0) / values.length

/** Variances with a memory: each day's is a mixture of the last month's, disturbed. */
function variancesOf(seed: number, count: number): Float64Array {
  const normal = normalStream(seed)
  const values: number[] = []
  for (let t = 0; t < count; t++) {
    const before = values.slice(-22)
    const expected = t < 22 ? 1e-4 : 1e-5 + 0.3 * before[21] + 0.3 * average(before.slice(-5)) + 0.3 * average(before)
    values.push(expected * Math.exp(0.5 * normal() - 0.125))
  }
  return Float64Array.from(values)
}

/** Plain least squares by the normal equations and Cramer-free elimination, on variances times 10,000. */
function weightsOf(variances: Float64Array, rows: number): number[] {
  const v = Array.from(variances, (value) => 1e4 * value)
  const table = Array.from({ length: 4 }, () => Array<number>(5).fill(0))
  for (let t = v.length - rows; t < v.length; t++) {
    const row = [1, v[t - 1], average(v.slice(t - 5, t)), average(v.slice(t - 22, t)), v[t]]
    for (let i = 0; i < 4; i++) for (let j = 0; j < 5; j++) table[i][j] += row[i] * row[j]
  }
  for (let k = 0; k < 4; k++) {
    for (let i = 0; i < 4; i++) {
      if (i === k) continue
      const factor = table[i][k] / table[k][k]
      for (let j = 0; j < 5; j++) table[i][j] -= factor * table[k][j]
    }
  }
  return table.map((row, k) => (row[4] / row[k]) * (k === 0 ? 1e-4 : 1))
}

/** Day by day, the forecasts of given weights. */
function path(variances: Float64Array, [a, d, w, m]: readonly number[]): number[] {
  const known = [...variances]
  const month = average(known.slice(-22))
  for (let day = 0; day < 21; day++) {
    const next = a + d * known[known.length - 1] + w * average(known.slice(-5)) + m * average(known.slice(-22))
    known.push(Math.min(4 * month, Math.max(month / 4, next)))
  }
  return known.slice(-21)
}

describe('daily variances', () => {
  test('add the gap over night to the Garman-Klass variance of the session', () => {
    const [variance] = dailyVariances([barAt(0, 100, 100, 100, 100), barAt(1, 104, 110, 98, 101)])
    const range = 0.5 * Math.log(110 / 98) ** 2 - (2 * Math.log(2) - 1) * Math.log(101 / 104) ** 2
    expect(variance).toBeCloseTo(Math.log(1.04) ** 2 + range, 15)
  })

  test('take the squared return of a bar without a range, or with one that does not hold its prices', () => {
    const first = barAt(0, 100, 100, 100, 100)
    const squared = Math.log(1.01) ** 2
    for (const [open, high, low] of [
      [Number.NaN, 110, 98],
      [104, 0, 98],
      [104, 110, Number.NaN],
      [104, 103, 98],
      [104, 110, 102]
    ]) {
      expect(dailyVariances([first, barAt(1, open, high, low, 101)])[0]).toBeCloseTo(squared, 15)
    }
  })

  test('are one fewer than the bars', () => {
    expect([dailyVariances(walk(1, 30)).length, dailyVariances([]).length]).toEqual([29, 0])
  })
})

describe('the forecast', () => {
  test('describes a day, a week and a month', () => {
    const v = variancesOf(5, 80)
    const { daily, weekly, monthly } = harForecast(v)!
    expect(daily).toBeCloseTo(annual(v[79]), 14)
    expect(weekly).toBeCloseTo(annual(average(v.slice(-5))), 14)
    expect(monthly).toBeCloseTo(annual(average(v.slice(-22))), 14)
  })

  test('mixes them 40, 35 and 25 with fewer than 100 rows', () => {
    const v = variancesOf(6, 22 + 99)
    const expected = 0.4 * v[120] + 0.35 * average(v.slice(-5)) + 0.25 * average(v.slice(-22))
    expect(harForecast(v)!.nextDay).toBeCloseTo(annual(expected), 14)
    expect(harForecast(v)!.nextMonth).toBeCloseTo(annual(average(path(v, [0, 0.4, 0.35, 0.25]))), 14)
  })

  test.each([22 + 100, 22 + 504, 900])('estimates the weights by plain least squares, of %d days', (count) => {
    const v = variancesOf(8, count)
    const expected = path(v, weightsOf(v, Math.min(504, count - 22)))
    expect(harForecast(v)!.nextDay).toBeCloseTo(annual(expected[0]), 9)
    expect(harForecast(v)!.nextMonth).toBeCloseTo(annual(average(expected)), 9)
  })

  test('reads no more than 504 rows', () => {
    const v = variancesOf(9, 22 + 504)
    expect(harForecast(Float64Array.of(...variancesOf(10, 300), ...v))).toEqual(harForecast(v))
  })

  test('stays within a quarter of the month and four times it', () => {
    const quiet = Float64Array.from({ length: 60 }, (_, i) => (i === 59 ? 0.5 : 1e-5))
    const month = average(quiet.slice(-22))
    expect(harForecast(quiet)!.nextDay).toBeCloseTo(annual(4 * month), 12)
    const noisy = variancesOf(3, 700)
    noisy.fill(0.03, 678)
    noisy[699] = 1e-9
    const low = harForecast(noisy)!
    const last = average(noisy.slice(-22))
    expect(low.nextDay).toBeGreaterThanOrEqual(annual(last / 4) * (1 - 1e-12))
    expect(low.nextMonth).toBeLessThanOrEqual(annual(4 * last) * (1 + 1e-12))
  })

  test('is a number for a price that stands still or moves in lockstep, where no weight can be told', () => {
    expect(harForecast(new Float64Array(600))).toEqual({ daily: 0, weekly: 0, monthly: 0, nextDay: 0, nextMonth: 0 })
    const even = harForecast(new Float64Array(600).fill(1e-4))!
    expect(even.nextDay).toBeCloseTo(annual(1e-4), 12)
    expect(even.nextMonth).toBeCloseTo(annual(1e-4), 12)
  })

  test('has no answer with less than a month', () => {
    expect(harForecast(variancesOf(1, 21))).toBeUndefined()
    expect(harForecast(variancesOf(1, 22))).toBeDefined()
  })
})

describe('the forecast of an underlying', () => {
  test('needs 60 returns, and GARCH 250', () => {
    expect(volatilityForecast(walk(1, 60), 'gaussian')).toBeUndefined()
    const short = volatilityForecast(walk(1, 61), 'gaussian')!
    expect(short.ewma).toBeGreaterThan(0)
    expect(short.har.nextMonth).toBeGreaterThan(0)
    expect(short.garch).toBeUndefined()
  })

  test('leaves out a day without a close', () => {
    const bars = walk(2, 300)
    const spoiled = bars.toSpliced(200, 0, { ...bars[200], close: Number.NaN }, { ...bars[200], close: 0 })
    expect(volatilityForecast(spoiled, 'gaussian')).toEqual(volatilityForecast(bars, 'gaussian'))
  })

  test('fits GARCH to the last 1,000 returns and nothing before', () => {
    const bars = walk(3, 1300)
    const recent = volatilityForecast(bars.slice(-1001), 'student_t')
    expect(volatilityForecast(bars, 'student_t')!.garch).toEqual(recent!.garch)
  })

  test('is made of numbers even where nothing moves', () => {
    const { ewma, har, garch } = volatilityForecast(barsOfCloses(Array(400).fill(20)), 'student_t')!
    expect([ewma, har.nextDay, har.nextMonth, garch]).toEqual([0, 0, 0, undefined])
  })
})
