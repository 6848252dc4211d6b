import { session as sessionHours } from '../../../market/calendar.ts'
import { yearsToExpiry } from '../../../market/clock.ts'
import { drift, keyOf } from '../../../math/random.ts'
import { constantMaturity } from '../../../volatility/variance/vix.ts'
import { sessions } from '../market-sessions.ts'
import { timeShare } from '../prices/bridge.ts'
import { factorAt } from '../prices/factor.ts'
import { securityOf } from '../securities/securities.ts'
import { driversOf, type World } from '../world.ts'
import { bracketOf, type IndexTerm, reaches } from './index-terms.ts'
import { smileOf, smileShape, swapVariance } from './ssvi-smile.ts'
import { type VarianceCurve, varianceCurve } from './variance-curve.ts'

const USUAL_VVIX = 92
const MINUTE = 60_000

/**
 * Level of a volatility index, in points, in session number `n` when the share `s` (0 to 1) of the session's variance
 * has passed. The VIX method is applied to the SPX smiles at the two expirations around the index's horizon.
 * The method's sum over an expiration's options is replaced by a variance swap, which is its limit for many strikes,
 * because ten years of bars need it 60,000 times.
 */
export function volatilityIndex(world: World, symbol: string, n: number, s: number): number {
  const spx = securityOf('SPX')!
  const shape = smileShape(world, spx, n, s)
  if (symbol === 'VVIX') return volatilityOfVolatility(world, n, s)
  if (symbol === 'SKEW') return 100 - 71 * shape.rho * shape.eta // 100 means no skew
  const curve = varianceCurve(world, spx, n, s)
  const { open, close } = sessionHours(sessions[n])!
  const asOf = open + timeShare(s) * (close - open)
  const variance = ({ date, settlement, settles }: IndexTerm) => {
    const smile = smileOf(shape, curve(yearsToExpiry(asOf, date, settlement)))
    return { minutes: (settles - asOf) / MINUTE, total: swapVariance(smile) }
  }
  const { near, next } = bracketOf(world, symbol, n)
  return constantMaturity(variance(near), variance(next), reaches[symbol].days)!
}

/** Total variance of options on the VIX: high for near expirations and falling, because the VIX reverts to its mean. */
export function vixVarianceCurve(world: World, n: number, s: number): VarianceCurve {
  const level = (volatilityOfVolatility(world, n, s) / USUAL_VVIX) ** 2
  return (t) => level * (0.12 * t + (0.9 / 7) * -Math.expm1(-7 * t))
}

function volatilityOfVolatility(world: World, n: number, s: number): number {
  const [{ path }] = driversOf(world, securityOf('SPX')!).exposures
  const { slow, fast } = factorAt(path, n, s)
  return USUAL_VVIX * Math.exp(0.2 * fast + 0.08 * slow + 0.03 * drift(keyOf(world.seed, 'vvix'), (n + s) / 5))
}
