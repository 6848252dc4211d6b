import { factorAt } from './factor.ts'
import { drift, keyOf } from './random.ts'
import { securityOf } from './securities.ts'
import { smileOf, smileShape, swapVariance } from './smile.ts'
import { type VarianceCurve, varianceCurve } from './variance.ts'
import { driversOf, type World } from './world.ts'

/** Calendar days the index of a term looks ahead. */
const terms: Readonly<Record<string, number>> = { VIX9D: 9, VIX: 30, VIX3M: 93 }
const USUAL_VVIX = 92

/** A volatility index in points when the share `s` of session `n` has passed, read off the surface of the SPX. */
export function volatilityIndex(world: World, symbol: string, n: number, s: number): number {
  const spx = securityOf('SPX')!
  const shape = smileShape(world, spx, n, s)
  if (symbol === 'VVIX') return volatilityOfVolatility(world, n, s)
  if (symbol === 'SKEW') return 100 - 71 * shape.rho * shape.eta // 100: no lean at all
  const t = terms[symbol] / 365
  return 100 * Math.sqrt(swapVariance(smileOf(shape, varianceCurve(world, spx, n, s)(t))) / t)
}

/** Total variance of options on the VIX: high for near expirations and falling, as the VIX is pulled to its mean. */
export function vixVarianceCurve(world: World, n: number, s: number): VarianceCurve {
  const level = (volatilityOfVolatility(world, n, s) / USUAL_VVIX) ** 2
  return (t) => level * (0.12 * t + (0.9 / 7) * -Math.expm1(-7 * t))
}

function volatilityOfVolatility(world: World, n: number, s: number): number {
  const [{ path }] = driversOf(world, securityOf('SPX')!).exposures
  const { slow, fast } = factorAt(path, n, s)
  return USUAL_VVIX * Math.exp(0.2 * fast + 0.08 * slow + 0.03 * drift(keyOf(world.seed, 'vvix'), (n + s) / 5))
}
