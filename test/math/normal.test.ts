import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exponential } from '../../src/math/exponential.ts'
import { erfcx, erfcxSlope, inverseNormal, normalCdf, normalPdf } from '../../src/math/normal.ts'

type Row = [x: number, truth: number]
const reference = JSON.parse(readFileSync(new URL('../reference/black.json', import.meta.url), 'utf8')) as {
  erfcx: Row[]
  normalCdf: Row[]
}

/** The largest relative error over the rows of a table. */
function worst(rows: readonly Row[], f: (x: number) => number): number {
  return Math.max(...rows.map(([x, truth]) => Math.abs(f(x) / truth - 1)))
}

test('erfcx agrees with 60-digit arithmetic to its last digits', () => {
  expect(worst(reference.erfcx, erfcx)).toBeLessThan(5e-16)
})

test('the distribution function keeps all its digits far into the tail', () => {
  expect(worst(reference.normalCdf, normalCdf)).toBeLessThan(1e-15)
})

test.each([
  [0, 0.5], // Abramowitz and Stegun (1964), table 26.1
  [1, 0.841344746068543],
  [2, 0.977249868051821],
  [-3, 0.001349898031630095],
  [-5, 2.866515718791939e-7], // and table 26.2: -log10 Q(5) = 6.54265
  [-10, 7.61985302416e-24]
])('the probability below %s matches the published value', (x, published) => {
  expect(normalCdf(x) / published).toBeCloseTo(1, 11)
})

test.each([
  [0.975, 1.959963984540054],
  [0.95, 1.6448536269514722],
  [0.005, -2.5758293035489004],
  [0.25, -0.6744897501960817], // Wichura (1988), AS 241, test values
  [0.001, -3.090232306167814],
  [1e-20, -9.2623400898]
])('the quantile of %s matches the published value', (p, published) => {
  expect(inverseNormal(p)! / published).toBeCloseTo(1, 11)
})

test('a probability outside 0 to 1 has no quantile', () => {
  for (const p of [0, 1, -0.1, 1.1, Number.NaN]) expect(inverseNormal(p)).toBeUndefined()
})

test('the quantile of a probability is where that probability is reached', () => {
  fc.assert(
    fc.property(fc.double({ min: -300, max: -0.31, noNaN: true }), (exponent) => {
      const p = 10 ** exponent
      const x = inverseNormal(p)!
      // A relative error of x is x² times as large in p.
      expect(Math.abs(normalCdf(x) / p - 1)).toBeLessThan(2e-15 * (1 + x * x))
    })
  )
})

test('both sides of the distribution add up to one', () => {
  fc.assert(
    fc.property(fc.double({ min: -9, max: 9, noNaN: true }), (x) => {
      expect(normalCdf(x) + normalCdf(-x)).toBeCloseTo(1, 15)
    })
  )
})

test('nothing is left beyond the smallest doubles, and nothing is NaN', () => {
  expect([normalPdf(60), normalPdf(-1e200), normalCdf(-60), normalCdf(60)]).toEqual([0, 0, 0, 1])
  expect([normalPdf(Number.NEGATIVE_INFINITY), normalCdf(Number.POSITIVE_INFINITY)]).toEqual([0, 1])
})

describe('erfcx', () => {
  test('has no seam where one method takes over from another', () => {
    for (const seam of [-1, 0, 7, ...Array.from({ length: 255 }, (_, i) => -1 + (i + 1) / 32)]) {
      const [left, right] = [erfcx(seam - 1e-13), erfcx(seam)]
      expect(Math.abs(left / right - 1)).toBeLessThan(1e-12)
    }
  })

  test('falls by its slope', () => {
    fc.assert(
      fc.property(fc.double({ min: -0.999, max: 40, noNaN: true }), (z) => {
        const slope = (erfcx(z - 1e-5) - erfcx(z + 1e-5)) / 2e-5
        expect(erfcxSlope(z) / slope).toBeCloseTo(1, 6)
        expect((2 / Math.sqrt(Math.PI) - 2 * z * erfcx(z)) / erfcxSlope(z)).toBeCloseTo(1, z > 10 ? 8 : 11)
      })
    )
  })

  test('reflects below its table', () => {
    for (const z of [-1.5, -3, -5]) expect(erfcx(z) + erfcx(-z)).toBeCloseTo(2 * Math.exp(z * z), 5)
  })
})

test('the exponential for loops agrees with that of the platform', () => {
  fc.assert(
    fc.property(fc.double({ min: -700, max: 709, noNaN: true }), (x) => {
      expect(Math.abs(exponential(x) / Math.exp(x) - 1)).toBeLessThan(1e-15)
    })
  )
  expect([exponential(0), exponential(-800), exponential(Number.NEGATIVE_INFINITY)]).toEqual([1, 0, 0])
  expect([exponential(800), exponential(Number.NaN)]).toEqual([Number.POSITIVE_INFINITY, Number.NaN])
})
