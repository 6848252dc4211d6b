import { describe, expect, test } from 'vitest'
import { bandCalibration, otherErrors } from '../../../src/exposure/bands/band-calibration.ts'
import { bandErrorName } from '../../../src/market/band-errors.ts'
import { bandPools, morningErrors, type SymbolBandErrors } from '../../../src/market/band-pool.ts'
import { type SecurityKind, securityKind } from '../../../src/market/security.ts'
import type { IsoDate, Ticker } from '../../../src/market/units.ts'
import { sessionsBefore } from '../../support/made-up-records.ts'
import { normalStream } from '../../volatility/made-up-bars.ts'

const HALF = 1.6448536269514722
const NAME = bandErrorName('dex', 'all')
const dates = sessionsBefore('2026-07-29' as IsoDate, 60)

const row = (symbol: string, date: IsoDate, error: number): SymbolBandErrors => ({
  symbol: symbol as Ticker,
  date,
  [NAME]: error
})

/** Rows of symbols over the newest mornings, ascending by date, with the errors of `law`. */
function rowsOf(symbols: readonly string[], mornings: number, law: (symbol: number, morning: number) => number) {
  return dates
    .slice(-mornings)
    .flatMap((date, morning) => symbols.map((symbol, k) => row(symbol, date, law(k, morning))))
}

const stocks = Array.from({ length: 24 }, (_, k) => `STK${String.fromCharCode(65 + k)}`)
const funds = ['SPY', 'QQQ', 'IWM', 'GLD', 'TLT', 'XLF']

/** The calibration of a symbol by the rows of all symbols, its own among them. */
function calibrationOf(symbol: string, rows: readonly SymbolBandErrors[], kind: SecurityKind = securityKind(symbol)) {
  const own = morningErrors(
    rows.filter((one) => one.symbol === symbol),
    NAME
  )
  const others = otherErrors(bandPools([...rows], kind), NAME, own)
  return bandCalibration(
    own.map(({ error }) => error),
    others
  )
}

describe('a band of a symbol with few mornings of its own', () => {
  test('rests on its class, else on all others, else on the prior', () => {
    const quiet = () => 0
    expect(calibrationOf('NEW', rowsOf(stocks, 30, quiet))).toMatchObject({ basis: 'class', mornings: 30 })
    expect(calibrationOf('NEW', rowsOf(funds, 30, quiet))).toMatchObject({ basis: 'all', mornings: 30 })
    expect(calibrationOf('NEW', rowsOf(stocks, 19, quiet))).toBeUndefined()
    expect(calibrationOf('NEW', [])).toBeUndefined()
    const own = [...rowsOf(stocks, 30, quiet), ...rowsOf(['NEW'], 20, quiet)].sort((a, b) => (a.date < b.date ? -1 : 1))
    expect(calibrationOf('NEW', own)).toMatchObject({ basis: 'symbol', mornings: 20 })
  })

  test('never counts its own mornings twice', () => {
    // The only symbol of its class: there are no others to learn from.
    expect(
      calibrationOf(
        'SPY',
        rowsOf(['SPY'], 19, () => 3)
      )
    ).toBeUndefined()
    const alone = calibrationOf(
      'SPY',
      rowsOf(['SPY'], 40, () => 3)
    )!
    expect(alone).toEqual(bandCalibration(Array.from({ length: 40 }, () => 3)))
  })

  test('has the shift and width of the mixture, worked out slowly', () => {
    const normal = normalStream(5)
    const law = (symbol: number) => 0.8 + 0.1 * (symbol % 3) + 1.7 * normal()
    const rows = [...rowsOf(stocks.slice(0, 5), 25, law), ...rowsOf(funds, 25, law), ...rowsOf(['NEW'], 6, law)]
    const sorted = rows.sort((a, b) => (a.date < b.date ? -1 : 1))
    const found = calibrationOf('NEW', sorted)!
    const errorsOf = (isOne: (symbol: string) => boolean) =>
      dates.map((date) => sorted.filter((one) => one.date === date && isOne(one.symbol)).map((one) => one[NAME]!))
    const levels = [
      errorsOf((symbol) => symbol !== 'NEW'),
      errorsOf((symbol) => symbol !== 'NEW' && securityKind(symbol) === 'equity'),
      errorsOf((symbol) => symbol === 'NEW')
    ].map((mornings) => mornings.filter((one) => one.length > 0))
    let mean = 0
    for (const mornings of levels) {
      let [above, below] = [20 * mean, 20]
      mornings.forEach((errors, k) => {
        const weight = 2 ** (-(mornings.length - 1 - k) / 20)
        above += (weight * errors.reduce((sum, error) => sum + error, 0)) / errors.length
        below += weight
      })
      mean = above / below
    }
    expect(found.shift).toBeCloseTo(mean, 9)
    // Each level is mixed into the one before: n mornings of it against 20 of that.
    const normalDraw = normalStream(99)
    let points = Array.from({ length: 200_000 }, () => ({ error: normalDraw(), weight: 1 / 200_000 }))
    for (const mornings of levels) {
      const errors = mornings.flat()
      const share = mornings.length / (mornings.length + 20)
      points = [
        ...points.map(({ error, weight }) => ({ error, weight: weight * (1 - share) })),
        ...errors.map((error) => ({ error, weight: share / errors.length }))
      ]
    }
    const byDistance = points
      .map(({ error, weight }) => ({ distance: Math.abs(error - mean), weight }))
      .sort((a, b) => a.distance - b.distance)
    let held = 0
    const width = byDistance.find(({ weight }) => (held += weight) >= 0.9)!.distance
    expect(Math.abs((found.factor * HALF) / width - 1)).toBeLessThan(0.03)
  })

  test('comes to hold what it states where the prior is wrong for a whole class', () => {
    /** Errors of a class whose bands are too low and too narrow, by a different amount for each symbol. */
    for (const [seed, spread] of [
      [1, 0],
      [2, 0.3],
      [3, 0.6]
    ] as const) {
      const normal = normalStream(seed)
      let [held, byPrior, mornings] = [0, 0, 0]
      for (let draw = 0; draw < 24; draw++) {
        const centers = stocks.map(() => 0.7 + spread * normal())
        const rows = rowsOf(stocks, 60, (symbol) => centers[symbol] + 1.6 * normal())
        const center = 0.7 + spread * normal()
        const own: SymbolBandErrors[] = []
        for (let morning = 0; morning < 20; morning++) {
          const known = [...rows, ...own].sort((a, b) => (a.date < b.date ? -1 : 1))
          const band = calibrationOf('NEW', known)!
          expect(band.basis).toBe('class')
          const error = center + 1.6 * normal()
          mornings++
          if (Math.abs(error - band.shift) <= HALF * band.factor) held++
          if (Math.abs(error) <= HALF) byPrior++
          own.push(row('NEW', dates[dates.length - 20 + morning], error))
        }
      }
      expect(byPrior / mornings).toBeLessThan(0.7)
      expect(held / mornings).toBeGreaterThan(0.86)
      expect(held / mornings).toBeLessThan(0.94)
    }
  })

  test('is left alone where the prior is right', () => {
    const normal = normalStream(31)
    const band = calibrationOf('NEW', rowsOf(stocks, 60, normal))!
    expect(Math.abs(band.shift)).toBeLessThan(0.1)
    expect(Math.abs(band.factor - 1)).toBeLessThan(0.06)
    expect(Math.abs(band.held - 0.9)).toBeLessThan(0.02)
  })
})

test('a symbol with mornings of its own is drawn towards its class', () => {
  const shiftOf = (ofClass: number) => {
    const rows = [...rowsOf(stocks, 60, () => ofClass), ...rowsOf(['NEW'], 25, () => 1)]
    return calibrationOf(
      'NEW',
      rows.sort((a, b) => (a.date < b.date ? -1 : 1))
    )!.shift
  }
  expect(shiftOf(1)).toBeGreaterThan(shiftOf(0))
  expect(shiftOf(1)).toBeLessThan(1)
})

test('mornings older than the newest 60 sessions do not count', () => {
  const older = sessionsBefore(dates[0], 5).map((date) => row('SPY', date, 9))
  const rows = [...older, ...rowsOf(funds, 60, () => 0)]
  expect(bandPools(rows, 'etf').sessions).toEqual(dates)
  expect(calibrationOf('NEW', rows, 'etf')!.shift).toBe(0)
})
