import { decay } from '../math/decay.ts'
import { emptyBells, FAINT, type GammaBySpot, sumOfBells } from './gamma-by-spot.ts'

/**
 * Net gamma on a short stretch of spots, from one pass over the contracts instead of one for each spot.
 *
 * With v from -1 to 1 across the stretch a contract's bell is w exp(-(d - r v)²/2), r being half the stretch over σ√T.
 * Where r is at most 1 it is gentle: six terms of its Taylor series leave out no more than |w| r⁶ 15/6!, because the
 * sixth derivative of exp(-y²/2) is nowhere larger than 15. One polynomial serves all gentle contracts; the few steep
 * ones, close to expiry, keep their bells.
 */
export interface GammaStretch {
  readonly middle: number
  readonly reach: number
  /** Of the polynomial in v, which runs against ln x. */
  readonly coefficients: readonly number[]
  readonly steep: GammaBySpot
  /** How far `gammaOn` may be off: a figure larger than this has the sign of net gamma. */
  readonly doubt: number
}

/** The stretch between two logarithms of spot, valid until the next call. */
export function gammaStretch(profile: GammaBySpot, from: number, to: number): GammaStretch {
  const { center, steepness, weight, size, gross } = profile
  const middle = (from + to) / 2
  const reach = Math.abs(to - from) / 2
  let [s0, s1, s2, s3, s4, s5, rest] = [0, 0, 0, 0, 0, 0, 0]
  if (steep.center.length < size) steep = emptyBells(size)
  steep.size = 0
  for (let k = 0; k < size; k++) {
    const r = steepness[k] * reach
    const d = (middle - center[k]) * steepness[k]
    if (r > 1) {
      if (Math.abs(d) - r < VANISHED) keepSteep(profile, k)
      continue
    }
    // The bell and its derivatives in v at the middle, from f' = (a - b v) f: each follows from the two before it.
    const a = r * d
    const b = r * r
    const f0 = weight[k] * decay(0.5 * d * d)
    const f1 = a * f0
    const f2 = a * f1 - b * f0
    const f3 = a * f2 - 2 * b * f1
    const f4 = a * f3 - 3 * b * f2
    const f5 = a * f4 - 4 * b * f3
    s0 += f0
    s1 += f1
    s2 += f2
    s3 += f3
    s4 += f4
    s5 += f5
    rest += Math.abs(weight[k]) * b * b * b
  }
  const doubt = (rest * 15) / 720 + FAINT * gross
  return { middle, reach, coefficients: [s0, s1, s2 / 2, s3 / 6, s4 / 24, s5 / 120], steep, doubt }
}

/** G(x) / x at ln x on the stretch, within its `doubt`. */
export function gammaOn({ middle, reach, coefficients, steep }: GammaStretch, logX: number): number {
  const v = (middle - logX) / reach
  return coefficients.reduceRight((sum, coefficient) => sum * v + coefficient, 0) + sumOfBells(steep, logX)
}

/** Deviations from which on `decay` is 0. */
const VANISHED = 9

let steep = emptyBells(0)

function keepSteep({ center, steepness, weight }: GammaBySpot, k: number): void {
  steep.center[steep.size] = center[k]
  steep.steepness[steep.size] = steepness[k]
  steep.weight[steep.size] = weight[k]
  steep.size++
}
