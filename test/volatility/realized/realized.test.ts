import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DailyBar } from '../../../src/market/bar.ts'
import { addDays } from '../../../src/market/calendar.ts'
import type { IsoDate } from '../../../src/market/units.ts'
import { logReturns } from '../../../src/volatility/realized/daily-returns.ts'
import {
  closeToClose,
  garmanKlass,
  parkinson,
  realizedChange,
  realizedWindows,
  rogersSatchell,
  usableBars,
  yangZhang
} from '../../../src/volatility/realized/realized.ts'
import { semiDeviation } from '../../../src/volatility/realized/semi-deviation.ts'
import { barAt, barsOfCloses, walk } from '../made-up-bars.ts'
import { rowsOf, testWithFiles } from '../recorded-series.ts'

const estimators = { closeToClose, parkinson, garmanKlass, rogersSatchell, yangZhang }
const everyOne = Object.entries(estimators)
const ln = Math.log

function* windows(bars: readonly DailyBar[], n: number) {
  for (let end = n; end <= bars.length; end++) yield { end, bars: usableBars(bars.slice(0, end)) }
}

/** Yang and Zhang's variance as their paper writes it, from normalised prices o, u, d and c. */
function yangZhangOfPaper(bars: readonly DailyBar[], n: number): number {
  const days = bars.slice(-n)
  const before = bars.slice(-n - 1, -1)
  const o = days.map((bar, i) => ln(bar.open) - ln(before[i].close))
  const u = days.map((bar) => ln(bar.high) - ln(bar.open))
  const d = days.map((bar) => ln(bar.low) - ln(bar.open))
  const c = days.map((bar) => ln(bar.close) - ln(bar.open))
  const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
  const spread = (values: readonly number[]) => {
    const [first, second] = [total(values), total(values.map((value) => value ** 2))]
    return (second - first ** 2 / n) / (n - 1)
  }
  const range = total(u.map((_, i) => u[i] * (u[i] - c[i]) + d[i] * (d[i] - c[i]))) / n
  const k = 0.34 / (1.34 + (n + 1) / (n - 1))
  return Math.sqrt(252 * (spread(o) + k * spread(c) + (1 - k) * range))
}

describe('against the series of TTR', () => {
  const files = ['ttr_ttrc_first260.csv', 'ttr_volatility.json']
  const barsOf = (csv: string) => rowsOf(csv).map(([day, open, high, low, close]) => barAt(day, open, high, low, close))
  /** TTR has a year of 260 days, the service one of 252. */
  const year = Math.sqrt(252 / 260)

  testWithFiles(files, 'Garman-Klass, Parkinson and Rogers-Satchell are the same', (csv, json) => {
    const { values } = JSON.parse(json) as { values: Record<string, (number | null)[]> }
    const bars = barsOf(csv).slice(0, 250)
    for (const [name, estimator] of [
      ['allGK', garmanKlass],
      ['allParkinson', parkinson],
      ['allRS', rogersSatchell]
    ] as const) {
      for (const window of windows(bars, 10)) {
        expect(estimator(window.bars, 10)).toBeCloseTo(year * values[name][window.end - 1]!, 12)
      }
    }
  })

  // TTR's recorded series measures each return from the mean of its own window and not of the last one, over 9 returns.
  testWithFiles(files, 'its close-to-close comes from our returns by its own choice of means', (csv, json) => {
    const { values } = JSON.parse(json) as { values: Record<string, (number | null)[]> }
    const returns = logReturns(barsOf(csv).slice(0, 250))
    const own = returns.map((r, i) =>
      i < 8 ? Number.NaN : r - returns.slice(i - 8, i + 1).reduce((a, b) => a + b) / 9
    )
    for (let i = 16; i < returns.length; i++) {
      const squares = own.slice(i - 8, i + 1).reduce((sum, value) => sum + value ** 2, 0)
      expect(Math.sqrt((260 / 8) * squares)).toBeCloseTo(values['allClose'][i + 1]!, 12)
    }
  })

  testWithFiles(files.slice(0, 1), 'Yang-Zhang agrees with a second writing on its bars', (csv) => {
    const bars = barsOf(csv)
    for (const window of windows(bars, 11)) {
      expect(yangZhang(window.bars, 10)).toBeCloseTo(yangZhangOfPaper(window.bars, 10), 12)
    }
  })
})

test('each estimator gives what its formula gives by hand', () => {
  const bars = usableBars([barAt(0, 100, 100, 100, 100), barAt(1, 110, 130, 100, 120), barAt(2, 125, 140, 90, 100)])
  const close = [ln(1.2), ln(100 / 120)]
  const centre = (close[0] + close[1]) / 2
  expect(closeToClose(bars, 2)).toBeCloseTo(Math.sqrt(252 * ((close[0] - centre) ** 2 + (close[1] - centre) ** 2)), 12)
  const ranges = [ln(1.3), ln(140 / 90)]
  expect(parkinson(bars, 2)).toBeCloseTo(Math.sqrt((252 / (8 * ln(2))) * (ranges[0] ** 2 + ranges[1] ** 2)), 12)
  const bodies = [ln(120 / 110), ln(100 / 125)]
  const garman = [0, 1].map((i) => 0.5 * ranges[i] ** 2 - (2 * ln(2) - 1) * bodies[i] ** 2)
  expect(garmanKlass(bars, 2)).toBeCloseTo(Math.sqrt((252 / 2) * (garman[0] + garman[1])), 12)
  const rogers = [
    ln(130 / 120) * ln(130 / 110) + ln(100 / 120) * ln(100 / 110),
    ln(140 / 100) * ln(140 / 125) + ln(90 / 100) * ln(90 / 125)
  ]
  expect(rogersSatchell(bars, 2)).toBeCloseTo(Math.sqrt((252 / 2) * (rogers[0] + rogers[1])), 12)
  expect(yangZhang(bars, 2)).toBeCloseTo(yangZhangOfPaper(bars, 2), 12)
})

test('close-to-close agrees with the textbook sum of squares on every window', () => {
  const bars = usableBars(walk(7, 90))
  for (const n of [5, 10, 20, 30, 60]) {
    const r = bars.slice(-n).map(({ close }, i) => ln(close / bars[bars.length - n - 1 + i].close))
    const [first, second] = [r.reduce((sum, x) => sum + x, 0), r.reduce((sum, x) => sum + x * x, 0)]
    expect(closeToClose(bars, n)).toBeCloseTo(Math.sqrt((252 * (second - first ** 2 / n)) / (n - 1)), 12)
  }
})

test('all five find the volatility that a long walk was made with', () => {
  const days = 2000
  const session = { steps: 200, session: 0.01 }
  const still = usableBars(walk(11, days + 1, { ...session, night: 0 }))
  for (const [name, estimator] of everyOne) {
    const found = estimator(still, days)! / (0.01 * Math.sqrt(252))
    expect(found, name).toBeGreaterThan(0.93) // a range seen at 200 moments is some 4 % too small
    expect(found, name).toBeLessThan(1.03)
  }
  const gapping = usableBars(walk(12, days + 1, { ...session, night: 0.008 }))
  const whole = Math.hypot(0.01, 0.008) * Math.sqrt(252)
  expect(closeToClose(gapping, days)! / whole).toBeCloseTo(1, 1)
  expect(yangZhang(gapping, days)! / whole).toBeCloseTo(1, 1)
  const drifting = usableBars(walk(13, days + 1, { ...session, night: 0, drift: 0.01 }))
  expect(rogersSatchell(drifting, days)! / rogersSatchell(still, days)!).toBeCloseTo(1, 1)
  expect(parkinson(drifting, days)! / parkinson(still, days)!).toBeGreaterThan(1.1)
})

describe.each(everyOne)('%s', (name, estimator) => {
  const bars = walk(3, 40)
  const withClose = name === 'closeToClose' || name === 'yangZhang'

  test('needs as many bars as its window, and one more where it reads the close before', () => {
    const least = withClose ? 11 : 10
    expect(estimator(usableBars(bars.slice(-least)), 10)).toBeGreaterThan(0)
    expect(estimator(usableBars(bars.slice(-least + 1)), 10)).toBeUndefined()
    expect(estimator(usableBars([]), 10)).toBeUndefined()
    expect(estimator(usableBars(bars), 0)).toBeUndefined()
  })

  test('reads the last bars of the window and nothing before', () => {
    const other = bars.map((bar, i) => (i < 40 - 11 ? walk(99, 40)[i] : bar))
    expect(estimator(usableBars(other), 10)).toBe(estimator(usableBars(bars), 10))
  })

  test('passes over a bad bar and reaches one further back', () => {
    const clean = estimator(usableBars(bars.filter((_, i) => i !== 35)), 10)
    const { open, high, low, close } = bars[35]
    for (const bad of [
      { close: Number.NaN },
      { open: 0 },
      { low: -1 },
      { high: Number.POSITIVE_INFINITY },
      { high: Math.max(open, close) * 0.999 },
      { low: Math.min(open, close) * 1.001 },
      { high: low, low: high }
    ]) {
      const spoiled = bars.map((bar, i) => (i === 35 ? { ...bar, ...bad } : bar))
      expect(estimator(usableBars(spoiled), 10)).toBe(clean)
    }
  })

  test('does not mind in which unit prices are quoted', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-3, max: 1e3, noNaN: true }), (unit) => {
        const scaled = bars.map(({ date, volume, ...prices }, day) =>
          barAt(day, unit * prices.open, unit * prices.high, unit * prices.low, unit * prices.close)
        )
        expect(estimator(usableBars(scaled), 20)).toBeCloseTo(estimator(usableBars(bars), 20)!, 10)
      })
    )
  })

  test('is 0 for a price that stands still', () => {
    expect(estimator(usableBars(barsOfCloses(Array(30).fill(50))), 20)).toBe(0)
  })
})

describe('semi-deviation', () => {
  test('gives what its formula gives by hand', () => {
    const bars = usableBars(barsOfCloses([100, 110, 99, 99, 108]))
    const { downside, upside } = semiDeviation(bars, 4)!
    expect(downside).toBeCloseTo(Math.sqrt((252 * 2 * ln(0.9) ** 2) / 4), 12)
    expect(upside).toBeCloseTo(Math.sqrt((252 * 2 * (ln(1.1) ** 2 + ln(108 / 99) ** 2)) / 4), 12)
  })

  test('is the full volatility about 0 on both sides when falls mirror rises', () => {
    const bars = usableBars(barsOfCloses(Array.from({ length: 21 }, (_, i) => (i % 2 === 0 ? 100 : 102))))
    const { downside, upside } = semiDeviation(bars, 20)!
    expect(downside).toBeCloseTo(upside, 12)
    expect(downside).toBeCloseTo(ln(1.02) * Math.sqrt(252), 12)
  })

  test('needs one bar more than its window', () => {
    const bars = walk(5, 21)
    expect(semiDeviation(usableBars(bars), 20)).toBeDefined()
    expect(semiDeviation(usableBars(bars.slice(1)), 20)).toBeUndefined()
    expect(semiDeviation(usableBars([]), 0)).toBeUndefined()
  })
})

test('a hole of weeks in the bars is no daily return: what lies before it is not used', () => {
  const before = walk(7, 40)
  const after = walk(8, 25).map((bar, k) => ({ ...bar, date: addDays('2026-07-01' as IsoDate, k) }))
  expect(addDays(before.at(-1)!.date, 7) < after[0].date).toBe(true)
  const usable = usableBars([...before, ...after])
  expect(usable).toEqual(after)
  expect(closeToClose(usable, 20)).toBe(closeToClose(usableBars(after), 20))
  expect(closeToClose(usable, 30)).toBeUndefined()
})

const windowsOf = (closes: readonly number[]) => realizedWindows(usableBars(barsOfCloses(closes)))

test('each window needs one bar more than it has returns', () => {
  expect(windowsOf(Array(11).fill(100))).toEqual({
    rv5: 0,
    rv10: 0,
    rv20: undefined,
    rv30: undefined,
    rv60: undefined
  })
})

test('a price that goes up and down by one percent in turn has the deviation of those returns', () => {
  const closes = Array.from({ length: 61 }, (_, day) => (day % 2 === 0 ? 100 : 100 * Math.exp(0.01)))
  // Sixty returns of ±0.01, their mean 0: the sample variance is 60/59 of a ten-thousandth.
  expect(windowsOf(closes).rv60).toBeCloseTo(100 * Math.sqrt((252 * 0.0001 * 60) / 59), 10)
})

const closes = Array.from({ length: 40 }, (_, k) => 100 * Math.exp(0.01 * Math.sin(1.7 * k)))

test('is realized volatility now less that of five sessions before', () => {
  const bars = barsOfCloses(closes)
  const expected = closeToClose(usableBars(bars), 20)! - closeToClose(usableBars(bars.slice(0, 35)), 20)!
  expect(realizedChange(usableBars(bars))).toBe(expected)
})

test('needs 26 bars', () => {
  expect(realizedChange(usableBars(barsOfCloses(closes.slice(0, 26))))).toBeDefined()
  expect(realizedChange(usableBars(barsOfCloses(closes.slice(0, 25))))).toBeUndefined()
})
