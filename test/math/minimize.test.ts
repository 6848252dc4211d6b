import fc from 'fast-check'
import { expect, test } from 'vitest'
import { minimize, type SmoothFunction } from '../../src/math/minimize.ts'

const wide = { lower: [-100, -100], upper: [100, 100] }

/** Rosenbrock's valley: its floor is curved and nearly flat; the bottom is at (1, 1). */
const valley: SmoothFunction = ([x, y], slopes) => {
  slopes[0] = -2 * (1 - x) - 400 * x * (y - x * x)
  slopes[1] = 200 * (y - x * x)
  return (1 - x) ** 2 + 100 * (y - x * x) ** 2
}

test('finds the bottom of a curved valley', () => {
  const { point, value, finished } = minimize(valley, [-1.2, 1], wide)
  expect(finished).toBe(true)
  expect(value).toBeLessThan(1e-15)
  expect(point[0]).toBeCloseTo(1, 7)
  expect(point[1]).toBeCloseTo(1, 7)
})

test('stops at a bound that the way down leads through', () => {
  const { point, finished } = minimize(valley, [-1.2, 1], { lower: [-2, -2], upper: [0.5, 2] })
  expect(finished).toBe(true)
  expect([...point]).toEqual([0.5, expect.closeTo(0.25, 8)])
})

test('leaves a bound it starts on when the way down leads inside', () => {
  const { point, finished } = minimize(valley, [3, -9], { lower: [-2, -1], upper: [2, 2] })
  expect(finished).toBe(true)
  expect(point[0]).toBeCloseTo(1, 6)
})

test('finds the lowest point of any bowl in any box', () => {
  const place = fc.double({ min: -5, max: 5, noNaN: true })
  const width = fc.double({ min: 0.01, max: 5, noNaN: true })
  const tilt = fc.double({ min: -0.95, max: 0.95, noNaN: true })
  const steep = fc.double({ min: 0.1, max: 50, noNaN: true })
  fc.assert(
    fc.property(place, place, width, width, tilt, steep, (x0, y0, w, h, rho, s) => {
      const bowl: SmoothFunction = ([x, y], slopes) => {
        const [dx, dy] = [x - x0, s * (y - y0)]
        slopes[0] = dx + rho * dy
        slopes[1] = s * (dy + rho * dx)
        return 0.5 * (dx * dx + 2 * rho * dx * dy + dy * dy)
      }
      const box = { lower: [-w, -h], upper: [w, h] }
      const { point, value, finished } = minimize(bowl, [0, 0], box)
      expect(finished).toBe(true)
      const scratch = new Float64Array(2)
      for (let i = 0; i <= 20; i++) {
        for (let j = 0; j <= 20; j++) {
          const other = Float64Array.of(-w + (i * w) / 10, -h + (j * h) / 10)
          expect(bowl(other, scratch)).toBeGreaterThanOrEqual(value - 1e-9)
        }
      }
      expect(Math.abs(point[0]) <= w && Math.abs(point[1]) <= h).toBe(true)
    })
  )
})

test('turns back where the function has no value', () => {
  const barrier: SmoothFunction = ([x], slopes) => {
    slopes[0] = 1 - 0.001 / x
    return x - 0.001 * Math.log(x)
  }
  const { point, finished } = minimize(barrier, [5], { lower: [-10], upper: [10] })
  expect(finished).toBe(true)
  expect(point[0]).toBeCloseTo(0.001, 8)
})

test('takes the same steps every time', () => {
  const trace = () => {
    const seen: number[] = []
    const watched: SmoothFunction = (x, slopes) => {
      seen.push(...x)
      return valley(x, slopes)
    }
    minimize(watched, [-1.2, 1], wide)
    return seen
  }
  expect(trace()).toEqual(trace())
})

test('settles where rounding hides how far down is left', () => {
  const high: SmoothFunction = (x, slopes) => 1e6 + valley(x, slopes)
  const { point, finished } = minimize(high, [-1.2, 1], wide, { scale: 1e6 })
  expect(finished).toBe(true)
  expect(point[0]).toBeCloseTo(1, 3)
})

test('says so when it has not arrived', () => {
  expect(minimize(valley, [-1.2, 1], wide, { iterations: 3 }).finished).toBe(false)
  expect(minimize(() => Number.NaN, [0, 0], wide).finished).toBe(false)
  const wrongSlopes: SmoothFunction = ([x], slopes) => {
    slopes[0] = -1
    return x
  }
  expect(minimize(wrongSlopes, [0], { lower: [-1], upper: [1] }).finished).toBe(false)
})

test('moves a start outside the box to its edge', () => {
  const { point, finished } = minimize(valley, [50, 50], { lower: [-2, -2], upper: [2, 2] })
  expect(finished).toBe(true)
  expect(point[0]).toBeCloseTo(1, 6)
})
