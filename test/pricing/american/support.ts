import { EXACT } from '../../../src/pricing/american/exact-premium.ts'
import { boundarySystem, guessBoundary, solveBoundary } from '../../../src/pricing/american/yield/boundary.ts'
import type { BoundaryShape } from '../../../src/pricing/american/yield/boundary-tables.ts'
import type { ExerciseTerms } from '../../../src/pricing/american/yield/exercise.ts'
import {
  fillPremiumIntegral,
  type PremiumIntegral,
  premiumIntegral
} from '../../../src/pricing/american/yield/premium-integral.ts'
import type { Option } from '../../../src/pricing/bsm.ts'

/** A seeded stream of numbers from 0 to 1 (Lehmer, minimal standard). */
export function randomStream(seed: number): () => number {
  let state = seed
  return () => (state = (state * 48271) % 2147483647) / 2147483647
}

/** The premium of a put with strike 1, to the last digits the method has. */
export function exactIntegral(terms: ExerciseTerms, sigma: number, shape: BoundaryShape = EXACT): PremiumIntegral {
  const system = boundarySystem(terms, shape)
  const depth = guessBoundary(system, sigma)
  solveBoundary(system, sigma, depth, 1e-8)
  return fillPremiumIntegral(system, sigma, depth, premiumIntegral(system))
}

/**
 * A lattice by Leisen and Reimer (1996), Binomial Models for Option Valuation, Applied Mathematical Finance 3, method 2:
 * value with early exercise less the value without, so that the error common to both drops out.
 */
export function latticePremium(option: Option, steps: number): number {
  return latticePrice(option, steps, true) - latticePrice(option, steps, false)
}

function latticePrice(option: Option, steps: number, american: boolean): number {
  const { right, spot, strike, t, sigma, rate, dividendYield } = option
  const sign = right === 'call' ? 1 : -1
  const d1 = (Math.log(spot / strike) + (rate - dividendYield + sigma ** 2 / 2) * t) / (sigma * Math.sqrt(t))
  const inversion = (z: number) => {
    const u = z / (steps + 1 / 3 + 0.1 / (steps + 1))
    return 0.5 + Math.sign(z) * 0.5 * Math.sqrt(1 - Math.exp(-u * u * (steps + 1 / 6)))
  }
  const dt = t / steps
  const growth = Math.exp((rate - dividendYield) * dt)
  const p = inversion(d1 - sigma * Math.sqrt(t))
  const up = (growth * inversion(d1)) / p
  const down = (growth - p * up) / (1 - p)
  const discount = Math.exp(-rate * dt)
  const exercise = (ups: number, step: number) => Math.max(sign * (spot * up ** ups * down ** (step - ups) - strike), 0)
  const value = Float64Array.from({ length: steps + 1 }, (_, ups) => exercise(ups, steps))
  for (let step = steps - 1; step >= 0; step--) {
    for (let ups = 0; ups <= step; ups++) {
      const held = discount * (p * value[ups + 1] + (1 - p) * value[ups])
      value[ups] = american ? Math.max(held, exercise(ups, step)) : held
    }
  }
  return value[0]
}
