import { expect, test } from 'vitest'
import { bandCalibration } from '../../../src/exposure/bands/band-calibration.ts'
import { normalStream } from '../../volatility/made-up-bars.ts'

const HALF = 1.6448536269514722

/** The rule, written anew: a decayed mean drawn towards 0, then the ⌈0.9 (n + 1)⌉-th smallest distance from it. */
function slowly(errors: readonly number[]): { shift: number; factor: number } | undefined {
  const last = errors.slice(-60)
  if (last.length < 20) return undefined
  let [above, below] = [0, 20]
  for (let age = 0; age < last.length; age++) {
    above += last[last.length - 1 - age] * 2 ** (-age / 20)
    below += 2 ** (-age / 20)
  }
  const shift = above / below
  for (const width of last.map((error) => Math.abs(error - shift)).sort((a, b) => a - b)) {
    const held = last.filter((error) => Math.abs(error - shift) <= width).length
    if (held >= 0.9 * (last.length + 1)) return { shift, factor: width / HALF }
  }
  throw new Error('too few mornings')
}

const isHeld = (error: number, band = { shift: 0, factor: 1 }) => Math.abs(error - band.shift) <= HALF * band.factor

test('a calibration is that of the slow recomputation, morning by morning', () => {
  const normal = normalStream(3)
  const errors = Array.from({ length: 90 }, () => 0.7 + 1.5 * normal())
  expect(bandCalibration(errors.slice(0, 19))).toBeUndefined()
  for (let count = 20; count <= errors.length; count++) {
    const found = bandCalibration(errors.slice(0, count))!
    const expected = slowly(errors.slice(0, count))!
    expect(found.shift).toBeCloseTo(expected.shift, 12)
    expect(found.factor).toBeCloseTo(expected.factor, 12)
    const newest = errors.slice(Math.max(0, count - 60), count)
    const held = newest.filter((error, k) => isHeld(error, slowly(newest.slice(0, k)))).length
    expect(found.mornings).toBe(newest.length)
    expect(found.held).toBeCloseTo(held / newest.length, 12)
  }
})

test('the factor holds nine in ten of the mornings it rests on, however they are distributed', () => {
  for (const errors of [
    Array.from({ length: 60 }, (_, k) => k),
    Array.from({ length: 20 }, (_, k) => (k === 7 ? 1e9 : -k)),
    Array.from({ length: 40 }, () => 0)
  ]) {
    const band = bandCalibration(errors)!
    const held = errors.filter((error) => Math.abs(error - band.shift) <= HALF * band.factor * (1 + 1e-12)).length
    expect(held).toBeGreaterThanOrEqual(0.9 * errors.length)
  }
})

test('bands come to hold what they state, whatever is wrong with the prior', () => {
  const normal = normalStream(17)
  /** Laws of the errors of a prior: right; too narrow and low; with heavy tails; far too wide. */
  const laws: readonly (() => number)[] = [
    normal,
    () => 1.4 + 2 * normal(),
    () => normal() / Math.sqrt((normal() ** 2 + normal() ** 2 + normal() ** 2) / 3),
    () => 0.3 * normal()
  ]
  for (const law of laws) {
    let [held, mornings] = [0, 0]
    for (let symbol = 0; symbol < 6; symbol++) {
      const errors: number[] = []
      for (let morning = 0; morning < 200; morning++) {
        const error = law()
        const band = bandCalibration(errors)
        if (band !== undefined) {
          mornings++
          if (isHeld(error, band)) held++
        }
        errors.push(error)
      }
    }
    expect(held / mornings).toBeGreaterThan(0.86)
    expect(held / mornings).toBeLessThan(0.94)
  }
})
