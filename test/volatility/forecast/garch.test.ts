import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { lnGamma } from '../../../src/math/gamma-function.ts'
import {
  fitGarch,
  type GarchFit,
  halfLife,
  horizonVolatility,
  isIntegrated,
  longRunVolatility
} from '../../../src/volatility/forecast/garch.ts'
import {
  ALPHA,
  BETA,
  DOF,
  type GarchModel,
  garchLikelihood,
  OMEGA
} from '../../../src/volatility/forecast/garch-likelihood.ts'
import { likeliestModel } from '../../../src/volatility/forecast/garch-search.ts'
import { normalStream } from '../made-up-bars.ts'
import { columnOf, testWithFiles } from '../recorded-series.ts'

/** Returns of a GARCH(1,1) with normal shocks, or Student's t where degrees of freedom (a whole number) are given. */
function madeReturns(seed: number, days: number, { omega, alpha, beta, dof }: GarchModel): Float64Array {
  const normal = normalStream(seed)
  const shock = () => {
    if (dof === undefined) return normal()
    const chi = Array.from({ length: dof }, () => normal() ** 2).reduce((sum, square) => sum + square, 0)
    return (normal() / Math.sqrt(chi / dof)) * Math.sqrt((dof - 2) / dof)
  }
  let variance = omega / (1 - alpha - beta)
  return Float64Array.from({ length: days }, () => {
    const r = Math.sqrt(variance) * shock()
    variance = omega + alpha * r * r + beta * variance
    return r
  })
}

/** Squared residuals in percent and their sample variance, as the fit sees them. */
function residualsOf(returns: Float64Array) {
  const centre = returns.reduce((sum, r) => sum + r, 0) / returns.length
  const squares = returns.map((r) => (100 * (r - centre)) ** 2)
  return { squares, variance: squares.reduce((sum, square) => sum + square, 0) / (squares.length - 1) }
}

/** The log-likelihood as the wire contract writes it, term by term. */
function plainLikelihood(squares: Float64Array, first: number, { omega, alpha, beta, dof: v }: GarchModel): number {
  let [h, sum] = [first, 0]
  squares.forEach((square, t) => {
    if (t > 0) h = omega + alpha * squares[t - 1] + beta * h
    sum +=
      v === undefined
        ? -0.5 * (Math.log(2 * Math.PI) + Math.log(h) + square / h)
        : lnGamma((v + 1) / 2) -
          lnGamma(v / 2) -
          0.5 * Math.log(Math.PI * (v - 2)) -
          0.5 * Math.log(h) -
          ((v + 1) / 2) * Math.log(1 + square / ((v - 2) * h))
  })
  return sum
}

/**
 * The likeliest model by the simplex of Nelder and Mead on the plain likelihood, from a grid of starts: slow, and without
 * slopes. A point beyond a bound is valued as the nearest one inside.
 */
function simplexMaximum(squares: Float64Array, variance: number, heavyTails: boolean) {
  const within = (x: number, low: number, high: number) => Math.min(high, Math.max(low, x))
  const modelAt = ([level, persistence, share, tail]: readonly number[]): GarchModel => {
    const kept = within(persistence, 0, 1)
    const alpha = kept * within(share, 0, 1)
    const dof = heavyTails ? 1 / within(tail, 1 / 100, 1 / 2.1) : undefined
    return { omega: variance * Math.exp(level), alpha, beta: kept - alpha, dof }
  }
  const valueAt = (point: readonly number[]) => -plainLikelihood(squares, variance, modelAt(point))
  const size = heavyTails ? 4 : 3
  let best = { point: [] as readonly number[], value: Number.POSITIVE_INFINITY }
  for (const persistence of [0.9, 0.99]) {
    for (const share of [0.05, 0.15]) {
      const start = [Math.log(1 - persistence), persistence, share, 0.15].slice(0, size)
      let from = start
      // Begun anew where it stopped until that gains nothing: a simplex may collapse against a bound.
      for (let last = Number.POSITIVE_INFINITY; ; ) {
        const found = simplexMinimum(valueAt, from, [0.3, 0.01, 0.03, 0.03].slice(0, size))
        if (found.value < best.value) best = found
        if (!(found.value < last - 1e-7)) break
        last = found.value
        from = [...found.point]
      }
    }
  }
  return { model: modelAt(best.point), value: -best.value }
}

/** The simplex of Nelder and Mead (1965) with its usual coefficients. */
function simplexMinimum(f: (point: readonly number[]) => number, start: readonly number[], spread: readonly number[]) {
  const vertex = (point: readonly number[]) => ({ point, value: f(point) })
  const corners = [start, ...start.map((_, i) => start.map((x, j) => (i === j ? x + spread[i] : x)))].map(vertex)
  for (let step = 0; step < 500; step++) {
    corners.sort((a, b) => a.value - b.value)
    const worst = corners[corners.length - 1]
    if (worst.value - corners[0].value < 1e-9) break
    const centre = start.map(
      (_, j) => corners.slice(0, -1).reduce((sum, { point }) => sum + point[j], 0) / start.length
    )
    const along = (share: number) => vertex(centre.map((x, j) => x + share * (worst.point[j] - x)))
    const reflected = along(-1)
    let next = reflected
    if (reflected.value < corners[0].value) {
      const further = along(-2)
      if (further.value < reflected.value) next = further
    } else if (reflected.value >= corners[corners.length - 2].value) {
      next = along(reflected.value < worst.value ? -0.5 : 0.5)
      if (next.value >= Math.min(reflected.value, worst.value)) {
        const first = corners[0].point
        for (let i = 1; i < corners.length; i++) {
          corners[i] = vertex(corners[i].point.map((x, j) => (x + first[j]) / 2))
        }
        continue
      }
    }
    corners[corners.length - 1] = next
  }
  return corners.reduce((least, corner) => (corner.value < least.value ? corner : least))
}

const closesFolder = new URL('../../../../shared/data/closes/', import.meta.url)

const typical: GarchModel = { omega: 2e-6, alpha: 0.08, beta: 0.9, dof: undefined }
const inPercent = (fit: GarchFit): GarchModel => ({ ...fit, omega: 1e4 * fit.omega })

describe('the likelihood', () => {
  const { squares, variance } = residualsOf(madeReturns(3, 700, { ...typical, dof: 5 }))
  const likelihood = garchLikelihood(squares, variance)
  const models: readonly GarchModel[] = [undefined, 2.3, 5, 40].flatMap((dof) => [
    { omega: 0.02, alpha: 0.08, beta: 0.9, dof },
    { omega: 0.5, alpha: 0.3, beta: 0.2, dof },
    { omega: 0.9, alpha: 0.02, beta: 0.05, dof }
  ])

  test.each(models)('is the sum of its terms at %o', (model) => {
    expect(likelihood(model, new Float64Array(4))).toBeCloseTo(plainLikelihood(squares, variance, model), 8)
  })

  test.each(models)('has slopes that agree with bumped ones at %o', (model) => {
    const slopes = new Float64Array(4)
    likelihood(model, slopes)
    const bumped = (name: 'omega' | 'alpha' | 'beta' | 'dof') => {
      const [by, scratch] = [1e-5 * (model[name] ?? 0), new Float64Array(4)]
      const at = (bump: number) => likelihood({ ...model, [name]: model[name]! + bump }, scratch)
      return (at(by) - at(-by)) / (2 * by)
    }
    for (const [at, name] of [
      [OMEGA, 'omega'],
      [ALPHA, 'alpha'],
      [BETA, 'beta']
    ] as const) {
      expect(Math.abs(slopes[at] / bumped(name) - 1)).toBeLessThan(1e-4)
    }
    if (model.dof === undefined) expect(slopes[DOF]).toBe(0)
    else expect(Math.abs(slopes[DOF] - bumped('dof'))).toBeLessThan(1e-4 * Math.max(1, Math.abs(slopes[DOF])))
  })

  test("of Student's t tends to the normal one as its tails thin out", () => {
    const [model, scratch] = [models[0], new Float64Array(4)]
    const tamed = residualsOf(madeReturns(4, 700, typical))
    const near = garchLikelihood(tamed.squares, tamed.variance)
    expect(near({ ...model, dof: 1e7 }, scratch)).toBeCloseTo(near(model, scratch), 2)
  })

  test('keeps its value where the product of all variances would leave the range of doubles', () => {
    const small = squares.map((square) => 1e-6 * square)
    const model = { omega: 2e-8, alpha: 0.08, beta: 0.9, dof: undefined }
    const tiny = garchLikelihood(small, 1e-6 * variance)(model, new Float64Array(4))
    expect(tiny).toBeCloseTo(plainLikelihood(small, 1e-6 * variance, model), 7)
    expect(tiny).toBeGreaterThan(1000)
  })
})

describe('on the German mark against the pound (Bollerslev and Ghysels 1996)', () => {
  const file = ['rugarch_dmbp.csv']

  testWithFiles(file, 'the normal fit is that of the wire contract', (csv) => {
    const fit = fitGarch(
      columnOf(csv, 0).map((percent) => percent / 100),
      'gaussian'
    )!
    expect(1e4 * fit.omega).toBeCloseTo(0.01062, 5)
    expect(Math.abs(fit.alpha - 0.1513)).toBeLessThan(1e-4)
    expect(Math.abs(fit.beta - 0.8082)).toBeLessThan(1e-4)
    expect(fit.dof).toBeUndefined()
  })

  // Fiorentini, Calzolari and Panattoni (1996), Journal of Applied Econometrics 11: the benchmark of GARCH programs.
  // Its mean is estimated with the rest, and a day 0 whose square and variance are the mean square stands before day 1.
  testWithFiles([...file, 'rugarch_benchmarks.json'], 'the benchmark is met to five digits', (csv, json) => {
    const key = 'GARCH(1,1) normal, const mean (Fiorentini-Calzolari-Panattoni)'
    const benchmark = (JSON.parse(json) as Record<string, Record<'mu' | 'omega' | 'alpha' | 'beta', number>>)[key]
    const returns = columnOf(csv, 0)
    const fitAt = (mu: number) => {
      const squares = returns.map((r) => (r - mu) ** 2)
      const before = squares.reduce((sum, square) => sum + square, 0) / squares.length
      const likelihood = garchLikelihood(Float64Array.of(before, ...squares), before)
      const model = likeliestModel(likelihood, before, squares.length, 'gaussian')!
      return { model, value: likelihood(model, new Float64Array(4)) + 0.5 * Math.log(before) }
    }
    // The top of a parabola through three means, closer each time.
    let mu = 0
    for (const width of [0.02, 0.002, 0.0002]) {
      const [left, middle, right] = [mu - width, mu, mu + width].map((at) => fitAt(at).value)
      mu += (0.5 * width * (right - left)) / (2 * middle - left - right)
    }
    const { model } = fitAt(mu)
    for (const [name, value] of Object.entries({ ...model, mu })) {
      if (value === undefined) continue
      expect(Math.abs(value / benchmark[name as keyof typeof benchmark] - 1), name).toBeLessThan(1e-5)
    }
  })

  // Without the bound these days are likeliest at alpha + beta = 1.009 (rugarch and fGarch print 0.1244 + 0.8847).
  testWithFiles(file, "Student's t is drawn to a persistence of 1: an integrated model", (csv) => {
    const returns = columnOf(csv, 0).map((percent) => percent / 100)
    const fit = fitGarch(returns, 'student_t')!
    expect(fit.persistence).toBeCloseTo(1, 12)
    expect(isIntegrated(fit)).toBe(true)
    expect([longRunVolatility(fit), halfLife(fit)]).toEqual([undefined, undefined])
    const { squares, variance } = residualsOf(returns)
    const twin = simplexMaximum(squares, variance, true)
    expect(twin.value).toBeLessThan(fit.logLikelihood + 1e-6)
    expect(twin.value).toBeGreaterThan(fit.logLikelihood - 1e-3)
    expect(fit.alpha).toBeCloseTo(twin.model.alpha, 3)
    expect(fit.dof).toBeCloseTo(twin.model.dof!, 2)
  })
})

describe('on recorded closes', () => {
  const DATES = 40
  const LENGTH = 1000

  /** Daily log returns of a recorded series, and where its forty windows of 1,000 end. */
  function windowsOf(file: string) {
    const rows = readFileSync(new URL(file, closesFolder), 'utf8').trim().split('\n')
    const column = rows[0].toLowerCase().split(',').indexOf('close')
    const closes = rows.map((row) => Number(row.split(',')[column])).filter((close) => close > 0)
    const returns = Float64Array.from(closes.slice(1), (close, i) => Math.log(close / closes[i]))
    const ends = Array.from({ length: DATES }, (_, k) =>
      Math.round(LENGTH + ((returns.length - LENGTH) * k) / (DATES - 1))
    )
    return ends.map((end) => returns.slice(end - LENGTH, end))
  }

  describe.each(['SPY.csv', 'sp500_prices.csv', 'aapl_prices_2015_2025.csv'])('%s', (file) => {
    const name = existsSync(closesFolder) ? '' : ' (skipped: ../shared/data/closes is not here)'

    test.skipIf(name !== '').each(['student_t', 'gaussian'] as const)(
      `every one of 40 dates has a %s fit and its forecasts${name}`,
      (innovations) => {
        let integrated = 0
        for (const returns of windowsOf(file)) {
          const fit = fitGarch(returns, innovations)!
          expect(fit).toBeDefined()
          const path = [1, 5, 21].map((days) => horizonVolatility(fit, days))
          expect(path.every((vol) => vol > 0.03 && vol < 2)).toBe(true)
          expect(longRunVolatility(fit) === undefined).toBe(isIntegrated(fit))
          if (isIntegrated(fit)) integrated++
        }
        console.log(`${file}, ${innovations}: 40 of 40 dates fitted, ${integrated} integrated`)
      }
    )

    test.skipIf(name !== '')(`a simplex from many starts finds no likelier model, and none other${name}`, () => {
      const windows = windowsOf(file)
      for (const k of [13, 39]) {
        for (const innovations of ['student_t', 'gaussian'] as const) {
          const fit = fitGarch(windows[k], innovations)!
          const { squares, variance } = residualsOf(windows[k])
          const twin = simplexMaximum(squares, variance, innovations === 'student_t')
          expect(twin.value).toBeLessThan(fit.logLikelihood + 1e-6)
          expect(twin.value).toBeGreaterThan(fit.logLikelihood - 1e-3)
          expect(Math.abs(twin.model.alpha - fit.alpha)).toBeLessThan(2e-3)
          expect(Math.abs(twin.model.beta - fit.beta)).toBeLessThan(2e-3)
        }
      }
    })
  })
})

describe('on the returns of the S&P 500', () => {
  // Made once with SciPy 1.17 (Nelder-Mead from one start, xatol 1e-9) on the likelihood written out in NumPy, in percent.
  const reference: readonly [number, GarchModel, number][] = [
    [0, { omega: 0.132201726, alpha: 0.186808735, beta: 0.735311632, dof: undefined }, -1499.111550541],
    [0, { omega: 0.0376269759, alpha: 0.0463340093, beta: 0.920315323, dof: 4.41343674 }, -1411.97881943],
    [2000, { omega: 0.0117302054, alpha: 0.10752705, beta: 0.88918355, dof: undefined }, -1269.728494172],
    [2000, { omega: 0.00985515525, alpha: 0.0827142606, beta: 0.913264689, dof: 5.42945614 }, -1236.337418463]
  ]

  for (const [start, expected, value] of reference) {
    const innovations = expected.dof === undefined ? 'gaussian' : 'student_t'
    testWithFiles(['rugarch_sp500ret.csv'], `the ${innovations} fit from day ${start} is SciPy's`, (csv) => {
      const fit = fitGarch(columnOf(csv, 1).slice(start, start + 1000), innovations)!
      expect(fit.logLikelihood).toBeCloseTo(value, 6)
      for (const name of ['omega', 'alpha', 'beta'] as const) {
        expect(Math.abs(inPercent(fit)[name] / expected[name] - 1)).toBeLessThan(2e-6)
      }
      if (expected.dof !== undefined) expect(fit.dof! / expected.dof).toBeCloseTo(1, 5)
    })
  }

  testWithFiles(['rugarch_sp500ret.csv'], 'no model of a wide grid is likelier, in any stretch of 500 days', (csv) => {
    const returns = columnOf(csv, 1)
    const scratch = new Float64Array(4)
    for (let start = 0; start + 500 <= returns.length; start += 500) {
      const { squares, variance } = residualsOf(returns.slice(start, start + 500))
      const likelihood = garchLikelihood(squares, variance)
      for (const dof of [undefined, 4, 7, 15]) {
        const innovations = dof === undefined ? 'gaussian' : 'student_t'
        const best = likelihood(likeliestModel(likelihood, variance, 500, innovations)!, scratch)
        for (const persistence of [0, 0.2, 0.5, 0.7, 0.85, 0.95, 0.99, 0.999]) {
          for (const share of [0, 0.02, 0.1, 0.3, 1]) {
            for (const level of [0.3, 0.7, 1, 2, 5]) {
              const omega = level * variance * (1 - persistence)
              const model = { omega, alpha: share * persistence, beta: (1 - share) * persistence, dof }
              expect(likelihood(model, scratch)).toBeLessThanOrEqual(best + 1e-6)
            }
          }
        }
      }
    }
  })
})

describe('on returns made by a known model', () => {
  test('the normal fit finds it again', () => {
    const fit = fitGarch(madeReturns(21, 20_000, typical), 'gaussian')!
    expect(Math.abs(fit.alpha - 0.08)).toBeLessThan(0.01)
    expect(Math.abs(fit.beta - 0.9)).toBeLessThan(0.01)
    expect(Math.abs(fit.persistence - 0.98)).toBeLessThan(0.005)
    expect(Math.abs(longRunVolatility(fit)! / Math.sqrt(252 * 1e-4) - 1)).toBeLessThan(0.05)
  })

  test("Student's t finds it again, tails included", () => {
    const fit = fitGarch(madeReturns(22, 20_000, { ...typical, dof: 6 }), 'student_t')!
    expect(Math.abs(fit.dof! - 6)).toBeLessThan(0.6)
    expect(Math.abs(fit.alpha - 0.08)).toBeLessThan(0.01)
    expect(Math.abs(fit.beta - 0.9)).toBeLessThan(0.01)
    expect(Math.abs(fit.persistence - 0.98)).toBeLessThan(0.005)
  })

  test('tails as thin as normal ones give the most degrees of freedom there are, or close to it', () => {
    const fit = fitGarch(madeReturns(23, 5000, typical), 'student_t')!
    expect(fit.dof).toBeGreaterThan(30)
    expect(fit.dof).toBeLessThanOrEqual(100 + 1e-9)
  })

  test('every fit keeps the bounds', () => {
    for (let seed = 1; seed <= 30; seed++) {
      const innovations = seed % 2 === 0 ? 'gaussian' : 'student_t'
      const fit = fitGarch(madeReturns(seed, 260 + 10 * seed, { ...typical, dof: 4 }), innovations)!
      expect(fit.omega).toBeGreaterThan(0)
      expect(Math.min(fit.alpha, fit.beta)).toBeGreaterThanOrEqual(0)
      expect(fit.persistence).toBe(fit.alpha + fit.beta)
      expect(fit.persistence).toBeLessThanOrEqual(1 + 1e-12)
      if (fit.dof !== undefined) expect(fit.dof).toBeGreaterThan(2.0999)
      expect(Object.values(fit).every((value) => value === undefined || Number.isFinite(value))).toBe(true)
    }
  })

  const returns = madeReturns(31, 600, { ...typical, dof: 6 })

  test('equal returns give equal fits, and three times the returns nine times the variances', () => {
    const fit = fitGarch(returns, 'student_t')!
    expect(fitGarch(returns.slice(), 'student_t')).toEqual(fit)
    const tripled = fitGarch(
      returns.map((r) => 3 * r),
      'student_t'
    )!
    expect(tripled.omega / fit.omega).toBeCloseTo(9, 4)
    expect(tripled.nextVariance / fit.nextVariance).toBeCloseTo(9, 4)
    expect(tripled.alpha).toBeCloseTo(fit.alpha, 6)
    expect(tripled.dof).toBeCloseTo(fit.dof!, 4)
  })

  test('a mean in the returns changes nothing', () => {
    const fit = fitGarch(returns, 'gaussian')!
    const shifted = fitGarch(
      returns.map((r) => r + 0.002),
      'gaussian'
    )!
    expect(shifted.alpha).toBeCloseTo(fit.alpha, 6)
    expect(shifted.nextVariance / fit.nextVariance).toBeCloseTo(1, 6)
  })

  test('the variance of the next day follows from the last day by the recursion', () => {
    const fit = fitGarch(returns, 'gaussian')!
    const { squares, variance } = residualsOf(returns)
    let h = variance
    for (const square of squares) h = 1e4 * fit.omega + fit.alpha * square + fit.beta * h
    expect(fit.nextVariance).toBeCloseTo(1e-4 * h, 14)
  })
})

test.each([
  'gaussian',
  'student_t'
] as const)('there is no %s fit of too few returns, or of dead ones', (innovations) => {
  expect(fitGarch(madeReturns(1, 249, typical), innovations)).toBeUndefined()
  expect(fitGarch(new Float64Array(500), innovations)).toBeUndefined()
  expect(fitGarch(new Float64Array(0), innovations)).toBeUndefined()
  const broken = madeReturns(1, 400, typical)
  broken[200] = Number.NaN
  expect(fitGarch(broken, innovations)).toBeUndefined()
})

describe('the forecast of a fit', () => {
  const fit: GarchFit = {
    omega: 4e-6,
    alpha: 0.06,
    beta: 0.9,
    dof: undefined,
    persistence: 0.96,
    nextVariance: 3e-4,
    logLikelihood: 0
  }

  test('tends to the long run, by halves in its half life', () => {
    expect(longRunVolatility(fit)).toBeCloseTo(Math.sqrt(252 * 1e-4), 12)
    expect(0.96 ** halfLife(fit)!).toBeCloseTo(0.5, 14)
    expect(horizonVolatility(fit, 100_000)).toBeCloseTo(longRunVolatility(fit)!, 4)
  })

  test.each([1, 5, 21])('over %d days is of the mean of the daily variances', (days) => {
    let [h, sum] = [fit.nextVariance, 0]
    for (let day = 0; day < days; day++) {
      sum += h
      h = fit.omega + fit.persistence * h
    }
    expect(horizonVolatility(fit, days)).toBeCloseTo(Math.sqrt((252 * sum) / days), 12)
  })

  test('moves one way, from tomorrow towards the long run', () => {
    for (const nextVariance of [3e-4, 2e-5]) {
      const path = [1, 5, 21].map((days) => horizonVolatility({ ...fit, nextVariance }, days))
      const away = path.map((vol) => Math.abs(vol - longRunVolatility(fit)!))
      expect(away[0] > away[1] && away[1] > away[2]).toBe(true)
    }
  })

  test('of an integrated model rises by omega a day, without a long run', () => {
    for (const persistence of [0.9999, 0.99995, 1]) {
      const integrated: GarchFit = { ...fit, beta: persistence - 0.06, persistence }
      expect(isIntegrated(integrated)).toBe(true)
      expect([longRunVolatility(integrated), halfLife(integrated)]).toEqual([undefined, undefined])
      const days = Array.from({ length: 21 }, (_, j) => fit.nextVariance + j * fit.omega)
      const mean = days.reduce((sum, h) => sum + h, 0) / 21
      expect(horizonVolatility(integrated, 21)).toBeCloseTo(Math.sqrt(252 * mean), 12)
    }
  })

  test('of a model without memory is the long run, with no half life', () => {
    const still: GarchFit = { ...fit, alpha: 0, beta: 0, persistence: 0, omega: 1e-4, nextVariance: 1e-4 }
    expect(halfLife(still)).toBeUndefined()
    expect(horizonVolatility(still, 21)).toBeCloseTo(longRunVolatility(still)!, 14)
  })
})
